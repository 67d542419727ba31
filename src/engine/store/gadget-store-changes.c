/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The recorded changes: states of files before and after an effect. They are written and read on
 * the store's thread; gadget-store-shared.c removes changes of other turns. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-changes.h"

#include "common/gadget-clock.h"
#include "gadget-store-effects-private.h"
#include "gadget-store-providers.h"
#include "gadget-store-repair.h"
#include "gadget-store-shared.h"

#include <string.h>

#define HASH_LENGTH 32

static const char *const types[] = { "none", "file", "link", "folder", "special" };

static void
free_change (gpointer data)
{
  if (data != NULL)
    gadget_change_free (data);
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* The job that stores changes. */
typedef struct
{
  gint64 effect;
  GPtrArray *changes;
  GadgetRecording recording;
  char *skipped;
  gboolean replacing;    /* the stored changes of the effect are removed first */
  gboolean only_pending; /* not if the effect is recorded already */
} Adding;

static void
adding_free (gpointer data)
{
  Adding *adding = data;

  g_ptr_array_unref (adding->changes);
  g_free (adding->skipped);
  g_free (adding);
}

static void
bind_blob (sqlite3_stmt *stmt, int index, const void *bytes, gsize length)
{
  /* An empty path is stored as an empty blob and not as NULL. */
  sqlite3_bind_blob64 (stmt, index, length > 0 ? bytes : "", length, SQLITE_STATIC);
}

/* Binds the columns of a state and returns the next index. */
static int
bind_state (sqlite3_stmt *stmt, int index, const GadgetFileState *state)
{
  _gadget_sql_bind_text (stmt, index++, types[state->type]);
  _gadget_sql_bind_int (stmt, index++, state->mode);
  _gadget_sql_bind_int (stmt, index++, (gint64) state->size);
  _gadget_sql_bind_int (stmt, index++, state->mtime);
  if (state->has_hash)
    bind_blob (stmt, index++, state->hash, HASH_LENGTH);
  else
    sqlite3_bind_null (stmt, index++);
  _gadget_sql_bind_int (stmt, index++, state->seen_begin);
  _gadget_sql_bind_int (stmt, index++, state->seen_end);
  return index;
}

static gboolean
insert_all (sqlite3 *db, const Adding *adding, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "INSERT INTO change (effect, path, " GADGET_CHANGE_COLUMNS ")"
                           " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           error);

  if (stmt == NULL)
    return FALSE;
  for (guint i = 0; i < adding->changes->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (adding->changes, i);
      int index;

      _gadget_sql_bind_int (stmt, 1, adding->effect);
      bind_blob (stmt, 2, change->path, strlen (change->path));
      index = bind_state (stmt, bind_state (stmt, 3, &change->before), &change->after);
      _gadget_sql_bind_int (stmt, index, change->shared);
      if (!_gadget_sql_run (stmt, error))
        return FALSE;
    }
  return TRUE;
}

/* For a command, removes the changes that other turns made, and marks shared ones. */
static gboolean
remove_changes_of_others (sqlite3 *db, const Adding *adding, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT turn, root FROM effect WHERE number = ?1 AND kind = 'command' AND root IS NOT NULL",
      error);
  g_autofree char *root = NULL;
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, adding->effect);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    return TRUE;
  root = _gadget_sql_dup_text (stmt, 1);
  return _gadget_store_note_shared (db, sqlite3_column_int64 (stmt, 0), root, adding->changes,
                                    error);
}

/* The states recorded before an edit are replaced. A command may be recorded by several snapshots,
 * so its earlier changes stay. */
static gboolean
remove_all (sqlite3 *db, const Adding *adding, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;

  if (!adding->replacing)
    return TRUE;
  stmt = _gadget_sql_prepare (db, "DELETE FROM change WHERE effect = ?1", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, adding->effect);
  return _gadget_sql_run (stmt, error);
}

static gboolean
add (sqlite3 *db, gpointer data, GError **error)
{
  const Adding *adding = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE effect SET recording = ?2, skipped = ?3 WHERE number = ?1"
                           " AND (NOT ?4 OR recording = 'pending')",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, adding->effect);
  _gadget_sql_bind_text (stmt, 2, gadget_recording_to_string (adding->recording));
  _gadget_sql_bind_text (stmt, 3, adding->skipped);
  _gadget_sql_bind_int (stmt, 4, adding->only_pending);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  /* The turn was deleted meanwhile, so its changes cannot be undone; or the effect never happened,
   * or another process recovered it first. */
  if (sqlite3_changes (db) == 0)
    return TRUE;
  return remove_all (db, adding, error) && remove_changes_of_others (db, adding, error)
         && insert_all (db, adding, error);
}

