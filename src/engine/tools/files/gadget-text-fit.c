/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Three steps for each reading of the edit:
 *
 *   find: the lines of the file are searched for the sequence of hashes of the old lines, in linear
 *     time. A hash ignores all that a rule may explain.
 *     ─▶ check: each place that was found is compared letter by letter, which tells the rules
 *     ─▶ rewrite: the new lines are written as the rules say (gadget-text-rewrite.c)
 *
 * An edit is applied only if all readings, places and rules together lead to one result. */

#define G_LOG_DOMAIN "gadget-text-fit"

#include "config.h"

#include "gadget-text-fit.h"

#include "gadget-text-nearest.h"
#include "gadget-text-reading.h"
#include "gadget-text-rewrite.h"

#include <string.h>

#define MAX_LINES (1024 * 1024) /* of a file */
#define MAX_PLACES 3            /* that are shown, and looked for */
#define MAX_UNIT 8              /* blanks by which a file indents; more only align */

/* What all readings together lead to. */
typedef struct
{
  const char *text;
  gsize length;
  const char *path;
  GArray *file;       /* of GadgetTextLine */
  guint *hashes;      /* of its lines */
  guint unit;         /* the least number of blanks that it indents a line by; 0 if none */
  GArray *places;     /* of GadgetTextSpan: different ones */
  GadgetTextFit *fit; /* (nullable) */
  const char *reason; /* (nullable): why a place cannot be used */
} Search;

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->file, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->fit, _gadget_text_fit_free);
  g_free (self->hashes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

void
_gadget_text_fit_free (GadgetTextFit *self)
{
  g_free (self->text);
  g_free (self);
}

static const GadgetTextLine *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextLine, i);
}

static guint *
hash_lines (const GArray *lines)
{
  guint *hashes = g_new (guint, lines->len + 1);

  for (guint i = 0; i < lines->len; i++)
    hashes[i] = _gadget_text_line_hash (get_line (lines, i));
  return hashes;
}

static guint
find_unit (const GArray *lines)
{
  guint unit = 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextLine *line = get_line (lines, i);
      const guint n = (guint) _gadget_text_line_get_indent (line);

      if (n >= 2 && n <= MAX_UNIT && n < line->length && memchr (line->text, '\t', n) == NULL
          && (unit == 0 || n < unit))
        unit = n;
    }
  return unit;
}

/* --- Comparing one place ---------------------------------------------------------------------- */

/* Compares two texts character by character, and notes the typographic ones that stand for others.
 * GIVEN_KINDS and ACTUAL_KINDS are those of the place. */
static gboolean
compare_chars (const char *given, const char *actual, guint *given_kinds, guint *actual_kinds)
{
  for (; *given != '\0' && *actual != '\0';
       given = g_utf8_next_char (given), actual = g_utf8_next_char (actual))
    {
      const gunichar a = g_utf8_get_char (given);
      const gunichar b = g_utf8_get_char (actual);

      if (a == b)
        continue;
      if (_gadget_text_fold (a, NULL) == b)
        _gadget_text_fold (a, given_kinds);
      else if (_gadget_text_fold (b, NULL) == a)
        _gadget_text_fold (b, actual_kinds);
      else
        return FALSE;
    }
  return *given == *actual;
}

static gboolean
compare_body (GadgetTextPlace *place, const GadgetTextLine *given, const GadgetTextLine *actual)
{
  const gsize given_begin = _gadget_text_line_get_indent (given);
  const gsize actual_begin = _gadget_text_line_get_indent (actual);
  const gsize given_length = MAX (_gadget_text_line_get_end (given), given_begin) - given_begin;
  const gsize actual_length = MAX (_gadget_text_line_get_end (actual), actual_begin) - actual_begin;
  g_autofree char *converted = NULL;
  g_autofree char *text = NULL;

  if (given_length == actual_length
      && memcmp (given->text + given_begin, actual->text + actual_begin, given_length) == 0)
    return TRUE;
  if (!g_utf8_validate (actual->text + actual_begin, (gssize) actual_length, NULL))
    return FALSE;
  converted = _gadget_text_place_convert (place, given->text + given_begin, given_length);
  text = g_strndup (actual->text + actual_begin, actual_length);
  return converted != NULL
         && compare_chars (converted, text, &place->given_kinds, &place->actual_kinds);
}

static gboolean
compare_bodies (GadgetTextPlace *place)
{
  place->given_kinds = 0;
  place->actual_kinds = 0;
  for (guint i = 0; i < place->old_lines->len; i++)
    if (!compare_body (place, get_line (place->old_lines, i),
                       _gadget_text_place_get_line (place, i)))
      return FALSE;
  /* One character may not stand for another in both directions. */
  return (place->given_kinds & place->actual_kinds) == 0;
}

/* Compares the letters, if necessary in one of the two Unicode forms. */
static gboolean
compare_letters (GadgetTextPlace *place)
{
  static const GNormalizeMode forms[] = { G_NORMALIZE_NFC, G_NORMALIZE_NFD };

  place->normalizes = FALSE;
  if (compare_bodies (place))
    return TRUE;
  place->normalizes = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      place->form = forms[i];
      if (compare_bodies (place))
        return TRUE;
    }
  return FALSE;
}

