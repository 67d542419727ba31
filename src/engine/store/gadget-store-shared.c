/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several chats may work in one folder. A command is recorded by taking a snapshot of the folder
 * before and after it, and both snapshots include what other turns did meanwhile. What their
 * commands did belongs to each turn whose command ran at that time, and is undone with any of them.
 * An edit by a file tool of another turn knows its own file, so of the changes recorded for a
 * command,
 *
 * - a change that is exactly what edits of other turns did at that time was made by these edits,
 *   and is removed from the command's changes;
 * - another change of a file that such edits touched may have been made by either: it is "shared",
 *   and undoing it asks the user first.
 *
 * The other turns may be deleted later, so the result is stored with the changes; it is computed
 * again when they are read, since an edit may be recorded after the command that ran around it.
 *
 * Times are microseconds since 1970, on one clock for all processes. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-shared.h"

#include <string.h>

/* An edit's file may be examined this long after the edit has ended, at most. */
#define SLACK_US (60 * G_USEC_PER_SEC)

/* The effects of the given kinds that ended at FROM (milliseconds) or later, or have not ended.
 * There are two SELECTs so that each of them uses the index. */
#define EFFECTS_SINCE(kinds, from)                                                                 \
  "(SELECT * FROM effect WHERE kind IN (" kinds ") AND ended_at >= " from                          \
  " UNION ALL SELECT * FROM effect WHERE kind IN (" kinds ") AND ended_at = 0) AS effect"

/* The changes being checked. */
typedef struct
{
  sqlite3 *db;
  gint64 turn;
  const char *root; /* (nullable): if set, the folder of all changes, which are a command's */
  GPtrArray *changes;
  gint64 from; /* the earliest time at which one of them may have happened */
  gint64 to;
} Sharing;

/* Tells whether the change was recorded for a command. */
static gboolean
is_commands (const Sharing *self, const GadgetChange *change)
{
  return self->root != NULL || (change->kind == GADGET_EFFECT_COMMAND && change->root != NULL);
}

static const char *
get_root (const Sharing *self, const GadgetChange *change)
{
  return self->root != NULL ? self->root : change->root;
}

static char *
dup_path (const char *root, const char *path)
{
  return *path != '\0' ? g_build_filename (root, path, NULL) : g_strdup (root);
}

/* Sets the time span of the commands' changes. Returns FALSE if there are none. */
static gboolean
find_span (Sharing *self)
{
  self->from = G_MAXINT64;
  self->to = 0;
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (self->changes, i);

      if (!is_commands (self, change))
        continue;
      self->from = MIN (self->from, change->before.seen_begin);
      self->to = MAX (self->to, change->after.seen_end);
    }
  return self->to > 0;
}

/* --- Edits of other turns ----------------------------------------------------------------------
 */

static void
free_edit (gpointer data)
{
  gadget_change_free (data);
}

/* (transfer full) (element-type utf8 GPtrArray): maps the path of each file to the edits of it that
 * other turns made at about that time. */
static GHashTable *
find_edits (const Sharing *self, GError **error)
{
  g_autoptr (GHashTable) edits =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  /* CROSS JOIN makes SQLite read the effects first, because there are fewer of them than
   * changes. */
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      self->db,
      "SELECT effect.root, change.path, " GADGET_CHANGE_COLUMNS " FROM " EFFECTS_SINCE (
          "'change', 'delete'",
          "(?2 - ?4) / 1000") " CROSS JOIN change ON change.effect = effect.number"
                              " WHERE effect.started_at <= ?3 / 1000 AND effect.root IS NOT NULL "
                              "AND effect.turn != ?1 AND effect.recording != 'pending'"
                              " AND change.new_seen_end >= ?2 AND change.old_seen_begin <= ?3",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_int (stmt, 1, self->turn);
  _gadget_sql_bind_int (stmt, 2, self->from);
  _gadget_sql_bind_int (stmt, 3, self->to);
  _gadget_sql_bind_int (stmt, 4, SLACK_US);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      GadgetChange *edit;
      GPtrArray *same;
      char *path;

      if (!has_row)
        return g_steal_pointer (&edits);
      edit = g_new0 (GadgetChange, 1);
      edit->root = _gadget_sql_dup_text (stmt, 0);
      _gadget_change_read (edit, stmt, 1);
      path = dup_path (edit->root, edit->path);
      same = g_hash_table_lookup (edits, path);
      if (same == NULL)
        {
          same = g_ptr_array_new_with_free_func (free_edit);
          g_hash_table_insert (edits, g_strdup (path), same);
        }
      g_free (path);
      g_ptr_array_add (same, edit);
    }
  return NULL;
}

