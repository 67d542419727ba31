/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Shows the whole of what PROMPT asks for over the window of PARENT, with a search. Nothing is
 * shortened; characters that cannot be seen are written out. It goes with the prompt. */
void gadget_ask_dialog_present (GadgetPrompt *prompt,
                                GtkWidget    *parent);

G_END_DECLS
