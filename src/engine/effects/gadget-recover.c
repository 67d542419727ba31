/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A process was killed while its command ran, or between an edit and the look at what that had
 * done. A command ended with it. But the workspace was looked at before a command, and that tree is
 * on disk; and how the file was before an edit is on record: so the next one who asks looks now.
 * What differs is the effect's doing, or that of whoever changed something since: the turn says
 * that it is perhaps not complete ("partly"), and undoing shows each file before it is touched. An
 * edit whose file is as it was did not happen, or was undone by others, and is complete. Where a
 * look before was not finished, it says "lost".
 *
 * Two processes that find the same do not both do it: whoever does holds the dead one's lease. And
 * nobody looks at a workspace for another reason before, since then the old tree would be gone: a
 * command's own begin asks this first. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-recover.h"

#include "gadget-edit.h"
#include "gadget-keeper-private.h"
#include "gadget-marks.h"
#include "store/gadget-lease.h"
#include "store/gadget-store-changes.h"

typedef struct
{
  GPtrArray *rows;   /* of GadgetUnrecorded */
  GPtrArray *leases; /* of those who died */
  guint n_waiting;
} Recovery;

/* One of them. */
typedef struct
{
  GPtrArray *rows; /* holds what follows */
  const GadgetUnrecorded *row;

  GPtrArray *changes;
  GadgetRecording recording;
  char *skipped;
} Look;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_clear_pointer (&recovery->rows, g_ptr_array_unref);
  g_ptr_array_unref (recovery->leases);
  g_free (recovery);
}

static void
look_free (gpointer data)
{
  Look *look = data;

  g_ptr_array_unref (look->changes);
  g_ptr_array_unref (look->rows);
  g_free (look->skipped);
  g_free (look);
}

/* Both on the keeper's thread. */
static void
look_at_file (GadgetKeeping *keeping, gpointer data)
{
  Look *look = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes =
      _gadget_edit_look (keeping->blobs, look->row->root, NULL, look->row->before, &error);

  if (changes == NULL)
    {
      g_message ("what a killed edit changed is not known: %s", error->message);
      changes = _gadget_edit_assume (look->row->before);
    }
  look->recording = changes->len > 0 ? GADGET_RECORDING_PARTLY : GADGET_RECORDING_DONE;
  g_ptr_array_unref (look->changes);
  look->changes = g_steal_pointer (&changes);
}

/* Of several that ran at once the first gets it all, as ever. */
static void
look_at_workspace (GadgetKeeping *keeping, gpointer data)
{
  Look *look = data;
  const char *root = look->row->root;
  GadgetTracker *tracker = _gadget_keeping_get_tracker (keeping, root);
  const gint64 begun = _gadget_marks_get (keeping->directory, root, look->row->effect);
  g_autoptr (GPtrArray) changes = NULL;

  /* One of our own runs there: what is whose cannot be told. */
  if (_gadget_tracker_get_running (tracker) == 0 && begun != 0)
    changes = _gadget_tracker_look_since (tracker, begun);
  _gadget_marks_remove (keeping->directory, root, look->row->effect);
  if (changes == NULL)
    return;
  look->recording = GADGET_RECORDING_PARTLY;
  look->skipped = _gadget_tracker_dup_skipped (tracker);
  g_ptr_array_unref (look->changes);
  look->changes = g_steal_pointer (&changes);
}

static void
one_done (GTask *task)
{
  Recovery *recovery = g_task_get_task_data (task);

  if (--recovery->n_waiting > 0)
    return;
  for (guint i = 0; i < recovery->rows->len; i++)
    {
      const GadgetUnrecorded *row = g_ptr_array_index (recovery->rows, i);

      _gadget_keeper_emit_recorded (g_task_get_source_object (task), row->turn_id);
    }
  g_ptr_array_set_size (recovery->leases, 0);
  g_task_return_boolean (task, TRUE);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  /* The next one who asks tries again. */
  if (!gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    g_message ("what was changed before a crash is not recorded: %s", error->message);
  one_done (task);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Look *look = _gadget_keeper_get_job_data (result);

  gadget_store_recover_changes_async (gadget_keeper_get_store (GADGET_KEEPER (source)), look->row,
                                      look->changes, look->recording, look->skipped, written_cb,
                                      user_data);
}

/* Only with the lease of the one who died. */
static gboolean
claim (GadgetKeeper *keeper, Recovery *recovery, GHashTable *owners, const char *owner)
{
  gpointer claimed = NULL;
  GadgetLease *lease;

  if (g_hash_table_lookup_extended (owners, owner, NULL, &claimed))
    return claimed != NULL;
  lease = gadget_lease_acquire (gadget_store_get_directory (gadget_keeper_get_store (keeper)),
                                owner, NULL);
  if (lease != NULL)
    g_ptr_array_add (recovery->leases, lease);
  g_hash_table_insert (owners, g_strdup (owner), lease);
  return lease != NULL;
}

static void
look_at_all (GTask *task)
{
  GadgetKeeper *keeper = g_task_get_source_object (task);
  Recovery *recovery = g_task_get_task_data (task);
  g_autoptr (GHashTable) owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  recovery->n_waiting = 1;
  for (guint i = 0; i < recovery->rows->len; i++)
    {
      const GadgetUnrecorded *row = g_ptr_array_index (recovery->rows, i);
      Look *look;

      if (!claim (keeper, recovery, owners, row->owner))
        continue;
      look = g_new0 (Look, 1);
      look->rows = g_ptr_array_ref (recovery->rows);
      look->row = row;
      look->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
      look->recording = GADGET_RECORDING_LOST;
      recovery->n_waiting++;
      _gadget_keeper_run_async (
          keeper, row->kind == GADGET_EFFECT_COMMAND ? look_at_workspace : look_at_file, look,
          look_free, looked_cb, g_object_ref (task));
    }
  one_done (task);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recovery *recovery = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  recovery->rows = gadget_store_list_unrecorded_finish (GADGET_STORE (source), result, &error);
  if (recovery->rows == NULL || recovery->rows->len == 0)
    {
      if (error != NULL)
        g_message ("what was interrupted is not looked for: %s", error->message);
      g_task_return_boolean (task, TRUE);
      return;
    }
  look_at_all (task);
}

void
_gadget_recover_async (GadgetKeeper *keeper, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (keeper, NULL, callback, user_data);
  Recovery *recovery = g_new0 (Recovery, 1);

  g_task_set_source_tag (task, _gadget_recover_async);
  recovery->leases = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_lease_release);
  g_task_set_task_data (task, recovery, recovery_free);
  gadget_store_list_unrecorded_async (gadget_keeper_get_store (keeper), listed_cb, task);
}

void
_gadget_recover_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
