/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pages of the ledger over all chats. A page begins after the last effect of the page before, by
 * time and number, so that a page costs the same wherever it is, and effects that are added
 * meanwhile move none. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-effect-query.h"

#include "gadget-sql.h"
#include "gadget-store-effects-private.h"
#include "gadget-store-repair.h"
#include "gadget-store-schema.h"

/* The file itself has the longest path of the changes of an effect; the others are folders above
 * it. */
#define PATH                                                                                       \
  "(SELECT path FROM change WHERE change.effect = effect.number"                                   \
  " ORDER BY length (path) DESC LIMIT 1)"

/* When the last undo or redo of the file was an undo: its time. */
#define UNDONE_AT                                                                                  \
  "(SELECT CASE reverse.kind WHEN 'undo' THEN reverse.started_at ELSE 0 END"                       \
  " FROM effect AS reverse JOIN change ON change.effect = reverse.number"                          \
  " WHERE reverse.turn = effect.turn AND reverse.kind IN ('undo', 'redo') AND change.path = " PATH \
  " ORDER BY reverse.number DESC LIMIT 1)"

/* See gadget_found_effect_can_undo (). */
#define CAN_UNDO                                                                                   \
  " AND +effect.kind IN ('change', 'delete') AND effect.recording IN ('done', 'partly')"           \
  " AND " PATH " IS NOT NULL AND coalesce (" UNDONE_AT ", 0) = 0"

#define SUMMARY                                                                                    \
  "(SELECT item.call_summary FROM turn AS called JOIN item ON item.turn = called.number"           \
  " WHERE called.id = effect.call_turn AND item.call_id = effect.call_id LIMIT 1)"

/* The effects with their chats, those of chats that are being imported left out. */
#define FROM                                                                                       \
  " FROM effect CROSS JOIN turn ON turn.number = effect.turn"                                      \
  " CROSS JOIN session ON session.number = turn.session AND NOT " GADGET_SQL_IS_HIDDEN

/* A query as the store's thread needs it, and its result. */
typedef struct
{
  GString *conditions;
  GPtrArray *values; /* the texts in @conditions, in the order of their parameters */
  gboolean first;    /* it is the first page */
  gboolean of_turn;
  guint limit;
  char *directory;
  GPtrArray *found; /* of GadgetFoundEffect */
  GadgetEffectCounts counts;
} Query;

/* gadget_effect_query_copy: returns a copy that owns its texts until it is cleared. */
GadgetEffectQuery
gadget_effect_query_copy (const GadgetEffectQuery *self)
{
  GadgetEffectQuery copy = *self;

  copy.text = g_strdup (self->text);
  copy.session_id = g_strdup (self->session_id);
  copy.chat_folder = g_strdup (self->chat_folder);
  copy.turn_id = g_strdup (self->turn_id);
  copy.ignored_chats = (const char *const *) g_strdupv ((GStrv) self->ignored_chats);
  return copy;
}

/* gadget_effect_query_clear: frees the texts of a copy, and empties it. */
void
gadget_effect_query_clear (GadgetEffectQuery *self)
{
  g_free ((char *) self->text);
  g_free ((char *) self->session_id);
  g_free ((char *) self->chat_folder);
  g_free ((char *) self->turn_id);
  g_strfreev ((GStrv) self->ignored_chats);
  *self = (GadgetEffectQuery) { 0 };
}

/* gadget_found_effect_free: frees the effect, too; @self must not be %NULL. */
void
gadget_found_effect_free (GadgetFoundEffect *self)
{
  gadget_effect_row_free (self->row);
  g_free (self->session_id);
  g_free (self->title);
  g_free (self->workspace);
  g_clear_pointer (&self->summary, gadget_call_summary_free);
  g_free (self);
}

gboolean
gadget_found_effect_can_undo (const GadgetFoundEffect *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->has_changes
         && (self->row->kind == GADGET_EFFECT_CHANGE || self->row->kind == GADGET_EFFECT_DELETE)
         && (self->row->recording == GADGET_RECORDING_DONE
             || self->row->recording == GADGET_RECORDING_PARTLY);
}

static void
free_found (gpointer data)
{
  if (data != NULL)
    gadget_found_effect_free (data);
}

