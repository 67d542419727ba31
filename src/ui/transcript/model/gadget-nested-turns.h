/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* The turns of subagents that were unfolded. Each has a number from 1 on, its scope; a row of that
 * turn has this scope, and a row of the chat's own turns has scope 0. A number is valid as long as
 * the table. */
typedef struct _GadgetNestedTurns GadgetNestedTurns;

/* Makes an empty table, which gadget_nested_turns_free () frees. (transfer full) */
GadgetNestedTurns *gadget_nested_turns_new         (void);
void               gadget_nested_turns_free        (GadgetNestedTurns *self);

/* Returns the scope of a turn of the subagent's chat CHILD, which is unfolded within the scope
 * PARENT. The same turn gets the same scope again. The table keeps references to both. */
guint              gadget_nested_turns_add         (GadgetNestedTurns *self,
                                                    GadgetSession     *child,
                                                    GadgetTurn        *turn,
                                                    guint              parent);

/* Get the turn of a scope and its chat. (transfer none) */
GadgetTurn        *gadget_nested_turns_get_turn    (GadgetNestedTurns *self,
                                                    guint              scope);
GadgetSession     *gadget_nested_turns_get_session (GadgetNestedTurns *self,
                                                    guint              scope);

/* Returns how many subagents deep a scope is; 0 for the chat's own turns. */
guint              gadget_nested_turns_get_depth   (GadgetNestedTurns *self,
                                                    guint              scope);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetNestedTurns, gadget_nested_turns_free)

G_END_DECLS
