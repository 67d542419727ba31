/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions as the list of chats shows them; see gadget-store-load.c for their turns. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-lease.h"
#include "gadget-store-attachments-private.h"
#include "gadget-store-repair.h"
#include "gadget-store-sessions.h"

typedef struct
{
  GadgetSessionRow *row;
  GadgetTurnStatus last_status;
  char *run; /* (nullable): of its last turn, if that goes on */
} Listed;

typedef struct
{
  char *directory;
  GPtrArray *listed; /* of Listed */
} Listing;

typedef struct
{
  char *directory;
  char *session_id;
} Named;

/* On a session that is followed. */
typedef struct
{
  GWeakRef store;
  gulong notify;
  gulong queue;
  gboolean pending; /* an idle source is about to save it */
} Following;

static const char following_key[] = "gadget-store-following";

static void
listed_free (gpointer data)
{
  Listed *listed = data;

  _gadget_session_row_free (listed->row);
  g_free (listed->run);
  g_free (listed);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->directory);
  g_ptr_array_unref (listing->listed);
  g_free (listing);
}

static void
named_free (gpointer data)
{
  Named *named = data;

  g_free (named->directory);
  g_free (named->session_id);
  g_free (named);
}

static Named *
named_new (GadgetStore *store, const char *session_id)
{
  Named *named = g_new0 (Named, 1);

  named->directory = g_strdup (gadget_store_get_directory (store));
  named->session_id = g_strdup (session_id);
  return named;
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;
  g_autoptr (GError) repair_error = NULL;
  g_autoptr (GError) sweep_error = NULL;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  /* A list with a turn that seems to be going is better than none. */
  if (!_gadget_store_repair (db, listing->directory, NULL, &repair_error))
    g_message ("unfinished turns could not be repaired: %s", repair_error->message);
  if (!_gadget_attachments_sweep (db, &sweep_error))
    g_message ("files of nobody could not be removed: %s", sweep_error->message);

  stmt = _gadget_sql_prepare (db,
                              "SELECT " GADGET_SESSION_COLUMNS ","
                              " (SELECT status FROM turn WHERE turn.session = session.number"
                              "   AND removed_at IS NULL ORDER BY position DESC LIMIT 1),"
                              " (SELECT run.id FROM turn JOIN run ON run.turn = turn.number"
                              "   WHERE turn.session = session.number AND status = 'processing'"
                              "   AND removed_at IS NULL ORDER BY position DESC LIMIT 1)"
                              " FROM session WHERE parent IS NULL"
                              " ORDER BY updated_at DESC, number DESC",
                              error);
  if (stmt == NULL)
    return FALSE;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;

      Listed *listed = g_new0 (Listed, 1);
      const char *status = (const char *) sqlite3_column_text (stmt, GADGET_SESSION_N_COLUMNS);

      listed->row = _gadget_session_row_read (stmt);
      listed->last_status =
          status != NULL ? gadget_turn_status_from_string (status) : GADGET_TURN_FINISHED;
      listed->run = _gadget_sql_dup_text (stmt, GADGET_SESSION_N_COLUMNS + 1);
      g_ptr_array_add (listing->listed, listed);
    }
  return FALSE;
}

static gboolean
save_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_session_row_write (data, db, error);
}

static gboolean
save (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, save_in_transaction, data, error);
}

static gboolean
update_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetSessionRow *row = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT 1 FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, row->id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  return !has_row || _gadget_session_row_write (row, db, error);
}

static gboolean
update (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, update_in_transaction, data, error);
}

static gboolean
run_with_id (sqlite3 *db, const char *sql, const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  return _gadget_sql_run (stmt, error);
}

static gboolean
delete_session (sqlite3 *db, gpointer data, GError **error)
{
  const Named *named = data;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GadgetLease) lease =
      gadget_lease_acquire (named->directory, named->session_id, &local_error);

  if (lease == NULL)
    {
      gboolean busy = g_error_matches (local_error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY);

      g_set_error (error, GADGET_STORE_ERROR,
                   busy ? GADGET_STORE_ERROR_BUSY : GADGET_STORE_ERROR_FAILED,
                   "deleting session %s: %s", named->session_id, local_error->message);
      return FALSE;
    }
  return run_with_id (db, "DELETE FROM session WHERE id = ?1", named->session_id, error)
         /* Where it was left (gadget-chat-position.c). */
         && run_with_id (db, "DELETE FROM setting WHERE key = 'position:' || ?1", named->session_id,
                         error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_list_sessions_async:
 *
 * Lists all sessions but those of subagents, the one changed last first. Turns that nobody works on
 * any more, because their process died, are ended first.
 */
void
gadget_store_list_sessions_async (GadgetStore *self, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = g_new0 (Listing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->listed = g_ptr_array_new_with_free_func (listed_free);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_sessions_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetSession): new objects, without turns and
 *   queue and not loaded; their last status and their remote run, which may be one of this process,
 *   say whether somebody works on them
 */
GPtrArray *
gadget_store_list_sessions_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) sessions = NULL;
  const Listing *listing;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  listing = gadget_store_get_job_data (result);
  sessions = g_ptr_array_new_full (listing->listed->len, g_object_unref);
  for (guint i = 0; i < listing->listed->len; i++)
    {
      const Listed *listed = g_ptr_array_index (listing->listed, i);
      GadgetSession *session = gadget_session_new (listed->row->id);

      _gadget_session_row_apply (listed->row, session);
      gadget_session_set_last_status (session, listed->last_status);
      gadget_session_set_remote_run (session, listed->run);
      g_ptr_array_add (sessions, session);
    }
  return g_steal_pointer (&sessions);
}

