/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-model-limits.h"
#include "gadget-provider-list.h"
#include "gadget-registry.h"
#include "agent/saving/gadget-session-locks.h"
#include "agent/saving/gadget-unsaved-sessions.h"
#include "agent/saving/gadget-unsaved-turns.h"
#include "common/gadget-clock.h"
#include "effects/gadget-snapshot-service.h"
#include "tools/gadget-policy.h"
#include "tools/gadget-toolbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_ENVIRONMENT (gadget_turn_environment_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnEnvironment, gadget_turn_environment, GADGET, TURN_ENVIRONMENT,
                      GObject)

/**
 * GadgetTurnEnvironment:
 * @providers: the providers that the user has set up
 * @toolbox: the tools that models are offered
 * @policy: decides what calls may do
 * @clock: the clock of all time limits
 * @registry: all runs of the process
 * @model_limits: what is known about how much each model can read
 * @loops: (element-type utf8 GadgetTurnLoop): the loops of the turns that have not settled, by the
 *   id of their run
 * @store: (nullable): where turns are kept; %NULL if nothing is kept, and then the members below
 *   are %NULL, too
 * @snapshots: (nullable): records what turns change in the user's files
 * @locks: (nullable): the leases and open locks of sessions that this process holds
 * @unsaved_turns: (nullable): the ended turns that are not saved
 * @unsaved_sessions: (nullable): the chats with changes that are not saved
 *
 * What the turns of all sessions work with. The agent makes it, and the loops of turns, their
 * subagents, their preparation and their commit take it. The members do not change. It lives as
 * long as one of these needs it. Everything happens on the main context.
 */
struct _GadgetTurnEnvironment
{
  GObject parent_instance;

  GadgetProviderList *providers;
  GadgetToolbox *toolbox;
  GadgetPolicy *policy;
  GadgetClock *clock;
  GadgetRegistry *registry;
  GadgetModelLimits *model_limits;
  GHashTable *loops;

  GadgetStore *store;
  GadgetSnapshotService *snapshots;
  GadgetSessionLocks *locks;
  GadgetUnsavedTurns *unsaved_turns;
  GadgetUnsavedSessions *unsaved_sessions;
};

/**
 * GadgetTurnEnvironment::tools-left-out:
 * @session: the user's chat
 * @turn: the turn of that chat, or of one of its subagents
 * @n_offered: how many tools the model was offered; may be 0
 * @n_left_out: how many tools were left out
 *
 * See GadgetAgent::tools-left-out.
 */

/* STORE may be NULL. (transfer full) */
GadgetTurnEnvironment *_gadget_turn_environment_new      (GadgetProviderList    *providers,
                                                          GadgetToolbox         *toolbox,
                                                          GadgetStore           *store,
                                                          GadgetClock           *clock);

/* Emits GadgetTurnEnvironment::tools-left-out. */
void                   _gadget_turn_environment_emit_tools_left_out
                                                         (GadgetTurnEnvironment *self,
                                                          GadgetSession         *session,
                                                          GadgetTurn            *turn,
                                                          guint                  n_offered,
                                                          guint                  n_left_out);

G_END_DECLS
