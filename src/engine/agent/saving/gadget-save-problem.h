/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Texts for why a turn, a chat or a draft is not saved. */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

GadgetSaveProblem gadget_save_problem_from_error     (const GError     *error);

/* Returns a translated sentence: why a turn is not saved. (transfer none) */
const char       *gadget_save_problem_get_text       (GadgetSaveProblem problem);

/* Returns translated sentences: why a draft is not saved, and what the user can do.
 * (transfer none) */
const char       *gadget_save_problem_get_draft_text (GadgetSaveProblem problem);

G_END_DECLS
