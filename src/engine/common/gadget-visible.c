/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds and escapes characters that make a text look different from what it is: those that cannot
 * be seen, and those that reorder it. */

#define G_LOG_DOMAIN "gadget-visible"

#include "config.h"

#include "gadget-visible.h"

/* Characters that Unicode counts as letters or marks, but that draw nothing: fillers, joiners and
 * variation selectors. */
static gboolean
is_blank (gunichar c)
{
  return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x2800 || c == 0x3164 || c == 0xffa0
         || (c >= 0x17b4 && c <= 0x17b5) || (c >= 0x180b && c <= 0x180f)
         || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff);
}

static gboolean
is_visible (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
      return c == '\n' || c == '\t';
    case G_UNICODE_SPACE_SEPARATOR:
      return c == ' ';
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
      return FALSE;
    default:
      return !is_blank (c);
    }
}

/* Appends C as "\u202e", in the shortest of the three forms that fits. */
static void
append_escaped (GString *text, gunichar c)
{
  if (c < 0x80)
    g_string_append_printf (text, "\\x%02x", c);
  else
    g_string_append_printf (text, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
}

gboolean
gadget_visible_is_plain (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (!is_visible (g_utf8_get_char (p)))
      return FALSE;
  return TRUE;
}

/* @n_escaped: (nullable): set to the number of characters and bytes that were escaped. */
static char *
escape (const char *text, gboolean one_line, guint *n_escaped)
{
  GString *visible = g_string_new (NULL);
  guint n = 0;

  for (const char *p = text; *p != '\0';)
    {
      const gunichar c = g_utf8_get_char_validated (p, -1);

      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_printf (visible, "\\x%02x", (guint) (guchar) *p++);
          n++;
          continue;
        }
      if (is_visible (c) && !(one_line && c < 0x20))
        g_string_append_unichar (visible, c);
      else
        {
          append_escaped (visible, c);
          n++;
        }
      p = g_utf8_next_char (p);
    }
  if (n_escaped != NULL)
    *n_escaped = n;
  return g_string_free_and_steal (visible);
}

char *
gadget_visible_escape (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return escape (text, FALSE, NULL);
}

char *
gadget_visible_escape_line (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return escape (text, TRUE, NULL);
}

char *
gadget_visible_escape_counted (const char *text, guint *n_escaped)
{
  g_return_val_if_fail (text != NULL && n_escaped != NULL, NULL);
  return escape (text, FALSE, n_escaped);
}