static guint
compare_ends (GadgetTextPlace *place)
{
  guint rules = 0;

  for (guint i = 0; i < place->old_lines->len; i++)
    {
      const GadgetTextLine *given = get_line (place->old_lines, i);
      const GadgetTextLine *actual = _gadget_text_place_get_line (place, i);
      const gsize given_end = _gadget_text_line_get_end (given);
      const gsize actual_end = _gadget_text_line_get_end (actual);

      if (given->length - given_end != actual->length - actual_end
          || memcmp (given->text + given_end, actual->text + actual_end, given->length - given_end)
                 != 0)
        rules = GADGET_TEXT_RULE_BLANKS;
      if (given->length > given_end && actual->length == actual_end)
        place->strips = TRUE;
    }
  return rules;
}

static GArray *
collect_indents (const GadgetTextPlace *place)
{
  GArray *indents = g_array_new (FALSE, FALSE, sizeof (GadgetTextIndent));

  for (guint i = 0; i < place->old_lines->len; i++)
    {
      const GadgetTextLine *given = get_line (place->old_lines, i);
      const GadgetTextLine *actual = _gadget_text_place_get_line (place, i);
      const GadgetTextIndent indent = { given->text, _gadget_text_line_get_indent (given),
                                        actual->text, _gadget_text_line_get_indent (actual) };

      if (!_gadget_text_line_is_blank (given))
        g_array_append_val (indents, indent);
    }
  return indents;
}

/* Returns whether the place is the content of a code block of the file: then the fences of the edit
 * may be meant as those of the file. */
static gboolean
is_fenced (const GadgetTextPlace *place)
{
  const GadgetTextLine *line = place->first > 0 ? get_line (place->file, place->first - 1) : NULL;
  const gsize indent = line != NULL ? _gadget_text_line_get_indent (line) : 0;

  return line != NULL && line->length >= indent + 3
         && (memcmp (line->text + indent, "```", 3) == 0
             || memcmp (line->text + indent, "~~~", 3) == 0);
}

/* --- Results ---------------------------------------------------------------------------------- */

static void
add_span (Search *self, const GadgetTextSpan *span)
{
  for (guint i = 0; i < self->places->len; i++)
    if (g_array_index (self->places, GadgetTextSpan, i).first == span->first
        && g_array_index (self->places, GadgetTextSpan, i).n_lines == span->n_lines)
      return;
  g_array_append_val (self->places, *span);
}

static GadgetTextFit *
fit_new (const Search *self, const GadgetTextPlace *place, char *text, guint rules)
{
  const GadgetTextLine *first = _gadget_text_place_get_line (place, 0);
  const GadgetTextLine *last = _gadget_text_place_get_line (place, place->old_lines->len - 1);
  GadgetTextFit *fit = g_new0 (GadgetTextFit, 1);

  fit->offset = (gsize) (first->text - self->text);
  fit->length = (gsize) (last->text - first->text) + last->length + last->n_end;
  fit->text = text;
  fit->rules = rules;
  return fit;
}

/* Takes one result; another one than before is a reason to refuse all. */
static void
add_result (Search *self, const GadgetTextPlace *place, char *text, guint rules)
{
  if (self->fit == NULL)
    self->fit = fit_new (self, place, text, rules);
  else
    {
      if (!g_str_equal (self->fit->text, text))
        self->reason = "the rules by which it fits make different things of \"new_text\"";
      g_free (text);
    }
}

/* Returns the rules that explain a place whose letters are the same. */
static guint
name_rules (GadgetTextPlace *place, gboolean moved, guint rules)
{
  const GadgetTextLine *last_old = get_line (place->old_lines, place->old_lines->len - 1);
  const GadgetTextLine *last = _gadget_text_place_get_line (place, place->old_lines->len - 1);

  rules |= compare_ends (place);
  rules |= place->normalizes ? GADGET_TEXT_RULE_UNICODE : 0;
  rules |= (place->given_kinds | place->actual_kinds) != 0 ? GADGET_TEXT_RULE_TYPOGRAPHY : 0;
  rules |= moved ? GADGET_TEXT_RULE_INDENTATION : 0;
  rules |= last_old->n_end > 0 && last->n_end == 0 ? GADGET_TEXT_RULE_LAST_NEWLINE : 0;
  return rules != 0 ? rules : GADGET_TEXT_RULE_LINE_ENDS;
}

/* Takes the results of all moves. Returns FALSE if the new lines cannot follow one; they need not
 * follow the others when the first one keeps the level. */
