/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a segment of Markdown (gadget-markdown-segment.h) says, for showing it: a flat list of
 * leaves, in the order of the source. A leaf has one text, or cells that have one each, and knows
 * the quotes and list items that it is in.
 *
 * CommonMark 0.31.2 with the tables, task lists, strikethrough and automatic links of GitHub, and
 * formulas in $…$, $$…$$, \(…\) and \[…\]. Of HTML, only what says how words look is read
 * (gadget-markdown-tag.h); the rest and footnotes are text. Nothing is loaded and nothing is
 * hidden: links are only made of http, https and mailto, the address of others and of
 * images is part of the text, and so are characters that would reorder it. */

#pragma once

#include "gadget-markdown-definitions.h"

G_BEGIN_DECLS

typedef enum
{
  GADGET_MARKDOWN_PARAGRAPH,
  GADGET_MARKDOWN_HEADING,
  GADGET_MARKDOWN_CODE,
  GADGET_MARKDOWN_TABLE,
  GADGET_MARKDOWN_RULE,
  GADGET_MARKDOWN_HTML_TEXT, /* raw HTML, shown as it is */
  GADGET_MARKDOWN_MATH,      /* a formula on lines of its own */
  GADGET_MARKDOWN_PICTURE,   /* an image of the web and nothing else: its first span, which may be
                                empty */
} GadgetMarkdownKind;

typedef enum
{
  GADGET_MARKDOWN_SPAN_STRONG,
  GADGET_MARKDOWN_SPAN_EMPHASIS,
  GADGET_MARKDOWN_SPAN_STRIKE,
  GADGET_MARKDOWN_SPAN_CODE,
  GADGET_MARKDOWN_SPAN_LINK,    /* may be opened */
  GADGET_MARKDOWN_SPAN_REFUSED, /* a link that may not: it is shown as text */
  GADGET_MARKDOWN_SPAN_IMAGE,   /* its text is the alternative one */
  GADGET_MARKDOWN_SPAN_ADDRESS, /* of the image or link before it; not in the source here */
  GADGET_MARKDOWN_SPAN_MATH,
  GADGET_MARKDOWN_SPAN_HTML,    /* a tag, shown as it is */
  GADGET_MARKDOWN_SPAN_BREAK,   /* a line break that was asked for; others are the source's */
  GADGET_MARKDOWN_SPAN_UNDERLINE,
  GADGET_MARKDOWN_SPAN_HIGHLIGHT,
  GADGET_MARKDOWN_SPAN_RAISED,
  GADGET_MARKDOWN_SPAN_LOWERED,
} GadgetMarkdownSpanKind;

/* Bytes [start, end) of a text. Spans begin in order; of two that begin together the outer one is
 * first. */
typedef struct
{
  guint start;
  guint end;
  GadgetMarkdownSpanKind kind;
  char *href;  /* (nullable) of links and images: the address as it is to be opened */
  char *title; /* (nullable) of links and images */
} GadgetMarkdownSpan;

/* Bytes of a text and where they come from. Equal lengths: byte for byte, or what a character was
 * replaced by. */
typedef struct
{
  guint text;
  guint length;
  guint source; /* offset in the whole source */
  guint source_length;
} GadgetMarkdownRun;

typedef struct
{
  char *text; /* valid UTF-8 */
  guint length;
  GArray *spans; /* of GadgetMarkdownSpan */
  GArray *runs;  /* of GadgetMarkdownRun, in order */
} GadgetMarkdownText;

typedef enum
{
  GADGET_MARKDOWN_QUOTE,
  GADGET_MARKDOWN_ITEM,
} GadgetMarkdownContainerKind;

typedef enum
{
  GADGET_MARKDOWN_NO_TASK,
  GADGET_MARKDOWN_TASK_OPEN,
  GADGET_MARKDOWN_TASK_DONE,
} GadgetMarkdownTask;

typedef struct
{
  GadgetMarkdownContainerKind kind;
  guint id;       /* equal in those leaves of a document that are in the same one */
  guint list;     /* of an item: equal in the items of one list */
  gboolean first; /* this leaf is the first in it, and has its marker */
  gboolean tight; /* of an item: no blank lines in its list */
  gboolean ordered;
  guint number; /* of an ordered item */
  GadgetMarkdownTask task;
  char marker[16]; /* of an item: "•", "3.", "3)" */
} GadgetMarkdownContainer;

