/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads Markdown line by line and knows which blocks are open: the first half of the strategy in
 * the appendix of CommonMark 0.31.2, without a tree. It finds where blocks begin and end as md4c
 * does, at a fraction of the cost and from any line on; what stands in them it does not look at. */

#pragma once

#include "gadget-markdown-line.h"

G_BEGIN_DECLS

/* Containers that are deeper in one another are taken for text. */
#define GADGET_MARKDOWN_MAX_DEPTH 32

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

typedef struct
{
  char mark;      /* '>', or that of the list */
  guint indent;   /* of a list item: columns that its contents are indented by */
  gboolean empty; /* of a list item: nothing has come yet */
} GadgetMarkdownOpen;

typedef struct
{
  const char *text;
  GadgetMarkdownOpen open[GADGET_MARKDOWN_MAX_DEPTH];
  guint depth;
  GadgetMarkdownLeafState leaf;
  char mark;           /* of code: the fence's character; of a formula: the closing one */
  guint length;        /* of the fence, or the kind of HTML */
  guint n_lines;       /* of the leaf */
  gsize leaf_begin;    /* where the leaf's first line begins */
  gsize content_begin; /* and its content, behind indentation and containers */

  /* What the last line did. */
  gsize content;    /* behind its indentation and its containers */
  guint kept;       /* containers that it continues; all of them in a lazy continuation line */
  gboolean began;   /* a block, at that depth */
  gboolean brother; /* which is an item of the list that was open there */
  gboolean blank;
  gboolean single;  /* the block was this line alone: a heading, a rule */
} GadgetMarkdownScanner;

void  gadget_markdown_scanner_init (GadgetMarkdownScanner *self,
                                    const char            *text);

/* Takes the line [begin, end), without its line break. */
void  gadget_markdown_scanner_take (GadgetMarkdownScanner *self,
                                    gsize                  begin,
                                    gsize                  end);

/* The end of the line that begins at @begin, and in @next the beginning of the next one. A line
 * that has no end yet has @length for both. */
gsize gadget_markdown_find_line    (const char            *text,
                                    gsize                  length,
                                    gsize                  begin,
                                    gsize                 *next);

G_END_DECLS
