/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Returns the prompt as text for a terminal with @columns columns (transfer full): the same text
 * and counts as the window's card. Lines that others wrote have a bar in front, also where they
 * wrap, so that they cannot pass for Gadget's own lines. */
char       *gadget_cli_prompt_dup_text   (GadgetPrompt *prompt,
                                          guint         columns);

/* Returns the answer to a permission for the key that the user typed: "y", "n" or a digit that
 * always means the same answer; NULL if it is none of them. */
const char *gadget_cli_prompt_get_answer (GadgetPrompt *prompt,
                                          const char   *key);

G_END_DECLS