static void
query_free (gpointer data)
{
  Query *query = data;

  g_string_free (query->conditions, TRUE);
  g_ptr_array_unref (query->values);
  g_free (query->directory);
  g_clear_pointer (&query->found, g_ptr_array_unref);
  g_free (query);
}

/* --- Conditions ------------------------------------------------------------------------------- */

/* @value: (transfer full): stands for the "?" of @condition */
static void
add_text (Query *query, const char *condition, char *value)
{
  g_auto (GStrv) parts = g_strsplit (condition, "?", 2);

  g_ptr_array_add (query->values, value);
  g_string_append_printf (query->conditions, " AND %s?%u%s", parts[0], query->values->len,
                          parts[1]);
}

static void
add_kinds (Query *query, guint kinds)
{
  const char *separator = "";

  g_string_append (query->conditions, " AND +effect.kind IN (");
  for (guint i = 0; i <= GADGET_EFFECT_REDO; i++)
    if ((kinds & 1u << i) != 0)
      {
        g_string_append_printf (query->conditions, "%s'%s'", separator,
                                gadget_effect_kind_to_string ((GadgetEffectKind) i));
        separator = ", ";
      }
  g_string_append_c (query->conditions, ')');
}

/* Returns a pattern of LIKE for texts that contain @text. */
static char *
make_pattern (const char *text)
{
  GString *pattern = g_string_new ("%");

  for (; *text != '\0'; text++)
    {
      if (*text == '%' || *text == '_' || *text == '\\')
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, *text);
    }
  g_string_append_c (pattern, '%');
  return g_string_free_and_steal (pattern);
}

static Query *
query_new (GadgetStore *store, const GadgetEffectQuery *asked)
{
  Query *query = g_new0 (Query, 1);

  query->directory = g_strdup (gadget_store_get_directory (store));
  query->first = asked->before == 0;
  query->of_turn = asked->turn_id != NULL;
  query->limit = asked->limit;
  query->found = g_ptr_array_new_with_free_func (free_found);
  query->values = g_ptr_array_new_with_free_func (g_free);
  query->conditions = g_string_new (" WHERE TRUE");
  if (asked->kinds != 0)
    add_kinds (query, asked->kinds);
  if (asked->since != 0)
    g_string_append_printf (query->conditions, " AND effect.started_at >= %" G_GINT64_FORMAT,
                            asked->since);
  if (asked->until != 0)
    g_string_append_printf (query->conditions, " AND effect.started_at < %" G_GINT64_FORMAT,
                            asked->until);
  if (asked->before != 0)
    g_string_append_printf (query->conditions,
                            " AND (effect.started_at, effect.number) < (%" G_GINT64_FORMAT
                            ", %" G_GINT64_FORMAT ")",
                            asked->before, asked->before_number);
  if (asked->can_undo)
    g_string_append (query->conditions, CAN_UNDO);
  if (asked->text != NULL)
    add_text (query, "effect.subject LIKE ? ESCAPE '\\'", make_pattern (asked->text));
  if (asked->turn_id != NULL)
    add_text (query, "effect.turn = (SELECT number FROM turn WHERE id = ?)",
              g_strdup (asked->turn_id));
  if (asked->session_id != NULL)
    add_text (query, "session.id = ?", g_strdup (asked->session_id));
  if (asked->chat_folder != NULL)
    add_text (query,
              "effect.turn IN (SELECT turn.number FROM turn"
              " JOIN session ON session.number = turn.session WHERE session.chat_folder IN"
              " (SELECT id FROM chat_folder WHERE ? IN (id, parent)))",
              g_strdup (asked->chat_folder));
  for (guint i = 0; asked->ignored_chats != NULL && asked->ignored_chats[i] != NULL; i++)
    add_text (query, "session.id != ?", g_strdup (asked->ignored_chats[i]));
  return query;
}

static sqlite3_stmt *
prepare (sqlite3 *db, const Query *query, const char *columns, const char *end, GError **error)
{
  g_autofree char *sql = g_strconcat (columns, query->conditions->str, end, NULL);
  sqlite3_stmt *stmt = _gadget_sql_prepare (db, sql, error);

  for (guint i = 0; stmt != NULL && i < query->values->len; i++)
    _gadget_sql_bind_text (stmt, (int) i + 1, g_ptr_array_index (query->values, i));
  return stmt;
}

/* --- A page ----------------------------------------------------------------------------------- */

