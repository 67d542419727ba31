/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-tag.h"

#include <string.h>

/* In bytes; a longer tag is shown as it is. */
#define MAX_TAG 200

static const GadgetMarkdownTagName names[] = {
  { "b", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_STRONG },
  { "br", GADGET_MARKDOWN_TAG_BREAK, GADGET_MARKDOWN_SPAN_BREAK },
  { "code", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_CODE },
  { "del", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_STRIKE },
  { "details", GADGET_MARKDOWN_TAG_BLOCK, GADGET_MARKDOWN_SPAN_HTML },
  { "em", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_EMPHASIS },
  { "i", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_EMPHASIS },
  { "ins", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_UNDERLINE },
  { "kbd", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_CODE },
  { "mark", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_HIGHLIGHT },
  { "s", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_STRIKE },
  { "strike", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_STRIKE },
  { "strong", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_STRONG },
  { "sub", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_SUBSCRIPT },
  { "summary", GADGET_MARKDOWN_TAG_TITLE, GADGET_MARKDOWN_SPAN_STRONG },
  { "sup", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_SUPERSCRIPT },
  { "u", GADGET_MARKDOWN_TAG_SPAN, GADGET_MARKDOWN_SPAN_UNDERLINE },
};

/* Returns the position behind the letters and digits of a name. */
static const char *
skip_name (const char *at, const char *end)
{
  while (at < end && g_ascii_isalnum (*at))
    at++;
  return at;
}

static const GadgetMarkdownTagName *
find_name (const char *at, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i].name) == length && g_ascii_strncasecmp (names[i].name, at, length) == 0)
      return &names[i];
  return NULL;
}

/* Tells whether there are only printable ASCII characters, and no line break. */
static gboolean
is_plain (const char *at, const char *end)
{
  for (; at < end; at++)
    if ((guchar) *at < ' ' || (guchar) *at >= 0x7f)
      return FALSE;
  return TRUE;
}

const GadgetMarkdownTagName *
gadget_markdown_tag_find (const char *at, const char *end, gboolean *closing)
{
  const GadgetMarkdownTagName *name;
  const char *behind;

  if (end - at < 3 || end - at > MAX_TAG || *at != '<' || end[-1] != '>' || !is_plain (at, end))
    return NULL;
  *closing = at[1] == '/';
  at += *closing ? 2 : 1;
  behind = skip_name (at, end);
  name = find_name (at, (gsize) (behind - at));
  if (name == NULL || (*closing && name->role == GADGET_MARKDOWN_TAG_BREAK)
      || strchr (" />", *behind) == NULL)
    return NULL;
  return name;
}

gboolean
gadget_markdown_tag_may_be (const char *at, const char *end)
{
  const char *name = at + 1;
  const char *behind;

  if (end - at > MAX_TAG || !is_plain (at, end))
    return FALSE;
  if (name < end && *name == '/')
    name++;
  behind = skip_name (name, end);
  if (behind < end)
    return strchr (" /", *behind) != NULL && find_name (name, (gsize) (behind - name)) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strncasecmp (names[i].name, name, (gsize) (end - name)) == 0)
      return TRUE;
  return FALSE;
}
