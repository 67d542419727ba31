/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The connection of an import, and the removal of what is left of one that did not end: by itself
 * after a stop or an error, by the next one, or by the next start, in steps on the store's
 * thread. Who holds the lease "import" knows that no other import goes on. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "gadget-import-clean-up.h"

/* How often and how long the connection waits for other writers. */
#define N_BUSY_WAITS 15000
#define BUSY_WAIT_MS 2
/* SQLite looks for a stop after so many of its instructions. */
#define N_INSTRUCTIONS 10000
/* Chats that are removed in one transaction. */
#define N_REMOVED "20"

#define LEASE "import"
#define N_LEASE_TRIES 50
#define LEASE_PAUSE_MS 10

void
_gadget_import_pause (GCancellable *cancellable, int ms)
{
  GPollFD fd;
  const gboolean has_fd = g_cancellable_make_pollfd (cancellable, &fd);

  g_poll (has_fd ? &fd : NULL, has_fd ? 1 : 0, ms);
  if (has_fd)
    g_cancellable_release_fd (cancellable);
}

static int
busy_cb (void *cancellable, int n_waits)
{
  _gadget_import_pause (cancellable, BUSY_WAIT_MS);
  return n_waits < N_BUSY_WAITS && !g_cancellable_is_cancelled (cancellable);
}

static int
progress_cb (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

gboolean
_gadget_import_open (const char *directory, sqlite3 **db, GadgetLease **lease,
                     GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  int code;

  _gadget_sql_enter_thread ();
  *db = NULL;
  *lease = gadget_lease_acquire (directory, LEASE, NULL);
  /* A step of gadget_import_clean_up () holds it for some milliseconds. */
  for (guint i = 0; i < N_LEASE_TRIES && *lease == NULL; i++)
    {
      _gadget_import_pause (cancellable, LEASE_PAUSE_MS);
      *lease = gadget_lease_acquire (directory, LEASE, NULL);
    }
  if (*lease == NULL)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                           _ ("Another import is going on."));
      return FALSE;
    }
  code = sqlite3_open_v2 (path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK)
    {
      _gadget_sql_set_error (*db, code, error);
      return FALSE;
    }
  sqlite3_busy_handler (*db, busy_cb, cancellable);
  sqlite3_progress_handler (*db, N_INSTRUCTIONS, progress_cb, cancellable);
  sqlite3_extended_result_codes (*db, 1);
  return _gadget_sql_exec (*db, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL", error);
}

/* Removes some of what imports have left behind that did not end. To be called by the holder of the
 * lease. @more is set to whether there is more. */
static gboolean
remove_some (sqlite3 *db, gboolean *more, GError **error)
{
  const char *const remove =
      "DELETE FROM session WHERE number IN (SELECT number FROM session WHERE import IN"
      " (SELECT number FROM import WHERE ended_at IS NULL) LIMIT " N_REMOVED ")";

  if (!_gadget_sql_exec (db, remove, error))
    return FALSE;
  *more = sqlite3_changes (db) > 0;
  return *more || _gadget_sql_exec (db, "DELETE FROM import WHERE ended_at IS NULL", error);
}

gboolean
_gadget_import_remove_unfinished (sqlite3 *db, GCancellable *cancellable, GError **error)
{
  gboolean more = TRUE;

  while (more)
    {
      if (!remove_some (db, &more, error))
        return FALSE;
      _gadget_import_pause (cancellable, GADGET_IMPORT_PAUSE_MS);
    }
  return TRUE;
}

/* A step on the store's thread. */
typedef struct
{
  char *directory;
  gboolean more;
} CleanUp;

static void
clean_up_free (gpointer data)
{
  CleanUp *step = data;

  g_free (step->directory);
  g_free (step);
}

static gboolean
clean_up (sqlite3 *db, gpointer data, GError **error)
{
  CleanUp *step = data;
  g_autoptr (GadgetLease) lease = NULL;
  gint64 n_imports;

  if (!_gadget_sql_get_int (db, "SELECT count(*) FROM import WHERE ended_at IS NULL", &n_imports,
                            error))
    return FALSE;
  if (n_imports != 0)
    lease = gadget_lease_acquire (step->directory, LEASE, NULL);
  return lease == NULL || remove_some (db, &step->more, error);
}

static void
cleaned_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetStore *store = GADGET_STORE (source);
  g_autoptr (GError) error = NULL;

  if (!gadget_store_run_finish (store, result, &error))
    g_message ("an import that did not end could not be removed: %s", error->message);
  else if (((const CleanUp *) gadget_store_get_job_data (result))->more)
    gadget_import_clean_up (store);
}

void
gadget_import_clean_up (GadgetStore *store)
{
  CleanUp *step = g_new0 (CleanUp, 1);

  step->directory = g_strdup (gadget_store_get_directory (store));
  gadget_store_run_async (store, clean_up, step, clean_up_free, cleaned_up_cb, NULL);
}
