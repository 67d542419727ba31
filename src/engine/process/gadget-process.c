/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs one command under gadget-supervise ("the helper"); gadget-supervise.c documents the messages
 * on the control socket.
 *
 * Everything happens in GSources on the caller's main context: the control socket, the output pipe,
 * the cancellable, the time limit, the deadline, and the exit of the outer process (bubblewrap,
 * flatpak-spawn or the helper itself). The outer process is never signaled: a signal would end the
 * namespace without the grace period, or leave its process tree alive.
 *
 *   cancelled, or time limit → a byte on the socket → "done" → outer process gone → result
 *
 * The arrow to "done" and the one to the exit of the outer process have a deadline each. After it,
 * the socket and the pipe are closed (which asks the helper once more) and the result says whether
 * the end is confirmed. If this process dies in whatever way, its end of the socket closes, which
 * is the same request. The repositories are checked then (gadget-process-check.c), also with a
 * deadline.
 *
 * gadget-process-output.c delivers the output. Its pipe is watched at idle priority, so that a
 * command with much output starves neither the window nor the abort. */

#define G_LOG_DOMAIN "gadget-process"

#include "config.h"

#include "gadget-process-private.h"
#include "gadget-spawn-throttle.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* An abort has 500 ms, see abort.md. The helper needs 200 ms of them for processes that ignore
 * SIGTERM. Its word is waited for until this time after the abort, the check of the repositories a
 * little longer; the rest is for the callback. */
#define ABORT_DEADLINE_MS 450
#define CHECK_DEADLINE_MS 470
/* Setting up a sandbox takes milliseconds; a busy machine may need a thousand times as long. */
#define START_DEADLINE_MS 10000
/* After the helper's last word the outer process only has to exit. */
#define OUTER_DEADLINE_MS 100
/* The model waits for the check after a command that was not aborted. It takes milliseconds unless
 * the disk hangs. */
#define CHECK_LIMIT_MS 2000
/* The helper's messages have few bytes; a program that writes more is not the helper. */
#define MAX_CONTROL_INPUT 1024

typedef struct
{
  GadgetProcessOutput output;
  guint time_limit_ms;

  GPid outer;
  int control;
  GPtrArray *sources; /* all sources of this run, destroyed together when it finishes */
  GSource *deadline_source;

  GString *control_input;
  GPtrArray *git;                /* (nullable): until the check starts */
  GadgetGitCheck *check;         /* (nullable): until finish () waits for it */
  GadgetScope *scope;            /* (nullable): until the run is finished */
  GadgetProcessStarter *starter; /* (nullable): until the command runs */
  GadgetLaunch *launch;          /* (nullable): until the outer process is started */

  gboolean started;
  gboolean done;
  gboolean outer_exited;
  int exec_errno;
  gint64 started_at;
  gint64 end_requested_at; /* monotonic time of the request to end, or 0 */
  GadgetProcessResult result;
} ProcessRun;

G_DEFINE_QUARK (gadget-process-error-quark, gadget_process_error)

static void
process_run_free (ProcessRun *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    g_source_destroy (g_ptr_array_index (self->sources, i));
  g_ptr_array_unref (self->sources);
  g_clear_fd (&self->control, NULL);
  _gadget_process_output_clear (&self->output);
  g_string_free (self->control_input, TRUE);
  g_clear_pointer (&self->git, g_ptr_array_unref);
  g_clear_pointer (&self->check, _gadget_git_check_forget);
  g_clear_pointer (&self->scope, gadget_scope_free);
  g_clear_pointer (&self->starter, _gadget_process_starter_free);
  g_clear_pointer (&self->launch, gadget_launch_free);
  g_free (self);
}

static ProcessRun *
process_run_new (const GadgetProcessSpec *spec)
{
  ProcessRun *self = g_new0 (ProcessRun, 1);

  _gadget_process_output_init (&self->output, spec->output, spec->output_data);
  self->time_limit_ms = spec->time_limit_ms;
  self->control = -1;
  self->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) g_source_unref);
  self->control_input = g_string_new (NULL);
  self->result.exit_status = -1;
  return self;
}

