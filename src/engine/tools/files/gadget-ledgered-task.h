/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"
#include "common/gadget-blocking.h"

G_BEGIN_DECLS

/* Does blocking work of a call, like gadget_blocking_run_async (), with a row in the ledger: the
 * row is committed before the work begins and closed with its outcome. With @tool (nullable) this
 * is all that the call does: the work makes its GadgetToolResult, and gadget_tool_execute_finish ()
 * finishes it. Fails with the errors of gadget_effects_begin_finish () and of the work. */
void     _gadget_ledgered_task_async  (GadgetTool              *tool,
                                       const GadgetToolContext *context,
                                       GadgetEffectKind         kind,
                                       const char              *subject,
                                       const char              *detail,
                                       GCancellable            *cancellable,
                                       GadgetBlockingFunc       work,
                                       gpointer                 data,
                                       GDestroyNotify           destroy,
                                       GDestroyNotify           result_destroy,
                                       GAsyncReadyCallback      callback,
                                       gpointer                 user_data);
gpointer _gadget_ledgered_task_finish (GAsyncResult            *result,
                                       GError                 **error);

G_END_DECLS
