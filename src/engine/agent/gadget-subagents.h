/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-loop.h"

G_BEGIN_DECLS

/* The subagents of one turn, as the #GadgetTaskHost of the turn's loop and its calls. */
#define GADGET_TYPE_SUBAGENTS (gadget_subagents_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSubagents, gadget_subagents, GADGET, SUBAGENTS, GObject)

/* Makes the loop of a turn that may have subagents; the parameters are those of
 * _gadget_turn_loop_new (). (transfer full) */
GadgetTurnLoop *_gadget_subagents_new_loop (GadgetTurnEnvironment   *environment,
                                            GadgetRun               *run,
                                            GadgetSession           *session,
                                            GadgetTurn              *turn,
                                            GadgetJournal           *journal,
                                            const GadgetTurnOptions *options,
                                            GadgetBudget            *budget);

G_END_DECLS
