/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The new lines are compared with the old ones. An equal line becomes the line of the file, byte by
 * byte. Where as many lines are new as are gone, they are pairs: what a new line has in common with
 * the old one at its beginning and at its end becomes the bytes of the file, too.
 *
 * What remains is written as the edit gives it, but for what the old lines show: blanks before it,
 * at its end, the Unicode form, typographic characters. Whatever they do not show is refused. */

#define G_LOG_DOMAIN "gadget-text-rewrite"

#include "config.h"

#include "gadget-text-rewrite.h"

#include "gadget-text-match.h"

#include <string.h>

typedef struct
{
  const GadgetTextPlace *place;
  const GadgetTextMove *move;
  GString *out;
  const char *line_end; /* of the line before; it borrows the file */
  guint n_line_end;
  const char *reason;
} Rewriter;

static const GadgetTextLine *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextLine, i);
}

const GadgetTextLine *
_gadget_text_place_get_line (const GadgetTextPlace *self, guint i)
{
  return get_line (self->file, self->first + i);
}

static gboolean
refuse (Rewriter *self, const char *reason)
{
  self->reason = reason;
  return FALSE;
}

/* --- Where blanks have a meaning -------------------------------------------------------------- */

static gboolean
has_ending (const char *path, const char *const *endings)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  for (guint i = 0; lower != NULL && endings[i] != NULL; i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_meaningful_indentation (const char *path)
{
  static const char *const endings[] = {
    ".py",   ".pyi",  ".pyx",  ".yml",  ".yaml",    ".haml",      ".pug",
    ".jade", ".slim", ".sass", ".styl", ".coffee",  ".nim",       ".fs",
    ".fsi",  ".fsx",  ".hs",   ".lhs",  ".elm",     ".purs",      ".gd",
    ".bzl",  ".rst",  ".md",   ".mk",   "makefile", "sconstruct", NULL,
  };

  return has_ending (path, endings);
}

static gboolean
has_meaningful_ends (const char *path)
{
  static const char *const endings[] = { ".md",   ".markdown", ".tsv", ".tab", ".csv",
                                         ".diff", ".patch",    ".eml", NULL };

  return has_ending (path, endings);
}

static guint
count (const char *text, gsize length, const char *what)
{
  const char *end = text + length;
  guint n = 0;

  for (const char *c = text; (c = memmem (c, (gsize) (end - c), what, strlen (what))) != NULL;
       c += strlen (what))
    n++;
  return n;
}

/* Returns whether a line of the file may be a part of a text of several lines, whose blanks at line
 * ends count: one between quotes of three, or backquotes, or a here-document. */
static gboolean
may_be_in_text (const GadgetTextPlace *place, const GadgetTextLine *line)
{
  static const char *const shells[] = { ".sh", ".bash", ".zsh", ".rb", ".pl", ".php", NULL };
  const gsize length = (gsize) (line->text - place->text) + line->length;

  return count (place->text, length, "\"\"\"") % 2 == 1
         || count (place->text, length, "'''") % 2 == 1 || count (place->text, length, "`") % 2 == 1
         || (has_ending (place->path, shells) && count (place->text, length, "<<") > 0);
}

/* --- Characters ------------------------------------------------------------------------------- */

char *
_gadget_text_place_convert (const GadgetTextPlace *self, const char *text, gsize length)
{
  if (!g_utf8_validate (text, (gssize) length, NULL))
    return NULL;
  return self->normalizes ? g_utf8_normalize (text, (gssize) length, self->form)
                          : g_strndup (text, length);
}

/* A text of two forms, or with letters that a form replaces for good, could not be written back. */
static gboolean
is_of_one_form (const char *text, gsize length)
{
  g_autofree char *given = g_strndup (text, length);
  g_autofree char *composed = g_utf8_normalize (given, -1, G_NORMALIZE_NFC);
  g_autofree char *decomposed = g_utf8_normalize (given, -1, G_NORMALIZE_NFD);

  return g_strcmp0 (given, composed) == 0 || g_strcmp0 (given, decomposed) == 0;
}

static guint
get_kind (gunichar c)
{
  guint kinds = 0;

  _gadget_text_fold (c, &kinds);
  if (c == '"' || c == '\'')
    kinds = GADGET_TEXT_QUOTES;
  return c == '-' ? GADGET_TEXT_DASHES : kinds;
}

static gboolean
append_char (Rewriter *self, const char *c)
{
  const gunichar given = g_utf8_get_char (c);
  const gunichar plain = _gadget_text_fold (given, NULL);
  const guint kind = get_kind (given);
  const gsize n = (gsize) (g_utf8_next_char (c) - c);

  if (plain == given && (kind & self->place->actual_kinds) != 0)
    return refuse (self, "the file has typographic quotes or dashes there, and \"new_text\" has "
                         "plain ones where it differs from \"old_text\"");
  if (plain == given || (kind & self->place->given_kinds) == 0)
    {
      g_string_append_len (self->out, c, (gssize) n);
      return TRUE;
    }
  if (memmem (self->place->text, self->place->length, c, n) != NULL)
    return refuse (self, "\"new_text\" has typographic characters, of which the file has some, "
                         "but not there");
  g_string_append_unichar (self->out, plain);
  return TRUE;
}

/* The number of characters that two texts have in common at the beginning. */
static gsize
count_common (const char *a, const char *b)
{
  gsize n = 0;

  for (; *a != '\0' && g_utf8_get_char (a) == g_utf8_get_char (b); n++)
    {
      a = g_utf8_next_char (a);
      b = g_utf8_next_char (b);
    }
  return n;
}

/* Likewise at the end, but at most @max characters. */
static gsize
count_common_end (const char *a, const char *b, gsize max)
{
  const char *a_end = a + strlen (a);
  const char *b_end = b + strlen (b);
  gsize n = 0;

  for (; n < max; n++)
    {
      a_end = g_utf8_prev_char (a_end);
      b_end = g_utf8_prev_char (b_end);
      if (g_utf8_get_char (a_end) != g_utf8_get_char (b_end))
        break;
    }
  return n;
}

/* Writes the middle of TEXT between what it has in common with GIVEN, which has a character for
 * each of ACTUAL. */
static gboolean
append_changed (Rewriter *self, const char *text, const char *given, const char *actual)
{
  const gsize n_text = (gsize) g_utf8_strlen (text, -1);
  const gsize n_given = (gsize) g_utf8_strlen (given, -1);
  const gsize n_begin = count_common (text, given);
  const gsize n_end = count_common_end (text, given, MIN (n_text, n_given) - n_begin);
  const char *begin = g_utf8_offset_to_pointer (text, (glong) n_begin);
  const char *end = g_utf8_offset_to_pointer (text, (glong) (n_text - n_end));
  const char *actual_begin = g_utf8_offset_to_pointer (actual, (glong) n_begin);
  const char *actual_end = g_utf8_offset_to_pointer (actual, (glong) (n_given - n_end));

  g_string_append_len (self->out, actual, (gssize) (actual_begin - actual));
  for (const char *c = begin; c < end; c = g_utf8_next_char (c))
    if (!append_char (self, c))
      return FALSE;
  g_string_append (self->out, actual_end);
  return TRUE;
}

static gboolean
has_plain_quotes (const GArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextLine *line = get_line (lines, i);

      if (line->length > 0
          && (memchr (line->text, '"', line->length) != NULL
              || memchr (line->text, '\'', line->length) != NULL))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether a text has typographic quotes that the file has nowhere. */
static gboolean
has_foreign_quotes (const GadgetTextPlace *place, const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      guint kinds = 0;

      _gadget_text_fold (g_utf8_get_char (c), &kinds);
      if (kinds == GADGET_TEXT_QUOTES
          && memmem (place->text, place->length, c, (gsize) (g_utf8_next_char (c) - c)) == NULL)
        return TRUE;
    }
  return FALSE;
}

/* Where the old lines have quotes, they show what quotes those of the new lines are meant as. */
static gboolean
check_quotes (Rewriter *self, const char *text, gsize length)
{
  const GadgetTextPlace *place = self->place;
  g_autofree char *body = g_strndup (text, length);

  if ((place->given_kinds & GADGET_TEXT_QUOTES) != 0 || has_plain_quotes (place->old_lines)
      || !g_utf8_validate (body, -1, NULL) || !has_foreign_quotes (place, body))
    return TRUE;
  return refuse (self, "\"new_text\" has typographic quotes, and the file has none");
}

/* The part of a line between the blanks around it. */
typedef struct
{
  const char *text;
  gsize length;
} Body;

static Body
get_body (const GadgetTextLine *line)
{
  const gsize begin = _gadget_text_line_get_indent (line);
  const gsize end = _gadget_text_line_get_end (line);

  return (Body) { line->text + begin, end > begin ? end - begin : 0 };
}

/* @given and @actual (nullable): the old line, and that of the file, which this line replaces */
static gboolean
append_body (Rewriter *self, const GadgetTextLine *line, const GadgetTextLine *given,
             const GadgetTextLine *actual)
{
  const GadgetTextPlace *place = self->place;
  const Body body = get_body (line);
  const Body given_body = given != NULL ? get_body (given) : (Body) { "", 0 };
  const Body actual_body = given != NULL ? get_body (actual) : (Body) { "", 0 };
  g_autofree char *text = NULL;
  g_autofree char *old_text = NULL;
  g_autofree char *file_text = NULL;

  if (!check_quotes (self, body.text, body.length))
    return FALSE;
  if (!place->normalizes && place->given_kinds == 0 && place->actual_kinds == 0)
    {
      g_string_append_len (self->out, body.text, (gssize) body.length);
      return TRUE;
    }
  text = _gadget_text_place_convert (place, body.text, body.length);
  old_text = _gadget_text_place_convert (place, given_body.text, given_body.length);
  if (text == NULL || old_text == NULL
      || (place->normalizes && !is_of_one_form (body.text, body.length)))
    return refuse (self, "\"new_text\" has letters in several Unicode forms");
  file_text = g_strndup (actual_body.text, actual_body.length);
  return append_changed (self, text, old_text, file_text);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void
append_end (Rewriter *self, const GadgetTextLine *line)
{
  if (line != NULL && line->n_end > 0)
    {
      self->line_end = line->text + line->length;
      self->n_line_end = line->n_end;
    }
  g_string_append_len (self->out, self->line_end, (gssize) self->n_line_end);
}

static void
append_same (Rewriter *self, guint i)
{
  const GadgetTextLine *line = _gadget_text_place_get_line (self->place, i);

  g_string_append_len (self->out, line->text, (gssize) line->length);
  append_end (self, line);
}

/* Writes a line of blanks alone, or the blanks at the end of a line. */
static gboolean
append_blanks (Rewriter *self, const GadgetTextLine *line, gsize begin)
{
  if (!self->place->strips)
    g_string_append_len (self->out, line->text + begin, (gssize) (line->length - begin));
  else if (begin < line->length && has_meaningful_ends (self->place->path))
    return refuse (self, "blanks at line ends have a meaning in such a file");
  return TRUE;
}

static gboolean
append_new (Rewriter *self, const GadgetTextLine *line, const GadgetTextLine *given,
            const GadgetTextLine *actual)
{
  const gsize n_indent = _gadget_text_line_get_indent (line);

  if (_gadget_text_line_is_blank (line))
    return _gadget_text_move_is_none (self->move) ? append_blanks (self, line, 0) : TRUE;
  if (!_gadget_text_move_apply (self->move, line->text, n_indent, self->out))
    return refuse (self, "a line of \"new_text\" has an indentation that cannot be moved in the "
                         "same way");
  return append_body (self, line, given, actual)
         && append_blanks (self, line, _gadget_text_line_get_end (line));
}

/* A line that moves within the edit is still a line of the file. */
static const GadgetTextLine *
find_moved (const Rewriter *self, const GadgetTextLine *line)
{
  const GArray *old_lines = self->place->old_lines;

  for (guint i = 0; self->place->actual_kinds != 0 && i < old_lines->len; i++)
    if (!_gadget_text_line_is_blank (line)
        && _gadget_text_line_equals (get_line (old_lines, i), line))
      return _gadget_text_place_get_line (self->place, i);
  return NULL;
}

static gboolean
append_unpaired (Rewriter *self, const GadgetTextLine *line)
{
  const GadgetTextLine *moved = find_moved (self, line);

  if (moved != NULL)
    g_string_append_len (self->out, moved->text, (gssize) moved->length);
  else if (!append_new (self, line, NULL, NULL))
    return FALSE;
  append_end (self, NULL);
  return TRUE;
}

/* Returns whether a changed line has lost blanks at its end that may have had a meaning. */
static gboolean
loses_blanks (const Rewriter *self, guint i)
{
  const GadgetTextPlace *place = self->place;
  const GadgetTextLine *given = get_line (place->old_lines, i);
  const GadgetTextLine *actual = _gadget_text_place_get_line (place, i);

  return !_gadget_text_line_is_blank (actual) && actual->length > _gadget_text_line_get_end (actual)
         && given->length == _gadget_text_line_get_end (given)
         && (has_meaningful_ends (place->path) || may_be_in_text (place, actual));
}

/* The old lines from I to I_END are replaced by the new ones from J to J_END. */
static gboolean
append_hunk (Rewriter *self, guint i, guint i_end, guint j, guint j_end)
{
  const GadgetTextPlace *place = self->place;
  const gboolean paired = i_end - i == j_end - j;

  for (guint k = i; k < i_end && j < j_end; k++)
    if (loses_blanks (self, k))
      return refuse (self, "the file has blanks at the end of a line that is changed, and they "
                           "may have a meaning");
  for (; j < j_end; j++, i += paired ? 1 : 0)
    if (!paired && !append_unpaired (self, get_line (place->new_lines, j)))
      return FALSE;
    else if (paired)
      {
        const GadgetTextLine *actual = _gadget_text_place_get_line (place, i);

        if (!append_new (self, get_line (place->new_lines, j), get_line (place->old_lines, i),
                         actual))
          return FALSE;
        append_end (self, actual);
      }
  return TRUE;
}

static gboolean
append_all (Rewriter *self, const guint *matches)
{
  const guint n_old = self->place->old_lines->len;
  const guint n_new = self->place->new_lines->len;
  guint i = 0;
  guint j = 0;

  while (i < n_old || j < n_new)
    {
      guint j_end = j;
      guint i_end;

      while (j_end < n_new && matches[j_end] == GADGET_TEXT_NO_LINE)
        j_end++;
      i_end = j_end < n_new ? matches[j_end] : n_old;
      if (!append_hunk (self, i, i_end, j, j_end))
        return FALSE;
      if (j_end < n_new)
        append_same (self, i_end++);
      i = i_end;
      j = j_end + 1;
    }
  return TRUE;
}

/* --- The block -------------------------------------------------------------------------------- */

/* Returns the least indentation of the lines that are not blank; G_MAXSIZE if all are. */
static gsize
get_least_indent (const GArray *lines)
{
  gsize least = G_MAXSIZE;

  for (guint i = 0; i < lines->len; i++)
    if (!_gadget_text_line_is_blank (get_line (lines, i)))
      least = MIN (least, _gadget_text_line_get_indent (get_line (lines, i)));
  return least;
}

static gsize
get_first_indent (const GArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    if (!_gadget_text_line_is_blank (get_line (lines, i)))
      return _gadget_text_line_get_indent (get_line (lines, i));
  return G_MAXSIZE;
}

static gboolean
keeps_line (const GadgetTextPlace *place, const guint *matches)
{
  for (guint j = 0; j < place->new_lines->len; j++)
    if (matches[j] != GADGET_TEXT_NO_LINE
        && !_gadget_text_line_is_blank (get_line (place->new_lines, j)))
      return TRUE;
  return FALSE;
}

/* A moved block is moved back only if the new lines are indented as the old ones are, and not as
 * the file is: a line that is kept shows that, or the indentation as a whole. */
static gboolean
check_move (Rewriter *self, const guint *matches)
{
  const GadgetTextPlace *place = self->place;
  const gsize old_least = get_least_indent (place->old_lines);
  const gsize new_least = get_least_indent (place->new_lines);

  if (_gadget_text_move_is_none (self->move) || new_least == G_MAXSIZE)
    return TRUE;
  if (new_least < old_least && has_meaningful_indentation (place->path))
    return refuse (self, "\"new_text\" leaves the block, whose indentation is another one in the "
                         "file");
  if (new_least != old_least && !keeps_line (place, matches)
      && get_first_indent (place->old_lines) != get_first_indent (place->new_lines))
    return refuse (self, "\"old_text\" and \"new_text\" are indented differently, and the file "
                         "in a third way");
  return TRUE;
}

static gboolean
is_terminated (const GArray *lines)
{
  return lines->len > 0 && get_line (lines, lines->len - 1)->n_end > 0;
}

/* Makes the last newline that of the file, unless the edit adds or removes one. */
static gboolean
finish (Rewriter *self)
{
  const GadgetTextPlace *place = self->place;
  const guint n_old = place->old_lines->len;
  const guint n_new = place->new_lines->len;
  const gboolean old_newline = is_terminated (place->old_lines);
  const gboolean new_newline = is_terminated (place->new_lines);
  const gboolean file_newline = _gadget_text_place_get_line (place, n_old - 1)->n_end > 0;

  if (file_newline && n_new == 0 && !old_newline)
    append_end (self, _gadget_text_place_get_line (place, n_old - 1));
  else if (file_newline && n_new > 0 && old_newline != new_newline)
    return refuse (self, "only one of \"old_text\" and \"new_text\" ends with a newline");
  else if (!file_newline && n_new > 0 && (old_newline || !new_newline))
    g_string_truncate (self->out, self->out->len - self->n_line_end);
  return TRUE;
}

/* Finds the line end for lines that come before any other; a last line has none. */
static void
find_line_end (Rewriter *self)
{
  const guint first = self->place->first;
  const GadgetTextLine *line = get_line (self->place->file, first);

  if (line->n_end == 0 && first > 0)
    line = get_line (self->place->file, first - 1);
  self->line_end = line->n_end > 0 ? line->text + line->length : "\n";
  self->n_line_end = line->n_end > 0 ? line->n_end : 1;
}

char *
_gadget_text_place_rewrite (const GadgetTextPlace *self, const GadgetTextMove *move,
                            const char **reason)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree guint *matches = _gadget_text_lines_match (self->old_lines, self->new_lines);
  Rewriter rewriter = { .place = self, .move = move, .out = out };

  *reason = "it has too many lines for that";
  if (matches == NULL)
    return NULL;
  find_line_end (&rewriter);
  if (check_move (&rewriter, matches) && append_all (&rewriter, matches) && finish (&rewriter))
    return g_string_free_and_steal (g_steal_pointer (&out));
  *reason = rewriter.reason;
  return NULL;
}
