/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Closing aborts all runs, waits for their ends, then for the records of changes and for unsaved
 * data at the same time, and then closes the store. Nothing here blocks: each wait has a limit, and
 * everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "process/gadget-process.h"
#include "store/gadget-store.h"

/* How long closing waits, in milliseconds, for the records of what commands changed. */
#define MAX_RECORDING_MS 2000
/* How long closing waits, in milliseconds, for turns to be saved, after the half second that each
 * commit had. */
#define MAX_SAVING_MS 1000
/* How long closing waits, in milliseconds, for the checks of what commands left in repositories.
 * After a signal the program itself waits less. */
#define MAX_CHECKING_MS 4000

/* The number of parts that a task still waits for is its data. */
static void
set_parts (GTask *task, guint n_parts)
{
  guint *data = g_new (guint, 1);

  *data = n_parts;
  g_task_set_task_data (task, data, g_free);
}

/* One part has ended; returns TRUE for the last one. */
static gboolean
end_part (GTask *task)
{
  guint *n_parts = g_task_get_task_data (task);

  return --*n_parts == 0;
}

/* --- Waiting until all is saved --------------------------------------------------------------- */

static void
part_saved (GTask *task)
{
  if (!end_part (task))
    return;
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
turns_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_turns_settle_finish (GADGET_UNSAVED_TURNS (source), result);
  part_saved (user_data);
}

static void
sessions_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_sessions_settle_finish (GADGET_UNSAVED_SESSIONS (source), result);
  part_saved (user_data);
}

static void
drafts_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_unsaved_drafts_settle_finish (GADGET_UNSAVED_DRAFTS (source), result);
  part_saved (user_data);
}

static void
folders_settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_chat_folders_settle_finish (GADGET_CHAT_FOLDERS (source), result);
  part_saved (user_data);
}

void
gadget_engine_settle_async (GadgetEngine *self, guint milliseconds, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_settle_async);
  set_parts (task, 4);
  gadget_unsaved_turns_settle_async (gadget_agent_get_unsaved (gadget_engine_get_agent (self)),
                                     milliseconds, turns_settled_cb, task);
  gadget_unsaved_sessions_settle_async (
      gadget_agent_get_unsaved_sessions (gadget_engine_get_agent (self)), milliseconds,
      sessions_settled_cb, task);
  gadget_unsaved_drafts_settle_async (gadget_engine_get_drafts (self), milliseconds,
                                      drafts_settled_cb, task);
  gadget_chat_folders_settle_async (gadget_engine_get_chat_folders (self), milliseconds,
                                    folders_settled_cb, task);
}

/* gadget_engine_settle_finish: always succeeds. What is neither saved nor in a recovery file by
 * then is tried again as long as the process lives. */
void
gadget_engine_settle_finish (GadgetEngine *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Closing ---------------------------------------------------------------------------------- */

static void
repositories_checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_process_wait_for_checks_finish (result);
  g_task_return_boolean (task, TRUE);
}

static void
store_closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_close_finish (GADGET_STORE (source), result, &error))
    g_message ("the store was not closed: %s", error->message);
  gadget_process_wait_for_checks_async (MAX_CHECKING_MS, repositories_checked_cb, user_data);
}

/* Called for each of two parts: the records of changes, and the unsaved turns, chats and drafts.
 * The second call closes the store. */
static void
part_settled (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);

  if (end_part (task))
    gadget_store_close_async (gadget_engine_get_store (self), store_closed_cb, task);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_snapshot_service_close_finish (GADGET_SNAPSHOT_SERVICE (source), result);
  part_settled (user_data);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEngine *self = GADGET_ENGINE (source);

  gadget_engine_settle_finish (self, result);
  gadget_unsaved_turns_keep_files (gadget_agent_get_unsaved (gadget_engine_get_agent (self)));
  part_settled (user_data);
}

static void
close_when_idle (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) runs =
      gadget_registry_list (gadget_agent_get_registry (gadget_engine_get_agent (self)));

  if (runs->len > 0)
    return;
  g_signal_handlers_disconnect_by_data (gadget_engine_get_agent (self), task);
  g_signal_handlers_disconnect_by_data (gadget_agent_get_registry (gadget_engine_get_agent (self)),
                                        task);
  gadget_mcp_list_close (gadget_engine_get_mcp (self));
  /* This records what the last command changed, and usually takes milliseconds. */
  set_parts (task, 2);
  gadget_snapshot_service_close_async (
      gadget_agent_get_snapshot_service (gadget_engine_get_agent (self)), MAX_RECORDING_MS,
      recorded_cb, task);
  gadget_engine_settle_async (self, MAX_SAVING_MS, saved_cb, task);
}

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              GTask *task)
{
  close_when_idle (task);
}

/* A turn's run is followed by GadgetAgent::completed; other runs are over when they leave the
 * registry. */
static void
run_removed_cb (GadgetRegistry *registry, GadgetRun *run, GTask *task)
{
  if (gadget_run_get_kind (run) != GADGET_RUN_TURN)
    close_when_idle (task);
}

void
gadget_engine_close_async (GadgetEngine *self, GadgetStopReason reason,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_ENGINE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_engine_close_async);
  g_signal_connect (gadget_engine_get_agent (self), "completed", G_CALLBACK (completed_cb), task);
  g_signal_connect (gadget_agent_get_registry (gadget_engine_get_agent (self)), "removed",
                    G_CALLBACK (run_removed_cb), task);
  gadget_agent_close (gadget_engine_get_agent (self));
  _gadget_engine_settle_deletions (self);
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self), NULL, NULL, reason));
  close_when_idle (task);
}

/* gadget_engine_close_finish: always succeeds, once the store is closed. */
void
gadget_engine_close_finish (GadgetEngine *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
