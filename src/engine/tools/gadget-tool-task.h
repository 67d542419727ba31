/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-task-host.h"

G_BEGIN_DECLS

#define GADGET_TOOL_TASK_NAME "task"

/* "task": hands work to a subagent and waits for its report. */
GadgetTool *gadget_tool_task_new (void);

G_END_DECLS
