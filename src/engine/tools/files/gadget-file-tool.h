/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the file tools: paths, prompts and changes of files. */

#pragma once

#include "gadget-ledgered-task.h"
#include "workspace/gadget-file-version.h"
#include "workspace/gadget-workspace.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the call's "path", resolved against the workspace. @fallback (nullable)
 * is used when the call names no path. NULL with %G_IO_ERROR_INVALID_ARGUMENT, its message for the
 * model, when there is no path. */
char             *_gadget_file_tool_resolve          (const GadgetToolContext    *context,
                                                      JsonObject                 *arguments,
                                                      const char                 *fallback,
                                                      GError                    **error);

/* Makes the prompt that must be allowed before the file or folder of a call is read; @fallback as
 * above. Returns: (transfer full) (nullable): reading inside of the workspace needs none, and a
 * call whose path cannot be resolved fails later. */
GadgetPrompt     *_gadget_file_tool_ask_read         (const GadgetToolContext    *context,
                                                      JsonObject                 *arguments,
                                                      const char                 *fallback,
                                                      const char                 *tool,
                                                      GadgetCallSummaryKind       question);
/* Makes the prompt that must be allowed before @resolved is written. (transfer full) */
GadgetPrompt     *_gadget_file_tool_ask_write        (const GadgetToolContext    *context,
                                                      const char                 *tool,
                                                      const char                 *resolved);

/* The least access of tools that write one file. */
gboolean          _gadget_file_tool_least_write_access (GadgetTool               *tool,
                                                      GadgetAccess               *access);

/* Returns: (transfer full): a path as card titles show it: relative to the workspace, on one line,
 * shortened in the middle when it is long. */
char             *_gadget_file_tool_dup_name         (const char                 *root,
                                                      const char                 *resolved);

/* --- Changing --------------------------------------------------------------------------------- */

/**
 * GadgetFileMakeFunc:
 * @old_text: (nullable): the current content; %NULL when the file does not exist, or is too large
 *   to be read
 * @old_length: of @old_text, in bytes
 * @data: of the #GadgetFileChangeSpec
 * @new_length: set to the length of the new content, in bytes
 * @note: (nullable): may be set to what the model should know of the change
 *
 * Makes the new content of a file. Called in a thread, perhaps more than once.
 *
 * Returns: (transfer full): the new content, or %NULL with an error whose message is for the model
 */
typedef char *(*GadgetFileMakeFunc) (const char  *old_text,
                                     gsize        old_length,
                                     gpointer     data,
                                     gsize       *new_length,
                                     char       **note,
                                     GError     **error);

/**
 * GadgetFileChange:
 * @path: the real path of the file
 * @made: whether the file did not exist before
 * @unchanged: whether the file had this content already, and was not touched
 * @n_added: lines that are new
 * @n_removed: lines that are gone
 * @n_lines: lines of the new content
 * @n_names: hard links that the file had; the others keep the old content
 * @length: of the new content, in bytes
 * @old_size: size of the old file, in bytes
 * @is_protected: whether a configuration of version control names the file, so that it is run
 *   outside of the sandbox
 * @unified: (nullable): the difference; %NULL when a text is too large to be compared
 * @text: (nullable): the new text; only set in a preview
 * @note: (nullable): what the model should know of it, from the function that made the content
 * @digest: (nullable): identifies what the user sees of the change
 *
 * A change that was made to a file, or would be.
 */
typedef struct
{
  char *path;
  gboolean made;
  gboolean unchanged;
  guint n_added;
  guint n_removed;
  guint n_lines;
  guint n_names;
  gsize length;
  goffset old_size;
  gboolean is_protected;
  char *unified;
  char *text;
  char *note;
  char *digest;
} GadgetFileChange;

void              _gadget_file_change_free           (GadgetFileChange           *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFileChange, _gadget_file_change_free)

/* Returns: (transfer full): a sentence for the result about the other hard links of a file that was
 * replaced; "" when it has none. */
char             *_gadget_file_change_dup_names      (const GadgetFileChange     *self);

/* Makes the result of a call from what was done; @shown is the path as the call gave it. (transfer
 * full) */
typedef GadgetToolResult *(*GadgetFileFormatFunc) (const GadgetFileChange *change,
                                                 const char             *shown);

/**
 * GadgetFileChangeSpec:
 * @resolved: the resolved path
 * @shown: the path as the call gave it
 * @make: makes the new content
 * @data: (transfer full): for @make
 * @destroy: frees @data, in any thread
 * @format: makes the result
 *
 * A change that a call wants.
 */
typedef struct
{
  const char *resolved;
  const char *shown;
  GadgetFileMakeFunc make;
  gpointer data;
  GDestroyNotify destroy;
  GadgetFileFormatFunc format;
} GadgetFileChangeSpec;

/* Changes a file; this is all that a call does. It reads the file, makes the new content, records
 * the effect, and replaces the file, unless that is not the version that this chat has read. Then
 * the difference becomes the text of the item. See the source. Finish it with
 * gadget_tool_execute_finish (). */
void              _gadget_file_change_async          (GadgetTool                 *tool,
                                                      const GadgetToolContext    *context,
                                                      const GadgetFileChangeSpec *spec,
                                                      GCancellable               *cancellable,
                                                      GAsyncReadyCallback         callback,
                                                      gpointer                    user_data);

/* Finds out what the change would be; nothing is written. Only @resolved, @make, @data and @destroy
 * of @spec are used. Returns: (transfer full): NULL with an error whose message is for the
 * model. */
void              _gadget_file_change_preview_async  (const char                 *root,
                                                      GadgetVersionsRead         *versions,
                                                      const GadgetFileChangeSpec *spec,
                                                      GCancellable               *cancellable,
                                                      GAsyncReadyCallback         callback,
                                                      gpointer                    user_data);
GadgetFileChange *_gadget_file_change_preview_finish (GAsyncResult               *result,
                                                      GError                    **error);

G_END_DECLS