typedef enum
{
  GADGET_MARKDOWN_ALIGN_NONE,
  GADGET_MARKDOWN_ALIGN_LEFT,
  GADGET_MARKDOWN_ALIGN_CENTER,
  GADGET_MARKDOWN_ALIGN_RIGHT,
} GadgetMarkdownAlignment;

typedef struct
{
  guint n_columns;
  guint n_rows;        /* the header included */
  gboolean has_header; /* a table that was cut has it in its first segment only */
  GadgetMarkdownAlignment *alignments; /* n_columns */
  GPtrArray *cells; /* of GadgetMarkdownText, row by row: n_rows * n_columns */
} GadgetMarkdownTable;

typedef struct
{
  GadgetMarkdownKind kind;
  guint level;                         /* of a heading: 1 to 6 */
  guint n_containers;                  /* deeper ones than 32 are left out */
  GadgetMarkdownContainer *containers; /* from the outside in */
  GadgetMarkdownText *text;            /* empty for tables and rules */
  char *info;                          /* (nullable) of code: what the fence says */
  char *language;                      /* (nullable) the first word of that */
  gboolean fenced;                     /* of code */
  gsize code_begin; /* of code in a container: the line that the block begins with, which may be
                       before the segment: then it is continued */
  gboolean continued;
  GadgetMarkdownTable *table;          /* (nullable) */
  gsize source_start; /* the lines it stands on, markers, fences and blank lines included */
  gsize source_end;
} GadgetMarkdownLeaf;

typedef struct
{
  GPtrArray *leaves; /* of GadgetMarkdownLeaf; none if there is nothing to show */
} GadgetMarkdownDocument;

/**
 * gadget_markdown_parse_in:
 * @text: the whole text; any bytes
 * @length: of it
 * @start: of a segment
 * @end: of that segment
 * @context: its context
 * @definitions: (nullable): those of the whole text
 * @growing: whether the text is. Then what is not complete at its end is shown in the form that it
 *   will have; see gadget-markdown-tail.c.
 *
 * What is shown depends on what is behind the segment only if a paragraph goes on there.
 */
GadgetMarkdownDocument *gadget_markdown_parse_in (const char                      *text,
                                                  gsize                            length,
                                                  gsize                            start,
                                                  gsize                            end,
                                                  gsize                            context,
                                                  const GadgetMarkdownDefinitions *definitions,
                                                  gboolean                         growing);

/* The same, with nothing behind the segment; @open: that is what grows. */
GadgetMarkdownDocument *gadget_markdown_parse (const char                      *text,
                                               gsize                            start,
                                               gsize                            end,
                                               gsize                            context,
                                               const GadgetMarkdownDefinitions *definitions,
                                               gboolean                         open);
void                    gadget_markdown_document_free (GadgetMarkdownDocument  *self);

static inline GadgetMarkdownLeaf *
gadget_markdown_document_get_leaf (const GadgetMarkdownDocument *self, guint index)
{
  return (GadgetMarkdownLeaf *) g_ptr_array_index (self->leaves, index);
}

/* Whether a block of code in a container, at the end of a segment, goes on in the next one. */
gboolean                gadget_markdown_code_goes_on (const char               *text,
                                                      gsize                     length,
                                                      gsize                     start,
                                                      gsize                     end,
                                                      gsize                     context);

/* Whether two texts look the same. */
gboolean                gadget_markdown_text_equal    (const GadgetMarkdownText *a,
                                                       const GadgetMarkdownText *b);

/* Whether two leaves look the same; where they stand in the source does not matter. */
gboolean                gadget_markdown_leaf_equal    (const GadgetMarkdownLeaf *a,
                                                       const GadgetMarkdownLeaf *b);

static inline GadgetMarkdownText *
gadget_markdown_table_get_cell (const GadgetMarkdownTable *self, guint row, guint column)
{
  return (GadgetMarkdownText *) g_ptr_array_index (self->cells, row * self->n_columns + column);
}

/* The part [*source_start, *source_end) of the source that bytes [start, end) of @self come from.
 * Marks around them (asterisks, say) are in it when all that is between them is. FALSE if nothing
 * of it is in the source. */
gboolean                gadget_markdown_text_get_source (const GadgetMarkdownText *self,
                                                         guint                     start,
                                                         guint                     end,
                                                         gsize                    *source_start,
                                                         gsize                    *source_end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMarkdownDocument, gadget_markdown_document_free)

G_END_DECLS
