/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-open-sessions.h"

struct _GadgetOpenSessions
{
  GadgetStore *store;
  GHashTable *held; /* session id → Held */
};

/* The lock of one session. */
typedef struct
{
  GadgetOpenLock *lock; /* (nullable): NULL if it could not be taken */
  guint n_users;
} Held;

static void
held_free (gpointer data)
{
  Held *held = data;

  g_clear_pointer (&held->lock, gadget_open_lock_unref);
  g_free (held);
}

GadgetOpenSessions *
gadget_open_sessions_new (GadgetStore *store)
{
  GadgetOpenSessions *self = g_rc_box_new0 (GadgetOpenSessions);

  self->store = g_object_ref (store);
  self->held = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, held_free);
  return self;
}

GadgetOpenSessions *
gadget_open_sessions_ref (GadgetOpenSessions *self)
{
  return g_rc_box_acquire (self);
}

static void
open_sessions_clear (gpointer data)
{
  GadgetOpenSessions *self = data;

  g_hash_table_unref (self->held);
  g_object_unref (self->store);
}

void
gadget_open_sessions_unref (GadgetOpenSessions *self)
{
  g_rc_box_release_full (self, open_sessions_clear);
}

void
gadget_open_sessions_hold (GadgetOpenSessions *self, const char *session_id)
{
  Held *held = g_hash_table_lookup (self->held, session_id);

  if (held == NULL)
    {
      held = g_new0 (Held, 1);
      held->lock = gadget_open_lock_new (gadget_store_get_directory (self->store), session_id);
      g_hash_table_insert (self->held, g_strdup (session_id), held);
    }
  held->n_users++;
}

void
gadget_open_sessions_release (GadgetOpenSessions *self, const char *session_id)
{
  Held *held = g_hash_table_lookup (self->held, session_id);

  if (held != NULL && --held->n_users == 0)
    g_hash_table_remove (self->held, session_id);
}

GadgetOpenLock *
gadget_open_sessions_get_lock (GadgetOpenSessions *self, const char *session_id)
{
  const Held *held = g_hash_table_lookup (self->held, session_id);

  return held != NULL ? held->lock : NULL;
}
