/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-caller.h"
#include "gadget-event-feed.h"
#include "agent/gadget-run.h"

G_BEGIN_DECLS

/**
 * GadgetRunRecord:
 * @turn_id: (nullable): only for the run of a turn
 * @chat_id: the session; for a subagent's run the session of the topmost parent
 * @requester: (nullable): the unique name of the program that started the run
 * @incognito: it works on an incognito chat, so other programs are told nothing of what it does
 * @turn: (nullable): only while the turn goes on
 * @success: whether it succeeded, when @over
 * @message: (nullable): "finished", "aborted" or the error, when @over
 * @unsent: the run was stopped before it sent anything
 * @feed: (nullable): the events of the turn, only while it goes on
 * @waiting: (element-type GDBusMethodInvocation): calls that wait for the end, owned
 *
 * A record of a run that other programs can ask for, from its start until some time after its end.
 */
typedef struct
{
  char *run_id;
  char *turn_id;
  char *session_id;
  char *chat_id;
  char *requester;
  gboolean incognito;
  gboolean over;
  gboolean success;
  gboolean unsent;
  GadgetTurn *turn;
  char *message;
  GadgetEventFeed *feed;
  GPtrArray *waiting;
} GadgetRunRecord;

/* Creates a record of a run that started (transfer full). */
GadgetRunRecord *gadget_run_record_new         (GadgetRun             *run);
void             gadget_run_record_free        (GadgetRunRecord       *self);

/* Marks the run as over and replies to the calls that wait for it. The turn tells whether it sent
 * anything. _answer_wait () replies to one call (transfer full). */
void             gadget_run_record_finish      (GadgetRunRecord       *self,
                                                gboolean               success,
                                                const char            *message);
void             gadget_run_record_answer_wait (const GadgetRunRecord *self,
                                                GDBusMethodInvocation *invocation);

/* Returns whether a caller may see and stop the run: the user may, and the program that started it.
 * @sender is its unique name (nullable). */
gboolean         gadget_run_record_may_access  (const GadgetRunRecord *self,
                                                GadgetCaller           caller,
                                                const char            *sender);

G_END_DECLS
