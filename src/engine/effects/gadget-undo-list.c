/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists what a turn did to files, and how these files are now. The effects of the turn are
 * coalesced, see gadget-coalesced-changes.c. Files are read on the snapshot thread. */

#define G_LOG_DOMAIN "gadget-undo"

#include "config.h"

#include "gadget-undo-list.h"

#include "gadget-apply-state.h"
#include "gadget-coalesced-changes.h"
#include "gadget-crash-recovery.h"
#include "gadget-snapshot-service-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* --- Coalescing --------------------------------------------------------------------------------
 */

static void
entry_free (gpointer data)
{
  GadgetUndoEntry *entry = data;

  g_free (entry->root);
  g_free (entry->path);
  g_free (entry);
}

/* gadget_undo_list_free: frees the entries and the texts, too; @self must not be %NULL. */
void
gadget_undo_list_free (GadgetUndoList *self)
{
  g_free (self->skipped);
  g_free (self->missing);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const GadgetUndoEntry *first = *(GadgetUndoEntry *const *) a;
  const GadgetUndoEntry *second = *(GadgetUndoEntry *const *) b;
  const int roots = strcmp (first->root, second->root);

  return roots != 0 ? roots : strcmp (first->path, second->path);
}

/* Makes the entries of a turn, sorted. */
static GPtrArray *
take_together (GPtrArray *changes)
{
  g_autoptr (GPtrArray) coalesced = _gadget_coalesce_changes (changes);
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);

  for (guint i = 0; i < coalesced->len; i++)
    {
      GadgetCoalescedChange *sum = g_ptr_array_index (coalesced, i);
      GadgetUndoEntry *entry;

      if (gadget_file_state_equal (&sum->before, &sum->after))
        continue;
      entry = g_new0 (GadgetUndoEntry, 1);
      entry->root = g_steal_pointer (&sum->root);
      entry->path = g_steal_pointer (&sum->path);
      entry->before = sum->before;
      entry->after = sum->after;
      entry->interleaved = sum->interleaved;
      entry->quiet = gadget_file_state_same (&sum->before, &sum->after);
      g_ptr_array_add (entries, entry);
    }
  g_ptr_array_sort (entries, compare_entries);
  return entries;
}

/* --- Listing -----------------------------------------------------------------------------------
 */

const char *
_gadget_undo_find_missing (const GPtrArray *entries)
{
  const char *last = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (entries, i);
      g_autofd int fd = -1;

      /* The entries are sorted by root. */
      if (last != NULL && strcmp (entry->root, last) == 0)
        continue;
      last = entry->root;
      fd = _gadget_scan_open_root (last);
      if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
        return last;
    }
  return NULL;
}

/* Runs on the snapshot thread. */
static void
inspect_for_display (GadgetSnapshotWorker *worker, gpointer data)
{
  GadgetUndoList *list = data;

  g_set_str (&list->missing, _gadget_undo_find_missing (list->entries));
  _gadget_apply_state_inspect (worker->blobs, list->entries, TRUE, NULL);
}

static void
list_inspected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetUndoList *inspected = _gadget_snapshot_service_get_job_data (result);
  GadgetUndoList *list = g_new0 (GadgetUndoList, 1);

  list->recording = inspected->recording;
  list->skipped = g_steal_pointer (&inspected->skipped);
  list->missing = g_steal_pointer (&inspected->missing);
  list->entries = g_ptr_array_ref (inspected->entries);
  g_task_return_pointer (task, list, (GDestroyNotify) gadget_undo_list_free);
}

GadgetUndoList *
_gadget_undo_read_list (GadgetStore *store, GAsyncResult *result, GError **error)
{
  GadgetRecording recording;
  char *skipped;
  g_autoptr (GPtrArray) changes =
      gadget_store_list_changes_finish (store, result, &recording, &skipped, error);
  GadgetUndoList *list;

  if (changes == NULL)
    return NULL;
  list = g_new0 (GadgetUndoList, 1);
  list->recording = recording;
  list->skipped = skipped;
  list->entries = take_together (changes);
  return list;
}

static void
list_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSnapshotService *service = g_task_get_source_object (task);
  GError *error = NULL;
  GadgetUndoList *list = _gadget_undo_read_list (GADGET_STORE (source), result, &error);

  if (list == NULL)
    g_task_return_error (task, error);
  else
    _gadget_snapshot_service_run_async (service, inspect_for_display, list,
                                        (GDestroyNotify) gadget_undo_list_free, list_inspected_cb,
                                        g_steal_pointer (&task));
}

static void
list_recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  GadgetSnapshotService *service = GADGET_SNAPSHOT_SERVICE (source);

  gadget_crash_recovery_finish (result);
  gadget_store_list_changes_async (gadget_snapshot_service_get_store (service),
                                   g_task_get_task_data (task), list_read_cb, task);
}

/**
 * gadget_undo_list_async:
 *
 * Lists what a turn did to files, and the current states of these files.
 * #GadgetSnapshotService::recorded tells when the result changes.
 */
void
gadget_undo_list_async (GadgetSnapshotService *service, const char *turn_id,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && turn_id != NULL);

  task = g_task_new (service, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_undo_list_async);
  g_task_set_task_data (task, g_strdup (turn_id), g_free);
  gadget_crash_recovery_async (service, list_recovered_cb, task);
}

/**
 * gadget_undo_list_finish:
 *
 * Returns: (transfer full): the list, or %NULL with a #GadgetStoreError
 */
GadgetUndoList *
gadget_undo_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_undo_list_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
