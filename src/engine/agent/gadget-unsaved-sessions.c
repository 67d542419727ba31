/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-sessions.h"

#include "gadget-save-retry.h"
#include "store/gadget-store-sessions.h"

struct _GadgetUnsavedSessions
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetClock *clock;
  GHashTable *sessions; /* (element-type GadgetSession): those that could not be saved */
  gint64 tried_at;      /* the clock's */
};

G_DEFINE_FINAL_TYPE (GadgetUnsavedSessions, gadget_unsaved_sessions, G_TYPE_OBJECT)

typedef struct
{
  GadgetUnsavedSessions *owner;
  GadgetSession *session;
} Attempt;

static void
attempt_free (Attempt *attempt)
{
  g_object_unref (attempt->owner);
  g_object_unref (attempt->session);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

/* The answers come in the order of the writes: that to the last one counts. */
static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_store_save_session_finish (GADGET_STORE (source), result, &error)
      || g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      g_hash_table_remove (attempt->owner->sessions, attempt->session);
      return;
    }
  g_message ("the chat is not saved: %s", error->message);
  g_hash_table_add (attempt->owner->sessions, g_object_ref (attempt->session));
}

/* The store takes writes again. */
static void
written_cb (GadgetUnsavedSessions *self)
{
  if (_gadget_save_retry_is_due (self->clock, self->tried_at))
    _gadget_unsaved_sessions_save_all (self);
}

static void
gadget_unsaved_sessions_finalize (GObject *object)
{
  GadgetUnsavedSessions *self = GADGET_UNSAVED_SESSIONS (object);

  g_hash_table_unref (self->sessions);
  g_object_unref (self->store);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (gadget_unsaved_sessions_parent_class)->finalize (object);
}

static void
gadget_unsaved_sessions_class_init (GadgetUnsavedSessionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_sessions_finalize;
}

static void
gadget_unsaved_sessions_init (GadgetUnsavedSessions *self)
{
  self->sessions = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

GadgetUnsavedSessions *
_gadget_unsaved_sessions_new (GadgetStore *store, GadgetClock *clock)
{
  GadgetUnsavedSessions *self = g_object_new (GADGET_TYPE_UNSAVED_SESSIONS, NULL);

  self->store = g_object_ref (store);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (store, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
_gadget_unsaved_sessions_save (GadgetUnsavedSessions *self, GadgetSession *session)
{
  Attempt *attempt;

  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self) && GADGET_IS_SESSION (session));

  attempt = g_new0 (Attempt, 1);
  attempt->owner = g_object_ref (self);
  attempt->session = g_object_ref (session);
  self->tried_at = gadget_clock_now (self->clock);
  gadget_store_update_session_async (self->store, session, saved_cb, attempt);
}

void
_gadget_unsaved_sessions_save_all (GadgetUnsavedSessions *self)
{
  g_autoptr (GPtrArray) all = NULL;

  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self));

  all = g_hash_table_get_keys_as_ptr_array (self->sessions);
  for (guint i = 0; i < all->len; i++)
    _gadget_unsaved_sessions_save (self, g_ptr_array_index (all, i));
}
