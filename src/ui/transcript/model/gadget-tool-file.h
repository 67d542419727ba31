/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* The file that a call of Gadget's own tools read or wrote: absolute, and where its tool found it,
 * whatever the folder of the chat is now. NULL for other calls, and for one that has not done so.
 * (transfer none) (nullable) */
const char *gadget_tool_file_get_path     (GadgetItem          *item);

/**
 * GadgetToolFile:
 * @path: its real path
 * @runs: whether opening it may run it, or hand it to a program that runs what is in it
 *
 * A file as it is now.
 */
typedef struct
{
  char *path;
  gboolean runs;
} GadgetToolFile;

void     gadget_tool_file_free            (GadgetToolFile      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetToolFile, gadget_tool_file_free)

/* Looks at the file as the tools would: a path in the workspace does not lead out of it. */
void     gadget_tool_file_look_async      (const char          *workspace,
                                           const char          *path,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
GadgetToolFile *gadget_tool_file_look_finish (GAsyncResult     *result,
                                           GError             **error);

G_END_DECLS
