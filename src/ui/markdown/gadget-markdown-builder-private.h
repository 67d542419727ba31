/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-builder.h"
#include "gadget-markdown-tag.h"

#include <md4c.h>

G_BEGIN_DECLS

/* A tag of HTML that is known. */
typedef struct
{
  const GadgetMarkdownTagName *name;
  gboolean closing;
  gboolean written; /* it is in the source, and not what closes a text that grows */
  int parent;       /* the innermost span that it is in, or -1 */
  guint start;      /* in the text; nothing if it is hidden */
  guint end;
  guint partner;    /* of a pair: the index of the other one; else its own */
} GadgetMarkdownTag;

typedef struct
{
  GadgetMarkdownDocument *document;
  const GadgetMarkdownSource *source;
  gint64 first_number;
  guint serial;

  GArray *levels; /* of Level */
  GadgetMarkdownLeaf *leaf;
  gboolean implied; /* the paragraph has no block of its own: that of a tight list */
  GadgetMarkdownWriter writer;
  gboolean shown;  /* something of the leaf is in the shown part */
  gboolean hidden; /* something of it is not */
  guint column;    /* of a table */
  gboolean in_header;

  GArray *spans;        /* indices of open spans in those of the text, or -1 */
  GArray *tags;         /* of GadgetMarkdownTag: of the leaf or cell */
  guint n_images;       /* open ones: what is in them is plain text */
  gboolean in_code;     /* span */
  gsize code_begin;     /* where its text begins in the view; 0: not yet known */
  gboolean lacks_space; /* for a line break in it */
  int formula;          /* that the code span is, or -1 */
  gsize cursor;         /* in the view */
} GadgetMarkdownBuilder;

static inline gboolean
_gadget_markdown_builder_is_shown (const GadgetMarkdownBuilder *self)
{
  return self->cursor >= self->source->shown_begin && self->cursor <= self->source->shown_end;
}

/* The place in the text that md4c has come to. */
static inline gsize
_gadget_markdown_builder_get_source (const GadgetMarkdownBuilder *self)
{
  return gadget_markdown_source_map (self->source, self->cursor);
}

/* gadget-markdown-builder.c: text of a tight list has no paragraph; then one begins. */
void  _gadget_markdown_builder_need_leaf     (GadgetMarkdownBuilder       *self);

/* gadget-markdown-inline.c: what is in a leaf. (nullable) */
char *_gadget_markdown_builder_dup_attribute (const GadgetMarkdownBuilder *self,
                                              const MD_ATTRIBUTE          *attribute);

/* Spans with nothing in them go, and those that a cut took the contents of. */
void  _gadget_markdown_drop_empty_spans      (GadgetMarkdownText          *text);

/* gadget-markdown-tags.c: the tag that fills @text, which was written from @start on. */
void  _gadget_markdown_add_tag               (GadgetMarkdownBuilder       *self,
                                              const char                  *text,
                                              gsize                        size,
                                              gsize                        start);

/* gadget-markdown-details.c: finds the tags of a block of HTML that is to be a paragraph. */
void  _gadget_markdown_read_details          (GadgetMarkdownBuilder       *self);

/* Turns the tags of the text that ends into what they stand for. */
void  _gadget_markdown_apply_tags            (GadgetMarkdownBuilder       *self);

int   _gadget_markdown_text_cb               (MD_TEXTTYPE                  type,
                                              const MD_CHAR               *text,
                                              MD_SIZE                      size,
                                              void                        *data);
int   _gadget_markdown_enter_span_cb         (MD_SPANTYPE                  type,
                                              void                        *detail,
                                              void                        *data);
int   _gadget_markdown_leave_span_cb         (MD_SPANTYPE                  type,
                                              void                        *detail,
                                              void                        *data);

G_END_DECLS
