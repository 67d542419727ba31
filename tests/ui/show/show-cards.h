/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

/* Cards of permissions and questions, one of each kind. (transfer full) */
GadgetPrompt *show_card_command   (void);
GadgetPrompt *show_card_network   (void);
GadgetPrompt *show_card_change    (void);
GadgetPrompt *show_card_new_file  (void);
GadgetPrompt *show_card_mcp       (void);
GadgetPrompt *show_card_secret    (void);
GadgetPrompt *show_card_owner     (void);
GadgetPrompt *show_card_long      (void);
GadgetPrompt *show_card_model     (void);
GadgetPrompt *show_card_server    (void);
