/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-source.h"

#include "gadget-markdown-emphasis.h"
#include "gadget-markdown-split-paragraph.h"
#include "gadget-markdown-streaming-tail.h"

#include <string.h>

/* Appends the header of a table, which is its first two lines. */
static void
add_header (GString *view, const char *text, gsize start, gsize context)
{
  gsize next, line = _gadget_markdown_skip_blank (text, start, context);

  gadget_markdown_find_line (text, start, line, &next);
  gadget_markdown_find_line (text, start, next, &next);
  g_string_append_len (view, text + line, (gssize) (next - line));
}

/* Appends the opening of a block of code, and a placeholder for its lines before the segment, so
 * that the segment is read as code whatever it begins with. */
static void
add_opening (GadgetMarkdownSource *self)
{
  if (self->scanner.leaf == GADGET_MARKDOWN_LEAF_FENCED)
    {
      const gsize line = _gadget_markdown_skip_blank (self->text, self->start, self->context);
      gsize next;
      const gsize end = gadget_markdown_find_line (self->text, self->start, line, &next);

      g_string_append_len (self->view, self->text + line, (gssize) (end - line));
      g_string_append_c (self->view, '\n');
    }
  else
    g_string_append_printf (self->view, "%*s", GADGET_MARKDOWN_CODE_INDENT, "");
  g_string_append (self->view,
                   gadget_markdown_is_inside_line (self->text, self->start) ? "x" : "x\n");
}

/* Returns the source offset from which the text before the segment is needed. */
static gsize
find_behind (const GadgetMarkdownSource *self)
{
  switch (self->resume)
    {
    case GADGET_MARKDOWN_RESUME_NESTED:
      return self->context;
    case GADGET_MARKDOWN_RESUME_TEXT:
      return _gadget_markdown_look_behind (self->text, self->start, self->context);
    case GADGET_MARKDOWN_RESUME_FRESH:
    case GADGET_MARKDOWN_RESUME_CODE:
    case GADGET_MARKDOWN_RESUME_HTML:
    case GADGET_MARKDOWN_RESUME_TABLE:
    default:
      return self->start;
    }
}

static void
add_behind (GadgetMarkdownSource *self)
{
  if (self->resume == GADGET_MARKDOWN_RESUME_TABLE)
    add_header (self->view, self->text, self->start, self->context);
  else if (self->resume == GADGET_MARKDOWN_RESUME_CODE)
    add_opening (self);
  /* A placeholder, so that the segment is read as the continuation of a paragraph whatever it
   * begins with. */
  else if (self->resume == GADGET_MARKDOWN_RESUME_TEXT && self->behind == self->start)
    g_string_append (self->view,
                     gadget_markdown_is_inside_line (self->text, self->start) ? "x " : "x\n");
  g_string_append_len (self->view, self->text + self->behind,
                       (gssize) (self->start - self->behind));
}

/* Returns the offset behind the last pipe in a row of a table. */
static gsize
find_cell (const char *text, gsize begin, gsize end)
{
  const char *at = text + begin;
  const char *pipe;

  while ((pipe = gadget_markdown_line_find_pipe (at, text + end)) != NULL)
    at = pipe + 1;
  return (gsize) (at - text);
}

/* Closes the open elements in the last paragraph of the view: cuts it where it is undecided, and
 * appends what closes the rest. */
static void
close_view (GadgetMarkdownSource *self)
{
  GadgetMarkdownScanner scanner = self->scanner;
  g_autoptr (GString) closing = g_string_new (NULL);
  const gsize end = self->start + (self->read_end - self->shown_begin);
  const gsize line = gadget_markdown_scanner_read_lines (&scanner, self->start, end);
  gsize begin, cut;

  if (line < end)
    gadget_markdown_scanner_read_line (&scanner, line, end);
  if (scanner.leaf == GADGET_MARKDOWN_LEAF_HTML
      && scanner.html_kind == GADGET_MARKDOWN_HTML_LONE_TAG && line < end && scanner.began)
    {
      g_string_append_c (self->view, 'x');
      return;
    }
  if (scanner.leaf == GADGET_MARKDOWN_LEAF_TEXT && !scanner.blank)
    begin = scanner.n_lines > 0 ? MAX (scanner.content_begin, self->behind) : self->behind;
  else if (scanner.leaf == GADGET_MARKDOWN_LEAF_TABLE && line < end)
    begin = find_cell (self->text, scanner.content, end);
  else if (scanner.single && line < end && self->text[scanner.content] == '#')
    begin = scanner.content;
  else
    return;

  begin = self->shown_begin + begin - self->start;
  cut = self->read_end;
  while (cut > begin && g_ascii_isspace (self->view->str[cut - 1]))
    cut--;
  cut = _gadget_markdown_close_inlines (self->view->str, begin, cut, closing);
  g_string_truncate (self->view, cut);
  self->read_end = cut;
  self->shown_end = CLAMP (cut, self->shown_begin, self->shown_end);
  /* A tag may be part of a paragraph as long as its line is not complete. */
  if (scanner.n_lines == 1
      && gadget_markdown_line_get_html (self->view->str + begin, self->view->str + cut)
             == GADGET_MARKDOWN_HTML_LONE_TAG)
    g_string_append_c (self->view, 'x');
  g_string_append_len (self->view, closing->str, (gssize) closing->len);
}

void
gadget_markdown_source_init (GadgetMarkdownSource *self, const char *text, gsize length,
                             gsize start, gsize end, gsize context,
                             const GadgetMarkdownDefinitions *definitions, gboolean growing)
{
  GString *view = g_string_sized_new (end - start + 64);
  gsize ahead;

  memset (self, 0, sizeof *self);
  self->text = text;
  self->start = start;
  self->end = end;
  self->context = context;
  self->resume = _gadget_markdown_resume (&self->scanner, text, start, context);
  self->open = growing && end == length;
  self->view = view;
  self->behind = find_behind (self);
  ahead = end;
  if (end < length)
    ahead = _gadget_markdown_look_ahead (&self->scanner, self->behind, start, end, length);

  if (definitions != NULL)
    gadget_markdown_definitions_add_used (definitions, text + self->behind, ahead - self->behind,
                                          view);
  if (view->len > 0)
    g_string_append_c (view, '\n');
  self->view_begin = view->len;
  add_behind (self);
  if (self->open)
    ahead = end = _gadget_markdown_streaming_tail_hold (&self->scanner, start, end);
  self->shown_begin = view->len;
  g_string_append_len (view, text + start, (gssize) (end - start));
  self->shown_end = view->len;
  g_string_append_len (view, text + end, (gssize) (ahead - end));
  self->read_end = view->len;
  gadget_markdown_source_mask (self);
  if (self->open || (growing && ahead > end && ahead == length))
    close_view (self);
}

void
gadget_markdown_source_clear (GadgetMarkdownSource *self)
{
  g_string_free (self->view, TRUE);
  g_clear_pointer (&self->formulas, g_array_unref);
}
