/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was typed and not yet sent. That of a stored session is in its row. A new chat is stored
 * with its first turn only; what is written for it is among the settings until then. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-drafts.h"

#include "gadget-sql.h"

#define NEW_CHAT_KEY "draft"

typedef struct
{
  char *session_id; /* (nullable): of the new chat */
  char *text;
} Draft;

static void
draft_free (gpointer data)
{
  Draft *draft = data;

  g_free (draft->session_id);
  g_free (draft->text);
  g_free (draft);
}

static Draft *
draft_new (const char *session_id, const char *text)
{
  Draft *draft = g_new0 (Draft, 1);

  draft->session_id = g_strdup (session_id);
  draft->text = g_strdup (text);
  return draft;
}

/* --- On the thread ---------------------------------------------------------------------------- */

static const char *
get_save_sql (const Draft *draft)
{
  if (draft->session_id != NULL)
    return "UPDATE session SET draft = ?2 WHERE id = ?1 AND draft IS NOT ?2";
  if (*draft->text == '\0')
    return "DELETE FROM setting WHERE key = ?1";
  return "INSERT INTO setting (key, value) VALUES (?1, ?2)"
         " ON CONFLICT (key) DO UPDATE SET value = excluded.value";
}

static gboolean
save (sqlite3 *db, gpointer data, GError **error)
{
  const Draft *draft = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, get_save_sql (draft), error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, draft->session_id != NULL ? draft->session_id : NEW_CHAT_KEY);
  if (sqlite3_bind_parameter_count (stmt) > 1)
    _gadget_sql_bind_text (stmt, 2, draft->text);
  return _gadget_sql_run (stmt, error);
}

static gboolean
load (sqlite3 *db, gpointer data, GError **error)
{
  Draft *draft = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           draft->session_id != NULL ? "SELECT draft FROM session WHERE id = ?1"
                                                     : "SELECT value FROM setting WHERE key = ?1",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, draft->session_id != NULL ? draft->session_id : NEW_CHAT_KEY);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  draft->text = has_row ? _gadget_sql_dup_text (stmt, 0) : g_strdup ("");
  return TRUE;
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_save_draft_async:
 * @session_id: (nullable): a stored session, for any other it does nothing; %NULL for the new chat
 */
void
gadget_store_save_draft_async (GadgetStore *self, const char *session_id, const char *text,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && text != NULL);

  gadget_store_run_async (self, save, draft_new (session_id, text), draft_free, callback,
                          user_data);
}

gboolean
gadget_store_save_draft_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_load_draft_async:
 * @session_id: (nullable): %NULL for the new chat
 */
void
gadget_store_load_draft_async (GadgetStore *self, const char *session_id,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, load, draft_new (session_id, NULL), draft_free, callback,
                          user_data);
}

/**
 * gadget_store_load_draft_finish:
 *
 * Returns: (transfer full) (nullable): the text, "" for none; %NULL with @error
 */
char *
gadget_store_load_draft_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  Draft *draft;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  draft = gadget_store_get_job_data (result);
  return g_steal_pointer (&draft->text);
}
