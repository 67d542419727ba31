/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

/**
 * GadgetProcessOutputFunc:
 * @text: valid UTF-8, followed by a NUL; valid only during the call
 * @length: the length of @text in bytes, never 0
 * @user_data: the @output_data of the spec
 *
 * Receives the next part of what the command wrote to its standard output and standard error, in
 * order.
 */
typedef void (*GadgetProcessOutputFunc) (const char *text, gsize length, gpointer user_data);

/**
 * GadgetProcessSpec:
 * @argv: the program and its arguments; PATH is searched
 * @workspace: (nullable): the folder that the command runs in and may write to, as an absolute
 *   path; with %NULL the command gets an empty folder of its own (without a sandbox, /)
 * @sandbox: (nullable): with %NULL the command has the user's own rights
 * @time_limit_ms: the command is ended after that many milliseconds; 0 means never
 * @output: (nullable): called on the caller's main context, never after the callback
 * @output_data: passed to @output
 * @streams: (nullable): two descriptors that become the command's standard input and standard
 *   output; @output then gets only what the command writes to its standard error. With %NULL the
 *   standard input is empty
 * @environment: (nullable): "NAME=value" strings for the command, besides what the sandbox gives
 *   it. Only the helper is told of them, so that a secret appears in no command line
 * @folders: (nullable): further folders that the command may write to, as absolute paths
 * @cache: (nullable): used in a sandbox only, see #GadgetSandboxCommand
 * @network: used in a sandbox only: the command is granted the network, see #GadgetNetworkKind
 * @terminal: the standard streams are a terminal of 80 columns and 24 lines that never gets input.
 *   Not together with @streams
 *
 * The command to run, and how. Only needed during the call of gadget_process_run_async ().
 */
typedef struct
{
  const char *const *argv;
  const char *workspace;
  GadgetSandbox *sandbox;
  guint time_limit_ms;
  GadgetProcessOutputFunc output;
  gpointer output_data;
  const int *streams;
  const char *const *environment;
  const char *const *folders;
  const char *cache;
  gboolean network;
  gboolean terminal;
} GadgetProcessSpec;

/**
 * GadgetProcessResult:
 * @exit_status: the command's own status, 0 to 255, or -1 when a signal ended it or the status is
 *   not known
 * @signal: the signal that ended the command, or 0
 * @aborted: the cancellable ended the command
 * @timed_out: the time limit ended the command
 * @confirmed: the helper reported that no descendant is left. %FALSE only after an abort or a time
 *   limit to which the helper did not answer in time: some processes may still run
 * @n_terminated: number of descendants besides the command itself that ended after SIGTERM
 * @n_killed: number of descendants besides the command itself that had to be killed
 * @none_left_ms: milliseconds from the abort or time limit until no descendant was left, or 0 when
 *   the command ended by itself
 * @elapsed_ms: milliseconds from the start of the command, with the sandbox set up, until no
 *   descendant was left
 * @ended_at: when no descendant was left, monotonic time in microseconds
 * @leftovers: names of processes that the command left behind when it ended by itself, or ""
 * @disarmed: repositories (".git") in which the check after the command found and disarmed
 *   something that would have been run outside of the sandbox, or ""
 * @unchecked: the check of the repositories did not finish in time. It goes on, and what it finds
 *   is still disarmed
 *
 * How a command ended. Descendants are counted however the command ended, because processes that it
 * left behind are ended too.
 */
typedef struct
{
  int exit_status;
  int signal;
  gboolean aborted;
  gboolean timed_out;
  gboolean confirmed;
  guint n_terminated;
  guint n_killed;
  double none_left_ms;
  double elapsed_ms;
  gint64 ended_at;
  char leftovers[160];
  char disarmed[200];
  gboolean unchecked;
} GadgetProcessResult;

/* Frees what gadget_process_run_finish () returned. */
void                 gadget_process_result_free            (GadgetProcessResult      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetProcessResult, gadget_process_result_free)

void                 gadget_process_wait_for_checks_async  (guint                     max_wait_ms,
                                                            GAsyncReadyCallback       callback,
                                                            gpointer                  user_data);
void                 gadget_process_wait_for_checks_finish (GAsyncResult             *result);

void                 gadget_process_run_async              (const GadgetProcessSpec  *spec,
                                                            GCancellable             *cancellable,
                                                            GAsyncReadyCallback       callback,
                                                            gpointer                  user_data);
GadgetProcessResult *gadget_process_run_finish             (GAsyncResult             *result,
                                                            GError                  **error);

G_END_DECLS
