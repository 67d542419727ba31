/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recognizes what one line of Markdown can be. Everything here is a pure function of the line. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-line.h"

#include <string.h>

const char *
gadget_markdown_line_skip_spaces (const char *at, const char *end)
{
  while (at < end && gadget_markdown_is_space (*at))
    at++;
  return at;
}

const char *
gadget_markdown_line_skip_indent (const char *line, const char *end, guint *indent)
{
  for (*indent = 0; line < end && gadget_markdown_is_space (*line); line++)
    *indent = gadget_markdown_line_get_next_column (*indent, *line);
  return line;
}

const char *
gadget_markdown_line_skip_run (const char *at, const char *end, char c)
{
  while (at < end && *at == c)
    at++;
  return at;
}

static const char *
trim_end (const char *at, const char *end)
{
  while (end > at && gadget_markdown_is_space (end[-1]))
    end--;
  return end;
}

gboolean
gadget_markdown_line_is_rule (const char *at, const char *end)
{
  guint n = 0;
  char mark;

  if (at == end || (*at != '-' && *at != '_' && *at != '*'))
    return FALSE;
  mark = *at;
  for (; at < end; at++)
    {
      if (*at == mark)
        n++;
      else if (!gadget_markdown_is_space (*at))
        return FALSE;
    }
  return n >= 3;
}

gboolean
gadget_markdown_line_is_heading (const char *at, const char *end)
{
  const char *behind = gadget_markdown_line_skip_run (at, end, '#');

  return behind > at && behind - at <= 6 && (behind == end || gadget_markdown_is_space (*behind));
}

gboolean
gadget_markdown_line_is_underline (const char *at, const char *end)
{
  if (at == end || (*at != '=' && *at != '-'))
    return FALSE;
  return gadget_markdown_line_skip_spaces (gadget_markdown_line_skip_run (at, end, *at), end)
         == end;
}

guint
gadget_markdown_line_get_columns (const char *at, const char *end)
{
  gboolean piped = FALSE;
  guint n = 0;

  end = trim_end (at, end);
  if (at < end && *at == '|')
    {
      piped = TRUE;
      at = gadget_markdown_line_skip_spaces (at + 1, end);
    }
  while (at < end)
    {
      const char *dashes;

      if (*at == ':')
        at++;
      dashes = at;
      at = gadget_markdown_line_skip_run (at, end, '-');
      if (at == dashes)
        return 0;
      if (at < end && *at == ':')
        at++;
      n++;
      at = gadget_markdown_line_skip_spaces (at, end);
      if (at == end)
        break;
      if (*at != '|')
        return 0;
      piped = TRUE;
      at = gadget_markdown_line_skip_spaces (at + 1, end);
    }
  return piped ? n : 0;
}

const char *
gadget_markdown_line_find_pipe (const char *at, const char *end)
{
  for (; at < end; at++)
    {
      if (*at == '|')
        return at;
      if (*at == '\\')
        at++;
    }
  return NULL;
}

guint
gadget_markdown_line_count_cells (const char *at, const char *end)
{
  guint n = 1;

  at = gadget_markdown_line_skip_spaces (at, end);
  end = trim_end (at, end);
  if (at < end && *at == '|')
    at++;
  /* A pipe at the end ends the last cell and begins none. */
  for (at = gadget_markdown_line_find_pipe (at, end); at != NULL && at + 1 < end;
       at = gadget_markdown_line_find_pipe (at + 1, end))
    n++;
  return n;
}

guint
gadget_markdown_line_get_fence (const char *at, const char *end)
{
  const char *behind;

  if (at == end || (*at != '`' && *at != '~'))
    return 0;
  behind = gadget_markdown_line_skip_run (at, end, *at);
  if (behind - at < 3)
    return 0;
  if (*at == '`' && memchr (behind, '`', (gsize) (end - behind)) != NULL)
    return 0;
  return (guint) (behind - at);
}

gboolean
gadget_markdown_line_closes_fence (const char *at, const char *end, char mark, guint length)
{
  const char *behind = gadget_markdown_line_skip_run (at, end, mark);

  return (guint) (behind - at) >= length && gadget_markdown_line_skip_spaces (behind, end) == end;
}

gboolean
gadget_markdown_line_get_marker (const char *at, const char *end, GadgetMarkdownMarker *marker)
{
  const char *begin = at;
  guint number = 0;

  if (at == end)
    return FALSE;
  if (*at == '-' || *at == '+' || *at == '*')
    marker->character = *at++;
  else
    {
      while (at < end && g_ascii_isdigit (*at) && at - begin < 9)
        number = number * 10 + (guint) (*at++ - '0');
      if (at == begin || at == end || (*at != '.' && *at != ')'))
        return FALSE;
      marker->character = *at++;
    }
  if (at < end && !gadget_markdown_is_space (*at))
    return FALSE;
  marker->number = number;
  marker->length = (guint) (at - begin);
  return TRUE;
}

char
gadget_markdown_line_get_math (const char *at, const char *end, gboolean *closed)
{
  char mark;

  *closed = FALSE;
  end = trim_end (at, end);
  if (end - at < 2)
    return 0;
  if (at[0] == '$' && at[1] == '$')
    mark = '$';
  else if (at[0] == '\\' && at[1] == '[')
    mark = ']';
  else
    return 0;
  if (end - at == 2)
    return mark;
  *closed = end - at > 4 && gadget_markdown_line_ends_math (at + 2, end, mark);
  /* "$$a$$ and $$b$$" is text with two formulas. */
  if (*closed && mark == '$')
    *closed = memmem (at + 2, (gsize) (end - at - 4), "$$", 2) == NULL;
  if (*closed && mark == ']')
    *closed = memmem (at + 2, (gsize) (end - at - 4), "\\]", 2) == NULL;
  return *closed ? mark : 0;
}

gboolean
gadget_markdown_line_ends_math (const char *at, const char *end, char mark)
{
  end = trim_end (at, end);
  return end - at >= 2 && end[-1] == mark && end[-2] == (mark == '$' ? '$' : '\\');
}