/**
 * gadget_store_save_session_async:
 *
 * Stores title, workspace, provider and model, and the queue if it is loaded; makes the session if
 * it is not there. A new session is "loaded" (gadget_session_set_loaded ()) by whoever makes it.
 * Turns are the journal's business.
 */
void
gadget_store_save_session_async (GadgetStore *self, GadgetSession *session,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  gadget_store_run_async (self, save, _gadget_session_row_take (session),
                          (GDestroyNotify) _gadget_session_row_free, callback, user_data);
}

/**
 * gadget_store_update_session_async:
 *
 * Like gadget_store_save_session_async (), but one that is not there stays away: another process
 * may have deleted it. Ended with gadget_store_save_session_finish ().
 */
void
gadget_store_update_session_async (GadgetStore *self, GadgetSession *session,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  gadget_store_run_async (self, update, _gadget_session_row_take (session),
                          (GDestroyNotify) _gadget_session_row_free, callback, user_data);
}

gboolean
gadget_store_save_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

static void
followed_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_save_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a session could not be saved: %s", error->message);
}

static void
following_free (gpointer data)
{
  Following *following = data;

  g_weak_ref_clear (&following->store);
  g_free (following);
}

static gboolean
save_followed_cb (gpointer data)
{
  GadgetSession *session = data;
  Following *following = g_object_get_data (G_OBJECT (session), following_key);
  g_autoptr (GadgetStore) store = following != NULL ? g_weak_ref_get (&following->store) : NULL;

  if (following != NULL)
    following->pending = FALSE;
  if (store != NULL)
    gadget_store_save_session_async (store, session, followed_saved_cb, NULL);
  return G_SOURCE_REMOVE;
}

/* At the end of this iteration: a queued message that becomes a turn leaves the stored queue in the
 * same transaction that stores the turn (see the journal), which a save at once would break. */
static void
schedule_save (GadgetSession *session)
{
  Following *following = g_object_get_data (G_OBJECT (session), following_key);
  guint id;

  if (following->pending)
    return;
  following->pending = TRUE;
  id = g_idle_add_full (G_PRIORITY_DEFAULT, save_followed_cb, g_object_ref (session),
                        g_object_unref);
  g_source_set_name_by_id (id, "[gadget] save a session");
}

static void
session_notify_cb (GadgetSession *session, GParamSpec *pspec)
{
  static const char *const stored[] = { "title", "workspace",    "provider", "model",
                                        "mode",  "queue-paused", NULL };

  if (g_strv_contains (stored, pspec->name))
    schedule_save (session);
}

static void
queue_changed_cb (GListModel *queue, guint position, guint removed, guint added,
                  GadgetSession *session)
{
  schedule_save (session);
}

/**
 * gadget_store_follow_session:
 *
 * From now on every change of title, workspace, provider, model, mode and queue is stored by
 * itself, until the session or the store is gone. For a session that is stored or is to be: an
 * empty new chat is better followed once its first message is sent. Following twice is following
 * once.
 */
void
gadget_store_follow_session (GadgetStore *self, GadgetSession *session)
{
  Following *following;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  if (g_object_get_data (G_OBJECT (session), following_key) != NULL)
    return;
  following = g_new0 (Following, 1);
  g_weak_ref_init (&following->store, self);
  following->notify = g_signal_connect (session, "notify", G_CALLBACK (session_notify_cb), NULL);
  following->queue = g_signal_connect_object (gadget_session_get_queue (session), "items-changed",
                                              G_CALLBACK (queue_changed_cb), session, 0);
  g_object_set_data_full (G_OBJECT (session), following_key, following, following_free);
}

/**
 * gadget_store_unfollow_session:
 *
 * To be called before deleting it, so that a late change does not make it again.
 */
void
gadget_store_unfollow_session (GadgetStore *self, GadgetSession *session)
{
  const Following *following;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  following = g_object_get_data (G_OBJECT (session), following_key);
  if (following == NULL)
    return;
  g_signal_handler_disconnect (session, following->notify);
  g_signal_handler_disconnect (gadget_session_get_queue (session), following->queue);
  g_object_set_data (G_OBJECT (session), following_key, NULL);
}

/**
 * gadget_store_delete_session_async:
 *
 * Deletes the session with all its turns. One that nobody stored is deleted already.
 */
void
gadget_store_delete_session_async (GadgetStore *self, const char *session_id,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && session_id != NULL);

  gadget_store_run_async (self, delete_session, named_new (self, session_id), named_free, callback,
                          user_data);
}

/**
 * gadget_store_delete_session_finish:
 *
 * Returns: whether it is gone; else @error is %GADGET_STORE_ERROR_BUSY while it has an active turn,
 *   in this process or another, or another #GadgetStoreError
 */
gboolean
gadget_store_delete_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
