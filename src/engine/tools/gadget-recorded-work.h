/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-blocking.h"
#include "gadget-tool.h"

G_BEGIN_DECLS

/* Blocking work of a call, as gadget_blocking_run_async () does it, with its row in the ledger: put
 * on record before the work begins, closed with what came of it. With a TOOL (nullable) it is the
 * whole of the call, whose GadgetToolResult it makes. */
void     _gadget_recorded_work_async  (GadgetTool              *tool,
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
gpointer _gadget_recorded_work_finish (GAsyncResult            *result,
                                       GError                 **error);

G_END_DECLS
