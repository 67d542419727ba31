/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_FIELD (gadget_ask_field_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskField, gadget_ask_field, GADGET, ASK_FIELD, GtkWidget)

/* What a permission would do, whole, in a field that scrolls; under it what it may reach and how many
 * lines there are. Enter or Space opens it in a dialog, which can be searched. */
GtkWidget *gadget_ask_field_new       (GadgetPrompt   *prompt);

/* What the focus goes to. */
GtkWidget *gadget_ask_field_get_focus (GadgetAskField *self);

/* What a screen reader is told of a prompt: where, warnings, all of the body, its reach. (transfer
 * full) */
char      *gadget_ask_field_dup_description (GadgetPrompt *prompt);

G_END_DECLS
