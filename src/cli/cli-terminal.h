/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CLI_TERMINAL (gadget_cli_terminal_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCliTerminal, gadget_cli_terminal, GADGET, CLI_TERMINAL, GObject)

/* The person at the terminal, who is asked one thing after the other. NULL when there is none:
 * no controlling terminal, or one that we are in the background of. */
GadgetCliTerminal *gadget_cli_terminal_new      (void);

/* Asks when it is its turn, until it is answered or withdrawn. */
void               gadget_cli_terminal_ask      (GadgetCliTerminal *self,
                                                 GadgetPrompt      *prompt);
void               gadget_cli_terminal_withdraw (GadgetCliTerminal *self,
                                                 GadgetPrompt      *prompt);

G_END_DECLS
