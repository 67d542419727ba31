/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one line of Markdown can be, by the rules of CommonMark 0.31.2 for blocks. Everything here
 * looks at [at, end), where @end is the end of the line without its line break, and @at is behind
 * the line's indentation. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_CODE_INDENT 4

/* A list marker: "-", "+", "*", "7." or "7)". */
typedef struct
{
  char mark;     /* '-', '+', '*', '.' or ')' */
  guint number;  /* of "7." */
  guint length;  /* bytes, which are columns too */
} GadgetMarkdownMarker;

static inline gboolean
gadget_markdown_is_space (char c)
{
  return c == ' ' || c == '\t';
}

const char *gadget_markdown_line_skip_spaces  (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_is_rule      (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_is_heading   (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_is_underline (const char           *at,
                                               const char           *end);

/* The number of columns that a row of "---|:-:" says a table has, or 0. */
guint       gadget_markdown_line_get_columns  (const char           *at,
                                               const char           *end);

/* How many cells a row of a table has. */
guint       gadget_markdown_line_count_cells  (const char           *at,
                                               const char           *end);

/* The length of the opening fence of code, or 0. */
guint       gadget_markdown_line_get_fence    (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_closes_fence (const char           *at,
                                               const char           *end,
                                               char                  mark,
                                               guint                 length);
gboolean    gadget_markdown_line_get_marker   (const char           *at,
                                               const char           *end,
                                               GadgetMarkdownMarker *marker);

/* Which of the seven kinds of HTML block begins here, or 0; and whether one ends in this line. */
guint       gadget_markdown_line_get_html     (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_ends_html    (const char           *at,
                                               const char           *end,
                                               guint                 kind);

/* A formula on lines of its own begins with a line "$$" or "\[", which may hold it all; @closed
 * tells that it does. Returns the character that the closing mark ends with, or 0. */
char        gadget_markdown_line_get_math     (const char           *at,
                                               const char           *end,
                                               gboolean             *closed);
gboolean    gadget_markdown_line_ends_math    (const char           *at,
                                               const char           *end,
                                               char                  mark);

G_END_DECLS
