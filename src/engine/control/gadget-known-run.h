/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-run.h"
#include "gadget-caller.h"
#include "gadget-event-feed.h"

G_BEGIN_DECLS

/**
 * GadgetKnownRun:
 * @turn_id: (nullable): of a turn's run
 * @chat_id: its session; of a subagent's run, the session that the whole work is for
 * @owner: (nullable): the unique name of the connection that started it
 * @turn: (nullable): of a turn that goes on
 * @unsent: it was stopped before it had sent anything
 * @feed: (nullable): of a turn that goes on: its events
 * @waiting: (element-type GDBusMethodInvocation): calls that wait for its end
 *
 * A run from its start on, and for a while after its end, as other programs may ask of it.
 */
typedef struct
{
  char *run_id;
  char *turn_id;
  char *session_id;
  char *chat_id;
  char *owner;
  gboolean over;
  gboolean success;
  gboolean unsent;
  GadgetTurn *turn;
  char *message;
  GadgetEventFeed *feed;
  GPtrArray *waiting;
} GadgetKnownRun;

GadgetKnownRun *gadget_known_run_new         (GadgetRun              *run);
void            gadget_known_run_free        (GadgetKnownRun         *self);

/* Answers those who wait for it. Whether it had sent anything is asked of its turn. */
void            gadget_known_run_finish      (GadgetKnownRun         *self,
                                              gboolean                success,
                                              const char             *message);
void            gadget_known_run_answer_wait (const GadgetKnownRun   *self,
                                              GDBusMethodInvocation  *invocation);

/* Whether a caller may see and stop it: the user may, and who started it. */
gboolean        gadget_known_run_is_open_to  (const GadgetKnownRun   *self,
                                              GadgetCaller            caller,
                                              const char             *sender);

G_END_DECLS
