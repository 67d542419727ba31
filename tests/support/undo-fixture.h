/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-undo.h"
#include "effects/gadget-effects.h"
#include "test-store.h"

G_BEGIN_DECLS

/* A store, a snapshot service, a workspace, and one turn at a time that changes files in it. */
typedef struct
{
  char *directory;
  char *workspace; /* as turns are given it */
  GadgetStore *store;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal;
  GadgetSnapshotService *service;
  GadgetEffects *effects;
  guint n_turns;
  gboolean lent; /* the folders are the caller's */
} UndoFixture;

void              undo_set_up        (UndoFixture       *fixture,
                                      gconstpointer      data);
void              undo_tear_down     (UndoFixture       *fixture,
                                      gconstpointer      data);

/* In two folders of the caller's. */
void              undo_set_up_in     (UndoFixture       *fixture,
                                      const char        *directory,
                                      const char        *workspace);

#define undo_test_add(path, function)                                                              \
  g_test_add ("/engine/undo" path, UndoFixture, NULL, undo_set_up, function, undo_tear_down)

void              undo_new_turn      (UndoFixture       *fixture);
/* As when the program was ended and started again. */
void              undo_new_snapshot_service    (UndoFixture       *fixture);

gint64            undo_begin         (UndoFixture       *fixture,
                                      GadgetEffectKind   kind,
                                      const char        *subject);
/* A command of the turn, and one of nobody who is on record. */
void              undo_run           (UndoFixture       *fixture,
                                      const char        *command);
void              undo_run_bare      (UndoFixture       *fixture,
                                      const char        *command);
/* As a file tool does it; folders on the way are made. */
void              undo_edit          (UndoFixture       *fixture,
                                      const char        *name,
                                      const char        *text);

char             *undo_path          (UndoFixture       *fixture,
                                      const char        *name);
void              undo_put           (UndoFixture       *fixture,
                                      const char        *name,
                                      const char        *text);
/* NULL: there is none. */
void              undo_assert_text   (UndoFixture       *fixture,
                                      const char        *name,
                                      const char        *expected);

GadgetUndoList   *undo_list          (UndoFixture       *fixture,
                                      const char        *turn_id);
/* Waits until all of the turn is on record. */
GadgetUndoList   *undo_list_recorded (UndoFixture       *fixture);
void              undo_wait_recorded (UndoFixture       *fixture);
const GadgetUndoEntry *undo_find     (const GadgetUndoList *list,
                                      const char        *name);
GadgetUndoReport *undo_apply         (UndoFixture       *fixture,
                                      gboolean           redo,
                                      const char        *name,
                                      GadgetUndoPolicy   policy,
                                      GError           **error);
/* All of the turn, without a problem. */
void              undo_apply_all     (UndoFixture       *fixture,
                                      gboolean           redo);

/* All of the workspace, one line a name: modes, owners, times to the nanosecond, a hash of the
 * bytes, targets, attributes, which of them are one file. */
char             *undo_dump          (const char        *workspace);
/* Fails with the lines that differ. */
void              undo_assert_same   (const char        *dump,
                                      const char        *expected);
/* Undoes all, to what BEFORE dumps, and redoes it. */
void              undo_and_compare   (UndoFixture       *fixture,
                                      const char        *before);

/* Holds up a thread: after _arm (), the next call of _pass (), which takes the gate, waits until
 * _open () is called. _waits () is for test_wait_until (). It begins with zeros. */
typedef struct
{
  GMutex lock;
  GCond changed;
  gboolean armed;
  gboolean waits;
  gboolean go;
} UndoGate;

void     undo_gate_arm   (UndoGate *gate);
void     undo_gate_pass  (gpointer  gate);
gboolean undo_gate_waits (gpointer  gate);
void     undo_gate_open  (UndoGate *gate);

G_END_DECLS
