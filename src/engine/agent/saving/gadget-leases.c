/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-leases.h"

#include "gadget-agent-error.h"
#include "store/gadget-lease.h"

struct _GadgetLeases
{
  GadgetStore *store;
  GHashTable *held; /* session id → Held */
};

/* The lease of one session. */
typedef struct
{
  GadgetLease *lease;
  guint n_users;
} Held;

static void
held_free (gpointer data)
{
  Held *held = data;

  gadget_lease_release (held->lease);
  g_free (held);
}

GadgetLeases *
gadget_leases_new (GadgetStore *store)
{
  GadgetLeases *self = g_rc_box_new0 (GadgetLeases);

  self->store = g_object_ref (store);
  self->held = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, held_free);
  return self;
}

GadgetLeases *
gadget_leases_ref (GadgetLeases *self)
{
  return g_rc_box_acquire (self);
}

static void
leases_clear (gpointer data)
{
  GadgetLeases *self = data;

  g_hash_table_unref (self->held);
  g_object_unref (self->store);
}

void
gadget_leases_unref (GadgetLeases *self)
{
  g_rc_box_release_full (self, leases_clear);
}

gboolean
gadget_leases_hold (GadgetLeases *self, const char *session_id, GError **error)
{
  Held *held = g_hash_table_lookup (self->held, session_id);
  g_autoptr (GError) local_error = NULL;
  GadgetLease *lease;

  if (held != NULL)
    {
      held->n_users++;
      return TRUE;
    }
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
  held = g_new0 (Held, 1);
  held->lease = lease;
  held->n_users = 1;
  g_hash_table_insert (self->held, g_strdup (session_id), held);
  return TRUE;
}

void
gadget_leases_drop (GadgetLeases *self, const char *session_id)
{
  Held *held = g_hash_table_lookup (self->held, session_id);

  if (held != NULL && --held->n_users == 0)
    g_hash_table_remove (self->held, session_id);
}
