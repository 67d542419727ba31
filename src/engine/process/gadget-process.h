/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-sandbox.h"

G_BEGIN_DECLS

/**
 * GadgetProcessOutputFunc:
 * @text: valid UTF-8 with a NUL behind it, lent for the call
 * @length: its length in bytes, never 0
 *
 * A piece of what the command wrote to its standard output and standard error, in order.
 */
typedef void (*GadgetProcessOutputFunc) (const char *text, gsize length, gpointer user_data);

/**
 * GadgetProcessSpec:
 * @argv: the program and its arguments; PATH is searched
 * @workspace: (nullable): the folder it runs in and may write to, as an absolute path; NULL gives
 *   it an empty folder of its own (without a sandbox, /)
 * @sandbox: (nullable): NULL means none: the user's own rights
 * @time_limit_ms: after that long the command is ended; 0 means never
 * @output: (nullable): called on the caller's main context, never after the callback
 * @streams: (nullable): two descriptors that become the command's standard input and standard
 *   output; its output is then what it writes to its standard error alone. With NULL its input is
 *   empty
 * @environment: (nullable): "NAME=value", for the command besides what the sandbox gives it. It is
 *   told to the helper alone, so that a secret is in no command line
 * @folders: (nullable): more folders that it may write to, as absolute paths
 * @cache: (nullable): in a sandbox: see #GadgetSandboxCommand
 * @network: in a sandbox: it is granted the network, see #GadgetNetworkKind
 * @terminal: its standard streams are a terminal of 80 columns and 24 lines, on which nobody types.
 *   Not together with @streams
 *
 * Lent for the call of gadget_process_run_async ().
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
 * @exit_status: the command's own, 0 to 255, or -1 when a signal ended it or it is not known
 * @signal: the signal that ended the command, or 0
 * @aborted: the cancellable ended it
 * @timed_out: its time limit ended it
 * @confirmed: the helper said that no descendant is left. FALSE only after an abort or a time
 *   limit that was not answered in time: something may live on
 * @n_terminated: descendants besides the command itself that ended after TERM
 * @n_killed: descendants besides the command itself that had to be killed
 * @none_left_ms: from the abort or time limit to none left, or 0 when the command ended by itself
 * @elapsed_ms: from the command's start, the sandbox being up, to none left
 * @ended_at: when none was left, monotonic time in microseconds
 * @leftovers: names of processes that the command left behind when it ended by itself, or ""
 * @disarmed: repositories (".git") in which something was found after the command that would have
 *   been run outside of the sandbox, and was made harmless, or ""
 * @unchecked: there was no time to look for all of that. It goes on, and what is found is made
 *   harmless
 *
 * Descendants are counted however the command ended: what it left behind is ended too.
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

void                 gadget_process_result_free (GadgetProcessResult      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetProcessResult, gadget_process_result_free)


void                 gadget_process_settle_async  (guint                max_wait_ms,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
void                 gadget_process_settle_finish (GAsyncResult        *result);

void                 gadget_process_run_async   (const GadgetProcessSpec  *spec,
                                                 GCancellable             *cancellable,
                                                 GAsyncReadyCallback       callback,
                                                 gpointer                  user_data);
GadgetProcessResult *gadget_process_run_finish  (GAsyncResult             *result,
                                                 GError                  **error);

G_END_DECLS
