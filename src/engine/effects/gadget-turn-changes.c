/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the effects and changes of one turn from the ledger and counts the files. Reading takes two
 * requests to the store, one after the other; the object does not change after that. For the main
 * context only. */

#define G_LOG_DOMAIN "gadget-turn-changes"

#include "config.h"

#include "gadget-turn-changes.h"

#include "common/gadget-path.h"

#include "gadget-coalesced-changes.h"
#include "store/gadget-store-changes.h"

#include <string.h>

/* The result of all effects of the turn on one file. */
typedef struct
{
  char *path; /* absolute */
  GadgetFileState before;
  GadgetFileState after;
  gboolean undone;
} File;

struct _GadgetTurnChanges
{
  GObject parent_instance;

  char *turn_id;
  GadgetRecording recording;
  GPtrArray *effects; /* of GadgetEffectRow */
  GPtrArray *changes; /* (nullable): of GadgetChange, until the effects are read too */
  GHashTable *files;  /* absolute path → File */
  GHashTable *calls;  /* "turn\ncall" → GPtrArray of File, owned by @files */
};

G_DEFINE_FINAL_TYPE (GadgetTurnChanges, gadget_turn_changes, G_TYPE_OBJECT)

static void
file_free (gpointer data)
{
  File *file = data;

  g_free (file->path);
  g_free (file);
}

static void
gadget_turn_changes_finalize (GObject *object)
{
  GadgetTurnChanges *self = GADGET_TURN_CHANGES (object);

  g_free (self->turn_id);
  g_clear_pointer (&self->effects, g_ptr_array_unref);
  g_clear_pointer (&self->changes, g_ptr_array_unref);
  g_hash_table_unref (self->calls);
  g_hash_table_unref (self->files);

  G_OBJECT_CLASS (gadget_turn_changes_parent_class)->finalize (object);
}

static void
gadget_turn_changes_class_init (GadgetTurnChangesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_turn_changes_finalize;
}

static void
gadget_turn_changes_init (GadgetTurnChanges *self)
{
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, file_free);
  self->calls =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
}

/* --- Putting together --------------------------------------------------------------------------
 */

static char *
make_key (const char *turn_id, const char *call_id)
{
  return g_strconcat (turn_id, "\n", call_id, NULL);
}

static void
take_changes (GadgetTurnChanges *self)
{
  g_autoptr (GPtrArray) coalesced = _gadget_coalesce_changes (self->changes);

  for (guint i = 0; i < coalesced->len; i++)
    {
      const GadgetCoalescedChange *sum = g_ptr_array_index (coalesced, i);
      File *file = g_new0 (File, 1);

      file->path = g_build_filename (sum->root, sum->path, NULL);
      file->before = sum->before;
      file->after = sum->after;
      g_hash_table_insert (self->files, file->path, file);
    }
}

static File *
find_file (GadgetTurnChanges *self, const GadgetChange *change)
{
  g_autofree char *path = g_build_filename (change->root, change->path, NULL);

  return g_hash_table_lookup (self->files, path);
}

static void
take_call (GadgetTurnChanges *self, const GadgetEffectRow *effect, File *file)
{
  g_autofree char *key = make_key (effect->call_turn_id, effect->call_id);
  GPtrArray *files = g_hash_table_lookup (self->calls, key);

  if (files == NULL)
    {
      files = g_ptr_array_new ();
      g_hash_table_insert (self->calls, g_steal_pointer (&key), files);
    }
  if (!g_ptr_array_find (files, file, NULL))
    g_ptr_array_add (files, file);
}

/* Rows of undo and redo have no folder of their own, since one turn may have several: the path
 * counts for each folder of the turn. */
static void
take_undo (GadgetTurnChanges *self, const GadgetChange *change, GHashTable *roots)
{
  GHashTableIter iter;
  gpointer root;

  g_hash_table_iter_init (&iter, roots);
  while (g_hash_table_iter_next (&iter, &root, NULL))
    {
      g_autofree char *path = g_build_filename (root, change->path, NULL);
      File *file = g_hash_table_lookup (self->files, path);

      if (file != NULL)
        file->undone = change->kind == GADGET_EFFECT_UNDO;
    }
}

static void
put_together (GadgetTurnChanges *self)
{
  g_autoptr (GHashTable) effects = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GHashTable) roots = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->effects->len; i++)
    {
      GadgetEffectRow *effect = g_ptr_array_index (self->effects, i);

      g_hash_table_insert (effects, &effect->number, effect);
    }
  take_changes (self);
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (self->changes, i);
      const GadgetEffectRow *effect = g_hash_table_lookup (effects, &change->effect);
      File *file;

      if (change->kind == GADGET_EFFECT_UNDO || change->kind == GADGET_EFFECT_REDO)
        {
          take_undo (self, change, roots);
          continue;
        }
      if (change->root == NULL)
        continue;
      g_hash_table_add (roots, change->root);
      file = find_file (self, change);
      if (effect != NULL && effect->call_id != NULL && effect->kind != GADGET_EFFECT_COMMAND)
        take_call (self, effect, file);
    }
  g_clear_pointer (&self->changes, g_ptr_array_unref);
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static void
effects_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetTurnChanges *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->effects = gadget_store_list_effects_finish (GADGET_STORE (source), result, &error);
  if (self->effects == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  put_together (self);
  g_task_return_pointer (task, g_object_ref (self), g_object_unref);
}

