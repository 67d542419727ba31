/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-session-locks.h"

#include "gadget-agent-error.h"
#include "store/lease/gadget-lease.h"

struct _GadgetSessionLocks
{
  GadgetStore *store;
  GHashTable *leases; /* session id → SessionLock */
  GHashTable *open;   /* session id → SessionLock */
};

/* The lease of one session, or its open lock. */
typedef struct
{
  GadgetLease *lease;        /* (nullable) */
  GadgetOpenLock *open_lock; /* (nullable): NULL also if it could not be taken */
  guint n_users;
} SessionLock;

static void
session_lock_free (gpointer data)
{
  SessionLock *lock = data;

  g_clear_pointer (&lock->lease, gadget_lease_release);
  g_clear_pointer (&lock->open_lock, gadget_open_lock_unref);
  g_free (lock);
}

/* Returns whether the lock is held already; it has one more user then. */
static gboolean
add_user (GHashTable *locks, const char *session_id)
{
  SessionLock *lock = g_hash_table_lookup (locks, session_id);

  if (lock != NULL)
    lock->n_users++;
  return lock != NULL;
}

static void
add (GHashTable *locks, const char *session_id, GadgetLease *lease, GadgetOpenLock *open_lock)
{
  SessionLock *lock = g_new0 (SessionLock, 1);

  lock->lease = lease;
  lock->open_lock = open_lock;
  lock->n_users = 1;
  g_hash_table_insert (locks, g_strdup (session_id), lock);
}

static void
release (GHashTable *locks, const char *session_id)
{
  SessionLock *lock = g_hash_table_lookup (locks, session_id);

  if (lock != NULL && --lock->n_users == 0)
    g_hash_table_remove (locks, session_id);
}

GadgetSessionLocks *
gadget_session_locks_new (GadgetStore *store)
{
  GadgetSessionLocks *self = g_rc_box_new0 (GadgetSessionLocks);

  self->store = g_object_ref (store);
  self->leases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, session_lock_free);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, session_lock_free);
  return self;
}

/* gadget_session_locks_new () returns a table without locks (transfer full), which keeps @store.
 * gadget_session_locks_ref () and gadget_session_locks_unref () count its references, and the last
 * gadget_session_locks_unref () gives up all locks that are left. Main context only. */
GadgetSessionLocks *
gadget_session_locks_ref (GadgetSessionLocks *self)
{
  return g_rc_box_acquire (self);
}

static void
session_locks_clear (gpointer data)
{
  GadgetSessionLocks *self = data;

  g_hash_table_unref (self->leases);
  g_hash_table_unref (self->open);
  g_object_unref (self->store);
}

void
gadget_session_locks_unref (GadgetSessionLocks *self)
{
  g_rc_box_release_full (self, session_locks_clear);
}

gboolean
gadget_session_locks_acquire_lease (GadgetSessionLocks *self, const char *session_id,
                                    GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GadgetLease *lease;

  if (add_user (self->leases, session_id))
    return TRUE;
  lease = gadget_lease_acquire (gadget_store_get_directory (self->store), session_id, &local_error);
  if (lease == NULL)
    {
      g_set_error_literal (
          error, GADGET_AGENT_ERROR,
          g_error_matches (local_error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY)
              ? GADGET_AGENT_ERROR_BUSY_ELSEWHERE
              : GADGET_AGENT_ERROR_FAILED,
          local_error->message);
      return FALSE;
    }
  add (self->leases, session_id, lease, NULL);
  return TRUE;
}

/* gadget_session_locks_release_lease: undoes one gadget_session_locks_acquire_lease (). The last
 * one releases the lease, so that another process may write to the session. */
void
gadget_session_locks_release_lease (GadgetSessionLocks *self, const char *session_id)
{
  release (self->leases, session_id);
}

void
gadget_session_locks_acquire_open (GadgetSessionLocks *self, const char *session_id)
{
  const char *directory = gadget_store_get_directory (self->store);
  SessionLock *lock = g_hash_table_lookup (self->open, session_id);

  if (!add_user (self->open, session_id))
    add (self->open, session_id, NULL, gadget_open_lock_new (directory, session_id));
  else if (lock->open_lock == NULL) /* It could not be taken before. */
    lock->open_lock = gadget_open_lock_new (directory, session_id);
}

/* gadget_session_locks_release_open: undoes one gadget_session_locks_acquire_open (). The last one
 * releases the open lock. */
void
gadget_session_locks_release_open (GadgetSessionLocks *self, const char *session_id)
{
  release (self->open, session_id);
}

GadgetOpenLock *
gadget_session_locks_get_open_lock (GadgetSessionLocks *self, const char *session_id)
{
  const SessionLock *lock = g_hash_table_lookup (self->open, session_id);

  return lock != NULL ? lock->open_lock : NULL;
}
