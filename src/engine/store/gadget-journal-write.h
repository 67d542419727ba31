/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what a journal hands to the store's thread. */

#pragma once

#include "gadget-store-rows.h"

G_BEGIN_DECLS

/**
 * GadgetJournalWrite:
 * @session: (nullable): the row of the session; %NULL leaves the stored one alone
 * @recovered: whether it comes from a recovery file, so that the stored session may be newer
 * @session_id: the id of the session
 * @turn: the row of the turn
 * @items: (element-type GadgetItemRow): rows to write
 * @pieces: (element-type GadgetPieceRow): pieces to write
 * @replaced: (nullable): ids of turns that @turn replaces
 * @run_id: (nullable): the id of the turn's run
 * @previous: (nullable): the id of the turn before @turn, which has to be stored first
 *
 * One write of a journal, as plain data.
 */
typedef struct
{
  GadgetSessionRow *session;
  gboolean recovered;
  char *session_id;
  GadgetTurnRow *turn;
  GPtrArray *items;
  GPtrArray *pieces;
  char **replaced;
  char *run_id;
  char *previous;
} GadgetJournalWrite;

/* Take the current state on the main context (transfer full). WITH_SESSION includes the row of the
 * session, WITH_ATTACHMENTS those of the turn; the caller adds items and pieces. */
GadgetJournalWrite *_gadget_journal_write_new    (GadgetSession *session,
                                                  GadgetTurn    *turn,
                                                  gboolean       with_session,
                                                  gboolean       with_attachments);
void                _gadget_journal_write_free   (gpointer       self);

/* Store the write in one transaction; both are a #GadgetStoreFunc. _gadget_journal_write_end ()
 * also waits until the data is on the disk. */
gboolean            _gadget_journal_write_change (sqlite3       *db,
                                                  gpointer       self,
                                                  GError       **error);
gboolean            _gadget_journal_write_end    (sqlite3       *db,
                                                  gpointer       self,
                                                  GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetJournalWrite, _gadget_journal_write_free)

G_END_DECLS
