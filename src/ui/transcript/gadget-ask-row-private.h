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

/* The next digit, and what is clicked for it; ANSWER (nullable) is what that answers. */
guint         _gadget_ask_row_get_digit     (GadgetAskRow *self);
void          _gadget_ask_row_add_button    (GadgetAskRow *self,
                                             GtkWidget    *button,
                                             const char   *answer);

void          _gadget_ask_row_answer        (GadgetAskRow *self,
                                             const char   *answer,
                                             const char   *note);

/* Fills the card of a permission. */
void          _gadget_ask_row_build_permission (GadgetAskRow *self);

/* What its menu does. */
void          _gadget_ask_row_say_why       (GadgetAskRow *self);

G_END_DECLS
