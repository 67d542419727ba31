/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_BODY (gadget_ask_body_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskBody, gadget_ask_body, GADGET, ASK_BODY, GtkWidget)

/* Shows what a permission would do, in the form of its kind: a command, a file or a difference with
 * numbered lines on tints, or arguments in two columns. The code of a file or difference has the
 * colors of its language, which is found by the NAME (nullable) of the file. Lines wrap, and
 * invisible characters are escaped. Of a text that is too long for a card, only the first lines
 * are shown. */
GtkWidget *gadget_ask_body_new           (GadgetPromptBody kind,
                                          const char      *name,
                                          const char      *text);

/* The number of lines of the whole text, and how many of the shown lines are below Y, in pixels
 * from the top of the widget. */
guint      gadget_ask_body_get_n_lines   (GadgetAskBody   *self);
guint      gadget_ask_body_count_below   (GadgetAskBody   *self,
                                          double           y);

/* Returns how many lines are not shown at all, in the text that fits the present width. */
guint      gadget_ask_body_get_n_omitted (GadgetAskBody   *self);

/* Returns how many characters of the whole text are escaped. */
guint      gadget_ask_body_get_n_escaped (GadgetAskBody   *self);

G_END_DECLS
