/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parsed form of a segment of Markdown, for display: a flat list of leaves, in the order of the
 * source. A leaf has one text, or cells with one text each, and the list of quotes and list items
 * around it. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The kind of a leaf. */
typedef enum
{
  GADGET_MARKDOWN_PARAGRAPH,
  GADGET_MARKDOWN_HEADING,
  GADGET_MARKDOWN_CODE,
  GADGET_MARKDOWN_TABLE,
  GADGET_MARKDOWN_RULE,
  GADGET_MARKDOWN_HTML_TEXT, /* raw HTML, shown as it is */
  GADGET_MARKDOWN_MATH,      /* a formula on lines of its own */
  GADGET_MARKDOWN_PICTURE,   /* only an image of the web: its first span, which may be empty */
} GadgetMarkdownKind;

/* The kind of a span. */
typedef enum
{
  GADGET_MARKDOWN_SPAN_STRONG,
  GADGET_MARKDOWN_SPAN_EMPHASIS,
  GADGET_MARKDOWN_SPAN_STRIKE,
  GADGET_MARKDOWN_SPAN_CODE,
  GADGET_MARKDOWN_SPAN_LINK,    /* can be opened */
  GADGET_MARKDOWN_SPAN_REFUSED, /* a link that must not be opened; shown as text */
  GADGET_MARKDOWN_SPAN_IMAGE,   /* its text is the alternative text */
  GADGET_MARKDOWN_SPAN_ADDRESS, /* the address of the image or link before it; not in the source
                                 * here */
  GADGET_MARKDOWN_SPAN_MATH,
  GADGET_MARKDOWN_SPAN_HTML,    /* a tag, shown as it is */
  GADGET_MARKDOWN_SPAN_BREAK,   /* an explicit line break; others come from the source */
  GADGET_MARKDOWN_SPAN_UNDERLINE,
  GADGET_MARKDOWN_SPAN_HIGHLIGHT,
  GADGET_MARKDOWN_SPAN_SUPERSCRIPT,
  GADGET_MARKDOWN_SPAN_SUBSCRIPT,
} GadgetMarkdownSpanKind;

/* Bytes [start, end) of a text. Spans are in the order of their beginnings; of two that begin
 * together, the outer one is first. */
typedef struct
{
  guint start;
  guint end;
  GadgetMarkdownSpanKind kind;
  char *href;  /* (nullable): of links and images: the address to open */
  char *title; /* (nullable): of links and images */
} GadgetMarkdownSpan;

/* A range of a text, and the range of the source that it comes from. When the lengths are equal
 * they correspond byte for byte, or are one replaced character. */
typedef struct
{
  guint text;
  guint length;
  guint source; /* offset in the whole source */
  guint source_length;
} GadgetMarkdownRun;

/* A text with its spans, and where it comes from. */
typedef struct
{
  char *text; /* valid UTF-8 */
  guint length;
  GArray *spans; /* of GadgetMarkdownSpan */
  GArray *runs;  /* of GadgetMarkdownRun, in order */
} GadgetMarkdownText;

/* The kind of a container. */
typedef enum
{
  GADGET_MARKDOWN_QUOTE,
  GADGET_MARKDOWN_ITEM,
} GadgetMarkdownContainerKind;

/* The check box of an item of a task list. */
typedef enum
{
  GADGET_MARKDOWN_NO_TASK,
  GADGET_MARKDOWN_TASK_OPEN,
  GADGET_MARKDOWN_TASK_DONE,
} GadgetMarkdownTask;

/* A quote or a list item around a leaf. */
typedef struct
{
  GadgetMarkdownContainerKind kind;
  guint id;       /* equal for the leaves of a document that are in the same container */
  guint list;     /* of an item: equal for the items of one list */
  gboolean first; /* this leaf is the first one in it, and has its marker */
  gboolean tight; /* of an item: its list has no blank lines */
  gboolean ordered;
  guint number; /* of an ordered item */
  GadgetMarkdownTask task;
  char marker[16]; /* of an item: "•", "3.", "3)" */
} GadgetMarkdownContainer;

/* The alignment of a column. */
typedef enum
{
  GADGET_MARKDOWN_ALIGN_NONE,
  GADGET_MARKDOWN_ALIGN_LEFT,
  GADGET_MARKDOWN_ALIGN_CENTER,
  GADGET_MARKDOWN_ALIGN_RIGHT,
} GadgetMarkdownAlignment;

/* The contents of a table, or of a part of it. */
typedef struct
{
  guint n_columns;
  guint n_rows;        /* including the header */
  gboolean has_header; /* only the first segment of a cut table has one */
  GadgetMarkdownAlignment *alignments; /* n_columns of them */
  GPtrArray *cells; /* of GadgetMarkdownText, row by row: n_rows * n_columns */
} GadgetMarkdownTable;

/* A block without blocks inside. */
typedef struct
{
  GadgetMarkdownKind kind;
  guint level;                         /* of a heading: 1 to 6 */
  guint n_containers;                  /* at most 32; deeper ones are left out */
  GadgetMarkdownContainer *containers; /* from the outermost to the innermost */
  GadgetMarkdownText *text;            /* empty for tables and rules */
  char *info;                          /* (nullable): of code: the info string of the fence */
  char *language;                      /* (nullable): its first word */
  gsize code_begin; /* of code in a container: offset of the block's first line; before the segment
                     * if @continued */
  gboolean continued;
  GadgetMarkdownTable *table;          /* (nullable): of a table */
  gsize source_start; /* the lines of the leaf, with markers, fences and blank lines */
  gsize source_end;
} GadgetMarkdownLeaf;

/* The parsed segment; it owns everything in it. */
typedef struct
{
  GPtrArray *leaves; /* of GadgetMarkdownLeaf, owned; empty when there is nothing to show */
} GadgetMarkdownDocument;

void     gadget_markdown_document_free   (GadgetMarkdownDocument   *self);

static inline GadgetMarkdownLeaf *
gadget_markdown_document_get_leaf (const GadgetMarkdownDocument *self, guint index)
{
  return (GadgetMarkdownLeaf *) g_ptr_array_index (self->leaves, index);
}

/* Tells whether two texts look the same. */
gboolean gadget_markdown_text_equal      (const GadgetMarkdownText *a,
                                          const GadgetMarkdownText *b);

/* Tells whether two leaves look the same; their place in the source does not matter. */
gboolean gadget_markdown_leaf_equal      (const GadgetMarkdownLeaf *a,
                                          const GadgetMarkdownLeaf *b);

static inline GadgetMarkdownText *
gadget_markdown_table_get_cell (const GadgetMarkdownTable *self, guint row, guint column)
{
  return (GadgetMarkdownText *) g_ptr_array_index (self->cells, row * self->n_columns + column);
}

/* Sets [*source_start, *source_end) to the range of the source that bytes [start, end) of @self
 * come from. It includes the marks around them (such as asterisks) when all of the text between
 * these is included. Returns FALSE when nothing of the range is in the source. */
gboolean gadget_markdown_text_get_source (const GadgetMarkdownText *self,
                                          guint                     start,
                                          guint                     end,
                                          gsize                    *source_start,
                                          gsize                    *source_end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMarkdownDocument, gadget_markdown_document_free)

G_END_DECLS
