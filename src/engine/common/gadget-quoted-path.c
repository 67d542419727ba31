/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-quoted-path"

#include "config.h"

#include "gadget-quoted-path.h"

#include <string.h>

static gboolean
needs_quotes (const char *part)
{
  if (*part == '"' || !g_utf8_validate (part, -1, NULL))
    return TRUE;
  for (const char *c = part; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return TRUE;
  return FALSE;
}

static void
append_quoted (GString *text, const char *part)
{
  g_string_append_c (text, '"');
  for (const char *c = part; *c != '\0';)
    {
      const gunichar letter = g_utf8_get_char_validated (c, -1);

      if (*c == '"' || *c == '\\')
        g_string_append_printf (text, "\\%c", *c++);
      else if (*c == '\n' || *c == '\t')
        g_string_append (text, *c++ == '\n' ? "\\n" : "\\t");
      else if (g_ascii_iscntrl (*c) || letter == (gunichar) -1 || letter == (gunichar) -2)
        g_string_append_printf (text, "\\%03o", (guint) (guchar) *c++);
      else
        {
          g_string_append_unichar (text, letter);
          c = g_utf8_next_char (c);
        }
    }
  g_string_append_c (text, '"');
}

char *
gadget_quoted_path_dup (const char *path)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (path != NULL, NULL);

  parts = g_strsplit (path, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (text, '/');
      if (needs_quotes (parts[i]))
        append_quoted (text, parts[i]);
      else
        g_string_append (text, parts[i]);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Decodes the escape that begins with the backslash at @at, and sets @end to its last character.
 * Returns the byte, or 0 for an invalid escape. */
static guchar
parse_escape (const char *at, const char **end)
{
  guint value = 0;

  *end = at + 1;
  switch (at[1])
    {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '"':
    case '\\':
      return (guchar) at[1];
    default:
      break;
    }
  for (guint i = 1; i <= 3; i++)
    {
      if (at[i] < '0' || at[i] > '7')
        return 0;
      value = value * 8 + (guint) (at[i] - '0');
    }
  *end = at + 3;
  return value <= G_MAXUINT8 ? (guchar) value : 0;
}

/* (transfer full) (nullable): the name that PART quotes; NULL when PART is not a valid quoted
 * name. */
static char *
parse_part (const char *part)
{
  const gsize length = strlen (part);
  const char *last = part + length - 1;
  g_autoptr (GString) name = g_string_new (NULL);

  if (length < 3 || *part != '"' || *last != '"')
    return NULL;
  for (const char *c = part + 1; c < last; c++)
    {
      const char *end = c;
      const guchar byte = *c == '\\' ? parse_escape (c, &end) : (guchar) *c;

      if (byte == 0 || byte == '/' || (*c == '"') || end >= last)
        return NULL;
      g_string_append_c (name, (char) byte);
      c = end;
    }
  /* gadget_quoted_path_dup () never quotes a name that needs no quotation marks. */
  return needs_quotes (name->str) ? g_string_free_and_steal (g_steal_pointer (&name)) : NULL;
}

char *
gadget_quoted_path_parse (const char *quoted)
{
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (quoted != NULL, NULL);

  parts = g_strsplit (quoted, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *name = parse_part (parts[i]);

      if (name == NULL)
        continue;
      g_free (parts[i]);
      parts[i] = name;
    }
  return g_strjoinv ("/", parts);
}
