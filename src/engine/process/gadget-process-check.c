/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Checks the repositories after a command, see gadget-sandbox-git-guard.c. A disk may be slow or
 * never answer, so the check runs in a thread, and a command's result waits for it only for a
 * limited time: longer while the check makes progress, since many folders take their time. Then the
 * result says that the check is not complete; but the check goes on, and what it finds in the end
 * is still disarmed and logged.
 *
 * So a check is never given up, as gadget-blocking.h would do with it: the threads, some of which
 * may hang, are a pool of their own, and a check waits until one of them is free. When the program
 * quits it waits for the checks for a while, with gadget_process_wait_for_checks_async ().
 *
 * All functions but check_in_thread () run on the main context. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"
#include "common/gadget-pending.h"

/* A thread that hangs in the file system is lost for other checks, so there are more than
 * processors. */
#define MAX_THREADS 16

/* When a check lacked file descriptors, milliseconds until it is repeated. */
#define AGAIN_MS 250

/* When the user cancels while a command that has ended by itself waits for its check, the result
 * waits for that many more milliseconds: it has to come within 500 ms, see abort.md. */
#define STOPPED_LIMIT_MS 300

/* The result waits for a check that makes progress for at most that long: another command may make
 * folders without end. */
#define MAX_WAIT_US (30 * G_TIME_SPAN_SECOND)

struct _GadgetGitCheck
{
  GPtrArray *git;   /* used by the thread while it checks */
  gboolean lacking; /* written by the thread: it ran out of file descriptors */
  int n_steps;      /* incremented by the thread, read on the main context */
  gboolean ended;
  gboolean forgotten;
  char *found; /* (nullable) */

  GadgetPending *wait; /* (nullable): NULL until a caller waits */
  guint limit_ms;
  gint64 wait_until; /* monotonic; 0: progress does not extend the limit */
  int n_seen;        /* N_STEPS when the limit was last over */
};

/* Used on the main context only. */
static guint n_running_checks;  /* checks that were started and have not ended */
static GPtrArray *quit_waiters; /* (nullable) (element-type GadgetPending): until there are none */

/* --- Leaving ---------------------------------------------------------------------------------- */

static void
end_quit_wait (GadgetPending *waiter, gpointer data)
{
  g_autoptr (GTask) task = gadget_pending_take (waiter);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
end_quit_waits (void)
{
  g_autoptr (GPtrArray) waiters = g_steal_pointer (&quit_waiters);

  for (guint i = 0; waiters != NULL && i < waiters->len; i++)
    end_quit_wait (g_ptr_array_index (waiters, i), NULL);
}

/**
 * gadget_process_wait_for_checks_async:
 * @max_wait_ms: the longest wait, in milliseconds
 * @callback: (scope async): called when no check runs, or when @max_wait_ms are over
 * @user_data: for @callback
 *
 * Waits for the checks of repositories after commands that have ended. Called when the program
 * quits: a check that has not ended by then does not end in this process. Main context only.
 */
void
gadget_process_wait_for_checks_async (guint max_wait_ms, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  GadgetPending *waiter = gadget_pending_new (task, NULL, NULL, NULL);

  g_task_set_source_tag (task, gadget_process_wait_for_checks_async);
  gadget_pending_set_timeout (waiter, gadget_clock_get_default (), max_wait_ms, end_quit_wait);
  if (quit_waiters == NULL)
    quit_waiters = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_pending_free);
  g_ptr_array_add (quit_waiters, waiter);
  if (n_running_checks == 0)
    end_quit_waits ();
}

/**
 * gadget_process_wait_for_checks_finish:
 * @result: what the callback was given
 *
 * Ends gadget_process_wait_for_checks_async (). It does not say whether all checks have ended.
 */
void
gadget_process_wait_for_checks_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Checks ----------------------------------------------------------------------------------- */

static void
check_free (GadgetGitCheck *self)
{
  g_ptr_array_unref (self->git);
  g_free (self->found);
  g_clear_pointer (&self->wait, gadget_pending_free);
  g_free (self);
}

void
_gadget_git_check_forget (gpointer data)
{
  GadgetGitCheck *self = data;

  self->forgotten = TRUE;
  if (self->ended)
    check_free (self);
}

