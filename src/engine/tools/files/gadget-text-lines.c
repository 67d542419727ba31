/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-text-lines"

#include "config.h"

#include "gadget-text-lines.h"

#include <string.h>

/* The parameters of the hash FNV-1a with 32 bits. */
#define FNV_OFFSET 2166136261u
#define FNV_PRIME 16777619u

GArray *
_gadget_text_lines_new (const char *text, gsize length)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (GadgetTextLine));

  for (gsize at = 0; at < length;)
    {
      const char *newline = memchr (text + at, '\n', length - at);
      GadgetTextLine line = { text + at, length - at, 0 };

      if (newline != NULL)
        {
          line.n_end = newline > line.text && newline[-1] == '\r' ? 2 : 1;
          line.length = (gsize) (newline - line.text) + 1 - line.n_end;
        }
      g_array_append_val (lines, line);
      at += line.length + line.n_end;
    }
  return lines;
}

static gboolean
is_blank_byte (char c)
{
  return c == ' ' || c == '\t';
}

gsize
_gadget_text_line_get_indent (const GadgetTextLine *line)
{
  gsize n = 0;

  while (n < line->length && is_blank_byte (line->text[n]))
    n++;
  return n;
}

gsize
_gadget_text_line_get_end (const GadgetTextLine *line)
{
  gsize n = line->length;

  while (n > 0 && is_blank_byte (line->text[n - 1]))
    n--;
  return n;
}

gboolean
_gadget_text_line_is_blank (const GadgetTextLine *line)
{
  return _gadget_text_line_get_end (line) == 0;
}

gboolean
_gadget_text_line_equals (const GadgetTextLine *a, const GadgetTextLine *b)
{
  return a->length == b->length && memcmp (a->text, b->text, a->length) == 0;
}

gunichar
_gadget_text_fold (gunichar c, guint *kinds)
{
  static const struct
  {
    gunichar first;
    gunichar last;
    gunichar plain;
    GadgetTextKinds kind;
  } folds[] = {
    { 0x00a0, 0x00a0, ' ', GADGET_TEXT_SPACES }, { 0x2007, 0x2007, ' ', GADGET_TEXT_SPACES },
    { 0x202f, 0x202f, ' ', GADGET_TEXT_SPACES }, { 0x2010, 0x2015, '-', GADGET_TEXT_DASHES },
    { 0x2212, 0x2212, '-', GADGET_TEXT_DASHES }, { 0x2018, 0x201b, '\'', GADGET_TEXT_QUOTES },
    { 0x201c, 0x201f, '"', GADGET_TEXT_QUOTES },
  };

  for (guint i = 0; c >= 0x80 && i < G_N_ELEMENTS (folds); i++)
    if (c >= folds[i].first && c <= folds[i].last)
      {
        if (kinds != NULL)
          *kinds |= folds[i].kind;
        return folds[i].plain;
      }
  return c;
}

static guint
hash_bytes (const char *text, gsize length)
{
  guint hash = FNV_OFFSET;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) text[i]) * FNV_PRIME;
  return hash;
}

static guint
hash_trimmed (const GadgetTextLine *line)
{
  const gsize end = _gadget_text_line_get_end (line);
  const gsize begin = MIN (_gadget_text_line_get_indent (line), end);

  return hash_bytes (line->text + begin, end - begin);
}

static gboolean
is_ascii (const GadgetTextLine *line)
{
  guchar all = 0;

  for (gsize i = 0; i < line->length; i++)
    all |= (guchar) line->text[i];
  return all < 0x80;
}

guint
_gadget_text_line_hash (const GadgetTextLine *line)
{
  g_autofree char *composed = NULL;
  g_autoptr (GString) folded = NULL;

  if (!is_ascii (line))
    composed = g_utf8_normalize (line->text, (gssize) line->length, G_NORMALIZE_NFC);
  if (composed == NULL)
    return hash_trimmed (line);
  folded = g_string_sized_new (line->length);
  for (const char *c = composed; *c != '\0'; c = g_utf8_next_char (c))
    g_string_append_unichar (folded, _gadget_text_fold (g_utf8_get_char (c), NULL));

  const GadgetTextLine whole = { folded->str, folded->len, 0 };

  return hash_trimmed (&whole);
}
