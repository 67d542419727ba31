/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-versions.h"

#include "gadget-sql.h"

#include <string.h>

typedef struct
{
  GStrv session_ids;
  GPtrArray *versions; /* of GadgetFileVersion */
} Listing;

static void
version_free (gpointer data)
{
  GadgetFileVersion *version = data;

  g_free (version->path);
  g_free (version);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_strfreev (listing->session_ids);
  g_clear_pointer (&listing->versions, g_ptr_array_unref);
  g_free (listing);
}

static void
read_version (Listing *listing, sqlite3_stmt *stmt)
{
  GadgetFileVersion *version;
  g_autofree char *root = _gadget_sql_dup_text (stmt, 0);
  g_autofree char *path = _gadget_sql_dup_text (stmt, 1);

  if (sqlite3_column_bytes (stmt, 2) != sizeof version->hash)
    return;
  version = g_new0 (GadgetFileVersion, 1);
  version->path = g_build_filename (root, path, NULL);
  memcpy (version->hash, sqlite3_column_blob (stmt, 2), sizeof version->hash);
  version->size = (guint64) sqlite3_column_int64 (stmt, 3);
  g_ptr_array_add (listing->versions, version);
}

static gboolean
list_of_session (sqlite3 *db, Listing *listing, const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT DISTINCT effect.root, change.path, change.old_hash, change.old_size"
      " FROM session JOIN turn ON turn.session = session.number"
      " JOIN effect ON effect.turn = turn.number JOIN change ON change.effect = effect.number"
      " WHERE session.id = ?1 AND effect.root IS NOT NULL AND change.old_type = 'file'"
      "  AND change.old_hash IS NOT NULL AND change.old_hash IS NOT change.new_hash",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      read_version (listing, stmt);
    }
  return FALSE;
}

static int
compare_versions (gconstpointer a, gconstpointer b)
{
  const GadgetFileVersion *first = *(GadgetFileVersion *const *) a;
  const GadgetFileVersion *second = *(GadgetFileVersion *const *) b;
  const int paths = strcmp (first->path, second->path);

  return paths != 0 ? paths : memcmp (first->hash, second->hash, sizeof first->hash);
}

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;

  for (guint i = 0; listing->session_ids[i] != NULL; i++)
    if (!list_of_session (db, listing, listing->session_ids[i], error))
      return FALSE;
  g_ptr_array_sort (listing->versions, compare_versions);
  /* Two chats may have changed the same version of a file. */
  for (guint i = listing->versions->len; i > 1; i--)
    if (compare_versions (&listing->versions->pdata[i - 1], &listing->versions->pdata[i - 2]) == 0)
      g_ptr_array_remove_index (listing->versions, i - 1);
  return TRUE;
}

void
gadget_store_list_versions_async (GadgetStore *self, const char *const *session_ids,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self) && session_ids != NULL);

  listing = g_new0 (Listing, 1);
  listing->session_ids = g_strdupv ((char **) session_ids);
  listing->versions = g_ptr_array_new_with_free_func (version_free);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

GPtrArray *
gadget_store_list_versions_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_steal_pointer (&((Listing *) gadget_store_get_job_data (result))->versions);
}