static gboolean
add_all (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, add, data, error);
}

static Adding *
adding_new (gint64 effect, GPtrArray *changes, GadgetRecording recording, const char *skipped)
{
  Adding *adding = g_new0 (Adding, 1);

  adding->effect = effect;
  adding->changes = g_ptr_array_ref (changes);
  adding->recording = recording;
  adding->only_pending = recording == GADGET_RECORDING_PENDING;
  adding->skipped = skipped != NULL ? g_utf8_make_valid (skipped, -1) : NULL;
  return adding;
}

/**
 * gadget_store_add_changes_async:
 * @changes: (element-type GadgetChange): changes with their paths and states
 * @skipped: (nullable): folders that the snapshot skipped, separated by line ends
 *
 * Stores the changes of an effect in one transaction. The store's thread modifies @changes, so the
 * caller must not use the array any more.
 */
void
gadget_store_add_changes_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                                GadgetRecording recording, const char *skipped,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && effect > 0 && changes != NULL);

  gadget_store_run_async (self, add_all, adding_new (effect, changes, recording, skipped),
                          adding_free, callback, user_data);
}

/**
 * gadget_store_end_edit_async:
 * @changes: (element-type GadgetChange): changes with their paths and states
 *
 * Like gadget_store_add_changes_async (), for an edit: @changes replace the states of the files
 * that were stored before the edit.
 */
void
gadget_store_end_edit_async (GadgetStore *self, gint64 effect, GPtrArray *changes,
                             GadgetRecording recording, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  Adding *adding;

  g_return_if_fail (GADGET_IS_STORE (self) && effect > 0 && changes != NULL);

  adding = adding_new (effect, changes, recording, NULL);
  adding->replacing = TRUE;
  gadget_store_run_async (self, add_all, adding, adding_free, callback, user_data);
}

void
gadget_store_recover_changes_async (GadgetStore *self, const GadgetUnrecorded *unrecorded,
                                    GPtrArray *changes, GadgetRecording recording,
                                    const char *skipped, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  Adding *adding;

  g_return_if_fail (GADGET_IS_STORE (self) && unrecorded != NULL && changes != NULL);

  adding = adding_new (unrecorded->effect, changes, recording, skipped);
  adding->replacing = unrecorded->kind != GADGET_EFFECT_COMMAND;
  adding->only_pending = TRUE;
  gadget_store_run_async (self, add_all, adding, adding_free, callback, user_data);
}

/**
 * gadget_store_add_changes_finish:
 *
 * Returns: whether the changes are stored; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_add_changes_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

/* The job that lists the changes of a turn. */
typedef struct
{
  char *directory;
  char *turn_id;
  gint64 turn; /* the number of the turn, once a row was read; else 0 */
  GPtrArray *changes;
  GadgetRecording recording;
  GString *skipped;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->directory);
  g_free (listing->turn_id);
  g_clear_pointer (&listing->changes, g_ptr_array_unref);
  g_string_free (listing->skipped, TRUE);
  g_free (listing);
}

/* Reads the columns of a state and returns the next column. */
static int
read_state (sqlite3_stmt *stmt, int column, GadgetFileState *state)
{
  g_autofree char *type = _gadget_sql_dup_text (stmt, column++);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_strcmp0 (types[i], type) == 0)
      state->type = (GadgetFileType) i;
  /* Earlier versions stored set-user-ID and set-group-ID of files too. */
  state->mode = (guint32) sqlite3_column_int64 (stmt, column++)
                & (state->type == GADGET_FILE_REGULAR ? 01777 | GADGET_MODE_LIST : 07777);
  state->size = (guint64) sqlite3_column_int64 (stmt, column++);
  state->mtime = sqlite3_column_int64 (stmt, column++);
  state->has_hash = sqlite3_column_bytes (stmt, column) == HASH_LENGTH;
  if (state->has_hash)
    memcpy (state->hash, sqlite3_column_blob (stmt, column), HASH_LENGTH);
  column++;
  state->seen_begin = sqlite3_column_int64 (stmt, column++);
  state->seen_end = sqlite3_column_int64 (stmt, column++);
  return column;
}

