/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that were typed and not yet sent. The draft of a stored session is in its row. A new
 * chat is stored with its first turn; until then its draft is stored as settings. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-drafts.h"

#include "gadget-store-attachments-private.h"
#include "gadget-store-deletion-private.h"

/* gadget-store-attachments.c uses the second key too. */
#define NEW_CHAT_KEY "draft"
#define NEW_CHAT_ATTACHMENTS_KEY "draft-attachments"

/* The job that saves or loads a draft. */
typedef struct
{
  char *session_id; /* (nullable): NULL for the new chat */
  char *text;
  GadgetAttachmentRows *attachments; /* when written; NULL for none */
  char *attachments_json;            /* when read; NULL for none */
} Draft;

static void
draft_free (gpointer data)
{
  Draft *draft = data;

  g_free (draft->session_id);
  g_free (draft->text);
  g_clear_pointer (&draft->attachments, _gadget_attachment_rows_free);
  g_free (draft->attachments_json);
  g_free (draft);
}

static Draft *
draft_new (const char *session_id, const char *text, GPtrArray *attachments)
{
  Draft *draft = g_new0 (Draft, 1);

  draft->attachments = _gadget_attachment_rows_new_from (attachments);
  draft->session_id = g_strdup (session_id);
  draft->text = g_strdup (text);
  return draft;
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gboolean
save_setting (sqlite3 *db, const char *key, const char *value, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           value != NULL ? "INSERT INTO setting (key, value) VALUES (?1, ?2)"
                                           " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
                                         : "DELETE FROM setting WHERE key = ?1",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, key);
  if (value != NULL)
    _gadget_sql_bind_text (stmt, 2, value);
  return _gadget_sql_run (stmt, error);
}

static gboolean
check_session (sqlite3 *db, const char *id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT 1 FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "there is no session %s",
                 id);
  return has_row;
}

static gboolean
save_of_session (sqlite3 *db, const Draft *draft, const char *attachments, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "UPDATE session SET draft = ?2, draft_attachments = ?3 WHERE id = ?1"
                           " AND (draft IS NOT ?2 OR draft_attachments IS NOT ?3)",
                           error);

  if (!check_session (db, draft->session_id, error) || stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, draft->session_id);
  _gadget_sql_bind_text (stmt, 2, draft->text);
  _gadget_sql_bind_text (stmt, 3, attachments);
  return _gadget_sql_run (stmt, error);
}

/* The attachments are taken out of the draft when the message is sent. */
static gboolean
spare_attachments (sqlite3 *db, const char *session_id, GError **error)
{
  if (session_id != NULL)
    return _gadget_attachments_spare (
        db, "SELECT draft_attachments AS json FROM session WHERE id = ?1", session_id, error);
  return _gadget_attachments_spare (db, "SELECT value AS json FROM setting WHERE key = ?1",
                                    NEW_CHAT_ATTACHMENTS_KEY, error);
}

static gboolean
save_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const Draft *draft = data;
  const char *attachments = draft->attachments != NULL ? draft->attachments->json : NULL;

  if (draft->session_id != NULL && !_gadget_deletion_check (db, draft->session_id, error))
    return FALSE;
  if (!spare_attachments (db, draft->session_id, error)
      || !_gadget_attachment_rows_write (draft->attachments, db, draft->session_id, FALSE, error))
    return FALSE;
  if (draft->session_id != NULL)
    return save_of_session (db, draft, attachments, error);
  return save_setting (db, NEW_CHAT_KEY, *draft->text != '\0' ? draft->text : NULL, error)
         && save_setting (db, NEW_CHAT_ATTACHMENTS_KEY, attachments, error);
}

static gboolean
save (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, save_in_transaction, data, error);
}

static const char *
get_load_sql (const Draft *draft)
{
  if (draft->session_id != NULL)
    return "SELECT draft, draft_attachments FROM session WHERE id = ?1";
  return "SELECT (SELECT value FROM setting WHERE key = '" NEW_CHAT_KEY "'),"
         " (SELECT value FROM setting WHERE key = '" NEW_CHAT_ATTACHMENTS_KEY "')";
}

static gboolean
load (sqlite3 *db, gpointer data, GError **error)
{
  Draft *draft = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, get_load_sql (draft), error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  if (draft->session_id != NULL)
    _gadget_sql_bind_text (stmt, 1, draft->session_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (has_row)
    {
      draft->text = _gadget_sql_dup_text (stmt, 0);
      draft->attachments_json = _gadget_sql_dup_text (stmt, 1);
    }
  if (draft->text == NULL)
    draft->text = g_strdup ("");
  return TRUE;
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_save_draft_async:
 * @session_id: (nullable): the id of a stored session; %NULL for the new chat
 * @text: the text; "" for none
 * @attachments: (nullable) (element-type GadgetAttachment): the attachments; %NULL for none
 *
 * Replaces the draft.
 */
void
gadget_store_save_draft_async (GadgetStore *self, const char *session_id, const char *text,
                               GPtrArray *attachments, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && text != NULL);

  gadget_store_run_async (self, save, draft_new (session_id, text, attachments), draft_free,
                          callback, user_data);
}

/**
 * gadget_store_save_draft_finish:
 *
 * Returns: whether the draft is stored; else @error is %GADGET_STORE_ERROR_DELETED if the session
 *   was deleted, %GADGET_STORE_ERROR_NOT_FOUND if it is not stored yet, or another
 *   #GadgetStoreError
 */
gboolean
gadget_store_save_draft_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_load_draft_async:
 * @session_id: (nullable): the id of a session; %NULL for the new chat
 *
 * Reads the draft.
 */
void
gadget_store_load_draft_async (GadgetStore *self, const char *session_id,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, load, draft_new (session_id, NULL, NULL), draft_free, callback,
                          user_data);
}

/**
 * gadget_store_load_draft_finish:
 * @attachments: (out) (transfer full) (nullable) (element-type GadgetAttachment): %NULL for none
 *
 * Returns: (transfer full) (nullable): the text; "" if there is none or the session is not stored.
 *   %NULL with @error set to a #GadgetStoreError
 */
char *
gadget_store_load_draft_finish (GadgetStore *self, GAsyncResult *result, GPtrArray **attachments,
                                GError **error)
{
  Draft *draft;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  draft = gadget_store_get_job_data (result);
  *attachments = _gadget_attachments_parse (draft->attachments_json);
  return g_steal_pointer (&draft->text);
}
