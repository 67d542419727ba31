/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps what is needed to undo a change of one file: the state of the file, and of the folders
 * above it, which the change may create. All of that is kept and recorded before the file is
 * written:
 *
 *   row of the ledger ─▶ state read, content kept ─▶ recorded ─▶ the edit ─▶ state read ─▶ recorded
 *
 * Wherever the process is killed, the next process knows the file and its former content and only
 * has to read its current state; see gadget-crash-recovery.c. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-edit.h"

#include "gadget-file-state.h"
#include "gadget-unique-timestamp.h"
#include "common/gadget-blocking.h"
#include "store/gadget-store-changes.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* --- Reading states ----------------------------------------------------------------------------
 */

/* Shortens the path to the folder above it, down to "", which is the root. Returns FALSE at the
 * root. */
static gboolean
go_up (char *path)
{
  char *slash = strrchr (path, '/');

  if (*path == '\0')
    return FALSE;
  *(slash != NULL ? slash : path) = '\0';
  return TRUE;
}

static GPtrArray *
new_changes (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
}

static GPtrArray *
read_first (GadgetBlobs *blobs, GadgetParentFolder *parent, const char *path, GError **error)
{
  g_autoptr (GPtrArray) found = new_changes ();
  g_autofree char *at = g_strdup (path);

  do
    {
      GadgetFileState state;

      if (!_gadget_file_state_read (parent, at, blobs, GADGET_SNAPSHOT_MAX_FILE, &state, NULL,
                                    error))
        return NULL;
      g_ptr_array_add (found, gadget_change_new (at, &state, &state));
    }
  while (go_up (at));
  return g_steal_pointer (&found);
}

static GPtrArray *
read_again (GadgetBlobs *blobs, GadgetParentFolder *parent, const GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) found = new_changes ();

  for (guint i = 0; i < before->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (before, i);
      GadgetFileState now;

      if (!_gadget_file_state_read (parent, change->path, blobs, GADGET_SNAPSHOT_MAX_FILE, &now,
                                    NULL, error))
        return NULL;
      if (!gadget_file_state_equal (&change->before, &now))
        g_ptr_array_add (found, gadget_change_new (change->path, &change->before, &now));
    }
  return g_steal_pointer (&found);
}

GPtrArray *
_gadget_edit_read_states (GadgetBlobs *blobs, const char *root, const char *path,
                          const GPtrArray *before, GError **error)
{
  g_autofd int fd = _gadget_scan_open_root (root);
  g_auto (GadgetParentFolder) parent = { fd, NULL, -1 };

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", root,
                   g_strerror (errno));
      return NULL;
    }
  return before == NULL ? read_first (blobs, &parent, path, error)
                        : read_again (blobs, &parent, before, error);
}

/* The former contents stay recorded. The state after is unknown, and no later state of the files
 * equals it or the former one, so undo asks before it touches them. */
GPtrArray *
_gadget_edit_assume (const GPtrArray *before)
{
  GPtrArray *changes = new_changes ();
  const gint64 now = _gadget_unique_timestamp_next ();
  const GadgetFileState unknown = { GADGET_FILE_SPECIAL, .seen_begin = now, .seen_end = now };

  for (guint i = 0; i < before->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (before, i);

      if (change->before.type != GADGET_FILE_FOLDER)
        g_ptr_array_add (changes, gadget_change_new (change->path, &change->before, &unknown));
    }
  return changes;
}

/* --- In a thread of its own --------------------------------------------------------------------
 */

typedef struct
{
  GadgetBlobs *blobs;
  GadgetSnapshotService *service; /* keeps @blobs alive; not touched in the thread */
  char *root;
  char *path;
  GPtrArray *before; /* (nullable) */
} ReadJob;

static void
job_free (gpointer data)
{
  ReadJob *job = data;

  g_object_unref (job->service);
  g_free (job->root);
  g_free (job->path);
  g_clear_pointer (&job->before, g_ptr_array_unref);
  g_free (job);
}

static gpointer
read_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  const ReadJob *job = data;

  return _gadget_edit_read_states (job->blobs, job->root, job->path, job->before, error);
}

void
_gadget_edit_read_states_async (GadgetSnapshotService *service, const char *root, const char *path,
                                GPtrArray *before, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  ReadJob *job = g_new0 (ReadJob, 1);

  job->service = g_object_ref (service);
  job->blobs = _gadget_snapshot_service_get_blobs (service);
  job->root = g_strdup (root);
  job->path = g_strdup (path);
  if (before != NULL)
    job->before = g_ptr_array_ref (before);
  gadget_blocking_run_async (cancellable, read_in_thread, job, job_free,
                             (GDestroyNotify) g_ptr_array_unref, callback, user_data);
}

GPtrArray *
_gadget_edit_read_states_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
