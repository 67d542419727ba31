/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-source.h"

#include "gadget-markdown-tail.h"

#include <string.h>

/* The lines of a table's header: its first two. */
static void
add_header (GString *view, const char *text, gsize start, gsize context)
{
  gsize next, line = _gadget_markdown_skip_blank (text, start, context);

  gadget_markdown_find_line (text, start, line, &next);
  gadget_markdown_find_line (text, start, next, &next);
  g_string_append_len (view, text + line, (gssize) (next - line));
}

void
gadget_markdown_source_init (GadgetMarkdownSource *self, const char *text, gsize start, gsize end,
                             gsize context, const GadgetMarkdownDefinitions *definitions,
                             gboolean open)
{
  GString *view = g_string_sized_new (end - start + 64);

  memset (self, 0, sizeof *self);
  self->text = text;
  self->start = start;
  self->end = end;
  self->context = context;
  self->resume = _gadget_markdown_resume (&self->scanner, text, end, start, context);
  self->open = open;
  self->view = view;

  if (definitions != NULL)
    gadget_markdown_definitions_add_used (definitions, text + start, end - start, view);
  if (view->len > 0)
    g_string_append_c (view, '\n');
  self->view_begin = view->len;
  if (self->resume == GADGET_MARKDOWN_RESUME_NESTED)
    g_string_append_len (view, text + context, (gssize) (start - context));
  else if (self->resume == GADGET_MARKDOWN_RESUME_TABLE)
    add_header (view, text, start, context);
  else if (self->resume == GADGET_MARKDOWN_RESUME_TEXT)
    /* So that whatever the segment begins with is read as a paragraph that goes on. */
    g_string_append (view, _gadget_markdown_is_inside_line (text, start) ? "x " : "x\n");

  if (open)
    end = _gadget_markdown_tail_hold (&self->scanner, text, start, end);
  self->shown_begin = view->len;
  g_string_append_len (view, text + start, (gssize) (end - start));
  self->shown_end = view->len;
  gadget_markdown_source_mask (self);
  if (open)
    _gadget_markdown_tail_close (self);
}

void
gadget_markdown_source_clear (GadgetMarkdownSource *self)
{
  g_string_free (self->view, TRUE);
  g_clear_pointer (&self->formulas, g_array_unref);
}
