/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Shows the whole text of what PROMPT asks for in a dialog over the window of PARENT, with a
 * search. Nothing is shortened, and invisible characters are written out. The dialog closes when
 * the prompt does. */
void gadget_ask_dialog_present (GadgetPrompt *prompt,
                                GtkWidget    *parent);

G_END_DECLS
