/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Takes one write of a journal from the objects, and stores it in one transaction. */

#define G_LOG_DOMAIN "gadget-journal"

#include "config.h"

#include "gadget-journal-write.h"

#include "gadget-store-runs.h"
#include "gadget-store-turns-private.h"

GadgetJournalWrite *
_gadget_journal_write_new (GadgetSession *session, GadgetTurn *turn, gboolean with_session,
                           gboolean with_attachments)
{
  GadgetJournalWrite *self = g_new0 (GadgetJournalWrite, 1);

  g_assert (!gadget_session_get_incognito (session));
  if (with_session)
    self->session = _gadget_session_row_new_from (session);
  self->session_id = g_strdup (gadget_session_get_id (session));
  self->turn = _gadget_turn_row_new_from (turn, with_attachments);
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_item_row_free);
  self->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_piece_row_free);
  return self;
}

void
_gadget_journal_write_free (gpointer data)
{
  GadgetJournalWrite *self = data;

  g_clear_pointer (&self->session, _gadget_session_row_free);
  g_free (self->session_id);
  g_clear_pointer (&self->turn, _gadget_turn_row_free);
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->pieces);
  g_strfreev (self->replaced);
  g_free (self->run_id);
  g_free (self->previous);
  g_free (self);
}

static gboolean
write_session (const GadgetJournalWrite *write, sqlite3 *db, GError **error)
{
  if (write->session == NULL)
    return TRUE;
  return write->recovered ? _gadget_session_row_recover (write->session, db, error)
                          : _gadget_session_row_write (write->session, db, error);
}

/* A new row becomes the last turn of its session, so the turn before has to have a row already. */
static gboolean
check_previous (const GadgetJournalWrite *write, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (write->previous == NULL)
    return TRUE;
  stmt = _gadget_sql_prepare (db, "SELECT 1 FROM turn WHERE id = ?1", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, write->previous);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FAILED,
                 "the turn before it, %s, is not stored yet", write->previous);
  return has_row;
}

static gboolean
write_rows (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetJournalWrite *write = data;
  gint64 number;

  if (!write_session (write, db, error))
    return FALSE;
  if (!_gadget_turn_row_write (write->turn, db, write->session_id, &number, error))
    return FALSE;
  if (!check_previous (write, db, error))
    return FALSE;
  if (write->run_id != NULL && !_gadget_store_run_write (db, write->run_id, number, error))
    return FALSE;
  for (guint i = 0; i < write->items->len; i++)
    if (!_gadget_item_row_write (g_ptr_array_index (write->items, i), db, number, write->session_id,
                                 error))
      return FALSE;
  for (guint i = 0; i < write->pieces->len; i++)
    if (!_gadget_piece_row_write (g_ptr_array_index (write->pieces, i), db, number, error))
      return FALSE;
  return write->replaced == NULL
         || _gadget_turns_replace (db, write->session_id, write->turn->id,
                                   (const char *const *) write->replaced, error);
}

gboolean
_gadget_journal_write_change (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, write_rows, data, error);
}

gboolean
_gadget_journal_write_end (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction_durable (db, write_rows, data, error);
}