/* The source holds a reference to the task until it is destroyed, at the latest by
 * stop_sources (). */
static GSource *
add_source (GTask *task, GSource *source, int priority, const char *name, GSourceFunc callback)
{
  ProcessRun *self = g_task_get_task_data (task);

  g_source_set_callback (source, callback, g_object_ref (task), g_object_unref);
  g_source_set_priority (source, priority);
  g_source_set_static_name (source, name);
  g_source_attach (source, g_task_get_context (task));
  g_ptr_array_add (self->sources, source);
  return source;
}

static void
stop_sources (ProcessRun *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    g_source_destroy (g_ptr_array_index (self->sources, i));
  g_ptr_array_set_size (self->sources, 0);
  self->deadline_source = NULL;
}

static gboolean
output_cb (int fd, GIOCondition condition, gpointer user_data)
{
  ProcessRun *self = g_task_get_task_data (user_data);

  return _gadget_process_output_read (&self->output, !self->result.aborted) ? G_SOURCE_CONTINUE
                                                                            : G_SOURCE_REMOVE;
}

/* --- The end -----------------------------------------------------------------------------------
 */

/* The outer process must be reaped even when it outlives the run. */
static void
reaped_cb (GPid pid, int status, gpointer user_data)
{
}

static void
leave_outer (ProcessRun *self)
{
  g_autoptr (GSource) source = NULL;

  if (self->outer_exited || self->outer == 0)
    return;
  source = g_child_watch_source_new (self->outer);
  g_source_set_callback (source, G_SOURCE_FUNC (reaped_cb), NULL, NULL);
  g_source_set_static_name (source, "gadget-process-reap");
  g_source_attach (source, g_main_context_get_thread_default ());
}

static GError *
make_error (ProcessRun *self)
{
  const char *setup_text = _gadget_process_output_get_setup_text (&self->output);

  if (self->exec_errno != 0)
    return g_error_new (GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_COMMAND,
                        _ ("The command cannot be run: %s"), g_strerror (self->exec_errno));
  if (self->started && self->result.confirmed)
    return NULL;
  if (self->result.aborted && !self->started)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                        _ ("The command was stopped before it started"));
  if (self->result.aborted || self->result.timed_out)
    return NULL;
  if (self->started)
    return g_error_new (GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_LOST,
                        _ ("The command's supervisor ended unexpectedly"));
  if (*setup_text == '\0')
    return g_error_new (GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                        _ ("The command could not be started"));
  return g_error_new (GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START,
                      _ ("The command could not be started: %s"), setup_text);
}

static void
note_end (ProcessRun *self)
{
  self->result.ended_at = g_get_monotonic_time ();
  self->result.elapsed_ms = (double) (self->result.ended_at - self->started_at) / 1000;
  if (self->end_requested_at != 0)
    self->result.none_left_ms = (double) (self->result.ended_at - self->end_requested_at) / 1000;
}

static void
return_result (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);
  GError *error = make_error (self);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&self->result, sizeof self->result),
                           (GDestroyNotify) gadget_process_result_free);
}

