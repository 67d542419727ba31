/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes the text of a formula: spaces, superscripts, subscripts and alphabets. */

#define G_LOG_DOMAIN "gadget-tex"

#include "config.h"

#include "gadget-tex-private.h"

#include <string.h>

static gboolean
is_opening (gunichar c)
{
  return c == '(' || c == '[' || c == '{' || c == 0x27e8 || c == 0x230a || c == 0x2308;
}

gboolean
_gadget_tex_is_closing (gunichar c)
{
  return c == ')' || c == ']' || c == '}' || c == 0x27e9 || c == 0x230b || c == 0x2309;
}

void
_gadget_tex_trim_end (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
}

void
_gadget_tex_add_space (GString *out)
{
  const gunichar last = _gadget_tex_get_last (out);

  if (last != 0 && last != ' ' && last != '\n' && !is_opening (last))
    g_string_append_c (out, ' ');
}

gunichar
_gadget_tex_get_last (const GString *out)
{
  if (out->len == 0)
    return 0;
  return g_utf8_get_char (g_utf8_prev_char (out->str + out->len));
}

/* Tells whether @text needs no parentheses: it is one character, a number or a name. */
gboolean
_gadget_tex_is_simple (const char *text)
{
  const glong n = g_utf8_strlen (text, -1);

  if (n <= 1)
    return TRUE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isalnum (c) && !g_unichar_ismark (c) && c != '.'
          && !(c >= 0x2070 && c < 0x20a0) && c != 0xb2 && c != 0xb3 && c != 0xb9)
        return FALSE;
    }
  return TRUE;
}

gboolean
_gadget_tex_is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

void
_gadget_tex_add_grouped (GString *out, const char *text)
{
  g_string_append_printf (out, _gadget_tex_is_simple (text) ? "%s" : "(%s)", text);
}

/* Tells whether spaces separate words, and are not only around operators. */
static gboolean
has_words (const char *text)
{
  for (const char *p = text; (p = strchr (p, ' ')) != NULL; p++)
    if (p > text && g_ascii_isalpha (p[-1]) && g_ascii_isalpha (p[1])
        && ((p > text + 1 && g_ascii_isalpha (p[-2])) || g_ascii_isalpha (p[2])))
      return TRUE;
  return FALSE;
}

/* Appends @text in superscript or subscript characters. Returns FALSE, without appending anything,
 * when Unicode does not have them all. */
gboolean
_gadget_tex_add_script_characters (GString *out, const char *text, gboolean raised)
{
  g_autoptr (GString) script = g_string_new (NULL);

  if (has_words (text))
    return FALSE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar plain = g_utf8_get_char (p);
      const gunichar c = plain == ' ' ? 0
                         : raised     ? gadget_tex_get_superscript (plain)
                                      : gadget_tex_get_subscript (plain);

      if (plain == ' ')
        continue;
      if (c == 0)
        return FALSE;
      g_string_append_unichar (script, c);
    }
  g_string_append_len (out, script->str, (gssize) script->len);
  return TRUE;
}

static gboolean
is_operator (gunichar c)
{
  return g_unichar_type (c) == G_UNICODE_MATH_SYMBOL;
}

/* Returns the text without spaces around operators, so that a limit keeps together. (transfer
 * full) */
static char *
dup_dense (const char *text)
{
  GString *dense = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (*p != ' '
        || !(is_operator (_gadget_tex_get_last (dense)) || is_operator (g_utf8_get_char (p + 1))))
      g_string_append_unichar (dense, g_utf8_get_char (p));
  return g_string_free_and_steal (dense);
}

void
_gadget_tex_add_script (GString *out, const char *script, gboolean raised)
{
  g_autofree char *text = NULL;

  if (*script == '\0' || _gadget_tex_add_script_characters (out, script, raised))
    return;
  text = dup_dense (script);
  g_string_append_c (out, raised ? '^' : '_');
  /* Words in a subscript get no parentheses. */
  if (g_utf8_strlen (text, -1) > 1 && !_gadget_tex_is_number (text)
      && (raised || !g_str_is_ascii (text)))
    g_string_append_printf (out, "(%s)", text);
  else
    _gadget_tex_add_grouped (out, text);
}

void
_gadget_tex_add_letters (GString *out, const char *text, char alphabet)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = gadget_tex_get_letter (g_utf8_get_char (p), alphabet);

      g_string_append_unichar (out, c != 0 ? c : g_utf8_get_char (p));
    }
}