/* Tells whether the edit happened between the two snapshots of the change, as far as the times and
 * states show it. */
static gboolean
is_between (const GadgetChange *edit, const GadgetChange *change)
{
  if (edit->before.seen_begin > change->after.seen_end
      || edit->after.seen_end < change->before.seen_begin)
    return FALSE;
  /* The states of a folder in which an edit wrote a file differ in their times only. */
  if (gadget_file_state_same (&edit->before, &edit->after))
    return gadget_file_state_same (&change->before, &change->after);
  /* The edit is outside if the state after it was there in the first snapshot, or the state before
   * it is still there in the second one. */
  return !(edit->before.seen_end <= change->before.seen_end
           && gadget_file_state_same (&edit->after, &change->before))
         && !(edit->after.seen_begin >= change->after.seen_begin
              && gadget_file_state_same (&edit->before, &change->after));
}

static int
compare_edits (gconstpointer a, gconstpointer b)
{
  const GadgetChange *first = *(GadgetChange *const *) a;
  const GadgetChange *second = *(GadgetChange *const *) b;

  return first->before.seen_begin < second->before.seen_begin   ? -1
         : first->before.seen_begin > second->before.seen_begin ? 1
                                                                : 0;
}

/* Tells whether the edits, one after the other, explain the change completely. */
static gboolean
is_theirs (GPtrArray *edits, const GadgetChange *change)
{
  const GadgetFileState *state = &change->before;

  g_ptr_array_sort (edits, compare_edits);
  for (guint i = 0; i < edits->len; i++)
    {
      const GadgetChange *edit = g_ptr_array_index (edits, i);

      if (!gadget_file_state_same (state, &edit->before))
        return FALSE;
      state = &edit->after;
    }
  return gadget_file_state_same (state, &change->after);
}

static gboolean
mark_edits (const Sharing *self, GError **error)
{
  g_autoptr (GHashTable) edits = find_edits (self, error);

  if (edits == NULL)
    return FALSE;
  for (guint i = g_hash_table_size (edits) > 0 ? self->changes->len : 0; i > 0; i--)
    {
      GadgetChange *change = g_ptr_array_index (self->changes, i - 1);
      g_autoptr (GPtrArray) between = g_ptr_array_new ();
      g_autofree char *path = NULL;
      GPtrArray *same;

      if (!is_commands (self, change))
        continue;
      path = dup_path (get_root (self, change), change->path);
      same = g_hash_table_lookup (edits, path);
      for (guint j = 0; same != NULL && j < same->len; j++)
        if (is_between (g_ptr_array_index (same, j), change))
          g_ptr_array_add (between, g_ptr_array_index (same, j));
      if (between->len > 0 && is_theirs (between, change))
        g_ptr_array_remove_index (self->changes, i - 1);
      else if (between->len > 0)
        change->shared = TRUE;
    }
  return TRUE;
}

gboolean
_gadget_store_note_shared (sqlite3 *db, gint64 turn, const char *root, GPtrArray *changes,
                           GError **error)
{
  Sharing self = { .db = db, .turn = turn, .root = root, .changes = changes };

  if (!find_span (&self))
    return TRUE;
  return mark_edits (&self, error);
}
