/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-bidi"

#include "config.h"

#include "gadget-bidi.h"

#include <string.h>

/* U+200F and U+061C: single marks that open no span and need no end. */
static gboolean
is_bidi_mark (gunichar c)
{
  return c == 0x200f || c == 0x061c;
}

/* Returns the first such character whose first byte is @first; NULL if there is none. */
static const char *
find (const char *text, gsize length, char first, gboolean with_marks)
{
  const char *end = text + length;

  for (; (text = memchr (text, first, (gsize) (end - text))) != NULL; text++)
    {
      const gunichar c = g_utf8_get_char_validated (text, end - text);

      if (gadget_bidi_is_control (c) || (with_marks && is_bidi_mark (c)))
        return text;
    }
  return NULL;
}

const char *
gadget_bidi_find_control (const char *text, gsize length)
{
  return find (text, length, '\342', FALSE);
}

/* A fast check: nearly all text has no such characters, and much of it not even such a byte. */
static gboolean
has_bidi_control (const char *text, gsize length)
{
  return find (text, length, '\342', TRUE) != NULL || find (text, length, '\330', TRUE) != NULL;
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

/* Calls FUNC, in the order of the text, for each character that has to be escaped or replaced. */
static void
foreach_bidi_control (const char *text, gsize length,
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
      if (gadget_bidi_is_control (c) || (!marks && is_bidi_mark (c)))
        func (p, c, user_data);
    }
}

typedef struct
{
  GString *text;
  const char *from; /* the part of the original that is not copied yet */
} Escaping;

static void
append_escaped (const char *at, gunichar c, gpointer user_data)
{
  Escaping *escaping = user_data;

  g_string_append_len (escaping->text, escaping->from, at - escaping->from);
  g_string_append_printf (escaping->text, "\\u%04x", c);
  escaping->from = g_utf8_next_char (at);
}

char *
gadget_bidi_escape (const char *text)
{
  g_autofree char *valid = NULL;
  Escaping escaping;

  g_return_val_if_fail (text != NULL, NULL);

  if (!has_bidi_control (text, strlen (text)))
    return g_strdup (text);
  valid = g_utf8_make_valid (text, -1);
  escaping = (Escaping) { g_string_new (NULL), valid };
  foreach_bidi_control (valid, strlen (valid), append_escaped, &escaping);
  g_string_append (escaping.text, escaping.from);
  return g_string_free_and_steal (escaping.text);
}

typedef struct
{
  const char *text;
  char *replaced; /* (nullable): made when first needed */
  gsize length;
  gboolean keep_isolates;
} Replacing;

static void
replace (const char *at, gunichar c, gpointer user_data)
{
  Replacing *replacing = user_data;

  if (replacing->keep_isolates && (c == 0x2068 || c == 0x2069))
    return;
  if (replacing->replaced == NULL)
    replacing->replaced = g_strndup (replacing->text, replacing->length);
  /* U+FFFD has three bytes; U+00BF replaces the one character of two. Both lengths stay the
   * same. */
  memcpy (replacing->replaced + (at - replacing->text), c == 0x061c ? "\302\277" : "\357\277\275",
          c == 0x061c ? 2 : 3);
}

char *
gadget_bidi_replace (const char *text, gsize length, gboolean keep_isolates)
{
  Replacing replacing = { text, NULL, length, keep_isolates };

  g_return_val_if_fail (text != NULL, NULL);

  if (has_bidi_control (text, length))
    foreach_bidi_control (text, length, replace, &replacing);
  return replacing.replaced;
}

gboolean
gadget_bidi_is_plain (const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *replaced = NULL;

  g_return_val_if_fail (text != NULL, FALSE);

  valid = g_utf8_make_valid (text, -1);
  replaced = gadget_bidi_replace (valid, strlen (valid), FALSE);
  return replaced == NULL;
}
