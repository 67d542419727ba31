/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-turn-commit"

#include "config.h"

#include "gadget-turn-commit.h"

#define COMMIT_TIMEOUT_MS 500

/* The data of the task, which is kept until the journal has answered, however late. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  GadgetTurn *turn;
  GadgetJournal *journal;
  char *lease_session_id;
  guint timeout;
  gboolean returned;
} Commit;

static void
commit_free (gpointer data)
{
  Commit *self = data;

  g_free (self->lease_session_id);
  g_object_unref (self->journal);
  g_object_unref (self->turn);
  g_object_unref (self->environment);
  g_free (self);
}

static void
return_once (GTask *task)
{
  Commit *self = g_task_get_task_data (task);

  if (self->timeout != 0)
    gadget_clock_remove (self->environment->clock, self->timeout);
  self->timeout = 0;
  if (!self->returned)
    {
      self->returned = TRUE;
      g_task_return_boolean (task, TRUE);
    }
}

static void
add_unsaved (Commit *self, const GError *error)
{
  gadget_unsaved_turns_add (self->environment->storage->unsaved_turns, self->turn, self->journal,
                            self->lease_session_id, error);
}

static void
committed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Commit *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  gadget_journal_commit_finish (GADGET_JOURNAL (source), result, &error);
  gadget_session_locks_release_lease (self->environment->storage->locks, self->lease_session_id);
  if (error == NULL)
    {
      gadget_unsaved_turns_note_saved (self->environment->storage->unsaved_turns, self->turn);
      gadget_turn_set_saved (self->turn, TRUE);
    }
  else if (self->returned)
    gadget_unsaved_turns_failed (self->environment->storage->unsaved_turns, self->turn, error);
  else
    add_unsaved (self, error);
  return_once (task);
}

static void
timeout_cb (gpointer user_data)
{
  GTask *task = user_data; /* (unowned): committed_cb () has a reference */
  Commit *self = g_task_get_task_data (task);

  self->timeout = 0;
  add_unsaved (self, NULL);
  return_once (task);
}

void
_gadget_turn_commit_async (GadgetTurnEnvironment *environment, GadgetJournal *journal,
                           GadgetTurn *turn, const char *lease_session_id,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GError) error = NULL;
  Commit *self = g_new0 (Commit, 1);

  g_task_set_source_tag (task, _gadget_turn_commit_async);
  self->environment = g_object_ref (environment);
  self->turn = g_object_ref (turn);
  self->journal = g_object_ref (journal);
  self->lease_session_id = g_strdup (lease_session_id);
  g_task_set_task_data (task, self, commit_free);

  /* A subagent that was given up may end when another process has the chat. */
  if (!gadget_session_locks_acquire_lease (environment->storage->locks, lease_session_id, &error))
    {
      add_unsaved (self, error);
      return_once (task);
      return;
    }
  self->timeout = gadget_clock_add_timeout (environment->clock, COMMIT_TIMEOUT_MS,
                                            "[gadget] commit timeout", timeout_cb, task);
  gadget_journal_commit_async (journal, committed_cb, g_steal_pointer (&task));
}

void
_gadget_turn_commit_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, _gadget_turn_commit_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
