/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The abort contract from end to end: a real store, a real connection to a server that the test
 * scripts, real tools in the real sandbox. */

#pragma once

#include "agent/gadget-engine.h"
#include "fake-dialect.h"

G_BEGIN_DECLS

#define ABORT_WIDE_MS 3000 /* far above what benchmarks measure, far below "hangs" */

typedef struct
{
  char *directory;
  char *workspace;
  GadgetEngine *engine;
  GadgetSession *session;
  FakeServer *server;
  const FakeDialect *dialect;
  GadgetTurn *turn;
  char *marker; /* see test_marker_new () */

  /* Of the signal "completed". */
  guint n_completed;
  char *completed_turn;

  guint n_fds; /* before the turn */
  guint n_threads;
  guint n_asked; /* requests that this program began */
  guint n_asked_before; /* the press */
  gulong asked_hook;
} AbortFixture;

/* DIALECT may be NULL for Chat Completions. */
void        abort_set_up             (AbortFixture      *f,
                                      FakeServerKind     kind,
                                      const FakeDialect *dialect);
void        abort_tear_down          (AbortFixture      *f);
void        abort_close_engine       (AbortFixture      *f);

/* A fresh session, which the fixture's turns are in from now on. */
void        abort_new_session        (AbortFixture      *f);

/* Starts a turn; the first one after noting the baseline. */
void        abort_start              (AbortFixture      *f,
                                      const char        *prompt,
                                      GadgetApproval     approval);

/* Presses Stop, and waits for the completion. The main loop must not stand still meanwhile (X8). */
void        abort_press              (AbortFixture      *f);

/* Everything of ABORT.md, section 9, after abort_press ():
 *
 *   I1 one completion for the turn          I5 no live descendant
 *   I2 no request and no tool afterwards    I6 file descriptors and threads at the baseline
 *   I3 stored text is displayed text        I7 no prompt left
 *   I4 the next message is accepted         I8 status aborted, session idle
 *
 * The first does what can be done without another turn; the second sends one, closes the engine,
 * and reads from the disk. */
void        abort_assert_settled     (AbortFixture      *f);
void        abort_assert_invariants  (AbortFixture      *f);

/* All that is shown of a turn. */
char       *abort_dup_shown          (GadgetTurn        *turn);
gboolean    abort_has_receipt        (GadgetTurn        *turn,
                                      const char        *kind);

/* An answer with one call. */
void        abort_script_call        (AbortFixture      *f,
                                      const char        *name,
                                      const char        *arguments);

G_END_DECLS
