/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A match is looked for at each character that can begin one; these are found by a table of the
 * first bytes of characters, so that most of a text is only passed over. A character of the text
 * may stand for several of the pattern, as "ß" does for "ss". */

#define G_LOG_DOMAIN "gadget-text-pattern"

#include "config.h"

#include "gadget-text-pattern.h"

#include <pango/pango.h>
#include <string.h>

#define CACHE_SIZE 512

/* A character stands for at most this many; one that stands for more is compared as it is. */
#define MAX_FOLDED 4

/* Around a match, this much text decides about the boundaries of words, in bytes. */
#define WORD_CONTEXT 64

/* The form in which a character is compared. */
typedef struct
{
  gunichar from;
  guint n;
  gunichar to[MAX_FOLDED];
} Folded;

struct _GadgetTextPattern
{
  gunichar *folded; /* of the query */
  guint n;
  gboolean match_case;
  gboolean whole_words;
  guint8 begins[256];  /* whether a match may begin with a character that begins with the byte */
  guint8 follows[256]; /* the same for what follows that character, if the pattern goes on */
  guint8 ascii[128];   /* what each character of ASCII is compared as, which is one of ASCII too */
  Folded cache[CACHE_SIZE];
};

/* --- Characters --- */

/* Returns whether the character is neither seen nor a letter: isolates, which are around names, and
 * what only tells where a line may break. */
static gboolean
is_unseen (gunichar c)
{
  return c == 0xad || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e)
         || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

static void
add (Folded *folded, gunichar c)
{
  if (folded->n < MAX_FOLDED)
    folded->to[folded->n] = c;
  folded->n++;
}

static void
compute (const GadgetTextPattern *self, gunichar c, Folded *folded)
{
  gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH];
  gsize n_parts;

  folded->from = c;
  folded->n = 0;
  if (is_unseen (c))
    return;
  if (g_unichar_isspace (c))
    {
      add (folded, ' ');
      return;
    }
  n_parts = g_unichar_fully_decompose (c, FALSE, parts, G_N_ELEMENTS (parts));
  for (gsize i = 0; i < n_parts && i < G_N_ELEMENTS (parts); i++)
    {
      char text[7] = { 0 };
      g_autofree char *lower = NULL;

      if (self->match_case)
        {
          add (folded, parts[i]);
          continue;
        }
      g_unichar_to_utf8 (parts[i], text);
      lower = g_utf8_casefold (text, -1);
      for (const char *p = lower; *p != '\0'; p = g_utf8_next_char (p))
        add (folded, g_utf8_get_char (p));
    }
  if (folded->n <= MAX_FOLDED)
    return;
  folded->n = 1;
  folded->to[0] = c;
}

static const Folded *
fold (GadgetTextPattern *self, gunichar c)
{
  Folded *folded = &self->cache[c % CACHE_SIZE];

  if (folded->from != c)
    compute (self, c, folded);
  return folded;
}

/* --- The pattern --- */

/* Marks the bytes with which a match may begin. The few other letters that are folded to one of
 * ASCII begin with few bytes, so that text of other scripts is passed over too. */
static void
set_begins (GadgetTextPattern *self)
{
  static const guchar others[] = { 0xc2, 0xc3, 0xc4, 0xc5, 0xc7, 0xe1, 0xe2, 0xe3, 0xef };
  gboolean ascii = TRUE;

  for (guint i = 0; i < self->n && i < 2; i++)
    ascii = ascii && self->folded[i] < 0x80;
  for (guint c = 0; c < 0x80; c++)
    {
      const Folded *folded = fold (self, c);

      self->ascii[c] = (guint8) folded->to[0];
      self->begins[c] = folded->to[0] == self->folded[0];
    }
  for (guint c = 0xc2; c < 0x100; c++)
    self->begins[c] = !ascii;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    self->begins[others[i]] = TRUE;
  for (guint c = 0; c < 0x100; c++)
    self->follows[c] = self->n == 1 || c >= 0x80 || self->ascii[c] == self->folded[1];
}

/**
 * gadget_text_pattern_new:
 * @query: what the user typed; any bytes
 *
 * Returns: (transfer full) (nullable): %NULL when the query has no character to look for
 */
GadgetTextPattern *
gadget_text_pattern_new (const char *query, gboolean match_case, gboolean whole_words)
{
  g_autoptr (GadgetTextPattern) self = g_rc_box_new0 (GadgetTextPattern);
  g_autofree char *valid = NULL;
  g_autoptr (GArray) folded = g_array_new (FALSE, FALSE, sizeof (gunichar));

  g_return_val_if_fail (query != NULL, NULL);

  for (guint i = 0; i < CACHE_SIZE; i++)
    self->cache[i].from = G_MAXUINT32;
  self->match_case = match_case;
  self->whole_words = whole_words;
  valid = g_utf8_make_valid (query, -1);
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const Folded *one = fold (self, g_utf8_get_char (p));

      g_array_append_vals (folded, one->to, one->n);
    }
  self->n = folded->len;
  self->folded = (gunichar *) (gpointer) g_array_steal (folded, NULL);
  if (self->n == 0)
    return NULL;
  set_begins (self);
  return g_steal_pointer (&self);
}

GadgetTextPattern *
gadget_text_pattern_ref (GadgetTextPattern *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  g_free (((GadgetTextPattern *) data)->folded);
}

void
gadget_text_pattern_unref (GadgetTextPattern *self)
{
  g_rc_box_release_full (self, clear);
}

