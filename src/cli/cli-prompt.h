/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* What PROMPT asks, as it is shown on a terminal of so many COLUMNS: the same text and counts as the
 * window's card. Lines that somebody else wrote have a bar before them, also where they wrap, so that
 * they cannot pose as Gadget's own. (transfer full) */
char       *gadget_cli_prompt_dup_text   (GadgetPrompt *prompt,
                                          guint         columns);

/* The answer that a permission gives for what was typed: "y", "n" or a digit, which means the same
 * everywhere; NULL for none. */
const char *gadget_cli_prompt_get_answer (GadgetPrompt *prompt,
                                          const char   *typed);

G_END_DECLS
