/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each undo function gets a text as it was given and returns what it was before, or NULL if the
 * mistake was not made in it, or not throughout. The mistake counts as made only where it was made
 * in the whole of the old text, and the new text must have it throughout as well, or not at all.
 *
 * Several functions may apply to one text; each way becomes a reading, and the caller refuses an
 * edit whose readings lead to different results. */

#define G_LOG_DOMAIN "gadget-text-reading"

#include "config.h"

#include "gadget-text-reading.h"

#include "gadget-text-escapes.h"
#include "gadget-text-lines.h"

#include <string.h>

#define MAX_READINGS 32
#define BOM "\xef\xbb\xbf"

static void
reading_free (gpointer data)
{
  GadgetTextReading *self = data;

  g_free (self->old_text);
  g_free (self->new_text);
  g_free (self);
}

static GadgetTextReading *
reading_new (char *old_text, char *new_text, guint rules)
{
  GadgetTextReading *self = g_new0 (GadgetTextReading, 1);

  self->old_text = old_text;
  self->new_text = new_text;
  self->rules = rules;
  return self;
}

static GArray *
split (const char *text)
{
  return _gadget_text_lines_new (text, strlen (text));
}

static const GadgetTextLine *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextLine, i);
}

/* Returns a text without a byte order mark and with "\n" at the ends of lines. */
static char *
to_plain (const char *text)
{
  g_autoptr (GArray) lines = split (g_str_has_prefix (text, BOM) ? text + strlen (BOM) : text);
  g_autoptr (GString) plain = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextLine *line = get_line (lines, i);

      g_string_append_len (plain, line->text, (gssize) line->length);
      g_string_append (plain, line->n_end > 0 ? "\n" : "");
    }
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

/* --- Code fences ------------------------------------------------------------------------------ */

/* Returns the number of fence characters that a line begins with; 0 if it is no fence. @rest is set
 * to whether text follows them. */
static gsize
get_fence (const GadgetTextLine *line, char *mark, gboolean *rest)
{
  const gsize begin = _gadget_text_line_get_indent (line);
  const gsize end = _gadget_text_line_get_end (line);
  gsize at = begin;

  if (begin >= end || (line->text[begin] != '`' && line->text[begin] != '~'))
    return 0;
  *mark = line->text[begin];
  while (at < end && line->text[at] == *mark)
    at++;
  *rest = at < end;
  return at - begin >= 3 ? at - begin : 0;
}

static gboolean
is_fence (const GadgetTextLine *line)
{
  char mark;
  gboolean rest;

  return get_fence (line, &mark, &rest) > 0;
}

static guint
count_fences (const GArray *lines)
{
  guint n = 0;

  for (guint i = 0; i < lines->len; i++)
    n += is_fence (get_line (lines, i)) ? 1 : 0;
  return n;
}

static gboolean
has_closing_fence (const GArray *lines)
{
  char opening;
  char closing;
  gboolean rest;
  const gsize n_open = get_fence (get_line (lines, 0), &opening, &rest);
  const gsize n_close = get_fence (get_line (lines, lines->len - 1), &closing, &rest);

  return n_open > 0 && n_close >= n_open && closing == opening && !rest;
}

/* Returns: (transfer full) (nullable): what is between the fences */
static char *
undo_fence (const char *text)
{
  g_autoptr (GArray) lines = split (text);
  const GadgetTextLine *last;

  while (lines->len > 0 && _gadget_text_line_is_blank (get_line (lines, lines->len - 1)))
    g_array_set_size (lines, lines->len - 1);
  if (lines->len < 2 || count_fences (lines) != 2 || !has_closing_fence (lines))
    return NULL;
  last = get_line (lines, lines->len - 1);
  return g_strndup (get_line (lines, 1)->text, (gsize) (last->text - get_line (lines, 1)->text));
}

static gboolean
equals_first_line (const char *a, const char *b)
{
  const gsize length = strcspn (a, "\n");

  return length == strcspn (b, "\n") && memcmp (a, b, length) == 0;
}

static gboolean
read_fence (const GadgetTextReading *in, char **old_text, char **new_text)
{
  g_autoptr (GArray) lines = split (in->new_text);

  *old_text = undo_fence (in->old_text);
  if (*old_text == NULL)
    return FALSE;
  if (count_fences (lines) > 0)
    *new_text = equals_first_line (in->old_text, in->new_text) ? undo_fence (in->new_text) : NULL;
  else if (*in->new_text == '\0' || g_str_has_suffix (in->new_text, "\n"))
    *new_text = g_strdup (in->new_text);
  else
    *new_text = g_strconcat (in->new_text, "\n", NULL);
  return *new_text != NULL;
}

