/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Detects writes of other processes. A file monitor reports every write to the write-ahead log,
 * most of them by this process; PRAGMA data_version, read on the store's thread, changes only with
 * commits of other connections. The query is delayed a little, so that a streaming turn, of this
 * process or another, costs a few queries a second at most; without writes there are no queries.
 * The watch also forwards the ends of leases. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "store/lease/gadget-lease-watch.h"
#include "gadget-sql.h"
#include "gadget-store-private.h"

#define SETTLE_MS 200
/* An import writes all the time what nobody sees yet. Changes are still seen within a second. */
#define IMPORT_SETTLE_MS 700

struct _GadgetStoreWatch
{
  GadgetStore *store; /* the owner; NULL after _gadget_store_watch_free () */
  GFileMonitor *monitor;
  GadgetLeaseWatch *leases;
  guint timeout;
  gboolean asking;
  gboolean again; /* the log was written during the query */
  gint64 version; /* result of the last query; 0 before the first */
  gboolean importing;
};

/* A query. */
typedef struct
{
  gint64 version;
  gint64 n_imports; /* that go on */
} Query;

static gboolean
read_version (sqlite3 *db, gpointer data, GError **error)
{
  Query *query = data;

  return _gadget_sql_get_int (db, "PRAGMA data_version", &query->version, error)
         && _gadget_sql_get_int (db, "SELECT count(*) FROM import WHERE ended_at IS NULL",
                                 &query->n_imports, error);
}

static void
watch_clear (gpointer data)
{
  GadgetStoreWatch *self = data;

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_object (&self->leases);
}

static void
watch_unref (GadgetStoreWatch *self)
{
  g_rc_box_release_full (self, watch_clear);
}

static void schedule (GadgetStoreWatch *self); /* declared here because the end of a query may
                                                * schedule the next one */

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetStoreWatch *self = user_data;
  const Query *query = gadget_store_get_job_data (result);
  g_autoptr (GError) error = NULL;

  self->asking = FALSE;
  if (self->store == NULL)
    {
      watch_unref (self);
      return;
    }

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    g_info ("cannot see whether another process wrote: %s", error->message);
  else
    {
      gboolean changed = self->version != 0 && self->version != query->version;

      self->version = query->version;
      self->importing = query->n_imports > 0;
      if (changed)
        _gadget_store_emit_changed_outside (GADGET_STORE (source));
    }
  if (self->again && self->store != NULL)
    schedule (self);
  watch_unref (self);
}

static void
ask (GadgetStoreWatch *self)
{
  self->asking = TRUE;
  self->again = FALSE;
  gadget_store_run_async (self->store, read_version, g_new0 (Query, 1), g_free, answered_cb,
                          g_rc_box_acquire (self));
}

static void
settled_cb (gpointer data)
{
  GadgetStoreWatch *self = data;

  self->timeout = 0;
  ask (self);
}

static void
schedule (GadgetStoreWatch *self)
{
  if (self->asking)
    self->again = TRUE;
  else if (self->timeout == 0)
    {
      self->timeout =
          g_timeout_add_once (self->importing ? IMPORT_SETTLE_MS : SETTLE_MS, settled_cb, self);
      g_source_set_name_by_id (self->timeout, "[gadget] look for another process's writes");
    }
}

static void
log_changed_cb (GadgetStoreWatch *self)
{
  schedule (self);
}

static void
lease_ended_cb (GadgetLeaseWatch *leases, const char *session_id, GadgetStoreWatch *self)
{
  _gadget_store_emit_lease_ended (self->store, session_id);
}

/* To be called when the store has just opened the database. */
GadgetStoreWatch *
_gadget_store_watch_new (GadgetStore *store)
{
  GadgetStoreWatch *self = g_rc_box_new0 (GadgetStoreWatch);
  g_autofree char *path =
      g_build_filename (gadget_store_get_directory (store), "gadget.db-wal", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  self->store = store;
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, &error);
  if (self->monitor == NULL)
    g_info ("cannot watch %s: %s", path, error->message);
  else
    {
      g_file_monitor_set_rate_limit (self->monitor, SETTLE_MS);
      g_signal_connect_swapped (self->monitor, "changed", G_CALLBACK (log_changed_cb), self);
    }
  self->leases = gadget_lease_watch_new (gadget_store_get_directory (store));
  g_signal_connect (self->leases, "ended", G_CALLBACK (lease_ended_cb), self);
  ask (self);
  return self;
}

void
_gadget_store_watch_free (GadgetStoreWatch *self)
{
  self->store = NULL;
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_signal_handlers_disconnect_by_data (self->leases, self);
  watch_clear (self);
  watch_unref (self);
}