static void
changes_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetTurnChanges *self = g_task_get_task_data (task);
  g_autofree char *skipped = NULL;
  GError *error = NULL;

  self->changes = gadget_store_list_changes_finish (GADGET_STORE (source), result, &self->recording,
                                                    &skipped, &error);
  if (self->changes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  gadget_store_list_effects_async (GADGET_STORE (source), NULL, self->turn_id, effects_read_cb,
                                   g_steal_pointer (&task));
}

/**
 * gadget_turn_changes_read_async:
 *
 * Reads what the ledger has of a turn. #GadgetSnapshotService::recorded tells when there is more.
 */
void
gadget_turn_changes_read_async (GadgetSnapshotService *service, const char *turn_id,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetTurnChanges *self;
  GTask *task;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && turn_id != NULL);

  self = g_object_new (GADGET_TYPE_TURN_CHANGES, NULL);
  self->turn_id = g_strdup (turn_id);
  task = g_task_new (service, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_turn_changes_read_async);
  g_task_set_task_data (task, self, g_object_unref);
  gadget_store_list_changes_async (gadget_snapshot_service_get_store (service), turn_id,
                                   changes_read_cb, task);
}

/**
 * gadget_turn_changes_read_finish:
 *
 * Returns: (transfer full): what the turn did, or %NULL with a #GadgetStoreError
 */
GadgetTurnChanges *
gadget_turn_changes_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_turn_changes_read_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Getters -----------------------------------------------------------------------------------
 */

GadgetRecording
gadget_turn_changes_get_recording (GadgetTurnChanges *self)
{
  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), GADGET_RECORDING_NONE);
  return self->recording;
}

static gboolean
is_folder (const File *file)
{
  return file->before.type == GADGET_FILE_FOLDER || file->after.type == GADGET_FILE_FOLDER;
}

/* Counts the changed folders, or the other changed files. */
static guint
count (GadgetTurnChanges *self, gboolean folders, gboolean undone)
{
  GHashTableIter iter;
  gpointer value;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const File *file = value;

      n += is_folder (file) == folders && !gadget_file_state_same (&file->before, &file->after)
           && (!undone || file->undone);
    }
  return n;
}

guint
gadget_turn_changes_get_n_files (GadgetTurnChanges *self)
{
  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), 0);
  return count (self, FALSE, FALSE);
}

/**
 * gadget_turn_changes_get_n_folders:
 *
 * Returns: how many folders were changed; 0 if files were changed, too, since a folder that was
 *   created for a file is no change of its own
 */
guint
gadget_turn_changes_get_n_folders (GadgetTurnChanges *self)
{
  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), 0);
  return count (self, FALSE, FALSE) == 0 ? count (self, TRUE, FALSE) : 0;
}

/**
 * gadget_turn_changes_get_n_undone:
 *
 * Returns: how many files of gadget_turn_changes_get_n_files (), or, if these are none, how many
 *   folders were undone since and not redone
 */
guint
gadget_turn_changes_get_n_undone (GadgetTurnChanges *self)
{
  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), 0);
  return count (self, count (self, FALSE, FALSE) == 0, TRUE);
}

GPtrArray *
gadget_turn_changes_get_effects (GadgetTurnChanges *self)
{
  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), NULL);
  return self->effects;
}

/* Returns whether a folder that the turn created is empty without @files, so that undoing them
 * removes it too. */
static gboolean
is_left_empty (GadgetTurnChanges *self, const File *folder, GPtrArray *files)
{
  GHashTableIter iter;
  gpointer value;

  if (folder->before.type != GADGET_FILE_NONE)
    return FALSE;
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const File *file = value;

      if (file != folder && gadget_path_is_within (file->path, folder->path) && !file->undone
          && file->after.type != GADGET_FILE_NONE && !g_ptr_array_find (files, file, NULL))
        return FALSE;
    }
  return TRUE;
}

/**
 * gadget_turn_changes_dup_call_paths:
 * @call_id: the call
 * @undone: (out): whether all of the files were undone
 *
 * Returns: (transfer full) (nullable): the files, and the folders that were created for them alone
 */
char **
gadget_turn_changes_dup_call_paths (GadgetTurnChanges *self, const char *call_turn_id,
                                    const char *call_id, gboolean *undone)
{
  g_autofree char *key = NULL;
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  GPtrArray *files;

  g_return_val_if_fail (GADGET_IS_TURN_CHANGES (self), NULL);

  key = make_key (call_turn_id, call_id);
  files = g_hash_table_lookup (self->calls, key);
  *undone = files != NULL;
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const File *file = g_ptr_array_index (files, i);

      if (!is_folder (file))
        *undone = *undone && file->undone;
      if (!is_folder (file) || is_left_empty (self, file, files))
        g_strv_builder_add (paths, file->path);
    }
  return files != NULL ? g_strv_builder_end (paths) : NULL;
}
