/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tools for files share. */

#pragma once

#include "gadget-recorded-work.h"
#include "workspace/gadget-stamp.h"
#include "workspace/gadget-workspace.h"

G_BEGIN_DECLS

/* The path of a call, resolved; NULL with an error where there is none. */
char         *_gadget_file_tool_resolve   (const GadgetToolContext *context,
                                           JsonObject              *arguments,
                                           const char              *fallback,
                                           GError                 **error);

/* What reading or writing RESOLVED needs; NULL for nothing. */
GadgetPrompt *_gadget_file_tool_ask_read  (const GadgetToolContext *context,
                                           const char              *tool,
                                           GadgetCallSummaryKind    question,
                                           const char              *resolved);
GadgetPrompt *_gadget_file_tool_ask_write (const GadgetToolContext *context,
                                           const char              *tool,
                                           const char              *resolved);

/* A path as the titles of cards show it: relative to the folder, on one line, cut in the middle where
 * it is long. (transfer full) */
char         *_gadget_file_tool_dup_name  (const char              *root,
                                           const char              *resolved);

/* --- Changing ------------------------------------------------------------------------------------ */

/**
 * GadgetFileMakeFunc:
 * @old_text: (nullable): what is there now; %NULL when the file does not exist
 *
 * Called in a thread, perhaps more than once.
 *
 * Returns: (transfer full): what is to be there
 */
typedef char *(*GadgetFileMakeFunc) (const char  *old_text,
                                     gsize        old_length,
                                     gpointer     data,
                                     gsize       *new_length,
                                     GError     **error);

/**
 * GadgetFileChange:
 * @path: its real path
 * @made: it was not there before
 * @unchanged: it had this content already, and was not touched
 * @n_added: lines that are new
 * @n_removed: lines that are gone
 * @n_lines: lines that it has now
 * @n_names: names that it had: hard links, which now have the old content but for this one
 *
 * @old_size: of the file that was there, in bytes
 * @is_protected: it is run outside of the sandbox, as a configuration of version control says
 * @unified: (nullable): the difference; %NULL where a text is too large to be compared
 * @text: (nullable): of a preview, the new text
 * @digest: (nullable): stands for what is seen of the change
 *
 * What was done to a file, or would be.
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
  char *digest;
} GadgetFileChange;

void              _gadget_file_change_free   (GadgetFileChange        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFileChange, _gadget_file_change_free)

/* What a result says of the other names of a file that was replaced; "" where there are none. */
char             *_gadget_file_change_dup_names (const GadgetFileChange  *self);

/* Makes the result of a call from what was done; SHOWN is the path in the call's own words. */
typedef GadgetToolResult *(*GadgetFileTellFunc) (const GadgetFileChange *change,
                                                 const char             *shown);

/**
 * GadgetFileChangeSpec:
 * @resolved: where
 * @shown: the same in the call's own words
 * @make: makes the new content
 * @data: (transfer full): for @make
 * @destroy: frees @data, in any thread
 * @tell: makes the result
 *
 * A change that is wanted.
 */
typedef struct
{
  const char *resolved;
  const char *shown;
  GadgetFileMakeFunc make;
  gpointer data;
  GDestroyNotify destroy;
  GadgetFileTellFunc tell;
} GadgetFileChangeSpec;

/* Changes a file in one step, which is the whole of a call: reads it, has its new content made,
 * records what is to be changed, and puts the new content into its place, unless the file is not
 * what was read in this chat. Afterwards the difference is the item's text. See the source. */
void              _gadget_file_change_async  (GadgetTool                 *tool,
                                              const GadgetToolContext    *context,
                                              const GadgetFileChangeSpec *spec,
                                              GCancellable               *cancellable,
                                              GAsyncReadyCallback         callback,
                                              gpointer                    user_data);

/* What the change would be. Nothing is written; only @resolved, @make, @data and @destroy of SPEC are
 * used. */
void              _gadget_file_change_preview_async  (const char                 *root,
                                                      GadgetReadStamps           *stamps,
                                                      const GadgetFileChangeSpec *spec,
                                                      GCancellable               *cancellable,
                                                      GAsyncReadyCallback         callback,
                                                      gpointer                    user_data);
GadgetFileChange *_gadget_file_change_preview_finish (GAsyncResult               *result,
                                                      GError                    **error);

G_END_DECLS
