/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-text-escapes"

#include "config.h"

#include "gadget-text-escapes.h"

#include <string.h>

/* --- Backslashes ------------------------------------------------------------------------------ */

/* Reads "\uXXXX"; returns its number, -1 if it is none. */
static int
parse_hex (const char *c)
{
  int code = 0;

  if (c[0] != '\\' || c[1] != 'u')
    return -1;
  for (guint i = 2; i < 6; i++)
    if (!g_ascii_isxdigit (c[i]))
      return -1;
    else
      code = code * 16 + g_ascii_xdigit_value (c[i]);
  return code;
}

/* Reads "\uXXXX", or two that are a pair; returns the bytes read, 0 if it is none. */
static gsize
parse_unicode (const char *c, gunichar *result)
{
  const int first = parse_hex (c);
  const int second = first >= 0xd800 && first <= 0xdbff ? parse_hex (c + 6) : -1;

  if (first < 0)
    return 0;
  *result = (gunichar) first;
  if (first < 0xd800 || first > 0xdfff)
    return 6;
  if (second < 0xdc00 || second > 0xdfff)
    return 0;
  *result = 0x10000 + (((gunichar) first - 0xd800) << 10) + ((gunichar) second - 0xdc00);
  return 12;
}

/* Appends what the escape at C stands for; returns its bytes, 0 if it is none. */
static gsize
append_escape (GString *text, const char *c)
{
  static const char escapes[] = "n\nt\tr\r\"\"\\\\//";
  gunichar code;
  gsize length;

  for (guint i = 0; escapes[i] != '\0'; i += 2)
    if (c[1] == escapes[i])
      {
        g_string_append_c (text, escapes[i + 1]);
        return 2;
      }
  length = c[1] == 'u' ? parse_unicode (c, &code) : 0;
  if (length > 0 && code >= ' ')
    g_string_append_unichar (text, code);
  return length > 0 && code >= ' ' ? length : 0;
}

char *
_gadget_text_undo_json (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *c = text; *c != '\0';)
    {
      const gsize length = *c == '\\' ? append_escape (plain, c) : 1;

      if (length == 0 || *c == '"' || *c == '\n')
        return NULL;
      if (*c != '\\')
        g_string_append_c (plain, *c);
      c += length;
    }
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

char *
_gadget_text_undo_json_surely (const char *text)
{
  for (const char *c = strchr (text, '\\'); c != NULL && c[1] != '\0'; c = strchr (c + 2, '\\'))
    if (strchr ("ntu\"", c[1]) != NULL)
      return _gadget_text_undo_json (text);
  return NULL;
}

char *
_gadget_text_undo_quotes (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  gboolean any = FALSE;

  for (const char *c = text; *c != '\0'; c++)
    if (c[0] == '\\' && c[1] == '\\' && c[2] == '"')
      return NULL;
    else if (c[0] == '"' && (c == text || c[-1] != '\\'))
      return NULL;
    else if (c[0] == '\\' && c[1] == '"')
      any = TRUE;
    else
      g_string_append_c (plain, *c);
  return any ? g_string_free_and_steal (g_steal_pointer (&plain)) : NULL;
}

char *
_gadget_text_undo_unicode (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  gboolean any = FALSE;
  gunichar code;

  for (const char *c = text; *c != '\0';)
    if (c[0] == '\\' && c[1] == 'u')
      {
        const gsize length = parse_unicode (c, &code);

        if (length == 0 || code < 0x80 || (c > text && c[-1] == '\\'))
          return NULL;
        g_string_append_unichar (plain, code);
        c += length;
        any = TRUE;
      }
    else if ((guchar) *c >= 0x80)
      return NULL;
    else
      g_string_append_c (plain, *c++);
  return any ? g_string_free_and_steal (g_steal_pointer (&plain)) : NULL;
}

/* --- HTML entities ---------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  char character;
} entities[] = {
  { "&amp;", '&' },   { "&lt;", '<' },   { "&gt;", '>' },    { "&quot;", '"' },
  { "&apos;", '\'' }, { "&#39;", '\'' }, { "&#x27;", '\'' }, { "&#34;", '"' },
};

static int
find_entity (const char *c)
{
  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    if (g_str_has_prefix (c, entities[i].name))
      return (int) i;
  return -1;
}

void
_gadget_text_collect_entities (const char *text, GString *escaped, GString *plain)
{
  for (const char *c = text; *c != '\0';)
    {
      const int i = *c == '&' ? find_entity (c) : -1;

      if (i >= 0)
        g_string_append_c (escaped, entities[i].character);
      else if (strchr ("&<>\"'", *c) != NULL)
        g_string_append_c (plain, *c);
      c += i >= 0 ? strlen (entities[i].name) : 1;
    }
}

char *
_gadget_text_undo_entities (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *c = text; *c != '\0';)
    {
      const int i = *c == '&' ? find_entity (c) : -1;

      g_string_append_c (plain, i >= 0 ? entities[i].character : *c);
      c += i >= 0 ? strlen (entities[i].name) : 1;
    }
  return g_string_free_and_steal (g_steal_pointer (&plain));
}