/* --- Matching --- */

/* Compares one character with the pattern from @at on. Returns how many of the pattern it stands
 * for; -1 when it is another one. */
static inline int
compare (GadgetTextPattern *self, const char *p, guint at)
{
  const Folded *folded;

  if ((guchar) *p < 0x80)
    return self->ascii[(guchar) *p] == self->folded[at] ? 1 : -1;
  folded = fold (self, g_utf8_get_char (p));
  if (folded->n > self->n - at)
    return -1;
  for (guint i = 0; i < folded->n; i++)
    if (folded->to[i] != self->folded[at + i])
      return -1;
  return (int) folded->n;
}

/* Returns the end of the match that begins at @p, or NULL. A letter whose accent is a character of
 * its own is another letter, so the match must not end between them. */
static const char *
match_at (GadgetTextPattern *self, const char *p, const char *end)
{
  for (guint at = 0; at < self->n; p = g_utf8_next_char (p))
    {
      const int n = p < end ? compare (self, p, at) : -1;

      if (n < 0 || (n == 0 && at == 0))
        return NULL;
      at += (guint) n;
    }
  if (p > end || (p < end && (guchar) *p >= 0xc2 && g_unichar_ismark (g_utf8_get_char (p))))
    return NULL;
  return p;
}

static gboolean
is_between_words (const char *text, gsize length, gsize start, gsize end)
{
  gsize from = start - MIN (start, WORD_CONTEXT);
  gsize to = MIN (length, end + WORD_CONTEXT);
  g_autofree PangoLogAttr *attrs = NULL;
  glong n, first, last;

  /* Unseen characters belong to the word before them. */
  while (end < length && is_unseen (g_utf8_get_char (text + end)))
    end = (gsize) (g_utf8_next_char (text + end) - text);
  while (from > 0 && ((guchar) text[from] & 0xc0) == 0x80)
    from--;
  while (to < length && ((guchar) text[to] & 0xc0) == 0x80)
    to++;
  n = g_utf8_strlen (text + from, (gssize) (to - from));
  first = g_utf8_strlen (text + from, (gssize) (start - from));
  last = first + g_utf8_strlen (text + start, (gssize) (end - start));
  attrs = g_new0 (PangoLogAttr, n + 1);
  pango_get_log_attrs (text + from, (int) (to - from), -1, pango_language_get_default (), attrs,
                       (int) n + 1);
  return attrs[first].is_word_boundary && attrs[last].is_word_boundary;
}

gboolean
gadget_text_pattern_next (GadgetTextPattern *self, const char *text, gsize length, gsize from,
                          gsize *start, gsize *end)
{
  const char *limit = text + length;

  g_return_val_if_fail (from <= length, FALSE);

  for (const char *p = text + from; p < limit; p++)
    {
      const char *after;

      while (p < limit && !self->begins[(guchar) *p])
        p++;
      if (p + 1 < limit && !self->follows[(guchar) p[1]])
        continue;
      after = p < limit ? match_at (self, p, limit) : NULL;
      if (after == NULL)
        continue;
      *start = (gsize) (p - text);
      *end = (gsize) (after - text);
      if (!self->whole_words || is_between_words (text, length, *start, *end))
        return TRUE;
    }
  return FALSE;
}

/* --- Markup --- */

/* Returns whether there is something that is shown as other characters: formulas and entities. */
static gboolean
has_replacements (const char *source, gsize length)
{
  const char *end = source + length;

  if (memchr (source, '$', length) != NULL)
    return TRUE;
  for (const char *p = memchr (source, '\\', length); p != NULL;
       p = memchr (p + 1, '\\', (gsize) (end - p - 1)))
    if (p + 1 < end && (p[1] == '(' || p[1] == '['))
      return TRUE;
  for (const char *p = memchr (source, '&', length); p != NULL;
       p = memchr (p + 1, '&', (gsize) (end - p - 1)))
    if (p + 1 < end && (g_ascii_isalpha (p[1]) || p[1] == '#'))
      return TRUE;
  return FALSE;
}

/* Returns whether a match that is interrupted by markup may begin at @p. */
static gboolean
may_match_at (GadgetTextPattern *self, const char *p, const char *end)
{
  guint at = 0;

  while (at < self->n && p < end)
    {
      const gboolean whole =
          (guchar) *p < 0x80 || g_utf8_get_char_validated (p, end - p) < 0x110000;
      const int n = whole ? compare (self, p, at) : -1;

      if (n >= 0)
        {
          at += (guint) n;
          p = g_utf8_next_char (p);
          continue;
        }
      if (at == 0 || !whole || (guchar) *p >= 0x80 || g_ascii_isalnum (*p))
        return FALSE;
      /* Tags and the addresses of links may hide any text. */
      if (*p == '<' || (*p == ']' && p + 1 < end && (p[1] == '(' || p[1] == '[')))
        return TRUE;
      p++;
    }
  return at == self->n;
}

gboolean
gadget_text_pattern_may_be_in_markup (GadgetTextPattern *self, const char *source, gsize length)
{
  const char *end = source + length;

  if (has_replacements (source, length))
    return TRUE;
  for (const char *p = source; p < end; p++)
    if (self->begins[(guchar) *p]
        && (p + 1 == end || self->follows[(guchar) p[1]] || !g_ascii_isalnum (p[1]))
        && may_match_at (self, p, end))
      return TRUE;
  return FALSE;
}