static char *
dup_path (sqlite3_stmt *stmt, int column)
{
  const char *path = sqlite3_column_blob (stmt, column);

  /* sqlite3_column_blob () returns NULL for an empty path. */
  return g_strndup (path != NULL ? path : "", (gsize) sqlite3_column_bytes (stmt, column));
}

void
_gadget_change_read (GadgetChange *change, sqlite3_stmt *stmt, int column)
{
  change->path = dup_path (stmt, column);
  column = read_state (stmt, column + 1, &change->before);
  column = read_state (stmt, column, &change->after);
  change->shared = sqlite3_column_int (stmt, column) != 0;
}

static gboolean
list_rows (sqlite3 *db, Listing *listing, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT change.effect, effect.kind, effect.root,"
                           " effect.turn, change.path, " GADGET_CHANGE_COLUMNS
                           " FROM change JOIN effect ON effect.number = change.effect"
                           " JOIN turn ON turn.number = effect.turn WHERE turn.id = ?1"
                           /* Before an edit has ended, only the states before it are stored. */
                           " AND (effect.recording != 'pending' OR effect.kind = 'command')"
                           " ORDER BY change.effect, change.number",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, listing->turn_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      g_autofree char *kind = NULL;
      GadgetChange *change;

      if (!has_row)
        return TRUE;
      change = g_new0 (GadgetChange, 1);
      change->effect = sqlite3_column_int64 (stmt, 0);
      kind = _gadget_sql_dup_text (stmt, 1);
      change->kind = _gadget_effect_kind_from_string (kind);
      change->root = _gadget_sql_dup_text (stmt, 2);
      listing->turn = sqlite3_column_int64 (stmt, 3);
      _gadget_change_read (change, stmt, 4);
      g_ptr_array_add (listing->changes, change);
    }
  return FALSE;
}

/* The recording of a turn is the worst one of its effects. */
static gboolean
list_recordings (sqlite3 *db, Listing *listing, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT effect.recording, effect.skipped FROM effect"
                           " JOIN turn ON turn.number = effect.turn WHERE turn.id = ?1",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, listing->turn_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      g_autofree char *word = NULL;
      g_autofree char *skipped = NULL;
      GadgetRecording recording;

      if (!has_row)
        return TRUE;
      word = _gadget_sql_dup_text (stmt, 0);
      skipped = _gadget_sql_dup_text (stmt, 1);
      recording = _gadget_recording_from_string (word);
      if (listing->recording != GADGET_RECORDING_PENDING
          && (recording == GADGET_RECORDING_PENDING || recording > listing->recording))
        listing->recording = recording;
      if (skipped != NULL && strstr (listing->skipped->str, skipped) == NULL)
        g_string_append_printf (listing->skipped, "%s%s", listing->skipped->len > 0 ? "\n" : "",
                                skipped);
    }
  return FALSE;
}

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;

  return _gadget_store_repair_effects (db, listing->directory, error)
         && list_recordings (db, listing, error) && list_rows (db, listing, error)
         && _gadget_store_note_shared (db, listing->turn, NULL, listing->changes, error);
}

/**
 * gadget_store_list_changes_async:
 *
 * Reads the changes of a turn, in the order in which they were recorded.
 */
