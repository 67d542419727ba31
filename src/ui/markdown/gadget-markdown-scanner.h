/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads Markdown line by line and keeps track of the open blocks: the first phase of the parsing
 * strategy in the appendix of CommonMark 0.31.2, without a tree. It finds the beginnings and ends
 * of blocks as md4c does, at a fraction of the cost and from any line on; it does not look at their
 * contents.
 *
 * md4c alone cannot replace it. It reports neither where blocks are nor which definitions it read:
 * of the 807 top-level blocks in the examples of CommonMark, 49 have no text and 36 begin before
 * the line of their first text, and in 71 of 652 examples there is a block of definitions that it
 * does not report at all. And it would read an open block from its beginning for each delta. In a
 * block of 100 kB the median delta takes 1.3 ms of a list, 0.8 ms of code, 0.8 ms of a paragraph
 * and 1.9 ms of a table, where the scanner, the definitions and the last segment take 0.07, 0.01,
 * 0.06 and 0.26 ms together. Only in quotes within quotes, which are not cut between their blocks,
 * both read much (1.0 and 0.7 ms), and in answers of small blocks both read little (0.005 ms).
 * "./dev bench markdown-blocks" measures both. */

#pragma once

#include "gadget-markdown-line.h"

G_BEGIN_DECLS

/* Containers that are nested more deeply are taken for text. */
#define GADGET_MARKDOWN_MAX_DEPTH 32

/* The kind of the open leaf. */
typedef enum
{
  GADGET_MARKDOWN_LEAF_NONE,
  GADGET_MARKDOWN_LEAF_TEXT, /* a paragraph, as far as is known */
  GADGET_MARKDOWN_LEAF_FENCED,
  GADGET_MARKDOWN_LEAF_INDENTED,
  GADGET_MARKDOWN_LEAF_HTML,
  GADGET_MARKDOWN_LEAF_TABLE,
  GADGET_MARKDOWN_LEAF_MATH,
} GadgetMarkdownLeafState;

/* An open container. */
typedef struct
{
  char marker;    /* '>', or the character of a list item's marker */
  guint indent;   /* of an item: the columns that its contents are indented by */
  gboolean empty; /* of an item: it has no contents yet */
} GadgetMarkdownOpenContainer;

/* The state of the scanner between two lines; it can be copied. */
typedef struct
{
  const char *text;
  GadgetMarkdownOpenContainer containers[GADGET_MARKDOWN_MAX_DEPTH]; /* from the outermost on */
  guint depth; /* the number of them */
  GadgetMarkdownLeafState leaf;
  char closing_char; /* of code: the character of the fence; of a formula: the last character of
                      * its closing mark */
  guint fence_length;
  GadgetMarkdownHtmlKind html_kind;
  guint n_lines;       /* of the leaf */
  gsize leaf_begin;    /* offset of the first line of the leaf */
  gsize content_begin; /* offset of its contents, behind indentation and containers */

  /* The result for the last line. */
  gsize content;    /* offset behind its indentation and containers */
  guint kept;       /* containers that it continues; all of them for a lazy continuation line */
  gboolean began;   /* it began a block, at that depth */
  gboolean sibling; /* the block is an item of the list that was open there */
  gboolean blank;
  gboolean single;  /* the block was this line alone: a heading or a rule */
} GadgetMarkdownScanner;

/* Begins at any line of @text, with no open blocks; @text must outlive the scanner. */
void     gadget_markdown_scanner_init       (GadgetMarkdownScanner *self,
                                             const char            *text);

/* Takes the line [begin, end), without its line break. */
void     gadget_markdown_scanner_read_line  (GadgetMarkdownScanner *self,
                                             gsize                  begin,
                                             gsize                  end);

/* Takes the line that begins at @begin and ends before @length. Returns the beginning of the next
 * one. */
gsize    gadget_markdown_scanner_read_next  (GadgetMarkdownScanner *self,
                                             gsize                  begin,
                                             gsize                  length);

/* Takes the complete lines of [begin, end); @begin may be in the middle of a line, whose rest is
 * passed over. Returns the beginning of the line that is not complete, or @end. */
gsize    gadget_markdown_scanner_read_lines (GadgetMarkdownScanner *self,
                                             gsize                  begin,
                                             gsize                  end);

/* Returns the end of the line that begins at @begin, without its line break, and sets @next to the
 * beginning of the next one. For a line without a line break both are @length. */
gsize    gadget_markdown_find_line          (const char            *text,
                                             gsize                  length,
                                             gsize                  begin,
                                             gsize                 *next);

/* Returns the beginning of the line that @at is in, or @limit if it is before that. */
gsize    gadget_markdown_find_line_begin    (const char            *text,
                                             gsize                  at,
                                             gsize                  limit);

/* Tells whether an offset is in the middle of a line. */
gboolean gadget_markdown_is_inside_line     (const char            *text,
                                             gsize                  at);

G_END_DECLS
