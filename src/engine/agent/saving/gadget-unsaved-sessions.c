/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of chats are written again, and kept in recovery files, in the same way as drafts; see
 * gadget-unsaved-drafts.c. A chat whose first turn is not stored has nothing to save here: it is
 * stored together with that turn, and is in the recovery file of the turn until then. Everything
 * happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-sessions.h"

#include "gadget-save-retry.h"
#include "gadget-settle-waiters.h"
#include "common/gadget-id.h"
#include "store/gadget-recovery-write.h"
#include "store/gadget-store-sessions.h"

/* In milliseconds. A message that is sent leaves the queue before its turn is in a recovery file,
 * which takes up to a second if the store does not answer. Until then the file of the chat keeps
 * the message. */
#define COPY_AFTER_SENDING_MS 2000

struct _GadgetUnsavedSessions
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetClock *clock;
  GHashTable *sessions; /* GadgetSession → Unsaved */
  guint64 generation;   /* of the last write of any chat */
  GadgetSettleWaiters *settlings;
};

/* A chat with changes that are not saved. */
typedef struct
{
  GadgetUnsavedSessions *owner; /* (unowned): it owns this */
  GadgetSession *session;
  guint64 generation; /* of its last write */
  guint64 answered;   /* the generation of the last write that was answered */
  gboolean failed;
  GadgetSaveRetry retry;
  guint copy_timeout; /* id of the clock's timeout; 0 for none */
  char *file_name;
  gboolean copying;  /* a recovery file is being written */
  gboolean outdated; /* the file, or what is being written to it, is older than the chat */
  gboolean uncopied; /* no recovery file could be written */
  gboolean needless; /* nothing needs to be in a file: only the time of the last change is new */
  GadgetRecoveryFile *file;
} Unsaved;

/* One write to the store, or to a recovery file. */
typedef struct
{
  GadgetUnsavedSessions *owner;
  GadgetSession *session;
  char *file_name;
  guint64 generation;
} Attempt;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetUnsavedSessions, gadget_unsaved_sessions, G_TYPE_OBJECT)

static void
clear_copy_timeout (Unsaved *unsaved)
{
  if (unsaved->copy_timeout != 0)
    gadget_clock_remove (unsaved->owner->clock, unsaved->copy_timeout);
  unsaved->copy_timeout = 0;
}

static void
unsaved_free (gpointer data)
{
  Unsaved *unsaved = data;

  _gadget_save_retry_clear (&unsaved->retry);
  clear_copy_timeout (unsaved);
  g_signal_handlers_disconnect_by_data (gadget_session_get_queue (unsaved->session), unsaved);
  g_clear_pointer (&unsaved->file, gadget_recovery_file_close);
  g_object_unref (unsaved->session);
  g_free (unsaved->file_name);
  g_free (unsaved);
}

static Attempt *
attempt_new (const Unsaved *unsaved)
{
  Attempt *attempt = g_new0 (Attempt, 1);

  attempt->owner = g_object_ref (unsaved->owner);
  attempt->session = g_object_ref (unsaved->session);
  attempt->file_name = g_strdup (unsaved->file_name);
  attempt->generation = unsaved->generation;
  return attempt;
}

static void
attempt_free (Attempt *attempt)
{
  g_object_unref (attempt->owner);
  g_object_unref (attempt->session);
  g_free (attempt->file_name);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

static gboolean
is_writing (const Unsaved *unsaved)
{
  return unsaved->answered < unsaved->generation;
}

/* --- Waiting for the end ---------------------------------------------------------------------- */

static gboolean
is_settled (gpointer owner, gboolean late)
{
  GadgetUnsavedSessions *self = owner;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->sessions);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Unsaved *unsaved = value;

      if (unsaved->copying || (is_writing (unsaved) && !late)
          || (unsaved->file == NULL && !unsaved->uncopied && !unsaved->needless))
        return FALSE;
    }
  return TRUE;
}

static void
changed (GadgetUnsavedSessions *self)
{
  g_autoptr (GadgetUnsavedSessions) hold = g_object_ref (self);

  g_signal_emit (self, signals[CHANGED], 0);
  _gadget_settle_waiters_check (self->settlings);
}

/* --- Copying ---------------------------------------------------------------------------------- */

