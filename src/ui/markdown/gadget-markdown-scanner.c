/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The block scanner: it takes one line after the other and keeps the stack of open containers and
 * the state of the open leaf. Its cost is linear in the text. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-scanner.h"

#include "gadget-markdown-definition.h"

#include <string.h>

/* In bytes: how far the ends of lines are searched for at once. */
#define STEP 512

/* The position in a line. A container may end inside a tab. */
typedef struct
{
  const char *at;
  const char *end;
  guint column; /* the column of @at */
  guint indent; /* columns of white space before @at that no container has taken */
} Cursor;

static void
read_indent (Cursor *cursor)
{
  const guint before = cursor->column;

  while (cursor->at < cursor->end && gadget_markdown_is_space (*cursor->at))
    {
      cursor->column = gadget_markdown_line_get_next_column (cursor->column, *cursor->at);
      cursor->at++;
    }
  cursor->indent += cursor->column - before;
}

static gboolean
is_blank (const Cursor *cursor)
{
  return cursor->at == cursor->end;
}

static gboolean
is_code_indent (const Cursor *cursor)
{
  return cursor->indent >= GADGET_MARKDOWN_CODE_INDENT;
}

static void
read_quote (Cursor *cursor)
{
  cursor->at++;
  cursor->column++;
  cursor->indent = 0;
  read_indent (cursor);
  if (cursor->indent > 0)
    cursor->indent--;
}

void
gadget_markdown_scanner_init (GadgetMarkdownScanner *self, const char *text)
{
  memset (self, 0, sizeof *self);
  self->text = text;
}

/* Returns how many of the open containers the line continues. */
static guint
match_containers (GadgetMarkdownScanner *self, Cursor *cursor)
{
  guint n = 0;

  for (; n < self->depth; n++)
    {
      GadgetMarkdownOpenContainer *container = &self->containers[n];

      if (container->marker == '>')
        {
          if (is_blank (cursor) || is_code_indent (cursor) || *cursor->at != '>')
            break;
          read_quote (cursor);
        }
      else if (is_blank (cursor))
        {
          /* An item may begin with one blank line, but not with two: then nothing more can be in
           * it, but its list continues. */
          if (container->empty && n + 1 == self->depth)
            container->indent = G_MAXUINT;
        }
      else if (cursor->indent >= container->indent)
        cursor->indent -= container->indent;
      else
        break;
    }
  return n;
}

static void
close_to (GadgetMarkdownScanner *self, guint depth)
{
  self->depth = depth;
  self->leaf = GADGET_MARKDOWN_LEAF_NONE;
}

static void
mark_filled (GadgetMarkdownScanner *self)
{
  for (guint i = 0; i < self->depth; i++)
    self->containers[i].empty = FALSE;
}

/* Begins a leaf in the innermost of @depth containers. */
static void
begin_leaf (GadgetMarkdownScanner *self, GadgetMarkdownLeafState leaf, guint depth, gsize line)
{
  self->depth = depth;
  self->leaf = leaf;
  self->n_lines = 1;
  self->leaf_begin = line;
  self->content_begin = self->content;
  mark_filled (self);
}

/* Continues code, HTML or a formula. Returns FALSE when the line is something else. */
static gboolean
continue_verbatim (GadgetMarkdownScanner *self, const Cursor *cursor)
{
  switch (self->leaf)
    {
    case GADGET_MARKDOWN_LEAF_FENCED:
      if (!is_code_indent (cursor)
          && gadget_markdown_line_closes_fence (cursor->at, cursor->end, self->closing_char,
                                                self->fence_length))
        self->leaf = GADGET_MARKDOWN_LEAF_NONE;
      return TRUE;
    case GADGET_MARKDOWN_LEAF_HTML:
      if (gadget_markdown_line_ends_html (cursor->at, cursor->end, self->html_kind))
        self->leaf = GADGET_MARKDOWN_LEAF_NONE;
      return TRUE;
    case GADGET_MARKDOWN_LEAF_MATH:
      if (is_blank (cursor))
        return FALSE;
      if (gadget_markdown_line_get_fence (cursor->at, cursor->end) > 0)
        {
          self->leaf = GADGET_MARKDOWN_LEAF_TEXT;
          return FALSE;
        }
      if (gadget_markdown_line_ends_math (cursor->at, cursor->end, self->closing_char))
        self->leaf = GADGET_MARKDOWN_LEAF_NONE;
      return TRUE;
    case GADGET_MARKDOWN_LEAF_INDENTED:
      return is_blank (cursor) || is_code_indent (cursor);
    default:
      return FALSE;
    }
}

/* Takes a list marker. Returns the number of columns that the contents of the item are indented by,
 * relative to its parent. */
static guint
read_marker (Cursor *cursor, const GadgetMarkdownMarker *marker)
{
  const guint indent = cursor->indent + marker->length;

  cursor->at += marker->length;
  cursor->column += marker->length;
  cursor->indent = 0;
  read_indent (cursor);
  if (is_blank (cursor))
    return indent + 1;
  if (cursor->indent <= GADGET_MARKDOWN_CODE_INDENT)
    {
      const guint spaces = cursor->indent;

      cursor->indent = 0;
      return indent + spaces;
    }
  cursor->indent--;
  return indent + 1;
}

