/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: functions that questions and permissions share. */

#pragma once

#include "gadget-ask-row.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Return the prompt of the card, and the widget that holds the card's content. (transfer none) */
GadgetPrompt *_gadget_ask_row_get_prompt       (GadgetAskRow *self);
GtkWidget    *_gadget_ask_row_get_card         (GadgetAskRow *self);

/* Shows an entry in @place, with the draft of the prompt. @entered is called with the stripped text
 * when the user presses Enter or the button. */
void          _gadget_ask_row_show_entry    (GadgetAskRow *self,
                                             AdwBin       *place,
                                             const char   *placeholder,
                                             const char   *button,
                                             void        (*entered) (GadgetAskRow *self,
                                                                     const char   *text));

/* Set the widget that gets the focus first, and the description for screen readers. */
void          _gadget_ask_row_set_first        (GadgetAskRow *self,
                                                GtkWidget    *first);
void          _gadget_ask_row_describe         (GadgetAskRow *self,
                                                const char   *description);

/* Answers the prompt with @answer and @note (nullable) and gives up the focus, unless the card has
 * only just become visible. */
void          _gadget_ask_row_answer           (GadgetAskRow *self,
                                                const char   *answer,
                                                const char   *note);

/* Fill the card of a permission, and press a digit there. FALSE when the digit has no meaning. */
void          _gadget_ask_row_build_permission (GadgetAskRow *self);
gboolean      _gadget_ask_row_press_digit      (GadgetAskRow *self,
                                                guint         digit);

/* Show the entry for the reason of a denial, and focus it as well. */
void          _gadget_ask_row_show_why         (GadgetAskRow *self);
void          _gadget_ask_row_say_why          (GadgetAskRow *self);

G_END_DECLS
