/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* Reading the difference that a tool which writes files gives as its text, in the format of "diff
 * -u". */

/**
 * GadgetDiffLine:
 *
 * The kind of a line of a difference.
 */
typedef enum
{
  GADGET_DIFF_SAME,
  GADGET_DIFF_ADDED,
  GADGET_DIFF_REMOVED,
  GADGET_DIFF_RANGE, /* "@@ … @@": the line numbers of the lines that follow */
  GADGET_DIFF_NOTE,  /* not a line of the file */
} GadgetDiffLine;

/* Returns whether the item has a difference to show. */
gboolean       gadget_diff_is_in        (GadgetItem *item);

/* Gets the range of bytes that is shown: without the lines that name the files, and in a new file
 * also without the "@@" line; with @unfolded_diffs FALSE, only the first lines of a long difference. */
void           gadget_diff_get_range    (const char *text,
                                         gsize       length,
                                         gboolean    unfolded_diffs,
                                         gsize      *start,
                                         gsize      *end);

/* Returns the number of lines that are shown when the difference is unfolded; 0 when it is short,
 * so that it is never folded. */
guint          gadget_diff_count_folded (const char *text,
                                         gsize       length);

/* Returns the name of the file as its tool wrote it: relative to the folder of the chat, or
 * absolute. (transfer full) (nullable) */
char          *gadget_diff_dup_name     (const char *text,
                                         gsize       length);

/* Returns whether @text is the whole difference; the tool may have cut off its end. */
gboolean       gadget_diff_is_whole     (const char *text,
                                         gsize       length);

/* Gets the first line numbers in the old and in the new file from a line such as "@@ -86,11 +86,15
 * @@"; 0 where a number is missing. */
void           gadget_diff_parse_range  (const char *line,
                                         guint      *old_number,
                                         guint      *new_number);

/* Returns the kind of the line that begins at @line. */
GadgetDiffLine gadget_diff_get_line     (const char *line);

/* Splits a change's summary, which ends with "· +12 −3", into the length of the text before that
 * and the two numbers. FALSE when the summary does not end so. */
gboolean       gadget_diff_split_counts (const char *summary,
                                         gsize      *length,
                                         guint      *n_added,
                                         guint      *n_removed);

G_END_DECLS