void
gadget_store_list_changes_async (GadgetStore *self, const char *turn_id,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self) && turn_id != NULL);

  listing = g_new0 (Listing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->turn_id = g_strdup (turn_id);
  listing->changes = g_ptr_array_new_with_free_func (free_change);
  listing->skipped = g_string_new (NULL);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_changes_finish:
 * @recording: (out): how completely the changes of the turn are recorded
 * @skipped: (out) (transfer full) (nullable): folders that snapshots skipped, separated by line
 *   ends
 *
 * Returns: (transfer full) (element-type GadgetChange): the changes, or %NULL with @error set to a
 *   #GadgetStoreError
 */
GPtrArray *
gadget_store_list_changes_finish (GadgetStore *self, GAsyncResult *result,
                                  GadgetRecording *recording, char **skipped, GError **error)
{
  Listing *listing;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  listing = gadget_store_get_job_data (result);
  *recording = listing->recording;
  *skipped = listing->skipped->len > 0 ? g_strdup (listing->skipped->str) : NULL;
  return g_steal_pointer (&listing->changes);
}

/* --- Contents in use ---------------------------------------------------------------------------
 */

/* The job that lists the contents in use. */
typedef struct
{
  char *directory;
  GadgetStoreHashes which;
  GByteArray *hashes;
  gint64 max_bytes;
} HashListing;

static void
hash_listing_free (gpointer data)
{
  HashListing *listing = data;

  g_free (listing->directory);
  g_byte_array_unref (listing->hashes);
  g_free (listing);
}

#define SETTING(key, initial)                                                                      \
  "coalesce ((SELECT CAST (value AS INTEGER) FROM setting WHERE key = '" key                       \
  "'), " G_STRINGIFY (initial) ")"

/* The effects that ended before the days that the user has set; ?1 is the time now. */
#define OVER                                                                                       \
  "(SELECT number FROM effect WHERE recording != 'pending' AND ended_at > 0"                       \
  " AND " SETTING (GADGET_SETTING_UNDO_DAYS,                                                       \
                   GADGET_UNDO_DAYS_DEFAULT) " > 0 AND ended_at < ?1"                              \
                                             "  - 86400000 * " SETTING (                           \
                                                 GADGET_SETTING_UNDO_DAYS,                         \
                                                 GADGET_UNDO_DAYS_DEFAULT) ")"

static gboolean
list_hashes (sqlite3 *db, gpointer data, GError **error)
{
  static const char *const queries[] = {
    [GADGET_STORE_HASHES_ALL] = "SELECT old_hash FROM change WHERE old_hash IS NOT NULL"
                                " UNION SELECT new_hash FROM change WHERE new_hash IS NOT NULL",
    [GADGET_STORE_HASHES_LIMITED] =
        "SELECT old_hash FROM change WHERE old_hash IS NOT NULL AND effect NOT IN " OVER
        " UNION SELECT new_hash FROM change WHERE new_hash IS NOT NULL AND effect NOT IN " OVER,
    [GADGET_STORE_HASHES_PINNED] =
        "WITH RECURSIVE pinned (number) AS ("
        " SELECT number FROM session WHERE pinned AND parent IS NULL UNION ALL"
        " SELECT below.number FROM session AS below JOIN pinned ON below.parent = pinned.number),"
        " needed (number) AS (SELECT effect.number FROM effect JOIN turn"
        "  ON turn.number = effect.turn WHERE turn.session IN (SELECT number FROM pinned))"
        " SELECT old_hash FROM change WHERE effect IN (SELECT number FROM needed)"
        "  AND old_hash IS NOT NULL UNION"
        " SELECT new_hash FROM change WHERE effect IN (SELECT number FROM needed)"
        "  AND new_hash IS NOT NULL",
    [GADGET_STORE_HASHES_NONE] = "SELECT NULL WHERE FALSE",
  };
  HashListing *listing = data;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if ((listing->which == GADGET_STORE_HASHES_PINNED || listing->which == GADGET_STORE_HASHES_NONE)
      && !_gadget_store_check_idle (db, listing->directory, error))
    return FALSE;
  if (!_gadget_sql_get_int (db,
                            "SELECT 1000000 * " SETTING (GADGET_SETTING_UNDO_MEGABYTES,
                                                         GADGET_UNDO_MEGABYTES_DEFAULT),
                            &listing->max_bytes, error))
    return FALSE;
  stmt = _gadget_sql_prepare (db, queries[listing->which], error);
  if (stmt == NULL)
    return FALSE;
  if (listing->which == GADGET_STORE_HASHES_LIMITED)
    _gadget_sql_bind_int (stmt, 1, gadget_clock_wall_ms ());
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      if (sqlite3_column_bytes (stmt, 0) == HASH_LENGTH)
        g_byte_array_append (listing->hashes, sqlite3_column_blob (stmt, 0), HASH_LENGTH);
    }
  return FALSE;
}

void
gadget_store_list_hashes_async (GadgetStore *self, GadgetStoreHashes which,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  HashListing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = g_new0 (HashListing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->which = which;
  listing->hashes = g_byte_array_new ();
  gadget_store_run_async (self, list_hashes, listing, hash_listing_free, callback, user_data);
}

/**
 * gadget_store_list_hashes_finish:
 * @max_bytes: (out) (optional): how many bytes the user lets the contents take
 *
 * Returns: (transfer full): the hashes in use; %NULL with a #GadgetStoreError if they are not
 *   known, so that no content may be removed
 */
GByteArray *
gadget_store_list_hashes_finish (GadgetStore *self, GAsyncResult *result, guint64 *max_bytes,
                                 GError **error)
{
  const HashListing *listing;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  listing = gadget_store_get_job_data (result);
  if (max_bytes != NULL)
    *max_bytes = (guint64) MAX (listing->max_bytes, 0);
  return g_byte_array_ref (listing->hashes);
}
