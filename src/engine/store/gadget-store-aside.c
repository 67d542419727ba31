/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets a database that cannot be opened aside, in a thread. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "common/gadget-blocking.h"
#include "gadget-store.h"

#define NAME "gadget.db"

/* The write-ahead log belongs to the database and is renamed with it. It is renamed first, so that
 * a new database never gets the old log. */
static const char *const suffixes[] = { "-wal", "-shm", "" };

static gboolean
rename_one (const char *directory, const char *old_name, const char *new_name, const char *suffix,
            GError **error)
{
  g_autofree char *old_file = g_strconcat (old_name, suffix, NULL);
  g_autofree char *new_file = g_strconcat (new_name, suffix, NULL);
  g_autofree char *old_path = g_build_filename (directory, old_file, NULL);
  g_autofree char *new_path = g_build_filename (directory, new_file, NULL);
  int saved_errno;

  if (g_rename (old_path, new_path) == 0 || errno == ENOENT)
    return TRUE;
  saved_errno = errno;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN, "%s: %s", old_path,
               g_strerror (saved_errno));
  return FALSE;
}

static gpointer
set_aside (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const char *directory = data;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_date_time_format (now, "gadget-%Y%m%d-%H%M%S.db");

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (!rename_one (directory, NAME, name, suffixes[i], error))
      {
        /* A database that stays keeps its log: the last commits are in it. */
        while (i-- > 0)
          rename_one (directory, name, NAME, suffixes[i], NULL);
        return NULL;
      }
  return g_steal_pointer (&name);
}

void
gadget_store_set_aside_async (const char *directory, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (directory != NULL);
  gadget_blocking_run_async (NULL, set_aside, g_strdup (directory), g_free, g_free, callback,
                             user_data);
}

/**
 * gadget_store_set_aside_finish:
 *
 * Returns: whether the database was renamed or does not exist; else @error is
 *   %GADGET_STORE_ERROR_OPEN, or an error of gadget_blocking_run_finish ()
 */
gboolean
gadget_store_set_aside_finish (GAsyncResult *result, GError **error)
{
  g_autofree char *name = gadget_blocking_run_finish (result, error);

  return name != NULL;
}
