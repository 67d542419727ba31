/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deletes everything: the keys if the user wants that, the steps of store/gadget-store-erase.c, and
 * the recovery files. Opening the engine goes on with what a process that died has left of it.
 *
 * Keys come first, once nothing is going on any more: when the keyring keeps one, no chat was
 * deleted yet and the program can go on. The rows of providers go in the same transaction as the
 * chats, after which nothing can fail but what the next start does again. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "store/gadget-store-erase.h"
#include "store/recovery/gadget-recovery-erase.h"

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_end_purge_finish (GADGET_STORE (source), result, &error))
    g_message ("the next start looks again for what is to be deleted: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
recovery_erased_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);

  gadget_recovery_erase_finish (result);
  gadget_store_end_purge_async (gadget_engine_get_store (self), ended_cb, g_steal_pointer (&task));
}

/* The chats are deleted already, so what is left of them is no failure. */
static void
purged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *store = GADGET_STORE (source);
  g_autoptr (GError) error = NULL;
  gboolean purged = FALSE;

  if (!gadget_store_purge_finish (store, result, &purged, &error))
    g_message ("the next start deletes what is left of deleted chats: %s", error->message);
  if (purged)
    gadget_recovery_erase_async (gadget_store_get_directory (store), recovery_erased_cb,
                                 g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

static void
erased_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *store = GADGET_STORE (source);
  g_autofree char *cache_directory = g_strdup (g_task_get_task_data (task));
  GError *error = NULL;

  if (gadget_store_erase_finish (store, result, &error))
    gadget_store_purge_async (store, cache_directory, purged_cb, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
keys_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = GADGET_ENGINE (source);
  GError *error = NULL;

  if (_gadget_engine_clear_keys_finish (self, result, &error))
    gadget_store_erase_async (gadget_engine_get_store (self), TRUE, erased_cb,
                              g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
idle_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEngine *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (gadget_store_check_erasable_finish (GADGET_STORE (source), result, &error))
    _gadget_engine_clear_keys_async (self, keys_cleared_cb, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

void
_gadget_engine_purge_async (GadgetEngine *self, const char *cache_directory,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, _gadget_engine_purge_async);
  gadget_store_purge_async (gadget_engine_get_store (self), cache_directory, purged_cb, task);
}

void
_gadget_engine_purge_finish (GadgetEngine *self, GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/**
 * gadget_engine_erase_async:
 * @cache_directory: a folder of caches, which is deleted
 * @also_keys: whether providers, tool servers and their keys are deleted, too
 *
 * Deletes all chats with their attachments, folders, drafts and permission rules, the data for
 * undo, backups and recovery files. Objects in memory do not follow, so the program is to be
 * started again.
 */
void
gadget_engine_erase_async (GadgetEngine *self, const char *cache_directory, gboolean also_keys,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self) && cache_directory != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_erase_async);
  g_task_set_task_data (task, g_strdup (cache_directory), g_free);
  if (also_keys)
    gadget_store_check_erasable_async (gadget_engine_get_store (self), idle_cb, task);
  else
    gadget_store_erase_async (gadget_engine_get_store (self), FALSE, erased_cb, task);
}

/**
 * gadget_engine_erase_finish:
 *
 * Returns: whether everything is deleted; else no chat and no provider is, and @error is a
 *   #GadgetStoreError: BUSY while a turn or an import is going on or a backup is being made, or a
 *   #GadgetSecretsError if the keyring keeps a key. Some keys may be removed then
 */
gboolean
gadget_engine_erase_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