/* The command may have chosen these names, so they may contain any bytes. */
static void
note_disarmed (ProcessRun *self, const char *found)
{
  g_autofree char *valid = g_utf8_make_valid (found, -1);
  char *end = self->result.disarmed;

  for (char *c = valid; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = '?';
  g_strlcpy (self->result.disarmed, valid, sizeof self->result.disarmed);
  if (!g_utf8_validate (self->result.disarmed, -1, (const char **) &end))
    *end = '\0';
}

/* Starts the check, once. After "done" no process of the command is left that could change the
 * repositories, so the check runs while the sandbox itself is still being taken down. */
static void
check_git (ProcessRun *self)
{
  if (self->check == NULL && self->git != NULL)
    self->check = _gadget_git_check_new (g_steal_pointer (&self->git));
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ProcessRun *self = g_task_get_task_data (task);
  g_autofree char *found = NULL;

  self->result.unchecked = !_gadget_git_check_wait_finish (result, &found);
  if (found != NULL)
    note_disarmed (self, found);
  return_result (task);
}

/* Returns how long the result may wait for the check, in milliseconds. The result of an aborted
 * command has an absolute deadline, counted from the abort. */
static guint
get_check_limit (ProcessRun *self)
{
  const gint64 end = self->end_requested_at + CHECK_DEADLINE_MS * G_TIME_SPAN_MILLISECOND;

  if (!self->result.aborted)
    return CHECK_LIMIT_MS;
  return (guint) (MAX (0, end - g_get_monotonic_time ()) / G_TIME_SPAN_MILLISECOND);
}

/* Every run that was started ends here, once. */
static void
finish (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);
  g_autoptr (GTask) keep = g_object_ref (task);

  stop_sources (self);
  g_clear_pointer (&self->scope, gadget_scope_free);
  if (!self->done)
    note_end (self);
  if (!self->result.aborted)
    _gadget_process_output_end (&self->output);
  g_clear_fd (&self->control, NULL);
  _gadget_process_output_close (&self->output);
  leave_outer (self);
  check_git (self);
  if (self->check == NULL)
    return_result (task);
  else
    _gadget_git_check_wait_async (g_steal_pointer (&self->check), get_check_limit (self),
                                  !self->result.aborted,
                                  self->result.aborted ? NULL : g_task_get_cancellable (task),
                                  checked_cb, g_steal_pointer (&keep));
}

static gboolean
deadline_cb (gpointer user_data)
{
  finish (user_data);
  return G_SOURCE_REMOVE;
}

static void
set_deadline (GTask *task, guint milliseconds)
{
  ProcessRun *self = g_task_get_task_data (task);

  if (self->deadline_source != NULL)
    g_source_destroy (self->deadline_source);
  self->deadline_source = add_source (task, g_timeout_source_new (milliseconds), G_PRIORITY_HIGH,
                                      "gadget-process-deadline", deadline_cb);
}

static void
request_end (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);

  if (self->end_requested_at != 0)
    return;
  self->end_requested_at = g_get_monotonic_time ();
  if (self->done)
    return;
  /* If the helper is gone already, nobody reads the byte, and the exit of the outer process
   * follows. */
  (void) !send (self->control, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  set_deadline (task, ABORT_DEADLINE_MS);
}

static gboolean
time_limit_cb (gpointer user_data)
{
  GTask *task = user_data;
  ProcessRun *self = g_task_get_task_data (task);

  if (!self->done && self->end_requested_at == 0)
    {
      self->result.timed_out = TRUE;
      request_end (task);
    }
  return G_SOURCE_REMOVE;
}

/* --- What the helper says ----------------------------------------------------------------------
 */

static void
command_started (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);

  self->started = TRUE;
  _gadget_process_output_begin (&self->output);
  g_clear_pointer (&self->starter, _gadget_process_starter_free);
  self->started_at = g_get_monotonic_time ();
  if (self->end_requested_at != 0)
    return;
  if (self->deadline_source != NULL)
    {
      g_source_destroy (self->deadline_source);
      self->deadline_source = NULL;
    }
  if (self->time_limit_ms > 0)
    add_source (task, g_timeout_source_new (self->time_limit_ms), G_PRIORITY_DEFAULT,
                "gadget-process-time-limit", time_limit_cb);
}

static void
tree_ended (GTask *task, guint n_terminated, guint n_killed)
{
  ProcessRun *self = g_task_get_task_data (task);

  self->done = TRUE;
  self->result.confirmed = TRUE;
  self->result.n_terminated = n_terminated;
  self->result.n_killed = n_killed;
  note_end (self);
  check_git (self);
  set_deadline (task, OUTER_DEADLINE_MS);
}

static void
note_leftover (ProcessRun *self, const char *name)
{
  char *names = self->result.leftovers;

  if (*names != '\0')
    g_strlcat (names, ", ", sizeof self->result.leftovers);
  g_strlcat (names, name, sizeof self->result.leftovers);
}

