/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Called with the answer that the user has chosen in the menu, one of GADGET_PROMPT_ALLOW_…. */
typedef void (*GadgetAskLastingFunc) (const char *answer,
                                      gpointer    user_data);

/* Makes the "Allow For…" button of a permission. Its menu says what is covered, for how long, and
 * what is not covered. The button is insensitive when PROMPT can only be allowed once. (transfer
 * floating) */
GtkWidget *gadget_ask_lasting_new   (GadgetPrompt        *prompt,
                                     GadgetAskLastingFunc chosen,
                                     gpointer             user_data);

/* Opens the menu and focuses the row of ANSWER; FALSE when there is no such row. */
gboolean   gadget_ask_lasting_focus (GtkWidget           *button,
                                     const char          *answer);

G_END_DECLS