/* --- Line numbers ----------------------------------------------------------------------------- */

/* What stands before the text of a line: "12\t", "  12→", "L12: ", "src/a.c:12:". */
typedef struct
{
  gsize n_path; /* bytes of the path, with its ":" */
  guint64 number;
  gunichar separator; /* 0 when the line ends after the number */
  gsize length;       /* of all that stands before the text, without blanks after the separator */
} Prefix;

static gsize
count_path (const char *line)
{
  const char *colon = strchr (line, ':');

  if (colon == NULL || colon == line || !g_ascii_isdigit (colon[1])
      || strcspn (line, " \t\"'") < (gsize) (colon - line))
    return 0;
  return (gsize) (colon - line) + 1;
}

static gboolean
parse_separator (const char *after, const char *line, Prefix *prefix)
{
  const char *c = after + strspn (after, " ");
  const gunichar separator = g_utf8_get_char_validated (c, -1);

  prefix->separator = separator;
  prefix->length = (gsize) (c - line);
  if (separator == '\0')
    return TRUE;
  if (separator == '\t' || separator == ':' || separator == '|' || separator == 0x2192
      || separator == 0x2502)
    {
      prefix->length = (gsize) (g_utf8_next_char (c) - line);
      return TRUE;
    }
  prefix->separator = ' ';
  prefix->length = (gsize) (after - line) + 1;
  return c > after;
}

static gboolean
parse_prefix (const char *line, Prefix *prefix)
{
  const char *c = line + strspn (line, " ");
  const char *digits;

  prefix->n_path = g_ascii_isdigit (*c) ? 0 : count_path (line);
  c = prefix->n_path > 0 ? line + prefix->n_path : c;
  digits = *c == 'L' ? c + 1 : c;
  c = digits + strspn (digits, "0123456789");
  if (c == digits || c - digits > 7)
    return FALSE;
  prefix->number = g_ascii_strtoull (digits, NULL, 10);
  return parse_separator (c, line, prefix);
}

/* Returns whether two lines were numbered in the same way. */
static gboolean
is_same_kind (const Prefix *a, const char *a_line, const Prefix *b, const char *b_line)
{
  return (a->separator == b->separator || a->separator == 0 || b->separator == 0)
         && a->n_path == b->n_path && memcmp (a_line, b_line, a->n_path) == 0;
}

static gboolean
is_numbered (const char *line, const Prefix *first, const char *first_line, Prefix *prefix)
{
  return parse_prefix (line, prefix) && is_same_kind (first, first_line, prefix, line);
}

/* Returns whether a blank follows each number, so that it belongs to the number. */
static gboolean
has_blank_after_all (char **lines, gsize *lengths)
{
  gboolean any = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (lines[i][lengths[i]] != '\0' && lines[i][lengths[i]] != ' ')
        return FALSE;
      any = any || lines[i][lengths[i]] == ' ';
    }
  return any;
}

static char *
join_without (char **lines, gsize *lengths, gboolean one_more)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *rest = lines[i] + lengths[i];

      g_string_append (text, one_more && *rest == ' ' ? rest + 1 : rest);
      g_string_append (text, lines[i + 1] != NULL ? "\n" : "");
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Measures what stands before each line of the old text, whose numbers count up from FIRST's. An
 * empty last line, after the last newline, has no number. Returns FALSE when a line has none. */
static gboolean
measure_old (char **lines, const Prefix *first, gsize *lengths)
{
  Prefix prefix;

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '\0')
      lengths[i] = 0;
    else if (is_numbered (lines[i], first, lines[0], &prefix) && prefix.number == first->number + i)
      lengths[i] = prefix.length;
    else
      return FALSE;
  return TRUE;
}

/* Likewise for the new text, whose numbers must not count down. Sets N_NUMBERED to the number of
 * lines that have one. */
static gboolean
measure_new (char **lines, const Prefix *first, const char *first_line, gsize *lengths,
             guint *n_numbered)
{
  guint64 last = first->number;
  Prefix prefix;

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && is_numbered (lines[i], first, first_line, &prefix))
      {
        if (prefix.number < last || prefix.number > first->number + g_strv_length (lines))
          return FALSE;
        last = prefix.number;
        lengths[i] = prefix.length;
        ++*n_numbered;
      }
  return TRUE;
}

static guint
count_filled (char **lines)
{
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += *lines[i] != '\0' ? 1 : 0;
  return n;
}