static void
handle_message (GTask *task, const char *line)
{
  ProcessRun *self = g_task_get_task_data (task);
  guint first = 0;
  guint second = 0;

  if (self->done)
    return;
  if (g_str_equal (line, "start"))
    command_started (task);
  else if (sscanf (line, "exit %u", &first) == 1)
    self->result.exit_status = (int) first;
  else if (sscanf (line, "signal %u", &first) == 1)
    self->result.signal = (int) first;
  else if (sscanf (line, "fail %u", &first) == 1)
    self->exec_errno = (int) first;
  else if (g_str_has_prefix (line, "left "))
    note_leftover (self, line + strlen ("left "));
  else if (sscanf (line, "done %u %u", &first, &second) == 2)
    tree_ended (task, first, second);
}

/* Reads from the control socket. Returns FALSE when the helper has closed its end, or writes too
 * much. */
static gboolean
read_messages (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);
  char bytes[256];
  char *newline;
  gssize n = recv (self->control, bytes, sizeof bytes, MSG_DONTWAIT);

  if (n < 0)
    return errno == EAGAIN || errno == EINTR;
  if (n == 0 || self->control_input->len + (gsize) n > MAX_CONTROL_INPUT)
    return FALSE;
  g_string_append_len (self->control_input, bytes, n);
  while ((newline = strchr (self->control_input->str, '\n')) != NULL)
    {
      *newline = '\0';
      handle_message (task, self->control_input->str);
      g_string_erase (self->control_input, 0, newline + 1 - self->control_input->str);
    }
  return TRUE;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  ProcessRun *self = g_task_get_task_data (task);
  guint n_bytes;

  /* Messages that the helper has sent already count: bytes in the pipe belong to the command once
   * "start" was sent, and after "done" only the exit of the outer process is missing. */
  read_messages (task);
  if (self->done)
    return G_SOURCE_REMOVE;
  n_bytes = _gadget_process_output_count (&self->output);
  request_end (task);
  _gadget_process_output_cut (&self->output, n_bytes);
  self->result.aborted = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
control_cb (int fd, GIOCondition condition, gpointer user_data)
{
  GTask *task = user_data;
  ProcessRun *self = g_task_get_task_data (task);

  if (read_messages (task))
    {
      if (self->done && self->outer_exited)
        finish (task);
      return G_SOURCE_CONTINUE;
    }
  /* The helper has closed the socket. If the outer process lives on, it must not hold up the
   * run. */
  if (self->outer_exited)
    finish (task);
  else if (self->end_requested_at == 0)
    set_deadline (task, OUTER_DEADLINE_MS);
  return G_SOURCE_REMOVE;
}

static gboolean retry_start (GTask *task);

static void
outer_exited_cb (GPid pid, int status, gpointer user_data)
{
  GTask *task = user_data;
  ProcessRun *self = g_task_get_task_data (task);

  self->outer_exited = TRUE;
  /* The helper's last messages may still be in the socket. */
  for (guint i = 0; i < 4 && !self->done && read_messages (task); i++)
    continue;
  if (!retry_start (task))
    finish (task);
}

/* Takes over what STARTED contains, and frees it. Returns FALSE if it is NULL. */
static gboolean
adopt_outer_process (ProcessRun *self, GadgetOuterProcess *started)
{
  g_autoptr (GadgetOuterProcess) owned = started;

  if (started == NULL)
    return FALSE;
  self->outer = started->outer;
  self->control = g_steal_fd (&started->control);
  _gadget_process_output_take_pipe (&self->output, g_steal_fd (&started->pipe));
  self->git = g_steal_pointer (&started->git);
  self->scope = g_steal_pointer (&started->scope);
  return TRUE;
}

static void
attach (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  add_source (task, g_unix_fd_source_new (self->control, G_IO_IN | G_IO_HUP | G_IO_ERR),
              G_PRIORITY_DEFAULT, "gadget-process-control", G_SOURCE_FUNC (control_cb));
  add_source (task, g_unix_fd_source_new (self->output.pipe, G_IO_IN | G_IO_HUP | G_IO_ERR),
              G_PRIORITY_DEFAULT_IDLE, "gadget-process-output", G_SOURCE_FUNC (output_cb));
  add_source (task, g_child_watch_source_new (self->outer), G_PRIORITY_DEFAULT,
              "gadget-process-outer", G_SOURCE_FUNC (outer_exited_cb));
  if (cancellable != NULL)
    add_source (task, g_cancellable_source_new (cancellable), G_PRIORITY_HIGH,
                "gadget-process-cancelled", G_SOURCE_FUNC (cancelled_cb));
  set_deadline (task, START_DEADLINE_MS);
}

