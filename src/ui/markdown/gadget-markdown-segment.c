/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the ends of segments with the block scanner. Lines are looked at in pieces of at most
 * BYTES, so the cost of a segment is bounded even in a line of megabytes. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-segment-private.h"

#include "ui/text/gadget-chunks.h"

#include <string.h>

#define BYTES GADGET_MARKDOWN_SEGMENT_BYTES
#define NESTED_BYTES (2 * BYTES)
#define TABLE_BYTES 12288
#define MAX_FENCE 200

/* In bytes. A part of a container is read from the beginning of its block for each segment; when
 * that is farther away than this, the context is dropped and the next segment begins anew. */
#define MAX_DISTANCE 131072

/* The state while the end of a segment is searched for. */
typedef struct
{
  const char *text;
  gsize length;
  gsize start;
  gsize context;
  GadgetMarkdownScanner scanner;
  GadgetMarkdownResume resume;
  gboolean filled; /* the segment has more than blank lines */
  guint n_lines;

  gsize line; /* offset of the line that is looked at */
  gsize end;
  gsize next;
} Walk;

gsize
_gadget_markdown_skip_blank (const char *text, gsize length, gsize begin)
{
  for (gsize i = begin; i < length; i++)
    {
      if (gadget_markdown_is_newline (text[i]))
        begin = i + 1;
      else if (!gadget_markdown_is_space (text[i]))
        break;
    }
  return begin;
}

/* A numbered list that was cut between its items has the delimiter of its first number as its
 * context. No block begins there, so it cannot be confused with another context. */
static gboolean
is_count (const char *text, gsize start, gsize context)
{
  return context > 0 && context < start && (text[context] == '.' || text[context] == ')')
         && g_ascii_isdigit (text[context - 1]);
}

gboolean
_gadget_markdown_get_count (const char *text, gsize start, gsize context, guint *number)
{
  gsize begin = context;

  if (!is_count (text, start, context))
    return FALSE;
  *number = 0;
  while (begin > 0 && context - begin < 9 && g_ascii_isdigit (text[begin - 1]))
    begin--;
  for (; begin < context; begin++)
    *number = *number * 10 + (guint) (text[begin] - '0');
  return TRUE;
}

static gsize
read_line (GadgetMarkdownScanner *scanner, gsize length, gsize begin)
{
  gsize next;
  const gsize end = gadget_markdown_find_line (scanner->text, length, begin, &next);

  gadget_markdown_scanner_read_line (scanner, begin, MIN (end, begin + BYTES));
  return next;
}

static GadgetMarkdownResume
resume_leaf (GadgetMarkdownScanner *scanner, gsize start, gsize second)
{
  switch (scanner->leaf)
    {
    case GADGET_MARKDOWN_LEAF_FENCED:
    case GADGET_MARKDOWN_LEAF_INDENTED:
      return GADGET_MARKDOWN_RESUME_CODE;
    case GADGET_MARKDOWN_LEAF_HTML:
      return GADGET_MARKDOWN_RESUME_HTML;
    case GADGET_MARKDOWN_LEAF_TEXT:
      if (second < start)
        read_line (scanner, start, second);
      if (scanner->leaf == GADGET_MARKDOWN_LEAF_TABLE)
        return GADGET_MARKDOWN_RESUME_TABLE;
      break;
    default:
      break;
    }
  scanner->leaf = GADGET_MARKDOWN_LEAF_TEXT;
  return GADGET_MARKDOWN_RESUME_TEXT;
}

GadgetMarkdownResume
_gadget_markdown_resume (GadgetMarkdownScanner *scanner, const char *text, gsize start,
                         gsize context)
{
  gsize line;

  gadget_markdown_scanner_init (scanner, text);
  if (context >= start || is_count (text, start, context))
    return GADGET_MARKDOWN_RESUME_FRESH;
  line = read_line (scanner, start, _gadget_markdown_skip_blank (text, start, context));
  if (scanner->depth == 0)
    return resume_leaf (scanner, start, line);
  while (line < start)
    line = read_line (scanner, start, line);
  return GADGET_MARKDOWN_RESUME_NESTED;
}

/* Returns the context behind a cut through an open block. */
static gsize
get_inner_context (const Walk *walk, gsize cut)
{
  const gsize context =
      is_count (walk->text, walk->start, walk->context) ? walk->start : walk->context;

  return cut - context > MAX_DISTANCE && walk->scanner.depth > 0 ? cut : context;
}

/* Returns the context behind a cut between the items of a list. */
static gsize
get_list_context (const Walk *walk, gsize cut)
{
  gsize at = walk->context;

  if (is_count (walk->text, walk->start, at))
    return at;
  at = _gadget_markdown_skip_blank (walk->text, cut, at);
  while (at < cut && gadget_markdown_is_space (walk->text[at]))
    at++;
  while (at < cut && g_ascii_isdigit (walk->text[at]))
    at++;
  return is_count (walk->text, cut, at) ? at : cut;
}

/* Returns where to cut a long line: after a space, or else between two characters. */
static gsize
cut_line (const Walk *walk)
{
  const char *begin = walk->text + walk->line;
  const char *cut = memrchr (begin + 1, ' ', BYTES - 1);

  if (cut != NULL)
    return (gsize) (cut - walk->text) + 1;
  cut = begin + BYTES;
  while (cut > begin + BYTES - 4 && (*cut & 0xc0) == 0x80)
    cut--;
  return (gsize) (cut - walk->text);
}

