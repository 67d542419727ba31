/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* What to do with an answer of the menu. */
typedef void (*GadgetAskLastingFunc) (const char *answer,
                                      gpointer    user_data);

/* The button "Allow For…" of a permission, with its menu: what is covered, for how long, what is not
 * covered. It is insensitive where PROMPT can only be allowed once. */
GtkWidget *gadget_ask_lasting_new   (GadgetPrompt         *prompt,
                                     GadgetAskLastingFunc  chosen,
                                     gpointer              user_data);

/* Opens the menu with the focus on the row of ANSWER; FALSE where there is none. */
gboolean   gadget_ask_lasting_focus (GtkWidget            *button,
                                     const char           *answer);

G_END_DECLS
