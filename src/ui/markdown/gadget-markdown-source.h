/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parser is given to read: the segment, with what is needed before it (definitions, the
 * header of its table) and behind it (what closes that which is open), which is not shown.
 *
 * Where Markdown as Gadget shows it differs from what the parser knows, bytes of the copy are
 * replaced, one by one, so that offsets stay: formulas look like code to it, and "[^1]" like no
 * link. What is shown is always taken from the text itself. */

#pragma once

#include "gadget-markdown-definitions.h"
#include "gadget-markdown-segment-private.h"

G_BEGIN_DECLS

#define GADGET_MARKDOWN_MAX_FORMULA 2048

/* A formula, without its marks. */
typedef struct
{
  gsize begin; /* in the view */
  gsize end;
  gsize mark;  /* bytes of a mark */
  gboolean display;
} GadgetMarkdownFormula;

typedef struct
{
  const char *text; /* the whole */
  gboolean open;
  gsize start;      /* of the segment */
  gsize end;
  gsize context;
  GadgetMarkdownResume resume;
  GadgetMarkdownScanner scanner; /* at the segment's beginning */

  gsize behind;     /* where in the text that begins which the view has before the segment */

  GString *view;
  gsize view_begin;  /* behind the definitions */
  gsize shown_begin; /* in the view */
  gsize shown_end;
  gsize read_end;    /* of the text in it; what closes it is behind that */
  GArray *formulas;  /* of GadgetMarkdownFormula, in order */
} GadgetMarkdownSource;

void  gadget_markdown_source_init  (GadgetMarkdownSource            *self,
                                    const char                      *text,
                                    gsize                            length,
                                    gsize                            start,
                                    gsize                            end,
                                    gsize                            context,
                                    const GadgetMarkdownDefinitions *definitions,
                                    gboolean                         growing);
void  gadget_markdown_source_clear (GadgetMarkdownSource            *self);

/* The offset in the text of one in the view. */
static inline gsize
gadget_markdown_source_map (const GadgetMarkdownSource *self, gsize view)
{
  return self->start + (CLAMP (view, self->shown_begin, self->shown_end) - self->shown_begin);
}

/* The same, also of what is around the segment. */
static inline gsize
gadget_markdown_source_map_around (const GadgetMarkdownSource *self, gsize view)
{
  return self->start + view - self->shown_begin;
}

/* Where the text begins in the view that goes on to read_end without a gap. */
static inline gsize
gadget_markdown_source_get_read_begin (const GadgetMarkdownSource *self)
{
  return self->shown_begin - (self->start - self->behind);
}

/* gadget-markdown-mask.c */
void  gadget_markdown_source_mask  (GadgetMarkdownSource            *self);

G_END_DECLS