/* Tells whether the line, which is not complete, begins a new block whatever follows. */
static gboolean
begins_anyway (const Walk *walk)
{
  const GadgetMarkdownScanner *scanner = &walk->scanner;
  const char *at =
      gadget_markdown_line_skip_spaces (walk->text + walk->line, walk->text + walk->end);

  if (!walk->filled || at == walk->text + walk->end)
    return FALSE;
  if (scanner->depth == 0 && scanner->leaf == GADGET_MARKDOWN_LEAF_NONE)
    return TRUE;
  if (at > walk->text + walk->line || strchr ("-+*>0123456789", *at) != NULL)
    return FALSE;
  if (scanner->depth == 0)
    return scanner->leaf == GADGET_MARKDOWN_LEAF_INDENTED;
  return scanner->leaf != GADGET_MARKDOWN_LEAF_TEXT && scanner->leaf != GADGET_MARKDOWN_LEAF_TABLE;
}

/* Keeps a fence together with its first line of code, which may be cut itself: without that line it
 * would be shown as an empty block. */
static gboolean
is_first_of_code (const Walk *walk)
{
  const GadgetMarkdownScanner *scanner = &walk->scanner;

  return scanner->leaf == GADGET_MARKDOWN_LEAF_FENCED && scanner->n_lines == 2
         && scanner->leaf_begin >= walk->start && walk->line - walk->start < MAX_FENCE;
}

/* Tells whether the line, which continues the segment's block, makes it too large. @depth and @leaf
 * are the state before the line; sets @context. */
static gboolean
is_too_much (Walk *walk, guint depth, GadgetMarkdownLeafState leaf, gsize *context)
{
  const GadgetMarkdownScanner *scanner = &walk->scanner;
  const gsize size = MIN (walk->end, walk->line + BYTES) - walk->start;

  *context = get_inner_context (walk, walk->line);
  if (depth > 0)
    {
      const gboolean item = scanner->began && scanner->sibling && scanner->kept == 0;
      const gboolean part =
          scanner->began && scanner->kept == 1 && scanner->containers[0].marker == '>';

      if ((item || part) && (size > BYTES || walk->resume == GADGET_MARKDOWN_RESUME_NESTED))
        {
          *context = item ? get_list_context (walk, walk->line) : walk->line;
          return TRUE;
        }
      /* The next segment would have nothing of the code but its closing fence. */
      if (leaf == GADGET_MARKDOWN_LEAF_FENCED && scanner->leaf == GADGET_MARKDOWN_LEAF_NONE
          && !scanner->began && walk->end - walk->line < MAX_FENCE)
        return FALSE;
      return size > NESTED_BYTES;
    }
  switch (leaf)
    {
    case GADGET_MARKDOWN_LEAF_FENCED:
    case GADGET_MARKDOWN_LEAF_INDENTED:
      if (scanner->leaf == GADGET_MARKDOWN_LEAF_NONE || is_first_of_code (walk))
        return FALSE;
      return size > GADGET_CHUNK_GOAL || walk->n_lines >= GADGET_CHUNK_LINES;
    case GADGET_MARKDOWN_LEAF_TABLE:
      return size > TABLE_BYTES;
    case GADGET_MARKDOWN_LEAF_NONE: /* only blank lines */
      *context = walk->line;
      return size > BYTES;
    default:
      return size > BYTES;
    }
}

/* Takes one line. Returns whether the segment ends before it, or in it. */
static gboolean
read_next_line (Walk *walk, gsize *end, gsize *context)
{
  const guint depth = walk->scanner.depth;
  const GadgetMarkdownLeafState leaf = walk->scanner.leaf;
  const gboolean is_long = walk->end - walk->line >= BYTES;

  gadget_markdown_scanner_read_line (&walk->scanner, walk->line,
                                     MIN (walk->end, walk->line + BYTES));
  *end = walk->line;
  if (walk->filled)
    {
      if (walk->scanner.began && walk->scanner.kept == 0 && !walk->scanner.sibling)
        {
          *context = walk->line;
          return TRUE;
        }
      if (walk->line > walk->start && is_too_much (walk, depth, leaf, context))
        return TRUE;
    }
  else if (walk->scanner.blank && walk->end - walk->start > BYTES && walk->line > walk->start)
    {
      *context = walk->line;
      return TRUE;
    }
  walk->filled = walk->filled || !walk->scanner.blank;
  if (!is_long)
    return FALSE;
  *end = cut_line (walk);
  *context = get_inner_context (walk, *end);
  return TRUE;
}

gsize
gadget_markdown_segment_end (const char *text, gsize length, gsize start, gsize context,
                             gsize *next_context)
{
  Walk walk = { .text = text, .length = length, .start = start, .context = context };
  gsize end;

  g_return_val_if_fail (start <= length && context <= start, length);

  walk.resume = _gadget_markdown_resume (&walk.scanner, text, start, context);
  walk.filled = walk.resume != GADGET_MARKDOWN_RESUME_FRESH;
  walk.line = start;
  if (walk.filled && gadget_markdown_is_inside_line (text, start))
    {
      walk.end = gadget_markdown_find_line (text, MIN (length, start + BYTES), start, &walk.next);
      if (walk.end - start >= BYTES)
        {
          end = cut_line (&walk);
          *next_context = get_inner_context (&walk, end);
          return end;
        }
      walk.line = walk.next;
    }
  for (; walk.line < length; walk.line = walk.next, walk.n_lines++)
    {
      const gsize reach = MIN (length, walk.line + BYTES + 1);

      walk.end = gadget_markdown_find_line (text, reach, walk.line, &walk.next);
      if (walk.next == walk.end && walk.end - walk.line < BYTES)
        {
          if (!begins_anyway (&walk))
            break;
          *next_context = walk.line;
          return walk.line;
        }
      if (read_next_line (&walk, &end, next_context))
        return end;
    }
  *next_context = length;
  return length;
}
