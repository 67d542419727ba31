/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-journal.h"
#include "gadget-store-rows.h"

G_BEGIN_DECLS

/**
 * GadgetJournalWrite:
 * @session: (nullable): its row; %NULL leaves it alone
 * @recovered: whether it is from a recovery file, so that the stored session may be newer
 * @turn: the turn's row
 * @items: (element-type GadgetItemRow)
 * @pieces: (element-type GadgetPieceRow)
 * @replaced: (nullable): ids of turns that leave the session for this one
 * @run_id: (nullable): of the turn's run
 *
 * One write of a journal, plain data.
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
} GadgetJournalWrite;

GadgetJournalWrite *_gadget_journal_write_new  (GadgetSession *session,
                                                GadgetTurn    *turn,
                                                gboolean       with_session,
                                                gboolean       whole);
void                _gadget_journal_write_free (gpointer       self);
GadgetJournalWrite *_gadget_journal_take_copy  (GadgetJournal *journal);

/* Both GadgetStoreFunc. The end waits for the disk. */
gboolean            _gadget_journal_write_change (sqlite3     *db,
                                                gpointer       self,
                                                GError       **error);
gboolean            _gadget_journal_write_end  (sqlite3       *db,
                                                gpointer       self,
                                                GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetJournalWrite, _gadget_journal_write_free)

G_END_DECLS
