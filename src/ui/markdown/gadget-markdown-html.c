/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The beginnings and ends of HTML blocks (CommonMark 0.31.2, section 4.6). Their contents are shown
 * as they were written. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-line.h"

#include <string.h>

/* The tags of BLOCK, sorted. */
static const char *const block_names[] = {
  "address",  "article",  "aside",    "base",       "basefont", "blockquote", "body",   "caption",
  "center",   "col",      "colgroup", "dd",         "details",  "dialog",     "dir",    "div",
  "dl",       "dt",       "fieldset", "figcaption", "figure",   "footer",     "form",   "frame",
  "frameset", "h1",       "h2",       "h3",         "h4",       "h5",         "h6",     "head",
  "header",   "hr",       "html",     "iframe",     "legend",   "li",         "link",   "main",
  "menu",     "menuitem", "nav",      "noframes",   "ol",       "optgroup",   "option", "p",
  "param",    "search",   "section",  "summary",    "table",    "tbody",      "td",     "tfoot",
  "th",       "thead",    "title",    "tr",         "track",    "ul"
};

/* The tags of RAW. */
static const char *const raw_names[] = { "pre", "script", "style", "textarea" };

static gsize
get_name_length (const char *at, const char *end)
{
  const char *p = at;

  if (p == end || !g_ascii_isalpha (*p))
    return 0;
  while (p < end && (g_ascii_isalnum (*p) || *p == '-'))
    p++;
  return (gsize) (p - at);
}

static gboolean
is_one_of (const char *name, gsize length, const char *const *names, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (strlen (names[i]) == length && g_ascii_strncasecmp (names[i], name, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_attribute_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == ':' || c == '.' || c == '-';
}

/* Returns the position behind the value of an attribute, or NULL. */
static const char *
skip_value (const char *at, const char *end)
{
  const char *begin;

  at = gadget_markdown_line_skip_spaces (at, end);
  if (at == end)
    return NULL;
  if (*at == '"' || *at == '\'')
    {
      const char *close = memchr (at + 1, *at, (gsize) (end - at - 1));

      return close != NULL ? close + 1 : NULL;
    }
  begin = at;
  while (at < end && strchr (" \t\"'=<>`", *at) == NULL)
    at++;
  return at > begin ? at : NULL;
}

/* Returns the position behind the attributes of an opening tag, at its "/" or ">"; NULL when they
 * are malformed. */
static const char *
skip_attributes (const char *at, const char *end)
{
  for (;;)
    {
      const char *name = gadget_markdown_line_skip_spaces (at, end);
      const char *behind;

      if (name == end || *name == '>' || *name == '/')
        return name;
      if (name == at || !(g_ascii_isalpha (*name) || *name == '_' || *name == ':'))
        return NULL;
      at = name;
      while (at < end && is_attribute_char (*at))
        at++;
      behind = gadget_markdown_line_skip_spaces (at, end);
      if (behind < end && *behind == '=')
        {
          at = skip_value (behind + 1, end);
          if (at == NULL)
            return NULL;
        }
    }
}

/* Tells whether the line is one complete tag, opening or closing, and nothing else. */
static gboolean
is_lone_tag (const char *at, const char *end, gboolean closing)
{
  at += get_name_length (at, end);
  if (closing)
    at = gadget_markdown_line_skip_spaces (at, end);
  else
    {
      at = skip_attributes (at, end);
      if (at != NULL && at < end && *at == '/')
        at++;
    }
  return at != NULL && at < end && *at == '>'
         && gadget_markdown_line_skip_spaces (at + 1, end) == end;
}

static gboolean
starts_with (const char *at, const char *end, const char *what)
{
  const gsize length = strlen (what);

  return (gsize) (end - at) >= length && memcmp (at, what, length) == 0;
}

GadgetMarkdownHtmlKind
gadget_markdown_line_get_html (const char *at, const char *end)
{
  gboolean closing;
  const char *name;
  gsize length;

  if (end - at < 2 || *at != '<')
    return GADGET_MARKDOWN_HTML_NONE;
  if (starts_with (at, end, "<!--"))
    return GADGET_MARKDOWN_HTML_COMMENT;
  if (at[1] == '?')
    return GADGET_MARKDOWN_HTML_INSTRUCTION;
  if (at[1] == '!' && end - at > 2 && g_ascii_isalpha (at[2]))
    return GADGET_MARKDOWN_HTML_DECLARATION;
  if (starts_with (at, end, "<![CDATA["))
    return GADGET_MARKDOWN_HTML_CDATA;

  closing = at[1] == '/';
  name = at + (closing ? 2 : 1);
  length = get_name_length (name, end);
  if (length == 0)
    return GADGET_MARKDOWN_HTML_NONE;
  at = name + length;
  if (is_one_of (name, length, raw_names, G_N_ELEMENTS (raw_names)))
    return !closing && (at == end || gadget_markdown_is_space (*at) || *at == '>')
               ? GADGET_MARKDOWN_HTML_RAW
               : GADGET_MARKDOWN_HTML_NONE;
  if (is_one_of (name, length, block_names, G_N_ELEMENTS (block_names))
      && (at == end || gadget_markdown_is_space (*at) || *at == '>' || starts_with (at, end, "/>")))
    return GADGET_MARKDOWN_HTML_BLOCK;
  return is_lone_tag (name, end, closing) ? GADGET_MARKDOWN_HTML_LONE_TAG
                                          : GADGET_MARKDOWN_HTML_NONE;
}

static gboolean
contains (const char *at, const char *end, const char *what)
{
  return memmem (at, (gsize) (end - at), what, strlen (what)) != NULL;
}

static gboolean
ends_raw (const char *at, const char *end)
{
  while ((at = memmem (at, (gsize) (end - at), "</", 2)) != NULL)
    {
      gsize length;

      at += 2;
      length = get_name_length (at, end);
      if (at + length < end && at[length] == '>'
          && is_one_of (at, length, raw_names, G_N_ELEMENTS (raw_names)))
        return TRUE;
    }
  return FALSE;
}

gboolean
gadget_markdown_line_ends_html (const char *at, const char *end, GadgetMarkdownHtmlKind kind)
{
  switch (kind)
    {
    case GADGET_MARKDOWN_HTML_RAW:
      return ends_raw (at, end);
    case GADGET_MARKDOWN_HTML_COMMENT:
      return contains (at, end, "-->");
    case GADGET_MARKDOWN_HTML_INSTRUCTION:
      return contains (at, end, "?>");
    case GADGET_MARKDOWN_HTML_DECLARATION:
      return contains (at, end, ">");
    case GADGET_MARKDOWN_HTML_CDATA:
      return contains (at, end, "]]>");
    case GADGET_MARKDOWN_HTML_BLOCK:
    case GADGET_MARKDOWN_HTML_LONE_TAG:
    case GADGET_MARKDOWN_HTML_NONE:
    default:
      return gadget_markdown_line_skip_spaces (at, end) == end;
    }
}
