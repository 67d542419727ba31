/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the words of a message that a dictionary knows. It reads line by line, to pass over code,
 * and then token by token: a token is what white space and backticks separate, and is read as words
 * if it consists of letters only. */

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

/* Returns how many marks the fence at @line has; 0 when there is no fence. */
static gsize
count_fence (const char *line)
{
  const char mark[] = { *line, '\0' };
  const gsize n = *line == '`' || *line == '~' ? strspn (line, mark) : 0;

  return n >= 3 ? n : 0;
}

static gboolean
is_list_item (const char *at)
{
  const gsize n_digits = strspn (at, "0123456789");

  if (n_digits > 0)
    return (at[n_digits] == '.' || at[n_digits] == ')') && at[n_digits + 1] == ' ';
  return (*at == '-' || *at == '*' || *at == '+') && at[1] == ' ';
}

static gboolean
has_operator (const char *line, gsize length)
{
  static const char *const operators[] = { " = ", "==", "!=", "+=", "-=", ":=", "&&", "||", "::" };

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_strstr_len (line, (gssize) length, operators[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Guesses whether a line is code that was pasted without a fence, by its indentation and by
 * operators that no sentence has. A wrong guess only leaves a line unchecked, which is a smaller
 * nuisance than underlined code. */
static gboolean
is_code_line (const char *line)
{
  const char *start = line + strspn (line, " ");
  const char *end = find_line_end (line);

  while (end > start && g_ascii_isspace (end[-1]))
    end--;
  if (start == end)
    return FALSE;
  if (*start == '\t' || (start - line >= 4 && !is_list_item (start)))
    return TRUE;
  return strchr (";{}", end[-1]) != NULL || g_str_has_prefix (end - MIN (end - start, 2), "):")
         || has_operator (start, (gsize) (end - start));
}

/* Passes over a line of code, or a line that begins or ends a block of code. Returns FALSE, without
 * moving, for any other line. */
static gboolean
pass_code_line (GadgetSpellingReader *self)
{
  const char *at = self->at + strspn (self->at, " ");
  const gsize n_marks = count_fence (at);

  if (self->fence == 0 && n_marks == 0 && !is_code_line (self->at))
    return FALSE;
  if (self->fence == 0 && n_marks > 0)
    {
      self->fence = *at;
      self->fence_length = n_marks;
    }
  else if (self->fence != 0 && *at == self->fence && n_marks >= self->fence_length)
    self->fence = 0;
  go_to (self, find_line_end (self->at));
  return TRUE;
}

/* Returns the position after the next @n backticks in the paragraph. NULL when there are none: then
 * those before @at begin no code. */
static const char *
find_code_end (const char *at, gsize n)
{
  while (*at != '\0' && !g_str_has_prefix (at, "\n\n"))
    {
      const gsize length = strspn (at, "`");

      if (length == n)
        return at + n;
      at += MAX (length, 1);
    }
  return NULL;
}

static void
pass_code (GadgetSpellingReader *self)
{
  const gsize n = strspn (self->at, "`");
  const char *end = find_code_end (self->at + n, n);

  go_to (self, end != NULL ? end : self->at + n);
}

/* --- Tokens ----------------------------------------------------------------------------------- */

static gboolean
is_named (const char *at)
{
  return *at != '\0' && strchr ("@/\\$#~.-<&%", *at) != NULL;
}

/* Tells whether the token has only letters and characters that join words. */
static gboolean
is_plain (const char *start, const char *end)
{
  for (const char *at = start; at < end; at = g_utf8_next_char (at))
    {
      const gunichar c = get (at);

      if (!is_letter (c) && !is_apostrophe (c) && c != '-' && c != 0x2010 && c != 0xad)
        return FALSE;
    }
  return TRUE;
}

/* Tells by the characters around the words whether the token is a call or a name with underscores.
 * One underscore on both sides is emphasis; other punctuation is not part of the token. */
static gboolean
is_surrounded_as_name (const char *begin, const char *start, const char *stop, const char *end)
{
  guint n_before = 0;
  guint n_after = 0;

  while (start - n_before > begin && start[-(gssize) n_before - 1] == '_')
    n_before++;
  while (stop + n_after < end && stop[n_after] == '_')
    n_after++;
  return (stop < end && *stop == '(') || n_before > 1 || n_after > 1 || n_before != n_after;
}

/* Goes to the first letter of the token and sets @token_end; passes over a token without words. */
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
  if (start < stop && !is_named (start) && *end != '`' && is_plain (start, stop)
      && !is_surrounded_as_name (self->at, start, stop, end))
    {
      go_to (self, start);
      self->token_end = stop;
    }
  else
    go_to (self, end);
}

/* Tells whether a capital follows a letter, as in "GLib", "camelCase" and "HTTP", but in no
 * word. */
static gboolean
is_name (const GadgetSpellingWord *word)
{
  gunichar last = 0;

  for (const char *at = word->text; at < word->text + word->length; at = g_utf8_next_char (at))
    {
      if (g_unichar_isupper (get (at)) && is_letter (last))
        return TRUE;
      last = get (at);
    }
  return FALSE;
}

/* Reads the next one of the words that hyphens join. Returns FALSE at the end of the token. */
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
          if (read_word (self, word) && word->n_characters > 1 && !is_name (word))
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
