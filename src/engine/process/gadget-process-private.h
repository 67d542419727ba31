/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to running a command. */

#pragma once

#include "gadget-process.h"
#include "gadget-sandbox-git.h"
#include "gadget-systemd-private.h"

G_BEGIN_DECLS

/**
 * GadgetAttempt:
 *
 * What a start that fails because a covered file is gone is made again with. Kept until the command
 * runs, since a secret may be in it.
 */
typedef struct _GadgetAttempt GadgetAttempt;

void _gadget_attempt_free (GadgetAttempt *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAttempt, _gadget_attempt_free)

/**
 * GadgetStarted:
 * @outer: the process that was started; it is to be reaped, and never signalled
 * @control: our end of the socket
 * @pipe: the end of the output's pipe that is read; does not block
 * @git: (nullable): looks after the repositories when the command is over
 * @scope: (nullable): its limits
 * @attempt: (nullable): with which it may be started again
 */
typedef struct
{
  GPid outer;
  int control;
  int pipe;
  GadgetGitGuard *git;
  GadgetScope *scope;
  GadgetAttempt *attempt;
} GadgetStarted;

/* NULL with %GADGET_PROCESS_ERROR. */
GadgetStarted *_gadget_process_start (const GadgetProcessSpec  *spec,
                                      GError                  **error);

/* After a start that failed: once more, if that may help. NULL if not; the attempt is to be freed in
 * any case. */
GadgetStarted *_gadget_process_start_again (GadgetAttempt     *attempt);

/* Closes what was not taken. */
void           _gadget_started_free  (GadgetStarted            *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetStarted, _gadget_started_free)

G_END_DECLS
