/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Returns the file that a call of one of Gadget's file tools read or wrote, as an absolute path:
 * where the tool found it, whatever the folder of the chat is now. NULL for other calls, and for a
 * call that did not succeed. (transfer none) (nullable) */
const char     *gadget_tool_file_get_path     (GadgetItem         *item);

/**
 * GadgetToolFile:
 * @path: the real path
 * @runs: whether opening the file may run it, or start a program that runs its content
 *
 * A file that exists now.
 */
typedef struct
{
  char *path;
  gboolean runs;
} GadgetToolFile;

void            gadget_tool_file_free         (GadgetToolFile     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetToolFile, gadget_tool_file_free)

/* Looks up the file as the tools do: a path in the workspace cannot lead out of it. The file is
 * opened and read in a thread. */
void            gadget_tool_file_query_async  (const char         *workspace,
                                               const char         *path,
                                               GAsyncReadyCallback callback,
                                               gpointer            user_data);
GadgetToolFile *gadget_tool_file_query_finish (GAsyncResult       *result,
                                               GError            **error);

G_END_DECLS
