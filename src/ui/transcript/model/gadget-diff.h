/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* What a change of a file looks like: the text of a call of a tool that writes files is a difference
 * as "diff -u" makes it. */

/**
 * GadgetDiffLine:
 *
 * What a line of a difference is.
 */
typedef enum
{
  GADGET_DIFF_SAME,
  GADGET_DIFF_ADDED,
  GADGET_DIFF_REMOVED,
  GADGET_DIFF_RANGE, /* where in the file the lines that follow are */
  GADGET_DIFF_NOTE,  /* not a line of the file */
} GadgetDiffLine;

/* Whether the item has a difference to show. */
gboolean       gadget_diff_is_in        (GadgetItem     *item);

/* What is shown of it: the bytes behind the names of the files, and behind the range of a file that
 * is new; all of them or, folded, the first lines. */
void           gadget_diff_get_range    (const char     *text,
                                         gsize           length,
                                         gboolean        whole,
                                         gsize          *start,
                                         gsize          *end);

/* The number of lines that are shown when it is unfolded; 0 for one that is never folded. */
guint          gadget_diff_count_folded (const char     *text,
                                         gsize           length);

/* The name of the file, as its tool wrote it: relative to the folder of the chat, or absolute.
 * (transfer full) (nullable) */
char          *gadget_diff_dup_name     (const char     *text,
                                         gsize           length);

/* Whether it is all that was changed, and not only its beginning. */
gboolean       gadget_diff_is_whole     (const char     *text,
                                         gsize           length);

/* The numbers of the lines that follow "@@ -86,11 +86,15 @@" in the old and in the new file; 0 where
 * there are none. */
void           gadget_diff_parse_range  (const char     *line,
                                         guint          *old_number,
                                         guint          *new_number);

/* What a line is that begins with these bytes. */
GadgetDiffLine gadget_diff_get_line     (const char     *line);

/* The summary of a change ends with "· +12 −3": its length without that, and the numbers. FALSE when
 * it does not. */
gboolean       gadget_diff_split_counts (const char     *summary,
                                         gsize          *length,
                                         guint          *n_added,
                                         guint          *n_removed);

G_END_DECLS
