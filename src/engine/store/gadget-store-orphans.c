/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Effects whose process died, and whose changes are not recorded yet. gadget-store-repair.c closes
 * their rows. The changes of a command can still be found by a snapshot, and those of an edit by
 * the state of its file that was recorded before it: the edit may or may not have happened. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-orphans.h"

#include "store/lease/gadget-lease.h"
#include "gadget-store-effects-private.h"
#include "gadget-store-repair.h"
#include "gadget-store-shared.h"

/* The job that lists these effects. */
typedef struct
{
  char *directory;
  GPtrArray *found; /* of GadgetUnrecorded */
} Listing;

static void
unrecorded_free (gpointer data)
{
  GadgetUnrecorded *self = data;

  if (self == NULL)
    return;
  g_free (self->turn_id);
  g_free (self->root);
  g_free (self->owner);
  g_ptr_array_unref (self->before);
  g_free (self);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->directory);
  g_clear_pointer (&listing->found, g_ptr_array_unref);
  g_free (listing);
}

static void
free_change (gpointer data)
{
  gadget_change_free (data);
}

static GadgetUnrecorded *
read_row (sqlite3_stmt *stmt)
{
  GadgetUnrecorded *row = g_new0 (GadgetUnrecorded, 1);
  g_autofree char *kind = _gadget_sql_dup_text (stmt, 1);

  row->effect = sqlite3_column_int64 (stmt, 0);
  row->kind = _gadget_effect_kind_from_string (kind);
  row->turn_id = _gadget_sql_dup_text (stmt, 2);
  row->root = _gadget_sql_dup_text (stmt, 3);
  row->owner = _gadget_sql_dup_text (stmt, 4);
  row->before = g_ptr_array_new_with_free_func (free_change);
  return row;
}

static gboolean
read_before (sqlite3 *db, GadgetUnrecorded *row, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (row->kind == GADGET_EFFECT_COMMAND)
    return TRUE;
  stmt = _gadget_sql_prepare (
      db, "SELECT path, " GADGET_CHANGE_COLUMNS " FROM change WHERE effect = ?1 ORDER BY number",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, row->effect);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      GadgetChange *change;

      if (!has_row)
        return TRUE;
      change = g_new0 (GadgetChange, 1);
      _gadget_change_read (change, stmt, 0);
      g_ptr_array_add (row->before, change);
    }
  return FALSE;
}

static gboolean
list_rows (sqlite3 *db, Listing *listing, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT effect.number, effect.kind, turn.id, effect.root, effect.owner FROM effect"
      " JOIN turn ON turn.number = effect.turn WHERE recording = 'pending'"
      " AND root IS NOT NULL ORDER BY effect.number",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      g_autofree char *owner = NULL;

      if (!has_row)
        return TRUE;
      owner = _gadget_sql_dup_text (stmt, 4);
      if (!gadget_lease_is_held (listing->directory, owner))
        g_ptr_array_add (listing->found, read_row (stmt));
    }
  return FALSE;
}

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;

  if (!_gadget_store_repair_effects (db, listing->directory, error)
      || !list_rows (db, listing, error))
    return FALSE;
  for (guint i = listing->found->len; i > 0; i--)
    {
      GadgetUnrecorded *row = g_ptr_array_index (listing->found, i - 1);

      if (!read_before (db, row, error))
        return FALSE;
      /* The process of this edit died after the repair above; the next repair closes the row. */
      if (row->kind != GADGET_EFFECT_COMMAND && row->before->len == 0)
        g_ptr_array_remove_index (listing->found, i - 1);
    }
  return TRUE;
}

void
gadget_store_list_unrecorded_async (GadgetStore *self, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = g_new0 (Listing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->found = g_ptr_array_new_with_free_func (unrecorded_free);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_unrecorded_finish:
 *
 * Returns: (transfer full) (element-type GadgetUnrecorded): the effects to be examined, or %NULL
 *   with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_list_unrecorded_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_steal_pointer (&((Listing *) gadget_store_get_job_data (result))->found);
}