/* A single number may be a part of the text, unless the new text has it, too, or only a program
 * would write what follows it. */
static gboolean
is_evident (const Prefix *first, guint n_old, guint n_new_numbered)
{
  const gboolean strong = first->separator == '\t' || first->separator > 0x80 || first->n_path > 0;

  return first->separator != 0
         && (n_old > 1 || strong || (n_new_numbered > 0 && first->separator != ' '));
}

/* With ONE_MORE, a blank after each number belongs to the number. */
static gboolean
undo_numbers (const GadgetTextReading *in, gboolean one_more, char **old_text, char **new_text)
{
  g_auto (GStrv) olds = g_strsplit (in->old_text, "\n", -1);
  g_auto (GStrv) news = g_strsplit (in->new_text, "\n", -1);
  g_autofree gsize *old_lengths = g_new0 (gsize, g_strv_length (olds) + 1);
  g_autofree gsize *new_lengths = g_new0 (gsize, g_strv_length (news) + 1);
  guint n_numbered = 0;
  Prefix first;

  if (olds[0] == NULL || *olds[0] == '\0' || !parse_prefix (olds[0], &first)
      || !measure_old (olds, &first, old_lengths)
      || !measure_new (news, &first, olds[0], new_lengths, &n_numbered)
      || (n_numbered > 0 && n_numbered != count_filled (news))
      || !is_evident (&first, count_filled (olds), n_numbered))
    return FALSE;
  if (one_more
      && (first.separator == ' ' || !has_blank_after_all (olds, old_lengths)
          || (n_numbered > 0 && !has_blank_after_all (news, new_lengths))))
    return FALSE;
  *old_text = join_without (olds, old_lengths, one_more);
  *new_text = n_numbered > 0 ? join_without (news, new_lengths, one_more) : g_strdup (in->new_text);
  return TRUE;
}

static gboolean
read_numbers (const GadgetTextReading *in, char **old_text, char **new_text)
{
  return undo_numbers (in, FALSE, old_text, new_text);
}

static gboolean
read_numbers_and_blanks (const GadgetTextReading *in, char **old_text, char **new_text)
{
  return undo_numbers (in, TRUE, old_text, new_text);
}

/* --- Escapes ---------------------------------------------------------------------------------- */

typedef char *(*Undo) (const char *text);

/* The new text has the mistake as well, or no MARK of it. When the old text has nothing of which
 * the mistake could be seen, that is none of SHOWING, only the new text may have it: a second
 * reading, so that the edit is refused. */
static gboolean
read_both (const GadgetTextReading *in, Undo undo_old, Undo undo, const char *mark,
           const char *showing, char **old_text, char **new_text)
{
  const gboolean marked = strstr (in->new_text, mark) != NULL;

  *old_text = undo_old (in->old_text);
  if (*old_text == NULL && (!marked || strpbrk (in->old_text, showing) != NULL))
    return FALSE;
  if (*old_text == NULL)
    *old_text = g_strdup (in->old_text);
  *new_text = marked ? undo (in->new_text) : g_strdup (in->new_text);
  return *new_text != NULL;
}

static gboolean
read_json (const GadgetTextReading *in, char **old_text, char **new_text)
{
  return read_both (in, _gadget_text_undo_json_surely, _gadget_text_undo_json, "\\", "\\\"\n\t",
                    old_text, new_text);
}

static gboolean
read_quotes (const GadgetTextReading *in, char **old_text, char **new_text)
{
  return read_both (in, _gadget_text_undo_quotes, _gadget_text_undo_quotes, "\\\"", "\\\"",
                    old_text, new_text);
}

static gboolean
read_unicode (const GadgetTextReading *in, char **old_text, char **new_text)
{
  return read_both (in, _gadget_text_undo_unicode, _gadget_text_undo_unicode, "\\u", "\\", old_text,
                    new_text);
}

/* --- HTML entities ---------------------------------------------------------------------------- */

/* Whoever escapes a text writes each "&", "<" and ">" as an entity, and each quote, or no quote. As
 * above, the new text alone may have entities when the old one has nothing to escape. */
static gboolean
read_entities (const GadgetTextReading *in, char **old_text, char **new_text)
{
  g_autoptr (GString) escaped = g_string_new (NULL);
  g_autoptr (GString) plain = g_string_new (NULL);

  _gadget_text_collect_entities (in->old_text, escaped, plain);
  _gadget_text_collect_entities (in->new_text, escaped, plain);
  if (escaped->len == 0 || strpbrk (plain->str, "&<>") != NULL
      || strpbrk (plain->str, escaped->str) != NULL)
    return FALSE;
  *old_text = _gadget_text_undo_entities (in->old_text);
  *new_text = _gadget_text_undo_entities (in->new_text);
  return TRUE;
}