/* The task forgets the check when it is finalized, which may free it. */
static void
end_wait (GadgetGitCheck *self)
{
  g_autoptr (GTask) task = gadget_pending_take (self->wait);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
limit_cb (GadgetPending *wait, gpointer data)
{
  GadgetGitCheck *self = data;
  const int n_steps = g_atomic_int_get (&self->n_steps);

  if (n_steps == self->n_seen || g_get_monotonic_time () >= self->wait_until)
    {
      end_wait (self);
      return;
    }
  self->n_seen = n_steps;
  gadget_pending_set_timeout (wait, gadget_clock_get_default (), self->limit_ms, limit_cb);
}

static void
stopped_cb (GadgetPending *wait, gpointer data)
{
  GadgetGitCheck *self = data;

  self->wait_until = 0;
  gadget_pending_set_timeout (wait, gadget_clock_get_default (), STOPPED_LIMIT_MS, limit_cb);
}

static void
add_found (GadgetGitCheck *self, char *found)
{
  char *before = self->found;

  self->found = before != NULL && found != NULL ? g_strconcat (before, ", ", found, NULL)
                                                : g_strdup (before != NULL ? before : found);
  g_free (before);
  g_free (found);
}

static gboolean begin_cb (gpointer user_data);

/* Repeats the check later. Other checks end meanwhile, and free file descriptors. */
static void
begin_later (GadgetGitCheck *self)
{
  g_autoptr (GSource) source = g_timeout_source_new (AGAIN_MS);

  g_source_set_static_name (source, "[gadget] check once more");
  g_source_set_callback (source, begin_cb, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetGitCheck *self = user_data;

  add_found (self, g_task_propagate_pointer (G_TASK (result), NULL));
  if (self->lacking)
    {
      begin_later (self);
      return;
    }
  self->ended = TRUE;
  if (--n_running_checks == 0)
    end_quit_waits ();
  if (self->forgotten && self->found != NULL)
    g_message (
        "%s: what version control would have run outside of the sandbox was made harmless, late",
        self->found);
  if (self->forgotten)
    check_free (self);
  else if (self->wait != NULL)
    end_wait (self);
}

static void
check_in_thread (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  GadgetGitCheck *self = g_task_get_task_data (task);
  char *found;

  gadget_git_count_steps (&self->n_steps);
  found = gadget_git_guards_check (self->git, &self->lacking);
  gadget_git_count_steps (NULL);
  g_task_return_pointer (task, found, g_free);
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter_pointer (&pool))
    g_once_init_leave_pointer (&pool,
                               g_thread_pool_new (check_in_thread, NULL, MAX_THREADS, FALSE, NULL));
  return pool;
}

/* Starts the check in a thread of the pool. Only that thread uses the guards until the task
 * returns. */
static gboolean
begin_cb (gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, ended_cb, user_data);

  g_task_set_source_tag (task, begin_cb);
  g_task_set_static_name (task, "gadget-process-check");
  g_task_set_priority (task, G_PRIORITY_HIGH);
  g_task_set_task_data (task, user_data, NULL);
  g_thread_pool_push (get_pool (), task, NULL);
  return G_SOURCE_REMOVE;
}

GadgetGitCheck *
_gadget_git_check_new (GPtrArray *git)
{
  GadgetGitCheck *self = g_new0 (GadgetGitCheck, 1);

  self->git = git;
  n_running_checks++;
  begin_cb (self);
  return self;
}

void
_gadget_git_check_wait_async (GadgetGitCheck *self, guint limit_ms, gboolean patient,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, _gadget_git_check_wait_async);
  g_task_set_task_data (task, self, _gadget_git_check_forget);
  if (self->ended)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->limit_ms = limit_ms;
  self->wait_until = patient ? g_get_monotonic_time () + MAX_WAIT_US : 0;
  self->n_seen = g_atomic_int_get (&self->n_steps);
  self->wait = gadget_pending_new (g_steal_pointer (&task), cancellable, stopped_cb, self);
  gadget_pending_set_timeout (self->wait, gadget_clock_get_default (), limit_ms, limit_cb);
}

gboolean
_gadget_git_check_wait_finish (GAsyncResult *result, char **found)
{
  GadgetGitCheck *self = g_task_get_task_data (G_TASK (result));

  g_task_propagate_boolean (G_TASK (result), NULL);
  *found = g_strdup (self->found);
  return self->ended;
}
