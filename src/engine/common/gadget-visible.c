/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds and replaces characters that make a text look different from what it is. The first part
 * handles everything that cannot be seen, the second only what reorders the text; see
 * gadget-visible.h. */

#define G_LOG_DOMAIN "gadget-visible"

#include "config.h"

#include "gadget-visible.h"

#include <string.h>

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

/* Writes C as "\u202e", in the shortest of the three forms that fits. */
static void
write_out (GString *text, gunichar c)
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

/* @count: (nullable): set to the number of characters and bytes that were written out. */
static char *
write_visible (const char *text, gboolean one_line, guint *count)
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
          write_out (visible, c);
          n++;
        }
      p = g_utf8_next_char (p);
    }
  if (count != NULL)
    *count = n;
  return g_string_free_and_steal (visible);
}

char *
gadget_visible_dup (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return write_visible (text, FALSE, NULL);
}

char *
gadget_visible_dup_line (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return write_visible (text, TRUE, NULL);
}

guint
gadget_visible_count (const char *text)
{
  g_autofree char *visible = NULL;
  guint n = 0;

  g_return_val_if_fail (text != NULL, 0);

  visible = write_visible (text, FALSE, &n);
  return n;
}

/* --- Characters that reorder --- */

/* U+200F and U+061C: single marks that open no span and need no end. */
static gboolean
is_mark (gunichar c)
{
  return c == 0x200f || c == 0x061c;
}

/* TRUE when TEXT has characters of either kind whose first byte is FIRST. */
static gboolean
has_reordering (const char *text, gsize length, char first)
{
  const char *end = text + length;

  for (; (text = memchr (text, first, (gsize) (end - text))) != NULL; text++)
    {
      const gunichar c = g_utf8_get_char_validated (text, end - text);

      if (is_mark (c) || gadget_visible_reorders (c))
        return TRUE;
    }
  return FALSE;
}

/* A fast check: nearly all text has no such characters, and much of it not even such a byte. */
static gboolean
may_reorder (const char *text, gsize length)
{
  return has_reordering (text, length, '\342') || has_reordering (text, length, '\330');
}

/* Pango begins a new paragraph after these, and each paragraph is ordered on its own. */
static gboolean
ends_line (gunichar c)
{
  return c == '\n' || c == '\r' || c == 0x2029;
}

static gboolean
is_right_to_left (gunichar c)
{
  return ((c >= 0x0590 && c <= 0x08ff) || (c >= 0xfb1d && c <= 0xfdff)
          || (c >= 0xfe70 && c <= 0xfefc) || (c >= 0x10800 && c <= 0x10fff)
          || (c >= 0x1e800 && c <= 0x1efff))
         && g_unichar_isalpha (c);
}

static gboolean
has_right_to_left (const char *line, const char *end)
{
  for (const char *p = line; p < end && !ends_line (g_utf8_get_char (p)); p = g_utf8_next_char (p))
    if (is_right_to_left (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}

/* Calls FUNC, in the order of the text, for each character that has to be made visible. */
static void
foreach_reordering (const char *text, gsize length,
                    void (*func) (const char *at, gunichar c, gpointer user_data),
                    gpointer user_data)
{
  const char *end = text + length;
  gboolean at_start = TRUE;
  gboolean marks = FALSE;

  for (const char *p = text; p < end; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (at_start)
        marks = has_right_to_left (p, end);
      at_start = ends_line (c);
      if (gadget_visible_reorders (c) || (!marks && is_mark (c)))
        func (p, c, user_data);
    }
}

typedef struct
{
  GString *text;
  const char *from; /* the part of the original that is not copied yet */
} Ordering;

static void
write_reordering (const char *at, gunichar c, gpointer user_data)
{
  Ordering *ordering = user_data;

  g_string_append_len (ordering->text, ordering->from, at - ordering->from);
  write_out (ordering->text, c);
  ordering->from = g_utf8_next_char (at);
}

char *
gadget_visible_dup_ordered (const char *text)
{
  g_autofree char *valid = NULL;
  Ordering ordering;

  g_return_val_if_fail (text != NULL, NULL);

  if (!may_reorder (text, strlen (text)))
    return g_strdup (text);
  valid = g_utf8_make_valid (text, -1);
  ordering = (Ordering) { g_string_new (NULL), valid };
  foreach_reordering (valid, strlen (valid), write_reordering, &ordering);
  g_string_append (ordering.text, ordering.from);
  return g_string_free_and_steal (ordering.text);
}

typedef struct
{
  const char *text;
  char *covered; /* (nullable): made when first needed */
  gsize length;
  gboolean keep;
} Covering;

static void
cover (const char *at, gunichar c, gpointer user_data)
{
  Covering *covering = user_data;

  if (covering->keep && (c == 0x2068 || c == 0x2069))
    return;
  if (covering->covered == NULL)
    covering->covered = g_strndup (covering->text, covering->length);
  /* U+FFFD has three bytes; U+00BF replaces the one character of two. Both lengths stay the
   * same. */
  memcpy (covering->covered + (at - covering->text), c == 0x061c ? "\302\277" : "\357\277\275",
          c == 0x061c ? 2 : 3);
}

char *
gadget_visible_dup_covered (const char *text, gsize length, gboolean keep)
{
  Covering covering = { text, NULL, length, keep };

  g_return_val_if_fail (text != NULL, NULL);

  if (may_reorder (text, length))
    foreach_reordering (text, length, cover, &covering);
  return covering.covered;
}