/* Opens the containers that begin in the line. @kept is the number of containers that it continues;
 * @text tells whether a paragraph is open, which the line continues if nothing begins in it.
 * Returns whether a container was opened. */
static gboolean
open_containers (GadgetMarkdownScanner *self, Cursor *cursor, guint kept, gboolean text)
{
  gboolean opened = FALSE;

  while (!is_blank (cursor) && !is_code_indent (cursor)
         && (opened ? self->depth : kept) < GADGET_MARKDOWN_MAX_DEPTH)
    {
      GadgetMarkdownMarker marker;
      GadgetMarkdownOpenContainer container = { '>', 0, FALSE };

      if (*cursor->at == '>')
        read_quote (cursor);
      else if (gadget_markdown_line_is_rule (cursor->at, cursor->end)
               || !gadget_markdown_line_get_marker (cursor->at, cursor->end, &marker))
        break;
      else
        {
          const gboolean numbered = marker.character == '.' || marker.character == ')';
          const char *behind = cursor->at + marker.length;

          /* Within a paragraph, this could as well be a word or a number at the beginning of a
           * line. */
          if (text && !opened
              && (gadget_markdown_line_skip_spaces (behind, cursor->end) == cursor->end
                  || (numbered && marker.number != 1)))
            break;
          container.marker = marker.character;
          container.indent = read_marker (cursor, &marker);
          container.empty = TRUE;
        }
      if (!opened)
        {
          self->sibling = kept < self->depth && container.marker != '>'
                          && self->containers[kept].marker == container.marker;
          close_to (self, kept);
        }
      else
        mark_filled (self);
      opened = TRUE;
      self->containers[self->depth++] = container;
    }
  return opened;
}

static gboolean
is_only_definitions (const GadgetMarkdownScanner *self, gsize line)
{
  return self->text[self->content_begin] == '['
         && gadget_markdown_definitions_fill (self->text + self->content_begin,
                                              line - self->content_begin);
}

/* Begins a leaf that its first characters mark: a heading, a rule, code, HTML or a formula. @text
 * tells that this would interrupt a paragraph. Returns FALSE when it is none. */
static gboolean
begin_marked (GadgetMarkdownScanner *self, const Cursor *cursor, guint depth, gsize line,
              gboolean text)
{
  GadgetMarkdownHtmlKind kind;
  guint fence_length;
  gboolean closed;
  char closing_char;

  switch (*cursor->at)
    {
    case '#':
      if (!gadget_markdown_line_is_heading (cursor->at, cursor->end))
        return FALSE;
      self->single = TRUE;
      break;
    case '-':
    case '_':
    case '*':
      if (!gadget_markdown_line_is_rule (cursor->at, cursor->end))
        return FALSE;
      self->single = TRUE;
      break;
    case '`':
    case '~':
      fence_length = gadget_markdown_line_get_fence (cursor->at, cursor->end);
      if (fence_length == 0)
        return FALSE;
      begin_leaf (self, GADGET_MARKDOWN_LEAF_FENCED, depth, line);
      self->closing_char = *cursor->at;
      self->fence_length = fence_length;
      return TRUE;
    case '<':
      kind = gadget_markdown_line_get_html (cursor->at, cursor->end);
      if (kind == GADGET_MARKDOWN_HTML_NONE || (kind == GADGET_MARKDOWN_HTML_LONE_TAG && text))
        return FALSE;
      begin_leaf (self, GADGET_MARKDOWN_LEAF_HTML, depth, line);
      self->html_kind = kind;
      if (kind < GADGET_MARKDOWN_HTML_BLOCK
          && gadget_markdown_line_ends_html (cursor->at + 2, cursor->end, kind))
        self->leaf = GADGET_MARKDOWN_LEAF_NONE;
      return TRUE;
    case '$':
    case '\\':
      closing_char =
          depth == 0 ? gadget_markdown_line_get_math (cursor->at, cursor->end, &closed) : 0;
      if (closing_char == 0)
        return FALSE;
      begin_leaf (self, closed ? GADGET_MARKDOWN_LEAF_NONE : GADGET_MARKDOWN_LEAF_MATH, depth,
                  line);
      self->closing_char = closing_char;
      return TRUE;
    default:
      return FALSE;
    }
  begin_leaf (self, GADGET_MARKDOWN_LEAF_NONE, depth, line);
  return TRUE;
}

/* Tells whether lines other than those of a paragraph can begin with this character. */
static gboolean
may_be_marked (char c)
{
  return c != '\0' && strchr ("#-_*`~<$\\", c) != NULL;
}

/* Tells whether the second line of a paragraph makes the first one the header of a table. */
static gboolean
becomes_table (const GadgetMarkdownScanner *self, const Cursor *cursor, gsize line)
{
  const char *header = self->text + self->content_begin;
  guint n;

  if (self->n_lines != 1 || (*cursor->at != '|' && *cursor->at != '-' && *cursor->at != ':'))
    return FALSE;
  n = gadget_markdown_line_get_columns (cursor->at, cursor->end);
  if (n == 0)
    return FALSE;
  while (line > self->content_begin && gadget_markdown_is_newline (self->text[line - 1]))
    line--;
  return n == gadget_markdown_line_count_cells (header, self->text + line);
}