static gboolean
try_moves (Search *self, GadgetTextPlace *place, const GPtrArray *moves, guint rules,
           const char **reason)
{
  const GadgetTextMove *first = g_ptr_array_index (moves, 0);

  for (guint i = 0; i < moves->len; i++)
    {
      const GadgetTextMove *move = g_ptr_array_index (moves, i);
      const guint all_rules = name_rules (place, !_gadget_text_move_is_none (move), rules);
      char *text = _gadget_text_place_rewrite (place, move, reason);

      if (text != NULL)
        add_result (self, place, text, all_rules);
      else if (i == 0 || !_gadget_text_move_keeps_level (first))
        return FALSE;
    }
  return TRUE;
}

static void
try_place (Search *self, GadgetTextPlace *place, guint rules)
{
  const GadgetTextSpan span = { place->first, place->old_lines->len };
  g_autoptr (GArray) indents = collect_indents (place);
  g_autoptr (GPtrArray) moves = NULL;
  const char *reason;

  place->strips = FALSE;
  if (((rules & GADGET_TEXT_RULE_FENCE) != 0 && is_fenced (place)) || !compare_letters (place))
    return;
  moves = _gadget_text_moves_find (indents, self->unit);
  if (moves == NULL)
    return;
  add_span (self, &span);
  if (!try_moves (self, place, moves, rules, &reason))
    self->reason = reason;
}

/* --- Finding places --------------------------------------------------------------------------- */

/* For each length of a beginning of WANTED: the length of the longest shorter beginning at its end,
 * as in the algorithm of Knuth, Morris and Pratt. */
static guint *
make_borders (const guint *wanted, guint n)
{
  guint *borders = g_new0 (guint, n + 1);

  for (guint i = 1, border = 0; i < n; i++)
    {
      while (border > 0 && wanted[i] != wanted[border])
        border = borders[border];
      border += wanted[i] == wanted[border] ? 1 : 0;
      borders[i + 1] = border;
    }
  return borders;
}

static void
find_places (Search *self, GadgetTextPlace *place, guint rules)
{
  const guint n = place->old_lines->len;
  g_autofree guint *wanted = hash_lines (place->old_lines);
  g_autofree guint *borders = make_borders (wanted, n);
  guint n_equal = 0;

  for (guint i = 0; i < self->file->len && self->places->len < MAX_PLACES; i++)
    {
      while (n_equal > 0 && self->hashes[i] != wanted[n_equal])
        n_equal = borders[n_equal];
      n_equal += self->hashes[i] == wanted[n_equal] ? 1 : 0;
      if (n_equal < n)
        continue;
      place->first = i + 1 - n;
      try_place (self, place, rules);
      n_equal = borders[n_equal];
    }
}

static gboolean
is_all_blank (const GArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    if (!_gadget_text_line_is_blank (get_line (lines, i)))
      return FALSE;
  return TRUE;
}

static void
try_reading (Search *self, const GadgetTextReading *reading)
{
  g_autoptr (GArray) old_lines =
      _gadget_text_lines_new (reading->old_text, strlen (reading->old_text));
  g_autoptr (GArray) new_lines =
      _gadget_text_lines_new (reading->new_text, strlen (reading->new_text));
  GadgetTextPlace place = { .text = self->text,
                            .length = self->length,
                            .path = self->path,
                            .file = self->file,
                            .old_lines = old_lines,
                            .new_lines = new_lines };

  if (!is_all_blank (old_lines) && old_lines->len <= self->file->len)
    find_places (self, &place, reading->rules);
}

static void
set_failure (const Search *self, const char *old_text, GError **error)
{
  g_autofree char *shown = NULL;

  if (self->places->len == 0)
    {
      shown = _gadget_text_describe_nearest (self->file, self->hashes, old_text);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "\"old_text\" is not in the file. %s",
                   shown);
      return;
    }
  shown = _gadget_text_describe_spans (self->file, self->places);
  if (self->places->len > 1)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "\"old_text\" is not in the file exactly, and fits %s places of it but for "
                 "blanks and the like. Give it exactly, with more of the text around it.\n%s",
                 self->places->len < MAX_PLACES ? "two" : "several", shown);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "\"old_text\" is not in the file exactly. It fits at line %u, but %s. Give both "
                 "texts as the file has them.\n%s",
                 g_array_index (self->places, GadgetTextSpan, 0).first + 1, self->reason, shown);
}

GadgetTextFit *
_gadget_text_fit_find (const char *text, gsize length, const char *path, const char *old_text,
                       const char *new_text, GError **error)
{
  g_autoptr (GPtrArray) readings = _gadget_text_readings_new (old_text, new_text);
  g_auto (Search) search = { .text = text, .length = length, .path = path };

  search.file = _gadget_text_lines_new (text, length);
  search.places = g_array_new (FALSE, FALSE, sizeof (GadgetTextSpan));
  if (search.file->len > MAX_LINES)
    g_array_set_size (search.file, 0);
  search.hashes = hash_lines (search.file);
  search.unit = find_unit (search.file);
  for (guint i = 0; i < readings->len && search.places->len < MAX_PLACES; i++)
    try_reading (&search, g_ptr_array_index (readings, i));
  if (search.places->len == 1 && search.reason == NULL)
    return g_steal_pointer (&search.fit);
  set_failure (&search, old_text, error);
  return NULL;
}
