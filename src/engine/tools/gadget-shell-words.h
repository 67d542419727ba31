/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the shell tool. */

#pragma once

#include "process/gadget-process.h"
#include "session/gadget-call-summary.h"

G_BEGIN_DECLS

/* The command on one short line. */
char              *_gadget_shell_make_title     (const char                *command);

/* How it ended. */
GadgetCallSummary *_gadget_shell_make_summary   (const char                *title,
                                                 guint                      timeout_seconds,
                                                 const GadgetProcessResult *ended);

/* What the model is told besides the output, each on a line of its own. */
void               _gadget_shell_append_remarks (GString                   *text,
                                                 guint                      timeout_seconds,
                                                 const GadgetProcessResult *ended);

G_END_DECLS