static void copy (Unsaved *unsaved); /* called again when the file is outdated */

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  g_autoptr (GError) error = NULL;
  GadgetRecoveryFile *file = gadget_recovery_write_finish (result, &error);
  Unsaved *unsaved = g_hash_table_lookup (attempt->owner->sessions, attempt->session);

  if (file == NULL)
    g_message ("the chat is in no recovery file either: %s", error->message);
  /* The chat was saved meanwhile, and may be unsaved again. */
  if (unsaved == NULL || !g_str_equal (unsaved->file_name, attempt->file_name))
    {
      if (file != NULL)
        _gadget_settle_waiters_remove (attempt->owner->settlings, file);
      return;
    }
  unsaved->copying = FALSE;
  if (file != NULL)
    gadget_recovery_file_replace (&unsaved->file, file);
  else
    unsaved->outdated = TRUE;
  unsaved->uncopied = unsaved->file == NULL;
  if (unsaved->outdated && file != NULL && unsaved->copy_timeout == 0)
    copy (unsaved);
  changed (attempt->owner);
}

static void
copy (Unsaved *unsaved)
{
  g_autoptr (Attempt) attempt = NULL;

  if (unsaved->copying || (unsaved->file != NULL && !unsaved->outdated))
    return;
  attempt = attempt_new (unsaved);
  unsaved->copying = gadget_recovery_write_session_async (unsaved->owner->store, unsaved->file_name,
                                                          unsaved->session, copied_cb, attempt);
  unsaved->needless = !unsaved->copying;
  if (unsaved->needless)
    return;
  clear_copy_timeout (unsaved);
  unsaved->outdated = FALSE;
  g_steal_pointer (&attempt);
}

/* Called when the answers of the store are late. */
static void
copy_all (gpointer owner)
{
  GadgetUnsavedSessions *self = owner;
  g_autoptr (GPtrArray) all = g_hash_table_get_values_as_ptr_array (self->sessions);

  for (guint i = 0; i < all->len; i++)
    copy (g_ptr_array_index (all, i));
}

static void
copy_timeout_cb (gpointer user_data)
{
  Unsaved *unsaved = user_data;

  unsaved->copy_timeout = 0;
  copy (unsaved);
}

/* A message that leaves the queue may become a turn, which is saved with the turn. */
static void
queue_changed_cb (GListModel *queue, guint position, guint removed, guint added, Unsaved *unsaved)
{
  unsaved->outdated = TRUE;
  if (!unsaved->failed)
    return;
  if (added > 0)
    copy (unsaved);
  else if (unsaved->copy_timeout == 0)
    unsaved->copy_timeout =
        gadget_clock_add_timeout (unsaved->owner->clock, COPY_AFTER_SENDING_MS,
                                  "[gadget] copy a chat again", copy_timeout_cb, unsaved);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static void write_session (Unsaved *unsaved); /* called again after a failure */

static void
fail (Unsaved *unsaved)
{
  unsaved->failed = TRUE;
  _gadget_save_retry_fail (&unsaved->retry);
  copy (unsaved);
  changed (unsaved->owner);
}

static void
retry_cb (gpointer user_data)
{
  Unsaved *unsaved = user_data;

  if (is_writing (unsaved))
    fail (unsaved);
  else
    write_session (unsaved);
}

static Unsaved *
ensure (GadgetUnsavedSessions *self, GadgetSession *session)
{
  Unsaved *unsaved = g_hash_table_lookup (self->sessions, session);

  if (unsaved != NULL)
    return unsaved;
  unsaved = g_new0 (Unsaved, 1);
  unsaved->owner = self;
  unsaved->session = g_object_ref (session);
  unsaved->file_name = gadget_id_new ();
  _gadget_save_retry_init (&unsaved->retry, self->clock, "[gadget] save a chat again", retry_cb,
                           unsaved);
  g_signal_connect (gadget_session_get_queue (session), "items-changed",
                    G_CALLBACK (queue_changed_cb), unsaved);
  g_hash_table_insert (self->sessions, session, unsaved);
  return unsaved;
}

/* Called when the chat needs no saving any more. */
static void
forget (Unsaved *unsaved)
{
  GadgetUnsavedSessions *self = unsaved->owner;

  if (unsaved->file != NULL)
    _gadget_settle_waiters_remove (self->settlings, g_steal_pointer (&unsaved->file));
  g_hash_table_remove (self->sessions, unsaved->session);
  changed (self);
}

/* Answers come in the order of the writes; only the answer to the last write counts. */
static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  Unsaved *unsaved = g_hash_table_lookup (attempt->owner->sessions, attempt->session);
  g_autoptr (GError) error = NULL;

  gadget_store_save_session_finish (GADGET_STORE (source), result, &error);
  if (unsaved == NULL || unsaved->generation < attempt->generation)
    return;
  unsaved->answered = attempt->generation;
  if (is_writing (unsaved))
    return;
  if (error == NULL || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      forget (unsaved);
      return;
    }
  g_message ("the chat is not saved: %s", error->message);
  fail (unsaved);
}

