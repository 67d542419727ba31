/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/**
 * GadgetSearchFormatFunc:
 * @search: what was searched for
 * @found: (element-type GadgetSearchResult): sorted by path and line
 * @full: whether there are more results than the search was to find
 *
 * Makes the result of a call from the results of the search.
 *
 * Returns: (transfer full): the result of the call
 */
typedef GadgetToolResult *(*GadgetSearchFormatFunc) (GadgetSearch    *search,
                                                     const GPtrArray *found,
                                                     gboolean         full);

/* Searches and records the search in the ledger; this is all that a call of @tool does. Finish it
 * with gadget_tool_execute_finish (). After a stop the result is what was found until then;
 * %G_IO_ERROR_CANCELLED when that is nothing. */
void _gadget_ledgered_search_async (GadgetTool              *tool,
                                    const GadgetToolContext *context,
                                    GadgetSearch            *search,
                                    GadgetRipgrep           *ripgrep,
                                    GadgetSearchFormatFunc   format,
                                    GCancellable            *cancellable,
                                    GAsyncReadyCallback      callback,
                                    gpointer                 user_data);

G_END_DECLS
