/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The view: the text that md4c is given. It has the segment, with what is needed before it
 * (definitions, the header of its table, the opening of its code) and behind it (what closes open
 * elements), which is not shown.
 *
 * Where Gadget's Markdown differs from md4c's, bytes of this copy are replaced one by one, so that
 * offsets stay the same: formulas look like code, and "[^1]" like no link. What is shown is always
 * taken from the text itself. */

#pragma once

#include "gadget-markdown-definitions.h"
#include "gadget-markdown-segment-private.h"

G_BEGIN_DECLS

/* A formula, without its marks. */
typedef struct
{
  gsize begin; /* in the view */
  gsize end;
  gsize mark;  /* bytes of each mark */
  gboolean display;
} GadgetMarkdownFormula;

/* A view, and what it was made from. */
typedef struct
{
  const char *text; /* the whole text */
  gboolean open;
  gsize start;      /* source offsets of the segment */
  gsize end;
  gsize context;
  GadgetMarkdownResume resume;
  GadgetMarkdownScanner scanner; /* the state at the beginning of the segment */

  gsize behind;     /* source offset from which the view has text before the segment */

  GString *view;
  gsize view_begin;  /* view offset behind the definitions */
  gsize shown_begin; /* view offsets of the segment */
  gsize shown_end;
  gsize read_end;    /* view offset of the end of the text; what closes it is behind */
  GArray *formulas;  /* (nullable): of GadgetMarkdownFormula, in order */
} GadgetMarkdownSource;

/* Makes the view of the segment [start, end) of @text, which must outlive it. @definitions is
 * (nullable); @growing: the text is still streaming. */
void gadget_markdown_source_init  (GadgetMarkdownSource            *self,
                                   const char                      *text,
                                   gsize                            length,
                                   gsize                            start,
                                   gsize                            end,
                                   gsize                            context,
                                   const GadgetMarkdownDefinitions *definitions,
                                   gboolean                         growing);
void gadget_markdown_source_clear (GadgetMarkdownSource            *self);

/* Maps a view offset to a source offset in the segment, to which it is clamped. */
static inline gsize
gadget_markdown_source_map (const GadgetMarkdownSource *self, gsize view)
{
  return self->start + (CLAMP (view, self->shown_begin, self->shown_end) - self->shown_begin);
}

/* Maps a view offset to a source offset, also of the text around the segment. */
static inline gsize
gadget_markdown_source_map_around (const GadgetMarkdownSource *self, gsize view)
{
  return self->start + view - self->shown_begin;
}

/* Returns the view offset of the text that goes without a gap up to @read_end. */
static inline gsize
gadget_markdown_source_get_read_begin (const GadgetMarkdownSource *self)
{
  return self->shown_begin - (self->start - self->behind);
}

/* gadget-markdown-math-mask.c: masks the view, and finds the formulas. */
void gadget_markdown_source_mask  (GadgetMarkdownSource            *self);

G_END_DECLS
