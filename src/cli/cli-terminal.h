/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLI_TERMINAL (gadget_cli_terminal_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCliTerminal, gadget_cli_terminal, GADGET, CLI_TERMINAL, GObject)

/* The user at the terminal, who is asked one prompt after the other. _new () returns NULL when
 * there is no controlling terminal, or when the process is in the terminal's background. */
GadgetCliTerminal *gadget_cli_terminal_new      (void);

/* Adds a prompt to the queue. The user is asked when its turn comes, until the prompt is answered
 * or withdrawn. */
void               gadget_cli_terminal_ask      (GadgetCliTerminal *self,
                                                 GadgetPrompt      *prompt);
void               gadget_cli_terminal_withdraw (GadgetCliTerminal *self,
                                                 GadgetPrompt      *prompt);

G_END_DECLS
