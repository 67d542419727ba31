/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A store with a turn and its journal, and what is stored of that turn. */

#pragma once

#include "test-store.h"

G_BEGIN_DECLS

#define SESSION_ID "s"

typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal;
} Fixture;

void journal_set_up (Fixture *fixture, gconstpointer data);
void journal_tear_down (Fixture *fixture, gconstpointer data);
/* The stored turn, as it is now, seen by a reader of its own while the lease is held (so that it is
 * not repaired). */
GadgetTurn *journal_read_turn (Fixture *fixture);
void journal_expect_same_turn (GadgetTurn *a, GadgetTurn *b);
void journal_expect_stored (Fixture *fixture);
GadgetItem *journal_add_text (GadgetTurn *turn, const char *text);
GadgetItem *journal_add_call (GadgetTurn *turn, const char *id);
void journal_end_with_everything (Fixture *fixture);
void journal_expect_committed (Fixture *fixture);

G_END_DECLS
