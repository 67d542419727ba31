/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parser of one link reference definition. All functions work on bytes [at, end) and return the
 * position behind what they read, or NULL. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-definition.h"

#include "gadget-markdown-line.h"

#include <string.h>

#define MAX_LABEL 999
#define MAX_PARENTHESES 32

static const char *
skip_newline (const char *at, const char *end)
{
  if (at < end && *at == '\r')
    at++;
  else if (at < end && *at == '\n')
    return at + 1;
  return at < end && *at == '\n' ? at + 1 : at;
}

/* Skips white space with at most one line break. */
static const char *
skip_white (const char *at, const char *end)
{
  at = gadget_markdown_line_skip_spaces (at, end);
  if (at < end && gadget_markdown_is_newline (*at))
    at = gadget_markdown_line_skip_spaces (skip_newline (at, end), end);
  return at;
}

const char *
gadget_markdown_skip_label (const char *at, const char *end)
{
  const char *begin = ++at;
  gboolean filled = FALSE;

  for (; at < end && at - begin <= MAX_LABEL; at++)
    {
      if (*at == ']')
        return filled ? at + 1 : NULL;
      if (*at == '[')
        return NULL;
      if (*at == '\\' && at + 1 < end)
        at++;
      filled = filled || !g_ascii_isspace (*at);
    }
  return NULL;
}

static const char *
skip_angled (const char *at, const char *end)
{
  for (at++; at < end; at++)
    {
      if (*at == '>')
        return at + 1;
      if (*at == '<' || gadget_markdown_is_newline (*at))
        return NULL;
      if (*at == '\\' && at + 1 < end && !gadget_markdown_is_newline (at[1]))
        at++;
    }
  return NULL;
}

const char *
gadget_markdown_skip_destination (const char *at, const char *end)
{
  const char *begin = at;
  guint open = 0;

  if (at == end)
    return NULL;
  if (*at == '<')
    return skip_angled (at, end);
  for (; at < end && *at != ' ' && !g_ascii_iscntrl (*at); at++)
    {
      if (*at == '\\' && at + 1 < end && g_ascii_ispunct (at[1]))
        at++;
      else if (*at == '(' && ++open > MAX_PARENTHESES)
        return NULL;
      else if (*at == ')' && open-- == 0)
        return at > begin ? at : NULL;
    }
  return at > begin && open == 0 ? at : NULL;
}

const char *
gadget_markdown_skip_title (const char *at, const char *end)
{
  const char close = at < end && *at == '(' ? ')' : at < end ? *at : '\0';

  if (close != '"' && close != '\'' && close != ')')
    return NULL;
  for (at++; at < end; at++)
    {
      if (*at == close)
        return at + 1;
      if (*at == '(' && close == ')')
        return NULL;
      if (*at == '\\' && at + 1 < end && !gadget_markdown_is_newline (at[1]))
        at++;
      else if (gadget_markdown_is_newline (*at))
        {
          const char *next = gadget_markdown_line_skip_spaces (skip_newline (at, end), end);

          if (next == end || gadget_markdown_is_newline (*next))
            return NULL;
          at = next - 1;
        }
    }
  return NULL;
}

/* Returns the position behind the line break if only spaces are before it, else NULL. */
static const char *
finish_line (const char *at, const char *end)
{
  at = gadget_markdown_line_skip_spaces (at, end);
  if (at < end && !gadget_markdown_is_newline (*at))
    return NULL;
  return skip_newline (at, end);
}

gboolean
gadget_markdown_definition_read (const char *at, const char *end,
                                 GadgetMarkdownDefinition *definition)
{
  const char *title, *behind;

  if (at == end || *at != '[')
    return FALSE;
  definition->label = at + 1;
  at = gadget_markdown_skip_label (at, end);
  if (at == NULL || at == end || *at != ':')
    return FALSE;
  definition->label_length = (gsize) (at - 1 - definition->label);
  at = gadget_markdown_skip_destination (skip_white (at + 1, end), end);
  if (at == NULL)
    return FALSE;
  definition->end = finish_line (at, end);
  title = skip_white (at, end);
  if (title > at)
    {
      behind = gadget_markdown_skip_title (title, end);
      if (behind != NULL)
        behind = finish_line (behind, end);
      if (behind != NULL)
        definition->end = behind;
    }
  return definition->end != NULL;
}

gboolean
gadget_markdown_definitions_fill (const char *text, gsize length)
{
  const char *end = text + length;
  GadgetMarkdownDefinition definition;

  while (text < end)
    {
      text = gadget_markdown_line_skip_spaces (text, end);
      if (text == end)
        break;
      if (!gadget_markdown_definition_read (text, end, &definition))
        return FALSE;
      text = definition.end;
    }
  return TRUE;
}

char *
gadget_markdown_fold_label (const char *label, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (label, (gssize) length);
  g_autofree char *folded = g_utf8_casefold (valid, -1);
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (folded), " \t\r\n", -1);
  GString *joined = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] == '\0')
        continue;
      if (joined->len > 0)
        g_string_append_c (joined, ' ');
      g_string_append (joined, words[i]);
    }
  return g_string_free_and_steal (joined);
}