static void
write_session (Unsaved *unsaved)
{
  GadgetUnsavedSessions *self = unsaved->owner;

  unsaved->generation = ++self->generation;
  _gadget_save_retry_begin (&unsaved->retry);
  gadget_store_update_session_async (self->store, unsaved->session, saved_cb,
                                     attempt_new (unsaved));
}

/* Called when a write to the store has succeeded: others may succeed now, too. */
static void
written_cb (GadgetUnsavedSessions *self)
{
  g_autoptr (GPtrArray) all = g_hash_table_get_values_as_ptr_array (self->sessions);

  for (guint i = 0; i < all->len; i++)
    {
      Unsaved *unsaved = g_ptr_array_index (all, i);

      if (!is_writing (unsaved) && _gadget_save_retry_is_due (self->clock, unsaved->retry.tried_at))
        write_session (unsaved);
    }
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_sessions_finalize (GObject *object)
{
  GadgetUnsavedSessions *self = GADGET_UNSAVED_SESSIONS (object);

  g_hash_table_unref (self->sessions);
  _gadget_settle_waiters_free (self->settlings);
  g_object_unref (self->store);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (gadget_unsaved_sessions_parent_class)->finalize (object);
}

static void
gadget_unsaved_sessions_class_init (GadgetUnsavedSessionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_sessions_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_unsaved_sessions_init (GadgetUnsavedSessions *self)
{
  self->sessions = g_hash_table_new_full (NULL, NULL, NULL, unsaved_free);
}

GadgetUnsavedSessions *
gadget_unsaved_sessions_new (GadgetStore *store, GadgetClock *clock)
{
  GadgetUnsavedSessions *self = g_object_new (GADGET_TYPE_UNSAVED_SESSIONS, NULL);

  self->store = g_object_ref (store);
  self->clock = g_object_ref (clock);
  self->settlings = _gadget_settle_waiters_new (clock, is_settled, copy_all, self);
  g_signal_connect_object (store, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
gadget_unsaved_sessions_save (GadgetUnsavedSessions *self, GadgetSession *session)
{
  Unsaved *unsaved;

  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self) && GADGET_IS_SESSION (session));

  unsaved = ensure (self, session);
  unsaved->outdated = TRUE;
  if (unsaved->failed)
    copy (unsaved);
  write_session (unsaved);
}

GPtrArray *
gadget_unsaved_sessions_list_lost (GadgetUnsavedSessions *self)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (GADGET_IS_UNSAVED_SESSIONS (self), lost);

  g_hash_table_iter_init (&iter, self->sessions);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Unsaved *unsaved = value;

      if (unsaved->failed && !unsaved->needless
          && (unsaved->uncopied || (unsaved->outdated && !unsaved->copying)))
        g_ptr_array_add (lost, g_object_ref (unsaved->session));
    }
  return lost;
}

void
gadget_unsaved_sessions_settle_async (GadgetUnsavedSessions *self, guint milliseconds,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) all = NULL;
  GTask *task;

  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_unsaved_sessions_settle_async);
  all = g_hash_table_get_values_as_ptr_array (self->sessions);
  for (guint i = 0; i < all->len; i++)
    if (!is_writing (g_ptr_array_index (all, i)))
      write_session (g_ptr_array_index (all, i));
  _gadget_settle_waiters_add (self->settlings, task, milliseconds);
  changed (self);
}

void
gadget_unsaved_sessions_settle_finish (GadgetUnsavedSessions *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