static void
read_blank (GadgetMarkdownScanner *self, guint kept)
{
  self->blank = TRUE;
  if (kept < self->depth || self->leaf != GADGET_MARKDOWN_LEAF_INDENTED)
    close_to (self, kept);
}

/* Takes a line that is not blank, and does not continue code, HTML or a formula. */
static void
read_content (GadgetMarkdownScanner *self, Cursor *cursor, guint kept, gsize line)
{
  const gboolean whole = kept == self->depth;
  const gboolean text = self->leaf == GADGET_MARKDOWN_LEAF_TEXT;
  const gboolean table = self->leaf == GADGET_MARKDOWN_LEAF_TABLE && whole;
  const gboolean opened = open_containers (self, cursor, kept, text && whole);
  const guint depth = opened ? self->depth : kept;

  self->began = TRUE;
  self->content = (gsize) (cursor->at - self->text);
  if (is_blank (cursor))
    return;
  if (!is_code_indent (cursor) && may_be_marked (*cursor->at)
      && begin_marked (self, cursor, depth, line, text && !opened))
    return;
  if (!opened && (text || (table && !is_code_indent (cursor))))
    {
      self->began = FALSE;
      self->kept = self->depth; /* including those whose marker a lazy line leaves out */
      if (text && whole && !is_code_indent (cursor) && becomes_table (self, cursor, line))
        self->leaf = GADGET_MARKDOWN_LEAF_TABLE;
      self->n_lines++;
      return;
    }
  begin_leaf (self,
              is_code_indent (cursor) ? GADGET_MARKDOWN_LEAF_INDENTED : GADGET_MARKDOWN_LEAF_TEXT,
              depth, line);
}

void
gadget_markdown_scanner_read_line (GadgetMarkdownScanner *self, gsize begin, gsize end)
{
  Cursor cursor = { self->text + begin, self->text + end, 0, 0 };
  guint kept;

  self->began = self->sibling = self->blank = self->single = FALSE;
  read_indent (&cursor);
  kept = match_containers (self, &cursor);
  self->kept = kept;
  self->content = (gsize) (cursor.at - self->text);
  if (kept == self->depth && continue_verbatim (self, &cursor))
    {
      self->n_lines++;
      return;
    }
  if (is_blank (&cursor))
    {
      read_blank (self, kept);
      return;
    }
  if (kept == self->depth && self->leaf == GADGET_MARKDOWN_LEAF_TEXT && !is_code_indent (&cursor)
      && gadget_markdown_line_is_underline (cursor.at, cursor.end)
      && !is_only_definitions (self, begin))
    {
      self->leaf = GADGET_MARKDOWN_LEAF_NONE;
      self->n_lines++;
      return;
    }
  read_content (self, &cursor, kept, begin);
}

gsize
gadget_markdown_scanner_read_next (GadgetMarkdownScanner *self, gsize begin, gsize length)
{
  gsize next;

  gadget_markdown_scanner_read_line (self, begin,
                                     gadget_markdown_find_line (self->text, length, begin, &next));
  return next;
}

gsize
gadget_markdown_scanner_read_lines (GadgetMarkdownScanner *self, gsize begin, gsize end)
{
  gsize next;

  if (begin < end && gadget_markdown_is_inside_line (self->text, begin))
    {
      if (gadget_markdown_find_line (self->text, end, begin, &next) == next)
        return end;
      begin = next;
    }
  for (; begin < end; begin = next)
    {
      const gsize line_end = gadget_markdown_find_line (self->text, end, begin, &next);

      if (line_end == next)
        break;
      gadget_markdown_scanner_read_line (self, begin, line_end);
    }
  return begin;
}

gboolean
gadget_markdown_is_inside_line (const char *text, gsize at)
{
  return at > 0 && !gadget_markdown_is_newline (text[at - 1]);
}

gsize
gadget_markdown_find_line_begin (const char *text, gsize at, gsize limit)
{
  while (at > limit && gadget_markdown_is_inside_line (text, at))
    at--;
  return at;
}

gsize
gadget_markdown_find_line (const char *text, gsize length, gsize begin, gsize *next)
{
  /* In steps, since a text that has only "\r" would be searched for "\n" as a whole each time. */
  for (gsize at = begin; at < length; at += STEP)
    {
      const gsize n = MIN (STEP, length - at);
      const char *newline = memchr (text + at, '\n', n);
      const char *retrn =
          memchr (text + at, '\r', newline != NULL ? (gsize) (newline - (text + at)) : n);
      const char *end = retrn != NULL ? retrn : newline;

      if (end == NULL)
        continue;
      *next = (gsize) (end - text) + 1;
      if (*end == '\r' && *next < length && text[*next] == '\n')
        *next += 1;
      return (gsize) (end - text);
    }
  *next = length;
  return length;
}
