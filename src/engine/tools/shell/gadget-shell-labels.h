/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the shell tool: texts about a command. */

#pragma once

#include "process/gadget-process.h"
#include "session/gadget-call-summary.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the command on one short line. */
char              *_gadget_shell_make_title     (const char                *command);

/* Returns: (transfer full): how the command ended, for the user. */
GadgetCallSummary *_gadget_shell_make_summary   (const char                *title,
                                                 guint                      timeout_seconds,
                                                 const GadgetProcessResult *ended);

/* Appends what the model is told besides the output, each remark on a line of its own. */
void               _gadget_shell_append_remarks (GString                   *text,
                                                 guint                      timeout_seconds,
                                                 const GadgetProcessResult *ended);

G_END_DECLS
