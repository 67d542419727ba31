/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the two kinds of the card share. */

#pragma once

#include "gadget-ask-row.h"

#include <adwaita.h>

G_BEGIN_DECLS

GadgetPrompt *_gadget_ask_row_get_prompt    (GadgetAskRow *self);
GtkWidget    *_gadget_ask_row_get_card      (GadgetAskRow *self);

/* Where the entry appears, and the entry that is there then. */
void          _gadget_ask_row_show_entry    (GadgetAskRow *self,
                                             AdwBin       *place,
                                             const char   *placeholder,
                                             const char   *button,
                                             void        (*entered) (GadgetAskRow *self,
                                                                     const char   *text));

/* What the focus goes to first, and what a screen reader is told of the card. */
void          _gadget_ask_row_set_first     (GadgetAskRow *self,
                                             GtkWidget    *first);
void          _gadget_ask_row_describe      (GadgetAskRow *self,
                                             const char   *description);

/* Gives an answer of the user's, unless the card has only just appeared. */
void          _gadget_ask_row_answer        (GadgetAskRow *self,
                                             const char   *answer,
                                             const char   *note);

/* Fills the card of a permission, and does what a digit means there. */
void          _gadget_ask_row_build_permission (GadgetAskRow *self);
gboolean      _gadget_ask_row_press_digit   (GadgetAskRow *self,
                                             guint         digit);

/* What its menu does. */
void          _gadget_ask_row_say_why       (GadgetAskRow *self);

G_END_DECLS
