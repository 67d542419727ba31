/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-folder-facts"

#include "config.h"

#include "gadget-folder-facts.h"

#include "common/gadget-blocking.h"
#include "common/gadget-pending.h"
#include "process/git/gadget-git-head.h"

#include <stdlib.h>

/* A chat does not wait longer for the disk of its folder. */
#define LATE_MS 250

void
gadget_folder_facts_free (GadgetFolderFacts *self)
{
  g_free (self->state);
  g_clear_pointer (&self->instructions, gadget_folder_instructions_free);
  g_free (self);
}

static void
facts_free (gpointer data)
{
  gadget_folder_facts_free (data);
}

/* STATE: (transfer full) (nullable). */
static GadgetFolderFacts *
facts_new (char *state, GadgetFolderInstructions *instructions)
{
  GadgetFolderFacts *self = g_new0 (GadgetFolderFacts, 1);

  self->state = state != NULL ? state : g_strdup ("");
  self->instructions = instructions;
  return self;
}

/* The folder may be given by a link. */
static gpointer
read_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = realpath (data, NULL);

  if (folder == NULL)
    return facts_new (NULL, NULL);
  return facts_new (gadget_git_head_describe (folder),
                    gadget_folder_instructions_find (folder, cancellable));
}

static GadgetFolderFacts *
facts_new_late (void)
{
  GadgetFolderFacts *self = facts_new (NULL, NULL);

  self->late = TRUE;
  return self;
}

static void
return_late (GadgetPending *self, gpointer data)
{
  g_autoptr (GTask) task = gadget_pending_take (self);

  g_task_return_pointer (task, facts_new_late (), facts_free);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = gadget_pending_free_and_take (user_data);
  g_autoptr (GadgetFolderFacts) facts = gadget_blocking_run_finish (result, NULL);

  if (task != NULL)
    g_task_return_pointer (task, facts != NULL ? g_steal_pointer (&facts) : facts_new_late (),
                           facts_free);
}

void
gadget_folder_facts_read_async (const char *folder, GadgetClock *clock, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  GadgetPending *pending = gadget_pending_new (task, cancellable, return_late, NULL);

  g_task_set_source_tag (task, gadget_folder_facts_read_async);
  gadget_pending_set_timeout (pending, clock, LATE_MS, return_late);
  gadget_blocking_run_async (cancellable, read_in_thread, g_strdup (folder), g_free, facts_free,
                             read_cb, pending);
}

GadgetFolderFacts *
gadget_folder_facts_read_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_folder_facts_read_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
