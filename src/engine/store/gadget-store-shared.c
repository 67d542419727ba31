/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several chats may work in one folder. A command is recorded by looking at the folder before and
 * after it, and both looks see what others did meanwhile. So of what a command is said to have
 * changed
 *
 *   - what is just what edits of other turns did at that time was done by these, and is no change
 *     of the command's;
 *   - what was at least touched by such edits, or happened while a command of another turn ran in
 *     the same folder, may have been done by either: it is "shared", and undoing asks.
 *
 * An edit knows its file from before and after itself, so nothing of the kind is asked of it. The
 * others may be deleted later; so this is written down with the changes, and found out once more
 * when they are read, since an edit may be recorded after the command around it.
 *
 * Times are microseconds since 1970, of all processes on one clock. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-shared.h"

#include "common/gadget-path.h"

#include <string.h>

/* How long after its end an edit may still be looked at, at most. */
#define SLACK_US (60 * G_USEC_PER_SEC)

/* Effects of these kinds that ended at FROM (milliseconds) or later, or go on, each found by the
 * index. */
#define EFFECTS_SINCE(kinds, from)                                                                 \
  "(SELECT * FROM effect WHERE kind IN (" kinds ") AND ended_at >= " from                          \
  " UNION ALL SELECT * FROM effect WHERE kind IN (" kinds ") AND ended_at = 0) AS effect"

/* When a command of another turn ran, and where. */
typedef struct
{
  char *root;
  gint64 from;
  gint64 to;
} Command;

typedef struct
{
  sqlite3 *db;
  gint64 turn;
  const char *root; /* (nullable): of all changes, which are a command's then */
  GPtrArray *changes;
  gint64 from; /* when the first of them may have happened */
  gint64 to;
} Sharing;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_free (command->root);
  g_free (command);
}

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

/* FALSE when there is nothing of a command. */
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

/* --- Commands of others ------------------------------------------------------------------------
 */

static GPtrArray *
find_commands (const Sharing *self, GError **error)
{
  g_autoptr (GPtrArray) commands = g_ptr_array_new_with_free_func (command_free);
  /* One that goes on has begun when that is noted. One whose process died ended when its turn was
   * last seen alive, or a moment later. */
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      self->db,
      "SELECT root, coalesce (ready_at, started_at * 1000),"
      " CASE WHEN outcome IS NULL THEN 9223372036854775807"
      " ELSE coalesce (over_at, (ended_at + 1) * 1000) END"
      " FROM " EFFECTS_SINCE ("'command'",
                              "?2 / 1000 - 1") " WHERE started_at <= ?3 / 1000"
                                               " AND root IS NOT NULL AND turn != ?1"
                                               " AND (outcome IS NOT NULL OR ready_at IS NOT NULL) "
                                               "AND outcome IS NOT 'not-started'",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_int (stmt, 1, self->turn);
  _gadget_sql_bind_int (stmt, 2, self->from);
  _gadget_sql_bind_int (stmt, 3, self->to);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      Command *command;

      if (!has_row)
        return g_steal_pointer (&commands);
      command = g_new0 (Command, 1);
      command->root = _gadget_sql_dup_text (stmt, 0);
      command->from = sqlite3_column_int64 (stmt, 1);
      command->to = sqlite3_column_int64 (stmt, 2);
      g_ptr_array_add (commands, command);
    }
  return NULL;
}

/* The looks themselves are no part of it: a command begins when the look before it is over. */
static gboolean
ran_meanwhile (const Sharing *self, const GadgetChange *change, GPtrArray *commands)
{
  const char *root = get_root (self, change);

  for (guint i = 0; i < commands->len; i++)
    {
      const Command *command = g_ptr_array_index (commands, i);

      if (command->from < change->after.seen_begin && command->to > change->before.seen_end
          && (gadget_path_is_within (root, command->root)
              || gadget_path_is_within (command->root, root)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
mark_commands (const Sharing *self, GError **error)
{
  g_autoptr (GPtrArray) commands = find_commands (self, error);

  if (commands == NULL)
    return FALSE;
  for (guint i = 0; i < self->changes->len && commands->len > 0; i++)
    {
      GadgetChange *change = g_ptr_array_index (self->changes, i);

      if (is_commands (self, change) && ran_meanwhile (self, change, commands))
        change->shared = TRUE;
    }
  return TRUE;
}

/* --- Edits of others ---------------------------------------------------------------------------
 */

static void
free_edit (gpointer data)
{
  gadget_change_free (data);
}

/* (element-type utf8 GPtrArray): of each file the edits of others at about that time. */
static GHashTable *
find_edits (const Sharing *self, GError **error)
{
  g_autoptr (GHashTable) edits =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  /* The effects first: there are fewer of them than changes. */
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

/* Whether it was done between the two looks, as far as can be told. */
static gboolean
is_between (const GadgetChange *edit, const GadgetChange *change)
{
  if (edit->before.seen_begin > change->after.seen_end
      || edit->after.seen_end < change->before.seen_begin)
    return FALSE;
  /* A folder in which it wrote something has no more than another time. */
  if (gadget_file_state_same (&edit->before, &edit->after))
    return gadget_file_state_same (&change->before, &change->after);
  /* What it left was there already at the first look, or is not there yet at the second. */
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

/* Whether the change is what the edits did, one after the other, and nothing else. */
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

/* --- Both --------------------------------------------------------------------------------------
 */

gboolean
_gadget_store_note_shared (sqlite3 *db, gint64 turn, const char *root, GPtrArray *changes,
                           GError **error)
{
  Sharing self = { .db = db, .turn = turn, .root = root, .changes = changes };

  if (!find_span (&self))
    return TRUE;
  return mark_edits (&self, error) && mark_commands (&self, error);
}
