/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of the user's chats. A chat that is to be deleted is not in the list model, but stays
 * known by its id until it is gone, so that it is the same object if the deletion is cancelled.
 *
 * The list follows what other processes write: whenever the store says that another process has
 * written, the sessions are read again and merged by id, so that objects in use stay the same. What
 * was changed in this process while the sessions were being read is newer than what was read. A
 * list that is the same as before, since something else was written, costs nothing here. Everything
 * happens on the main context. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-session-list.h"

#include "common/gadget-clock.h"
#include "store/gadget-store-sessions.h"

struct _GadgetSessionList
{
  GObject parent_instance;

  GadgetStore *store;
  GListStore *sessions;
  GHashTable *by_id; /* id → GadgetSession, with those that are to be deleted */

  gboolean refreshing;
  gint64 refresh_begun_at; /* milliseconds since 1970 */
  gboolean refresh_again;
  guint64 digest;      /* of the list that was merged last; 0 if it has to be merged again */
  GHashTable *touched; /* (element-type GadgetSession): changed here while refreshing */
};

G_DEFINE_FINAL_TYPE (GadgetSessionList, gadget_session_list, G_TYPE_OBJECT)

static void
gadget_session_list_dispose (GObject *object)
{
  GadgetSessionList *self = GADGET_SESSION_LIST (object);

  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_object (&self->sessions);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_session_list_parent_class)->dispose (object);
}

static void
gadget_session_list_class_init (GadgetSessionListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_session_list_dispose;
}

static void
gadget_session_list_init (GadgetSessionList *self)
{
  self->sessions = g_list_store_new (GADGET_TYPE_SESSION);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->touched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

GadgetSessionList *
gadget_session_list_new (GadgetStore *store)
{
  GadgetSessionList *self = g_object_new (GADGET_TYPE_SESSION_LIST, NULL);

  self->store = g_object_ref (store);
  return self;
}

GListModel *
gadget_session_list_get_model (GadgetSessionList *self)
{
  return G_LIST_MODEL (self->sessions);
}

GadgetSession *
gadget_session_list_find (GadgetSessionList *self, const char *id)
{
  return g_hash_table_lookup (self->by_id, id);
}

/* --- Coming and going --------------------------------------------------------------------------
 */

static gint
compare_sessions (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const gint64 first = gadget_session_get_updated_at ((GadgetSession *) a);
  const gint64 second = gadget_session_get_updated_at ((GadgetSession *) b);

  return (first < second) - (first > second);
}

static void
sort_sessions (GadgetSessionList *self)
{
  g_list_store_sort (self->sessions, compare_sessions, NULL);
}

static void
hide (GadgetSessionList *self, GadgetSession *session)
{
  guint position;

  if (g_list_store_find (self->sessions, session, &position))
    g_list_store_remove (self->sessions, position);
}

static void
deletion_changed (GadgetSessionList *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) hold = g_object_ref (session);

  switch (gadget_session_get_deletion (session))
    {
    case GADGET_DELETION_NONE:
      g_list_store_insert_sorted (self->sessions, session, compare_sessions, NULL);
      break;
    case GADGET_DELETION_DONE:
      gadget_session_list_remove (self, session);
      break;
    case GADGET_DELETION_PENDING:
    case GADGET_DELETION_RUNNING:
    default:
      hide (self, session);
    }
}

static void
notify_cb (GadgetSession *session, GParamSpec *pspec, GadgetSessionList *self)
{
  /* The sessions that are being read may be older than this change; "remote-run" is only set from
   * what the store says. */
  if (self->refreshing && !g_str_equal (pspec->name, "remote-run"))
    g_hash_table_add (self->touched, g_object_ref (session));
  if (g_str_equal (pspec->name, "updated-at"))
    sort_sessions (self);
  else if (g_str_equal (pspec->name, "deletion"))
    deletion_changed (self, session);
}

void
gadget_session_list_add (GadgetSessionList *self, GadgetSession *session)
{
  g_signal_connect_object (session, "notify", G_CALLBACK (notify_cb), self, G_CONNECT_DEFAULT);
  g_hash_table_insert (self->by_id, (gpointer) gadget_session_get_id (session),
                       g_object_ref (session));
  g_list_store_insert_sorted (self->sessions, session, compare_sessions, NULL);
}

void
gadget_session_list_remove (GadgetSessionList *self, GadgetSession *session)
{
  g_autoptr (GadgetSession) hold = g_object_ref (session);

  if (gadget_session_list_find (self, gadget_session_get_id (session)) != session)
    return;
  g_hash_table_remove (self->by_id, gadget_session_get_id (session));
  g_signal_handlers_disconnect_by_func (session, notify_cb, self);
  hide (self, session);
}

/* --- What other processes wrote ----------------------------------------------------------------
 */

/* A chat whose turns are being read again. */
typedef struct
{
  GadgetSession *session;
  char *run; /* (nullable): the run of another process that works on it */
} Reload;

static void reload_subagents (GadgetStore *store, GadgetSession *session); /* recurses */

static void
subagent_reloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSession) session = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    reload_subagents (GADGET_STORE (source), session);
  else
    g_message ("the chat of a subagent could not be read again: %s", error->message);
}

/* The chats of subagents that are shown, or that ask something, change together with the chat that
 * they work for. */
static void
reload_subagents (GadgetStore *store, GadgetSession *session)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);

  for (guint i = 0; turn != NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);
      GadgetSession *child = gadget_item_get_child (item);
      GadgetTurn *work = gadget_item_get_child_turn (item);

      if (child != NULL && gadget_session_get_loaded (child)
          && (work == NULL || gadget_turn_get_status (work) == GADGET_TURN_PROCESSING))
        gadget_store_load_session_async (store, child, subagent_reloaded_cb, g_object_ref (child));
    }
}

