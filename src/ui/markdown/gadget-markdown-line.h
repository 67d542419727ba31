/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kinds of a line of Markdown, by the rules of CommonMark 0.31.2 for blocks. All functions look
 * at bytes [at, end): @end is the end of the line without its line break, and @at is behind the
 * indentation. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_CODE_INDENT 4

/* A list marker: "-", "+", "*", "7." or "7)". */
typedef struct
{
  char character; /* '-', '+', '*', '.' or ')' */
  guint number;  /* the number of an ordered item; 0 for a bullet */
  guint length;  /* in bytes, which are also columns */
} GadgetMarkdownMarker;

/* The kinds of HTML blocks, in the order of section 4.6. Those before BLOCK end with a mark of
 * their own, which may be in their first line; BLOCK and LONE_TAG end before a blank line, and
 * LONE_TAG cannot interrupt a paragraph. */
typedef enum
{
  GADGET_MARKDOWN_HTML_NONE,
  GADGET_MARKDOWN_HTML_RAW, /* "<pre>", "<script>", "<style>" and "<textarea>" */
  GADGET_MARKDOWN_HTML_COMMENT,
  GADGET_MARKDOWN_HTML_INSTRUCTION,
  GADGET_MARKDOWN_HTML_DECLARATION,
  GADGET_MARKDOWN_HTML_CDATA,
  GADGET_MARKDOWN_HTML_BLOCK,    /* tags such as "<div>" */
  GADGET_MARKDOWN_HTML_LONE_TAG, /* any other tag, alone in its line */
} GadgetMarkdownHtmlKind;

static inline gboolean
gadget_markdown_is_space (char c)
{
  return c == ' ' || c == '\t';
}

static inline gboolean
gadget_markdown_is_newline (char c)
{
  return c == '\n' || c == '\r';
}

/* Returns the column behind the space or tab @c at @column; tabs reach to multiples of four. */
static inline guint
gadget_markdown_line_get_next_column (guint column, char c)
{
  return c == '\t' ? (column + 4) & ~3U : column + 1;
}

/* Return the position behind spaces and tabs; of a whole line, sets @indent to their columns. */
const char *gadget_markdown_line_skip_spaces  (const char           *at,
                                               const char           *end);
const char *gadget_markdown_line_skip_indent  (const char           *line,
                                               const char           *end,
                                               guint                *indent);
/* Returns the position behind a run of @c, which may be empty. */
const char *gadget_markdown_line_skip_run     (const char           *at,
                                               const char           *end,
                                               char                  c);

/* Tell whether the line is a thematic break, an ATX heading, or the underline of a setext
 * heading. */
gboolean    gadget_markdown_line_is_rule      (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_is_heading   (const char           *at,
                                               const char           *end);
gboolean    gadget_markdown_line_is_underline (const char           *at,
                                               const char           *end);

/* Returns the number of columns that a delimiter row of a table ("---|:-:") has, or 0. */
guint       gadget_markdown_line_get_columns  (const char           *at,
                                               const char           *end);

/* Returns the next pipe that is not escaped, or NULL. */
const char *gadget_markdown_line_find_pipe    (const char           *at,
                                               const char           *end);
/* Returns the number of cells in a row of a table. */
guint       gadget_markdown_line_count_cells  (const char           *at,
                                               const char           *end);

/* Returns the length of the opening fence of code, or 0. */
guint       gadget_markdown_line_get_fence    (const char           *at,
                                               const char           *end);
/* Tells whether the line closes a fence of @length characters @mark. */
gboolean    gadget_markdown_line_closes_fence (const char           *at,
                                               const char           *end,
                                               char                  mark,
                                               guint                 length);
/* Tells whether a list marker begins here; if so, fills @marker. */
gboolean    gadget_markdown_line_get_marker   (const char           *at,
                                               const char           *end,
                                               GadgetMarkdownMarker *marker);

/* Returns the kind of the HTML block that begins here. */
GadgetMarkdownHtmlKind gadget_markdown_line_get_html (const char           *at,
                                               const char           *end);
/* Tells whether an HTML block of @kind ends in this line. */
gboolean    gadget_markdown_line_ends_html    (const char           *at,
                                               const char           *end,
                                               GadgetMarkdownHtmlKind kind);

/* A display formula on its own lines begins with a line "$$" or "\[", which may contain all of it;
 * @closed tells whether it does. Returns the last character of the closing mark, or 0 when no
 * formula begins. */
char        gadget_markdown_line_get_math     (const char           *at,
                                               const char           *end,
                                               gboolean             *closed);
/* Tells whether the line ends with the closing mark whose last character is @mark. */
gboolean    gadget_markdown_line_ends_math    (const char           *at,
                                               const char           *end,
                                               char                  mark);

G_END_DECLS
