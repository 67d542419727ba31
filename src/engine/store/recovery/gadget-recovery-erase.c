/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-recovery-erase.h"

#include "gadget-recovery-file-private.h"
#include "gadget-recovery-search-private.h"

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GPtrArray) found = _gadget_recovery_search_finish (result);

  for (guint i = 0; i < found->len; i++)
    {
      GadgetFoundFile *file = g_ptr_array_index (found, i);

      _gadget_recovery_file_remove (g_steal_pointer (&file->file));
    }
  g_task_return_boolean (task, TRUE);
}

void
gadget_recovery_erase_async (const char *data_dir, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (data_dir != NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_recovery_erase_async);
  _gadget_recovery_search_async (data_dir, searched_cb, task);
}

void
gadget_recovery_erase_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, gadget_recovery_erase_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