/* Starts the outer process once more if nothing of the command has existed and its end was not
 * requested. Returns whether it did. */
static gboolean
retry_start (GTask *task)
{
  ProcessRun *self = g_task_get_task_data (task);
  GadgetOuterProcess *started;

  if (self->started || self->done || self->end_requested_at != 0 || self->starter == NULL)
    return FALSE;
  started = _gadget_process_starter_retry (self->starter);
  if (started == NULL)
    return FALSE;
  stop_sources (self);
  g_clear_fd (&self->control, NULL);
  g_clear_pointer (&self->scope, gadget_scope_free);
  started->git = g_steal_pointer (&self->git);
  g_string_truncate (self->control_input, 0);
  self->outer_exited = FALSE;
  adopt_outer_process (self, started);
  attach (task);
  return TRUE;
}

/* --- The start ---------------------------------------------------------------------------------
 */

static gboolean
return_if_stopped (GTask *task)
{
  if (!g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    return FALSE;
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                   _ ("The command was stopped before it started"));
  return TRUE;
}

static void
may_start_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ProcessRun *self = g_task_get_task_data (task);
  GError *error = NULL;

  gadget_spawn_throttle_wait_finish (result);
  if (return_if_stopped (task))
    return;
  if (!adopt_outer_process (self, _gadget_process_starter_start (
                                      self->starter, g_steal_pointer (&self->launch), &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  if (!_gadget_process_starter_may_retry (self->starter))
    g_clear_pointer (&self->starter, _gadget_process_starter_free);
  attach (task);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ProcessRun *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;

  self->launch = _gadget_process_prepare_finish (result, &error);
  if (return_if_stopped (task))
    g_clear_error (&error);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    gadget_spawn_throttle_wait_async (cancellable, may_start_cb, g_steal_pointer (&task));
}

/* --- Public ------------------------------------------------------------------------------------
 */

void
gadget_process_result_free (GadgetProcessResult *self)
{
  g_free (self);
}

/**
 * gadget_process_run_async:
 * @spec: what to run; only needed during the call
 * @cancellable: (nullable): ends the command and all of its descendants
 * @callback: (scope async): called on the thread-default main context of the caller
 * @user_data: for @callback
 *
 * Runs a command until none of its descendants is left. After a cancellation the callback comes
 * within about 500 ms with a result whose @aborted is set; only a command that had not started yet
 * gives %G_IO_ERROR_CANCELLED.
 */
void
gadget_process_run_async (const GadgetProcessSpec *spec, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  ProcessRun *self;

  g_return_if_fail (spec != NULL && spec->argv != NULL && spec->argv[0] != NULL);
  g_return_if_fail (spec->workspace == NULL || g_path_is_absolute (spec->workspace));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_process_run_async);
  g_task_set_static_name (task, "gadget-process-run");
  g_task_set_check_cancellable (task, FALSE);
  self = process_run_new (spec);
  self->started_at = g_get_monotonic_time ();
  g_task_set_task_data (task, self, (GDestroyNotify) process_run_free);
  if (return_if_stopped (task))
    return;
  self->starter = _gadget_process_starter_new (spec, &error);
  if (self->starter == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  _gadget_process_prepare_async (spec, _gadget_process_starter_has_scope (self->starter),
                                 cancellable, prepared_cb, g_steal_pointer (&task));
}

/**
 * gadget_process_run_finish:
 * @result: what the callback was given
 * @error: %GADGET_PROCESS_ERROR, or %G_IO_ERROR_CANCELLED if the command was cancelled before it
 *   started
 *
 * Returns: (transfer full): how the command ended, or %NULL with @error
 */
GadgetProcessResult *
gadget_process_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_process_run_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
