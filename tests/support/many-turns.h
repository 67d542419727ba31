/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A busy day: many chats at work at once, each with subagents whose answers stream from one host
 * and with calls that would last for ever. All are stopped by one abort. */

#pragma once

#include "agent/gadget-engine.h"
#include "fake-server.h"

G_BEGIN_DECLS

#define MANY_SESSIONS 20
#define MANY_STREAMS 60 /* of three subagents of each */
#define MANY_CALLS 100  /* beside those: two commands, two waits and a question of each */

typedef struct
{
  char *directory;
  char *workspace;
  char *marker; /* of the commands, see test_marker_new () */
  FakeServer *server;
  GadgetEngine *engine;
  GPtrArray *sessions;
  guint first_request; /* of these turns */
  gboolean commands;   /* FALSE where there is no sandbox: they are waits as well */

  /* Of the turns, by "completed". */
  guint n_completed;
  gint64 completed_us;

  /* By many_turns_abort (), from the call; milliseconds. */
  guint n_aborted;
  double ack_ms;
  double close_ms;      /* to the end of the last of the streams, as the server saw it */
  double processes_ms;  /* to the last process of a command, from the receipts */
  double completion_ms; /* to the last turn's "completed" */
} ManyTurns;

ManyTurns *many_turns_new       (void);
void       many_turns_free      (ManyTurns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ManyTurns, many_turns_free)

/* Returns when all streams flow and all calls run. */
void       many_turns_start     (ManyTurns *self);
/* The one abort; returns when all turns are completed and all streams have ended. */
void       many_turns_abort     (ManyTurns *self);
/* What an abort leaves of each chat (ABORT.md, section 9), and that none of it is left. */
void       many_turns_assert_stopped (ManyTurns *self);

G_END_DECLS
