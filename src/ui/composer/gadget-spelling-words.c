/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-spelling-words.h"

#include <string.h>

static gunichar
get (const char *at)
{
  return g_utf8_get_char (at);
}

static gboolean
is_apostrophe (gunichar c)
{
  return c == '\'' || c == 0x2019;
}

static gboolean
is_letter (gunichar c)
{
  return g_unichar_isalpha (c) || g_unichar_ismark (c);
}

static void
go_to (GadgetSpellingReader *self, const char *at)
{
  self->offset += (guint) g_utf8_strlen (self->at, at - self->at);
  self->at = at;
}

static const char *
find_line_end (const char *at)
{
  const char *newline = strchr (at, '\n');

  return newline != NULL ? newline : at + strlen (at);
}

static const char *
find_token_end (const char *at)
{
  while (*at != '\0' && *at != '`' && !g_unichar_isspace (get (at)))
    at = g_utf8_next_char (at);
  return at;
}

/* --- Lines and code --------------------------------------------------------------------------- */

/* Whether the line was one of a block of code, or began or ended one; then it was passed over. */
static gboolean
pass_code_line (GadgetSpellingReader *self)
{
  const char *at = self->at + strspn (self->at, " ");
  const gboolean fence = g_str_has_prefix (at, "```") || g_str_has_prefix (at, "~~~");

  if (!fence && !self->fenced)
    return FALSE;
  if (fence)
    self->fenced = !self->fenced;
  go_to (self, find_line_end (self->at));
  return TRUE;
}

/* A backtick that none follows on its line is nothing. */
static void
pass_code (GadgetSpellingReader *self)
{
  const char *end = find_line_end (self->at);
  const char *other = memchr (self->at + 1, '`', (gsize) (end - self->at) - 1);

  go_to (self, other != NULL ? other + 1 : self->at + 1);
}

/* --- Tokens ----------------------------------------------------------------------------------- */

static gboolean
is_named (const char *at)
{
  return *at != '\0' && strchr ("@/\\$#~.-<&%", *at) != NULL;
}

/* What stands around the words, such as quotes and full stops, is no part of the token. */
static gboolean
is_plain (const char *start, const char *end)
{
  gunichar last = 0;

  for (const char *at = start; at < end; at = g_utf8_next_char (at))
    {
      const gunichar c = get (at);

      if (!is_letter (c) && !is_apostrophe (c) && c != '-' && c != 0x2010 && c != 0xad)
        return FALSE;
      if (g_unichar_isupper (c) && g_unichar_islower (last))
        return FALSE;
      last = c;
    }
  return TRUE;
}

/* Goes to the first letter of the token, and finds its end; passes over one without words. */
static void
enter_token (GadgetSpellingReader *self)
{
  const char *end = find_token_end (self->at);
  const char *start = self->at;
  const char *stop = end;

  while (start < end && !is_named (start) && !g_unichar_isalnum (get (start)))
    start = g_utf8_next_char (start);
  while (stop > start)
    {
      const char *before = g_utf8_prev_char (stop);

      if (g_unichar_isalnum (get (before)) || is_letter (get (before)))
        break;
      stop = before;
    }
  if (start < stop && !is_named (start) && *end != '`' && is_plain (start, stop))
    {
      go_to (self, start);
      self->token_end = stop;
    }
  else
    go_to (self, end);
}

/* The next of the words that hyphens join. */
static gboolean
read_word (GadgetSpellingReader *self, GadgetSpellingWord *word)
{
  const char *start = self->at;
  const char *end;

  while (start < self->token_end && !is_letter (get (start)))
    start = g_utf8_next_char (start);
  end = start;
  while (end < self->token_end && (is_letter (get (end)) || is_apostrophe (get (end))))
    end = g_utf8_next_char (end);
  if (start == end)
    {
      go_to (self, self->token_end);
      self->token_end = NULL;
      return FALSE;
    }
  go_to (self, start);
  word->text = start;
  word->offset = self->offset;
  go_to (self, end);
  while (is_apostrophe (get (g_utf8_prev_char (end))))
    end = g_utf8_prev_char (end);
  word->length = (gsize) (end - start);
  word->n_characters = (guint) g_utf8_strlen (start, end - start);
  return TRUE;
}

/* --- Public ----------------------------------------------------------------------------------- */

void
gadget_spelling_reader_init (GadgetSpellingReader *self, const char *text)
{
  *self = (GadgetSpellingReader) { .at = text };
}

gboolean
gadget_spelling_reader_next (GadgetSpellingReader *self, GadgetSpellingWord *word)
{
  for (;;)
    {
      if (self->token_end != NULL)
        {
          if (read_word (self, word) && word->n_characters > 1)
            return TRUE;
        }
      else if (*self->at == '\0')
        return FALSE;
      else if (!self->within_line && pass_code_line (self))
        self->within_line = TRUE;
      else if (*self->at == '`')
        pass_code (self);
      else if (g_unichar_isspace (get (self->at)))
        {
          self->within_line = *self->at != '\n';
          go_to (self, g_utf8_next_char (self->at));
        }
      else
        {
          self->within_line = TRUE;
          enter_token (self);
        }
    }
}
