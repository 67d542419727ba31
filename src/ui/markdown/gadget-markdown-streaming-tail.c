/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of a streaming text, shown so that nothing changes its form twice while it arrives.
 *
 * A last line is held back as long as it could be several things:
 *   "-", "*", "+", "=", "_"  a list, a rule, the underline of a heading, emphasis;
 *   "12", "12."              a number or a list;
 *   "#", ">"                 a heading or a word; a quote of something;
 *   "```", "~~~"             code, until the line is complete; within code, the fence that ends it;
 *   "| -", ":-"              the second line of a table, until it is complete;
 *   "[label]: "              a definition, until the line is complete; "[label" at the beginning of
 *                            a paragraph, which may become one;
 *   "<di"                    a tag whose name is not complete; also a complete known tag that
 *                            begins a paragraph or is a block of HTML;
 *   "$$", "\["               a formula on lines of its own.
 * Text whose form is decided is shown in the form that it has when it is finished;
 * gadget-markdown-source.c closes what is open in it:
 *   - a formula on lines of its own, the rows of a table, and code have their form from their first
 *     line on;
 *   - "**bold", "*emphasis", "_emphasis", "~~strike" and "`code" have theirs from the mark on, and
 *     the mark is not shown; if they are never closed, they turn into what was written when their
 *     paragraph ends. Marks at the very end may be halves of longer ones, and are held back;
 *   - a single "~" and "$" is text until it is closed, since most of them are no marks;
 *   - "[text]" is text until the address behind it is complete; the address is held back;
 *   - addresses and tags are text until the character behind them has arrived; but known tags
 *     (gadget-markdown-tag.h) are held back until they are complete, and are marks then;
 *   - the header of a table is a paragraph until the line below it is complete. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-streaming-tail.h"

#include "gadget-markdown-definition.h"
#include "gadget-markdown-tag.h"

#include <string.h>

/* In bytes; a longer beginning of a definition is shown. */
#define MAX_LABEL 200
#define MAX_DEFINITION 1000

static gboolean
consists_of (const char *at, const char *end, const char *characters)
{
  for (; at < end; at++)
    if (*at == '\0' || strchr (characters, *at) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_number (const char *at, const char *end)
{
  const char *p = at;

  while (p < end && p - at < 9 && g_ascii_isdigit (*p))
    p++;
  if (p > at && p < end && (*p == '.' || *p == ')'))
    p++;
  return p > at && gadget_markdown_line_skip_spaces (p, end) == end;
}

static gboolean
may_be_fence (const char *at, const char *end)
{
  if (end - at < 3)
    return consists_of (at, end, "`") || consists_of (at, end, "~");
  return gadget_markdown_line_get_fence (at, end) > 0;
}

static gboolean
may_be_tag (const char *at, const char *end)
{
  const char *close;
  gboolean closing;

  if (*at != '<')
    return FALSE;
  close = memchr (at, '>', (gsize) (end - at));
  if (close != NULL)
    return gadget_markdown_line_skip_spaces (close + 1, end) == end
           && gadget_markdown_tag_find (at, close + 1, &closing) != NULL;
  if (gadget_markdown_tag_may_be (at, end))
    return TRUE;
  at++;
  if (at < end && (*at == '/' || *at == '!' || *at == '?'))
    at++;
  while (at < end && (g_ascii_isalnum (*at) || *at == '-' || *at == '['))
    at++;
  return at == end;
}

/* Tells whether the label that begins at @at has not ended yet. */
static gboolean
is_open_label (const char *at, const char *end)
{
  if (end - at > MAX_LABEL)
    return FALSE;
  for (at++; at < end; at++)
    {
      if (*at == '[' || *at == ']')
        return FALSE;
      if (*at == '\\')
        at++;
    }
  return TRUE;
}

/* Tells whether a line may begin a definition or, with @begins FALSE, continue one. */
static gboolean
may_be_definition (const char *at, const char *end, gboolean begins)
{
  const char *behind;

  if (!begins && (*at == '"' || *at == '\'' || *at == '('))
    return end - at < MAX_DEFINITION;
  if (*at != '[' || (at + 1 < end && at[1] == '^'))
    return FALSE;
  behind = gadget_markdown_skip_label (at, end);
  if (behind == NULL)
    return is_open_label (at, end);
  return behind == end || (*behind == ':' && end - at < MAX_DEFINITION);
}

static gboolean
may_be_math (const char *at, const char *end)
{
  return end - at <= 2
         && (memcmp (at, "$$", (gsize) (end - at)) == 0
             || memcmp (at, "\\[", (gsize) (end - at)) == 0);
}

/* Tells whether the incomplete line up to @end can still become several things. @before is the
 * state before the line, @after the state behind it. */
static gboolean
is_undecided (const GadgetMarkdownScanner *before, const GadgetMarkdownScanner *after, gsize line,
              const char *at, const char *end)
{
  const gboolean begins = after->began;

  at = gadget_markdown_line_skip_spaces (at, end);
  if (at == end || consists_of (at, end, "-*_+= \t") || is_number (at, end)
      || may_be_fence (at, end) || may_be_tag (at, end))
    return TRUE;
  if (consists_of (at, end, "# \t") && end - at <= 6)
    return TRUE;
  if (before->leaf == GADGET_MARKDOWN_LEAF_TEXT && before->n_lines == 1 && !begins
      && consists_of (at, end, "|:- \t"))
    return TRUE;
  if (before->leaf == GADGET_MARKDOWN_LEAF_TABLE && consists_of (at, end, "| \t"))
    return TRUE;
  if (after->depth == 0 && may_be_math (at, end))
    return TRUE;
  if (!begins
      && !gadget_markdown_definitions_fill (before->text + before->content_begin,
                                            line - before->content_begin))
    return FALSE;
  return may_be_definition (at, end, begins);
}

gsize
_gadget_markdown_streaming_tail_hold (const GadgetMarkdownScanner *begin, gsize start, gsize end)
{
  const char *text = begin->text;
  GadgetMarkdownScanner before = *begin;
  GadgetMarkdownScanner after;
  const gsize line = gadget_markdown_scanner_read_lines (&before, start, end);
  const char *at;

  if (line == end)
    return end;
  after = before;
  gadget_markdown_scanner_read_line (&after, line, end);
  at = gadget_markdown_line_skip_spaces (text + after.content, text + end);
  switch (before.leaf)
    {
    case GADGET_MARKDOWN_LEAF_FENCED:
      if (!after.began)
        return consists_of (at, text + end, (const char[]) { before.closing_char, ' ', '\t', '\0' })
                   ? line
                   : end;
      break;
    case GADGET_MARKDOWN_LEAF_HTML:
    case GADGET_MARKDOWN_LEAF_MATH:
      if (!after.began)
        return end;
      break;
    case GADGET_MARKDOWN_LEAF_INDENTED:
      if (after.leaf == GADGET_MARKDOWN_LEAF_INDENTED && !after.began)
        return end;
      break;
    default:
      break;
    }
  /* "-     -" is an item with code, or half of a rule. */
  if (after.leaf == GADGET_MARKDOWN_LEAF_INDENTED && after.began)
    return after.depth > before.depth && consists_of (text + line, text + end, "-*_> \t") ? line
                                                                                          : end;
  return is_undecided (&before, &after, line, at, text + end) ? line : end;
}
