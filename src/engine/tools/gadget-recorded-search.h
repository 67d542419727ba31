/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "gadget-tool.h"

G_BEGIN_DECLS

/**
 * GadgetSearchTellFunc:
 * @found: (element-type GadgetFinding): by path and line
 * @full: whether there is more than was looked for
 * @notes: what else is to be told, "" or whole lines
 *
 * Makes the result of a call from what was found.
 */
typedef GadgetToolResult *(*GadgetSearchTellFunc) (GadgetSearchTask *task,
                                                   const GPtrArray  *found,
                                                   gboolean          full,
                                                   const char       *notes);

/* The whole of a call of TOOL: searches, with ripgrep where it may and can, and has its row in the
 * ledger. After a stop the result is what was found before; %G_IO_ERROR_CANCELLED for nothing. */
void _gadget_recorded_search_async (GadgetTool              *tool,
                                    const GadgetToolContext *context,
                                    GadgetSearchTask        *task,
                                    GadgetRipgrep           *ripgrep,
                                    GadgetSearchTellFunc     tell,
                                    GCancellable            *cancellable,
                                    GAsyncReadyCallback      callback,
                                    gpointer                 user_data);

G_END_DECLS
