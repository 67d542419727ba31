/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-builder.h"
#include "gadget-markdown-tag.h"

#include <md4c.h>

G_BEGIN_DECLS

/* A known tag of HTML in the text that is being built. */
typedef struct
{
  const GadgetMarkdownTagName *name;
  gboolean closing;
  gboolean written; /* it is in the source, and was not added to close a streaming text */
  int parent;       /* index of the innermost span around it, or -1 */
  guint start;      /* bytes of the tag in the text; an empty range if it is hidden */
  guint end;
  guint partner;    /* index of the other tag of the pair; its own index if it has none */
} GadgetMarkdownTag;

/* The state while md4c calls back: the open containers, the leaf and the spans. */
typedef struct
{
  GadgetMarkdownDocument *document;
  const GadgetMarkdownSource *source;
  gint64 first_number;
  guint serial;

  GArray *levels; /* of Level: the open containers and lists */
  GadgetMarkdownLeaf *leaf;
  gboolean implied; /* the leaf is a paragraph of a tight list, for which md4c has no block */
  GadgetMarkdownWriter writer;
  gboolean shown;  /* some of the leaf is in the shown part of the view */
  gboolean hidden; /* some of the leaf is outside of it */
  guint column;    /* the column of a table */
  gboolean in_header;

  GArray *spans;        /* of int: indices of the open spans in the text's spans, -1 for ignored
                         * ones */
  GArray *tags;         /* of GadgetMarkdownTag: the tags of the leaf or cell */
  guint n_images;       /* open images: their content is plain text */
  gboolean in_code;     /* a code span is open */
  gsize code_begin;     /* view offset of the code span's text; 0 when it is not known yet */
  gboolean lacks_space; /* a line break in the code span needs a space, which md4c left out */
  guint indent;         /* of a line of code: columns of indentation that are not added yet */
  int formula;          /* index of the formula that the code span stands for, or -1 */
  gsize cursor;         /* view offset that md4c has reached */
} GadgetMarkdownBuilder;

static inline gboolean
_gadget_markdown_builder_is_shown (const GadgetMarkdownBuilder *self)
{
  return self->cursor >= self->source->shown_begin && self->cursor <= self->source->shown_end;
}

/* Returns the source offset that md4c has reached. */
static inline gsize
_gadget_markdown_builder_get_source (const GadgetMarkdownBuilder *self)
{
  return gadget_markdown_source_map (self->source, self->cursor);
}

/* gadget-markdown-builder.c: begins a paragraph if no leaf is open, since md4c has no paragraphs in
 * tight lists. */
void  _gadget_markdown_builder_need_leaf     (GadgetMarkdownBuilder       *self);

/* gadget-markdown-inline.c: the contents of leaves. Returns an attribute as valid UTF-8 with its
 * entities decoded. (transfer full) (nullable) */
char *_gadget_markdown_builder_dup_attribute (const GadgetMarkdownBuilder *self,
                                              const MD_ATTRIBUTE          *attribute);

/* Removes spans that are empty, also because a cut took their contents. */
void  _gadget_markdown_drop_empty_spans      (GadgetMarkdownText          *text);

/* gadget-markdown-tags.c: remembers a tag, whose text was written from offset @start on. */
void  _gadget_markdown_add_tag               (GadgetMarkdownBuilder       *self,
                                              const char                  *text,
                                              gsize                        size,
                                              gsize                        start);

/* gadget-markdown-details.c: finds the tags of a block of HTML that can be shown as a paragraph. */
void  _gadget_markdown_read_details          (GadgetMarkdownBuilder       *self);

/* Replaces the tags of the text that ends by spans and line breaks. */
void  _gadget_markdown_apply_tags            (GadgetMarkdownBuilder       *self);

/* The callbacks of md4c for text and spans. */
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