/* --- No-break spaces -------------------------------------------------------------------------- */

/* Returns whether a line begins with a no-break space among its blanks. */
static gboolean
has_special_indent (const char *text)
{
  gboolean in_indent = TRUE;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      guint kinds = 0;

      _gadget_text_fold (g_utf8_get_char (c), &kinds);
      if (in_indent && (kinds & GADGET_TEXT_SPACES) != 0)
        return TRUE;
      in_indent = *c == '\n' || (in_indent && (*c == ' ' || *c == '\t'));
    }
  return FALSE;
}

static char *
undo_spaces (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      guint kinds = 0;
      const gunichar folded = _gadget_text_fold (g_utf8_get_char (c), &kinds);

      g_string_append_unichar (plain, kinds == GADGET_TEXT_SPACES ? folded : g_utf8_get_char (c));
    }
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

/* A text that is indented by no-break spaces has none that is wanted. */
static gboolean
read_spaces (const GadgetTextReading *in, char **old_text, char **new_text)
{
  if (!g_utf8_validate (in->old_text, -1, NULL) || !g_utf8_validate (in->new_text, -1, NULL)
      || !has_special_indent (in->old_text))
    return FALSE;
  *old_text = undo_spaces (in->old_text);
  *new_text = undo_spaces (in->new_text);
  return TRUE;
}

/* --- All readings ----------------------------------------------------------------------------- */

typedef enum
{
  FENCE = 1 << 0,
  NUMBERS = 1 << 1,
  JSON = 1 << 2,
  QUOTES = 1 << 3,
  UNICODE = 1 << 4,
  ENTITIES = 1 << 5,
  SPACES = 1 << 6,
} Step;

/* A text was escaped once: after a step those that it excludes are not tried. */
static const struct
{
  gboolean (*read) (const GadgetTextReading *in, char **old_text, char **new_text);
  guint step;
  guint excludes;
  GadgetTextRules rule;
} steps[] = {
  { read_fence, FENCE, FENCE, GADGET_TEXT_RULE_FENCE },
  { read_numbers, NUMBERS, NUMBERS, GADGET_TEXT_RULE_NUMBERS },
  { read_numbers_and_blanks, NUMBERS, NUMBERS, GADGET_TEXT_RULE_NUMBERS },
  { read_json, JSON, JSON | QUOTES | UNICODE, GADGET_TEXT_RULE_ESCAPES },
  { read_quotes, QUOTES, JSON | QUOTES, GADGET_TEXT_RULE_ESCAPES },
  { read_unicode, UNICODE, JSON | UNICODE, GADGET_TEXT_RULE_ESCAPES },
  { read_entities, ENTITIES, ENTITIES, GADGET_TEXT_RULE_ENTITIES },
  { read_spaces, SPACES, SPACES, GADGET_TEXT_RULE_TYPOGRAPHY },
};
/* Adds a reading, and those that follow from it by more steps; none of EXCLUDED. */
static void
add_readings (GPtrArray *readings, GadgetTextReading *reading, guint excluded)
{
  g_ptr_array_add (readings, reading);
  for (guint i = 0; i < G_N_ELEMENTS (steps) && readings->len < MAX_READINGS; i++)
    {
      g_autofree char *old_text = NULL;
      g_autofree char *new_text = NULL;

      if ((excluded & steps[i].step) == 0 && steps[i].read (reading, &old_text, &new_text))
        add_readings (
            readings,
            reading_new (to_plain (old_text), to_plain (new_text), reading->rules | steps[i].rule),
            excluded | steps[i].excludes);
    }
}

GPtrArray *
_gadget_text_readings_new (const char *old_text, const char *new_text)
{
  GPtrArray *readings = g_ptr_array_new_with_free_func (reading_free);

  add_readings (readings, reading_new (to_plain (old_text), to_plain (new_text), 0), 0);
  return readings;
}

char *
_gadget_text_rules_describe (guint rules)
{
  static const char *const names[] = {
    "a code fence around it",
    "line numbers before its lines",
    "escapes written once too often",
    "HTML entities",
    "typographic characters",
    "another Unicode form of its letters",
    "the indentation of the block",
    "blanks at line ends",
    "line ends",
    "the last newline",
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((rules & (1u << i)) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", names[i]);
  return g_string_free_and_steal (g_steal_pointer (&text));
}
