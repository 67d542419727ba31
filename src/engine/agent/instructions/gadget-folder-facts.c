/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-folder-facts"

#include "config.h"

#include "gadget-folder-facts.h"

#include "common/gadget-blocking.h"
#include "common/gadget-pending.h"
#include "process/git/gadget-git-head.h"

/* A chat does not wait longer for the disk of its folder. */
#define LATE_MS 250

static gpointer
describe_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  char *text = gadget_git_head_describe (data);

  return text != NULL ? text : g_strdup ("");
}

static void
return_nothing (GadgetPending *self, gpointer data)
{
  g_autoptr (GTask) task = gadget_pending_take (self);

  g_task_return_pointer (task, g_strdup (""), g_free);
}

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = gadget_pending_free_and_take (user_data);
  g_autoptr (GError) error = NULL;
  char *text = gadget_blocking_run_finish (result, &error);

  if (task == NULL)
    g_free (text);
  else
    g_task_return_pointer (task, text != NULL ? text : g_strdup (""), g_free);
}

void
gadget_folder_facts_read_async (const char *folder, GadgetClock *clock, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  GadgetPending *pending = gadget_pending_new (task, cancellable, return_nothing, NULL);

  g_task_set_source_tag (task, gadget_folder_facts_read_async);
  gadget_pending_set_timeout (pending, clock, LATE_MS, return_nothing);
  gadget_blocking_run_async (cancellable, describe_in_thread, g_strdup (folder), g_free, g_free,
                             described_cb, pending);
}

char *
gadget_folder_facts_read_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_folder_facts_read_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