static GadgetFoundEffect *
read_found (sqlite3_stmt *stmt)
{
  GadgetFoundEffect *found = g_new0 (GadgetFoundEffect, 1);
  int column = GADGET_N_EFFECT_COLUMNS;
  g_autofree char *summary = NULL;

  found->row = _gadget_effect_row_read (stmt);
  found->session_id = _gadget_sql_dup_text (stmt, column++);
  found->title = _gadget_sql_dup_text (stmt, column++);
  found->workspace = _gadget_sql_dup_text (stmt, column++);
  found->has_changes = sqlite3_column_int (stmt, column++) != 0;
  /* An undo has changes, too, and a command may have changed the file besides. */
  if (gadget_found_effect_can_undo (found))
    found->undone_at = sqlite3_column_int64 (stmt, column);
  column++;
  summary = _gadget_sql_dup_text (stmt, column);
  if (summary != NULL)
    found->summary = gadget_call_summary_from_json (summary);
  return found;
}

/* The index of the times is wanted for the order, but not for one turn, whose effects are few. */
static gboolean
find (sqlite3 *db, gpointer data, GError **error)
{
  Query *query = data;
  g_autofree char *end =
      g_strdup_printf (" ORDER BY %seffect.started_at DESC, effect.number DESC"
                       " LIMIT %d",
                       query->of_turn ? "+" : "", query->limit > 0 ? (int) query->limit : -1);
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  if (query->first && !_gadget_store_repair_effects (db, query->directory, error))
    return FALSE;
  stmt = prepare (db, query,
                  "SELECT " GADGET_EFFECT_COLUMNS
                  ", session.id, session.title, session.workspace, " PATH " IS NOT NULL, " UNDONE_AT
                  ", " SUMMARY FROM,
                  end, error);
  if (stmt == NULL)
    return FALSE;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      g_ptr_array_add (query->found, read_found (stmt));
    }
  return FALSE;
}

/**
 * gadget_store_find_effects_async:
 *
 * Reads a page of the ledger, newest effects first. With the first page, rows of processes that
 * died are closed.
 */
void
gadget_store_find_effects_async (GadgetStore *self, const GadgetEffectQuery *query,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && query != NULL);
  gadget_store_run_async (self, find, query_new (self, query), query_free, callback, user_data);
}

/**
 * gadget_store_find_effects_finish:
 *
 * Returns: (transfer full) (element-type GadgetFoundEffect): the page, shorter than the limit at
 *   the end of the ledger; %NULL with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_find_effects_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_steal_pointer (&((Query *) gadget_store_get_job_data (result))->found);
}

/* --- Counting --------------------------------------------------------------------------------- */

static gboolean
count (sqlite3 *db, gpointer data, GError **error)
{
  Query *query = data;
  gboolean has_row;
  g_autoptr (sqlite3_stmt) stmt =
      prepare (db, query,
               "SELECT count(*),"
               " count(DISTINCT CASE WHEN effect.kind IN ('change', 'delete')"
               " THEN effect.subject END),"
               " count(CASE effect.kind WHEN 'command' THEN 1 END),"
               " count(DISTINCT CASE effect.kind WHEN 'host' THEN effect.subject END)" FROM,
               "", error);

  if (stmt == NULL || !_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  query->counts.n_effects = (guint) sqlite3_column_int64 (stmt, 0);
  query->counts.n_files = (guint) sqlite3_column_int64 (stmt, 1);
  query->counts.n_commands = (guint) sqlite3_column_int64 (stmt, 2);
  query->counts.n_hosts = (guint) sqlite3_column_int64 (stmt, 3);
  return TRUE;
}

/**
 * gadget_store_count_effects_async:
 *
 * Counts the effects that match a query. This reads all of them, so it takes longer than a page.
 */
void
gadget_store_count_effects_async (GadgetStore *self, const GadgetEffectQuery *query,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && query != NULL);
  gadget_store_run_async (self, count, query_new (self, query), query_free, callback, user_data);
}

/**
 * gadget_store_count_effects_finish:
 * @counts: (out): the numbers
 *
 * Returns: whether @counts was set; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_count_effects_finish (GadgetStore *self, GAsyncResult *result,
                                   GadgetEffectCounts *counts, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  *counts = ((Query *) gadget_store_get_job_data (result))->counts;
  return TRUE;
}
