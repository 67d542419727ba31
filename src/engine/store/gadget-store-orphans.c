/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of the ledger whose process died: it is closed what can be, and what a command changed is
 * left to be looked at. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-lease.h"
#include "gadget-store-effects-private.h"
#include "gadget-store-repair.h"

static GPtrArray *
find_owners (sqlite3 *db, GError **error)
{
  g_autoptr (GPtrArray) owners = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "SELECT DISTINCT owner FROM effect WHERE outcome IS NULL OR recording = 'pending'",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return g_steal_pointer (&owners);
      g_ptr_array_add (owners, _gadget_sql_dup_text (stmt, 0));
    }
  return NULL;
}

static gboolean
close_rows_of (sqlite3 *db, gpointer data, GError **error)
{
  static const char *const updates[] = {
    /* It ended when its turn was last seen alive, not now. */
    "UPDATE effect SET outcome = 'interrupted', ended_at = max (started_at,"
    " (SELECT changed_at FROM turn WHERE turn.number = effect.turn))"
    " WHERE owner = ?1 AND outcome IS NULL",
    /* What a command changed can still be looked at. */
    "UPDATE effect SET recording = 'lost' WHERE owner = ?1 AND recording = 'pending'"
    " AND kind != 'command'",
  };

  for (guint i = 0; i < G_N_ELEMENTS (updates); i++)
    {
      g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, updates[i], error);

      if (stmt == NULL)
        return FALSE;
      _gadget_sql_bind_text (stmt, 1, data);
      if (!_gadget_sql_run (stmt, error))
        return FALSE;
    }
  return TRUE;
}

/* The lock file of a process that was killed is left behind. */
static void
remove_lock_file (const char *directory, const char *owner)
{
  GadgetLease *lease = gadget_lease_acquire (directory, owner, NULL);

  if (lease != NULL)
    gadget_lease_release (lease);
}

/* Closes what dead processes left open. */
gboolean
_gadget_store_repair_effects (sqlite3 *db, const char *directory, GError **error)
{
  g_autoptr (GPtrArray) owners = find_owners (db, error);

  if (owners == NULL)
    return FALSE;
  for (guint i = 0; i < owners->len; i++)
    {
      char *owner = g_ptr_array_index (owners, i);

      if (gadget_lease_is_held (directory, owner))
        continue;
      if (!_gadget_sql_transaction (db, close_rows_of, owner, error))
        return FALSE;
      remove_lock_file (directory, owner);
    }
  return TRUE;
}

/* --- What is to be looked at -------------------------------------------------------------------
 */

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  GadgetEffectListing *listing = data;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (!_gadget_store_repair_effects (db, listing->directory, error))
    return FALSE;
  stmt = _gadget_sql_prepare (
      db,
      "SELECT effect.number, turn.id, effect.root, effect.owner FROM effect"
      " JOIN turn ON turn.number = effect.turn WHERE recording = 'pending' AND kind = 'command'"
      " AND root IS NOT NULL ORDER BY effect.number",
      error);
  if (stmt == NULL)
    return FALSE;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      g_autoptr (GadgetEffectRow) row = NULL;

      if (!has_row)
        return TRUE;
      row = g_new0 (GadgetEffectRow, 1);
      row->kind = GADGET_EFFECT_COMMAND;
      row->recording = GADGET_RECORDING_PENDING;
      row->number = sqlite3_column_int64 (stmt, 0);
      row->turn_id = _gadget_sql_dup_text (stmt, 1);
      row->root = _gadget_sql_dup_text (stmt, 2);
      row->owner = _gadget_sql_dup_text (stmt, 3);
      if (!gadget_lease_is_held (listing->directory, row->owner))
        g_ptr_array_add (listing->rows, g_steal_pointer (&row));
    }
  return FALSE;
}

void
gadget_store_list_unrecorded_async (GadgetStore *self, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  GadgetEffectListing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = _gadget_effect_listing_new (self);
  gadget_store_run_async (self, list, listing, _gadget_effect_listing_free, callback, user_data);
}

/**
 * gadget_store_list_unrecorded_finish:
 *
 * Returns: (transfer full) (element-type GadgetEffectRow): number, turn, root and owner of each, or
 *   %NULL with an error
 */
GPtrArray *
gadget_store_list_unrecorded_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return _gadget_effect_listing_finish (self, result, error);
}
