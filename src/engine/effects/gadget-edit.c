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
#include "common/gadget-stop-source.h"
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
read_first (GadgetBlobs *blobs, int root, const char *path, GError **error)
{
  g_autoptr (GPtrArray) found = new_changes ();
  g_autofree char *at = g_strdup (path);

  do
    {
      GadgetFileState state;

      if (!_gadget_file_state_read (root, at, blobs, GADGET_SNAPSHOT_MAX_FILE, &state, NULL, error))
        return NULL;
      g_ptr_array_add (found, gadget_change_new (at, &state, &state));
    }
  while (go_up (at));
  return g_steal_pointer (&found);
}

static GPtrArray *
read_again (GadgetBlobs *blobs, int root, const GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) found = new_changes ();

  for (guint i = 0; i < before->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (before, i);
      GadgetFileState now;

      if (!_gadget_file_state_read (root, change->path, blobs, GADGET_SNAPSHOT_MAX_FILE, &now, NULL,
                                    error))
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

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", root,
                   g_strerror (errno));
      return NULL;
    }
  return before == NULL ? read_first (blobs, fd, path, error)
                        : read_again (blobs, fd, before, error);
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

/* --- Recording ---------------------------------------------------------------------------------
 */

typedef struct
{
  GTask *task;   /* NULL once it has returned */
  GSource *stop; /* (nullable) */
} Note;

static GTask *
take_task (Note *note)
{
  gadget_stop_source_end (&note->stop);
  return g_steal_pointer (&note->task);
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = take_task (user_data);

  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                   "stopped before it began");
  return G_SOURCE_REMOVE;
}

static void
noted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Note *note = user_data;
  g_autoptr (GTask) task = take_task (note);
  GError *error = NULL;

  g_free (note);
  if (gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    {
      if (task != NULL)
        g_task_return_boolean (task, TRUE);
    }
  else if (task != NULL)
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

void
_gadget_edit_record_async (GadgetStore *store, gint64 effect, GPtrArray *before,
                           GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Note *note = g_new0 (Note, 1);

  note->task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (note->task, _gadget_edit_record_async);
  note->stop =
      gadget_stop_source_new (cancellable, "[gadget] stop before an edit", stopped_cb, note);
  gadget_store_add_changes_async (store, effect, before, GADGET_RECORDING_PENDING, NULL, noted_cb,
                                  note);
}

gboolean
_gadget_edit_record_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, _gadget_edit_record_async), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
