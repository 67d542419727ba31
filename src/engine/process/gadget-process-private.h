/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to running a command. */

#pragma once

#include "gadget-output-decoder.h"
#include "gadget-process.h"
#include "gadget-sandbox-git.h"
#include "gadget-systemd-private.h"

G_BEGIN_DECLS

#define _GADGET_PROCESS_CONTROL_FD 3 /* in the helper */

/* --- gadget-process-prepare.c --- */
void          _gadget_process_prepare_async  (const GadgetProcessSpec  *spec,
                                              gboolean                  scope,
                                              GCancellable             *cancellable,
                                              GAsyncReadyCallback       callback,
                                              gpointer                  user_data);
GadgetLaunch *_gadget_process_prepare_finish (GAsyncResult             *result,
                                              GError                  **error);

/* --- gadget-process-spawn.c --- */

/* Descriptors of ours, and which ones they become. */
typedef struct
{
  const int *sources;
  const int *targets;
  guint n;
} GadgetDescriptors;

GPid _gadget_process_spawn (const char               *folder,
                            char                    **argv,
                            char                    **environment,
                            const GadgetDescriptors  *descriptors,
                            GError                  **error);

/* --- gadget-process-start.c --- */

/**
 * GadgetAttempt:
 *
 * What a command is started with; and started again with, if that fails because a covered file is
 * gone. Kept no longer than until the command runs, since a secret may be in it.
 */
typedef struct _GadgetAttempt GadgetAttempt;

/**
 * GadgetStarted:
 * @outer: the process that was started; it is to be reaped, and never signalled
 * @control: our end of the socket
 * @pipe: the end of the output's pipe that is read; does not block
 * @git: (nullable) (element-type GadgetGitGuard): look after the repositories when the command is
 *   over
 * @scope: (nullable): its limits
 */
typedef struct
{
  GPid outer;
  int control;
  int pipe;
  GPtrArray *git;
  GadgetScope *scope;
} GadgetStarted;

/* NULL with %GADGET_PROCESS_ERROR. */
GadgetAttempt *_gadget_attempt_new         (const GadgetProcessSpec  *spec,
                                            GError                  **error);
void           _gadget_attempt_free        (GadgetAttempt            *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttempt, _gadget_attempt_free)

/* Whether it wants to know which process is the first of the sandbox. */
gboolean       _gadget_attempt_has_scope   (GadgetAttempt            *self);

/* Takes the launch; NULL with %GADGET_PROCESS_ERROR. */
GadgetStarted *_gadget_attempt_start       (GadgetAttempt            *self,
                                            GadgetLaunch             *launch,
                                            GError                  **error);

/* After a start that failed: once more, if that may help. NULL if not. */
gboolean       _gadget_attempt_may_help    (GadgetAttempt            *self);
GadgetStarted *_gadget_attempt_start_again (GadgetAttempt            *self);

/* Closes what was not taken. */
void           _gadget_started_free        (GadgetStarted            *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetStarted, _gadget_started_free)

/* --- gadget-process-check.c --- */

/* A look at the repositories after a command. */
typedef struct _GadgetGitCheck GadgetGitCheck;

/**
 * GadgetGitCheckFunc:
 * @found: (nullable): where something was made harmless, if that is known
 * @checked: FALSE when it goes on, and nobody waits for it any more
 */
typedef void (*GadgetGitCheckFunc) (const char *found, gboolean checked, gpointer user_data);

/* Begins it; GIT (element-type GadgetGitGuard) is taken. */
GadgetGitCheck *_gadget_git_check_new    (GPtrArray          *git);

/* Frees it; the look itself goes on. */
void            _gadget_git_check_forget (GadgetGitCheck     *self);

/* Takes it, and calls FUNC once: when it has ended, which may be at once, or after the limit; if
 * PATIENT, after one in which it did not get on. The limit is short after a stop. */
void            _gadget_git_check_wait   (GadgetGitCheck     *self,
                                          guint               limit_ms,
                                          gboolean            patient,
                                          GCancellable       *cancellable,
                                          GadgetGitCheckFunc  func,
                                          gpointer            user_data);

/* --- gadget-process-output.c --- */

/**
 * GadgetProcessOutput:
 * @func: (nullable): who is given the output
 * @pipe: where it comes from, does not block; or -1
 * @begun: the command runs
 * @early: what was written before that: the sandbox complains
 *
 * What a command writes, for whoever wants it.
 */
typedef struct
{
  GadgetProcessOutputFunc func;
  gpointer data;
  int pipe;
  gboolean begun;
  GadgetOutputDecoder *decoder;
  GString *text;
  GString *early;
} GadgetProcessOutput;

void        _gadget_process_output_init      (GadgetProcessOutput     *self,
                                              GadgetProcessOutputFunc  func,
                                              gpointer                 data);
void        _gadget_process_output_clear     (GadgetProcessOutput     *self);

/* Another pipe than before: what came from that is forgotten. */
void        _gadget_process_output_take      (GadgetProcessOutput     *self,
                                              int                      pipe);
void        _gadget_process_output_close     (GadgetProcessOutput     *self);
void        _gadget_process_output_begin     (GadgetProcessOutput     *self);

/* Reads once, and throws it away if it is not wanted. FALSE when nothing more will come. */
gboolean    _gadget_process_output_read      (GadgetProcessOutput     *self,
                                              gboolean                 wanted);

/* Bytes that are there now; and, at a stop, just these. */
guint       _gadget_process_output_count     (GadgetProcessOutput     *self);
void        _gadget_process_output_cut       (GadgetProcessOutput     *self,
                                              guint                    n_bytes);

/* All the rest, when nobody of the tree is left who could write. */
void        _gadget_process_output_end       (GadgetProcessOutput     *self);

/* In words for people; "" for none. */
const char *_gadget_process_output_get_early (GadgetProcessOutput     *self);

G_END_DECLS
