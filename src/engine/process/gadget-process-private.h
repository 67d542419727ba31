/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interfaces between the source files that run a command (gadget-process*.c). */

#pragma once

#include "gadget-output-decoder.h"
#include "gadget-process.h"
#include "process/git/gadget-sandbox-git.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

#define _GADGET_PROCESS_CONTROL_FD 3 /* the number of the control socket in the helper */

/* --- gadget-process-prepare.c --- */
void                  _gadget_process_prepare_async         (const GadgetProcessSpec  *spec,
                                                             gboolean                  scope,
                                                             GCancellable             *cancellable,
                                                             GAsyncReadyCallback       callback,
                                                             gpointer                  user_data);
GadgetLaunch         *_gadget_process_prepare_finish        (GAsyncResult             *result,
                                                             GError                  **error);

/* --- gadget-process-spawn.c --- */

/* The N descriptors of this process that a child inherits (sources), and the numbers that they get
 * in the child (targets). */
typedef struct
{
  const int *sources;
  const int *targets;
  guint n;
} GadgetDescriptors;

GPid                  _gadget_process_spawn                 (const char               *folder,
                                                             char                    **argv,
                                                             char                    **environment,
                                                             const GadgetDescriptors  *descriptors,
                                                             GError                  **error);

/* --- gadget-process-starter.c --- */

/**
 * GadgetProcessStarter:
 *
 * The arguments that a command is started with. They are kept to start the command once more if the
 * start fails because a covered file is gone, but only until the command runs, since they may
 * contain a secret.
 */
typedef struct _GadgetProcessStarter GadgetProcessStarter;

/**
 * GadgetOuterProcess:
 * @outer: the process that was started; it must be reaped, and is never signaled
 * @control: this process's end of the control socket
 * @pipe: the reading end of the output's pipe, non-blocking
 * @git: (nullable) (element-type GadgetGitGuard): checked when the command has ended
 * @scope: (nullable): the command's scope, which limits its resources
 *
 * The outer process of a command, and what belongs to it.
 */
typedef struct
{
  GPid outer;
  int control;
  int pipe;
  GPtrArray *git;
  GadgetScope *scope;
} GadgetOuterProcess;

/* Returns a new starter (transfer full), or NULL with %GADGET_PROCESS_ERROR_START when the spec's
 * streams cannot be duplicated. */
GadgetProcessStarter *_gadget_process_starter_new           (const GadgetProcessSpec  *spec,
                                                             GError                  **error);
void                  _gadget_process_starter_free          (GadgetProcessStarter     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetProcessStarter, _gadget_process_starter_free)

/* Returns whether the command gets a scope, which needs to know the first process of the
 * sandbox. */
gboolean              _gadget_process_starter_has_scope     (GadgetProcessStarter     *self);

/* Starts the outer process, and takes LAUNCH. Returns what was started (transfer full), or NULL
 * with %GADGET_PROCESS_ERROR_START. */
GadgetOuterProcess   *_gadget_process_starter_start         (GadgetProcessStarter     *self,
                                                             GadgetLaunch             *launch,
                                                             GError                  **error);

/* _may_retry () returns whether a start that failed can be repeated at all, because the launch
 * covers files. _retry () repeats it (transfer full); NULL if none of these files has changed, if
 * there were too many starts already, or if this start fails as well. The GIT of what it returns is
 * NULL: the first start has given it away. */
gboolean              _gadget_process_starter_may_retry     (GadgetProcessStarter     *self);
GadgetOuterProcess   *_gadget_process_starter_retry         (GadgetProcessStarter     *self);

/* Closes the descriptors that are still there. */
void                  _gadget_outer_process_free            (GadgetOuterProcess       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOuterProcess, _gadget_outer_process_free)

/* --- gadget-process-check.c --- */

/* A check of the repositories after a command, in a thread. Main context only. */
typedef struct _GadgetGitCheck GadgetGitCheck;

/* Starts the check. GIT is (element-type GadgetGitGuard) (transfer full). */
GadgetGitCheck       *_gadget_git_check_new                 (GPtrArray                *git);

/* Releases the caller's claim; a check that still runs goes on and frees itself. Takes a gpointer
 * because it is also used as a GDestroyNotify. */
void                  _gadget_git_check_forget              (gpointer                  self);

/* Takes SELF, and waits for its end or for LIMIT_MS. With PATIENT the limit is extended as long as
 * the check makes progress. When CANCELLABLE is cancelled, the limit becomes short.
 * _wait_finish () returns FALSE if the check goes on although nobody waits for it any longer. FOUND
 * (transfer full) (nullable) is set to the repositories in which something was disarmed, as far as
 * that is known. */
void                  _gadget_git_check_wait_async          (GadgetGitCheck           *self,
                                                             guint                     limit_ms,
                                                             gboolean                  patient,
                                                             GCancellable             *cancellable,
                                                             GAsyncReadyCallback       callback,
                                                             gpointer                  user_data);
gboolean              _gadget_git_check_wait_finish         (GAsyncResult             *result,
                                                             char                    **found);

/* --- gadget-process-output.c --- */

/**
 * GadgetProcessOutput:
 * @func: (nullable): is given the output
 * @data: passed to @func
 * @pipe: the reading end, non-blocking; or -1
 * @begun: the command runs
 * @decoder: turns the bytes into UTF-8
 * @text: buffer for the decoded text
 * @setup_text: what was written before @begun: complaints of the sandbox
 *
 * Reads the output of a command and delivers it to @func.
 */
typedef struct
{
  GadgetProcessOutputFunc func;
  gpointer data;
  int pipe;
  gboolean begun;
  GadgetOutputDecoder *decoder;
  GString *text;
  GString *setup_text;
} GadgetProcessOutput;

/* _clear () releases what SELF contains, not SELF itself. After _begin () the output is delivered;
 * before, it is collected as @setup_text. */
void                  _gadget_process_output_init           (GadgetProcessOutput      *self,
                                                             GadgetProcessOutputFunc   func,
                                                             gpointer                  data);
void                  _gadget_process_output_clear          (GadgetProcessOutput      *self);

/* _take_pipe () takes ownership of PIPE in place of an earlier one, and drops the setup text of
 * that one. _close () closes the pipe. */
void                  _gadget_process_output_take_pipe      (GadgetProcessOutput      *self,
                                                             int                       pipe);
void                  _gadget_process_output_close          (GadgetProcessOutput      *self);
void                  _gadget_process_output_begin          (GadgetProcessOutput      *self);

/* Reads once from the pipe, and drops the bytes unless WANTED. Returns FALSE at the end of the
 * output. */
gboolean              _gadget_process_output_read           (GadgetProcessOutput      *self,
                                                             gboolean                  wanted);

/* _count () returns how many bytes are in the pipe now. _cut () delivers just so many bytes, for a
 * command that is cancelled. */
guint                 _gadget_process_output_count          (GadgetProcessOutput      *self);
void                  _gadget_process_output_cut            (GadgetProcessOutput      *self,
                                                             guint                     n_bytes);

/* Delivers all that is left in the pipe. Called when no process of the tree is left that could
 * write. */
void                  _gadget_process_output_end            (GadgetProcessOutput      *self);

/* Returns the setup text as text for people, "" for none; owned by SELF. */
const char           *_gadget_process_output_get_setup_text (GadgetProcessOutput      *self);

G_END_DECLS