/* "remote-run" is set only after the turns were read: code that sees that no process works on the
 * chat any more also sees how the turn has ended. */
static void
reloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reload *reload = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_load_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a chat that changed could not be read again: %s", error->message);
  else if (gadget_session_get_active_run (reload->session) == NULL)
    reload_subagents (GADGET_STORE (source), reload->session);
  if (gadget_session_get_active_run (reload->session) == NULL)
    gadget_session_set_remote_run (reload->session, reload->run);
  g_object_unref (reload->session);
  g_free (reload->run);
  g_free (reload);
}

static void
reload_session (GadgetSessionList *self, GadgetSession *session, const char *run)
{
  Reload *reload = g_new (Reload, 1);

  reload->session = g_object_ref (session);
  reload->run = g_strdup (run);
  gadget_store_load_session_async (self->store, session, reloaded_cb, reload);
}

/* If the commit of a turn of this process is late, the store still shows that turn as active. */
static const char *
get_remote_run (GadgetSession *session, GadgetSession *fresh)
{
  GadgetTurn *last = gadget_session_get_last_turn (session);

  return last == NULL || gadget_turn_get_saved (last) ? gadget_session_get_remote_run (fresh)
                                                      : NULL;
}

/* Takes over what another process has changed, also while the turn of that process goes on. While a
 * turn of this process is active only the settings can have been changed elsewhere. */
static void
update_session (GadgetSessionList *self, GadgetSession *session, GadgetSession *fresh)
{
  const char *run = get_remote_run (session, fresh);

  if (g_hash_table_contains (self->touched, session))
    {
      self->refresh_again = TRUE;
      return;
    }
  if (gadget_session_get_active_run (session) != NULL)
    {
      gadget_store_apply_listed (session, fresh);
      return;
    }
  if (gadget_session_get_loaded (session)
      && (gadget_session_get_updated_at (fresh) > gadget_session_get_updated_at (session)
          || gadget_session_get_last_status (fresh) == GADGET_TURN_PROCESSING
          || gadget_session_get_remote_run (session) != NULL))
    reload_session (self, session, run);
  else
    gadget_session_set_remote_run (session, run);
  gadget_store_apply_listed (session, fresh);
  gadget_session_set_last_stop_reason (session, gadget_session_get_last_stop_reason (fresh));
  gadget_session_set_last_status (session, gadget_session_get_last_status (fresh));
  gadget_session_set_updated_at (session, gadget_session_get_updated_at (fresh));
}

/* Turns that are not saved exist only in memory. */
static gboolean
has_unsaved (GadgetSession *session)
{
  for (guint i = gadget_session_get_n_turns (session); i > 0; i--)
    if (!gadget_turn_get_saved (gadget_session_get_turn (session, i - 1)))
      return TRUE;
  return FALSE;
}

static void
merge_sessions (GadgetSessionList *self, GPtrArray *fresh)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < fresh->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (fresh, i);
      GadgetSession *known = gadget_session_list_find (self, gadget_session_get_id (session));

      g_hash_table_add (ids, (gpointer) gadget_session_get_id (session));
      if (known == NULL)
        gadget_session_list_add (self, session);
      else
        update_session (self, known, session);
    }
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->sessions)); i > 0; i--)
    {
      g_autoptr (GadgetSession) session =
          g_list_model_get_item (G_LIST_MODEL (self->sessions), i - 1);

      /* Chats that were made after the list was asked for are not in it. */
      if (!g_hash_table_contains (ids, gadget_session_get_id (session))
          && gadget_session_get_active_run (session) == NULL && !has_unsaved (session)
          && gadget_session_get_updated_at (session) < self->refresh_begun_at)
        gadget_session_set_deletion (session, GADGET_DELETION_DONE);
    }
}

static void refresh (GadgetSessionList *self); /* calls itself again if it was called meanwhile */

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSessionList) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sessions =
      gadget_store_list_sessions_finish (GADGET_STORE (source), result, &error);

  self->refreshing = FALSE;
  if (sessions != NULL)
    merge_sessions (self, sessions);
  if (error != NULL)
    g_message ("the list of chats could not be read again: %s", error->message);
  else
    self->digest = self->refresh_again ? 0 : gadget_store_get_listed_digest (result);
  g_hash_table_remove_all (self->touched);
  if (!self->refresh_again)
    return;
  self->refresh_again = FALSE;
  refresh (self);
}

static void
refresh (GadgetSessionList *self)
{
  if (self->refreshing)
    {
      self->refresh_again = TRUE;
      return;
    }
  self->refreshing = TRUE;
  self->refresh_begun_at = gadget_clock_wall_ms ();
  gadget_store_list_sessions_async (self->store, self->digest, refreshed_cb, g_object_ref (self));
}

/* The process that held the lease may have died without writing anything. */
static void
lease_ended_cb (GadgetSessionList *self, const char *session_id)
{
  GadgetSession *session = gadget_session_list_find (self, session_id);

  if (session != NULL && gadget_session_get_remote_run (session) != NULL)
    refresh (self);
}

void
gadget_session_list_open (GadgetSessionList *self, GPtrArray *sessions, guint64 digest)
{
  self->digest = digest;
  merge_sessions (self, sessions);
  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (refresh), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->store, "lease-ended", G_CALLBACK (lease_ended_cb), self,
                           G_CONNECT_SWAPPED);
}

void
gadget_session_list_merge (GadgetSessionList *self, GPtrArray *sessions)
{
  /* Chats that are not in @sessions may have been made since, so none leaves the list. */
  const gint64 begun_at = self->refresh_begun_at;

  self->refresh_begun_at = 0;
  self->digest = 0;
  merge_sessions (self, sessions);
  self->refresh_begun_at = begun_at;
}
