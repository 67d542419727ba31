/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-undo"

#include "config.h"

#include "gadget-kept-versions.h"

#include "common/gadget-blocking.h"
#include "gadget-snapshot-service-private.h"
#include "store/gadget-store-versions.h"

#include <string.h>

/* What the thread works with. The task keeps the snapshot service and with it the contents. */
typedef struct
{
  GadgetBlobs *blobs;
  GPtrArray *versions; /* of GadgetFileVersion, sorted by path */
} Measurement;

static void
measurement_free (gpointer data)
{
  Measurement *measurement = data;

  g_ptr_array_unref (measurement->versions);
  g_free (measurement);
}

static gpointer
measure_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Measurement *measurement = data;
  g_autoptr (GHashTable) counted = g_hash_table_new (_gadget_hash_hash, _gadget_hash_equal);
  GadgetKeptVersions *kept = g_new0 (GadgetKeptVersions, 1);
  const char *last = NULL;

  for (guint i = 0; i < measurement->versions->len; i++)
    {
      const GadgetFileVersion *version = g_ptr_array_index (measurement->versions, i);

      if (!_gadget_blobs_has (measurement->blobs, (const GadgetHash *) version->hash))
        continue;
      if (last == NULL || strcmp (last, version->path) != 0)
        kept->n_files++;
      if (g_hash_table_add (counted, (gpointer) version->hash))
        kept->size += version->size;
      last = version->path;
    }
  return kept;
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GadgetKeptVersions *kept = gadget_blocking_run_finish (result, &error);

  if (kept != NULL)
    g_task_return_pointer (task, kept, g_free);
  else
    g_task_return_error (task, error);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) versions =
      gadget_store_list_versions_finish (GADGET_STORE (source), result, &error);
  Measurement *measurement;

  if (versions == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  measurement = g_new0 (Measurement, 1);
  measurement->blobs = _gadget_snapshot_service_get_blobs (g_task_get_source_object (task));
  measurement->versions = g_steal_pointer (&versions);
  gadget_blocking_run_async (NULL, measure_in_thread, measurement, measurement_free, g_free,
                             measured_cb, g_steal_pointer (&task));
}

/**
 * gadget_kept_versions_measure_async:
 * @session_ids: chats of the user
 *
 * Measures the earlier versions of files that are kept for the undo of what these chats did.
 */
void
gadget_kept_versions_measure_async (GadgetSnapshotService *service, const char *const *session_ids,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && session_ids != NULL);

  task = g_task_new (service, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_kept_versions_measure_async);
  gadget_store_list_versions_async (gadget_snapshot_service_get_store (service), session_ids,
                                    listed_cb, task);
}

gboolean
gadget_kept_versions_measure_finish (GAsyncResult *result, GadgetKeptVersions *kept, GError **error)
{
  g_autofree GadgetKeptVersions *measured = NULL;

  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_kept_versions_measure_async),
                        FALSE);
  measured = g_task_propagate_pointer (G_TASK (result), error);
  *kept = measured != NULL ? *measured : (GadgetKeptVersions) { 0 };
  return measured != NULL;
}
