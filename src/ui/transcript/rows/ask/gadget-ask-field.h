/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_FIELD (gadget_ask_field_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskField, gadget_ask_field, GADGET, ASK_FIELD, GtkWidget)

/* Shows the whole text of what a permission would do in a field that scrolls; below it, what it may
 * reach and how many lines there are. Enter or Space opens the text in a dialog with a search.
 * Keeps a reference to PROMPT. */
GtkWidget *gadget_ask_field_new             (GadgetPrompt   *prompt);

/* Returns the widget that the focus goes to. (transfer none) */
GtkWidget *gadget_ask_field_get_focus       (GadgetAskField *self);

/* Returns the description of a prompt for screen readers: warnings, the body, what it may reach and
 * where. (transfer full) */
char      *gadget_ask_field_dup_description (GadgetPrompt   *prompt);

G_END_DECLS
