/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_BODY (gadget_ask_body_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskBody, gadget_ask_body, GADGET, ASK_BODY, GtkWidget)

/* The whole of what a permission would do, in the form that its kind asks for: a command, a file or a
 * difference with numbered lines on tints and its code in the colors of its language, which the NAME
 * (nullable) of the file tells, arguments in two columns. Lines wrap, and characters that
 * cannot be seen are written out. Of a text that is too long for a card the first lines are shown. */
GtkWidget *gadget_ask_body_new           (GadgetPromptBody  kind,
                                          const char       *name,
                                          const char       *text);

/* All lines, and of those that are shown how many lie below Y. */
guint      gadget_ask_body_get_n_lines   (GadgetAskBody    *self);
guint      gadget_ask_body_count_below   (GadgetAskBody    *self,
                                          double            y);

/* How many lines are not shown at all. */
guint      gadget_ask_body_get_n_omitted (GadgetAskBody    *self);

G_END_DECLS
