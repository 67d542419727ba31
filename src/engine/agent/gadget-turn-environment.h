/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-model-limits.h"
#include "agent/providers/gadget-provider-list.h"
#include "gadget-registry.h"
#include "agent/saving/gadget-session-locks.h"
#include "agent/saving/gadget-unsaved-sessions.h"
#include "agent/saving/gadget-unsaved-turns.h"
#include "common/gadget-clock.h"
#include "effects/gadget-snapshot-service.h"
#include "store/usage/gadget-store-usage.h"
#include "store/usage/gadget-prices.h"
#include "tools/policy/gadget-policy.h"
#include "tools/gadget-toolbox.h"

G_BEGIN_DECLS

/* A handler of GadgetAgent::tools-left-out. */
typedef void (*GadgetToolsLeftOutFunc) (GadgetSession *session,
                                        GadgetTurn    *turn,
                                        guint          n_offered,
                                        guint          n_left_out,
                                        gpointer       data);

/**
 * GadgetTurnStorage:
 * @store: where turns are kept
 * @snapshots: records what turns change in the user's files
 * @locks: the leases and open locks of sessions that this process holds
 * @unsaved_turns: the ended turns that are not saved
 * @unsaved_sessions: the chats with changes that are not saved
 *
 * Everything that writes what chats contain.
 */
typedef struct
{
  GadgetStore *store;
  GadgetSnapshotService *snapshots;
  GadgetSessionLocks *locks;
  GadgetUnsavedTurns *unsaved_turns;
  GadgetUnsavedSessions *unsaved_sessions;
} GadgetTurnStorage;

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
 * @prices: what models cost
 * @loops: (element-type utf8 GadgetTurnLoop): the loops of the turns that have not settled, by the
 *   id of their run
 * @tools_left_out: (nullable): called by loops of turns; %NULL once the agent is gone
 * @tools_left_out_data: for @tools_left_out
 * @storage: (nullable): where chats are kept; %NULL if none is. What is done for a chat uses
 *   _gadget_turn_environment_get_storage () instead
 *
 * The environment in which the turns of all sessions work. The agent makes it, and the loops of
 * turns, their subagents, their preparation and their commit take it. It lives as long as one of
 * these needs it. But for @tools_left_out, the members do not change. Everything happens on the
 * main context.
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
  GadgetPrices *prices;
  GHashTable *loops;
  GadgetToolsLeftOutFunc tools_left_out;
  gpointer tools_left_out_data;

  GadgetTurnStorage *storage;
};

/* STORE may be NULL. (transfer full) */
GadgetTurnEnvironment *_gadget_turn_environment_new      (GadgetProviderList    *providers,
                                                          GadgetToolbox         *toolbox,
                                                          GadgetStore           *store,
                                                          GadgetClock           *clock);

/* The one rule by which nothing of an incognito chat is stored: there is nothing to write it with.
 * (transfer none) (nullable): NULL for such a chat, and if no chat is kept */
GadgetTurnStorage     *_gadget_turn_environment_get_storage (GadgetTurnEnvironment *self,
                                                          GadgetSession         *session);

/* Counts a request that has ended: stores what it used, and sets its cost by the price of the model
 * if the provider has reported none. The chat of the record is NULL for an incognito one. */
void                   _gadget_turn_environment_count    (GadgetTurnEnvironment *self,
                                                          GadgetUsageRecord     *record);

G_END_DECLS
