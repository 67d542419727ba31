/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each line of the file that equals an old line votes for the place where the old text would have
 * begun. Without any such line, the line is taken that has the most pairs of bytes in common with
 * the longest old line. Both are linear in the file. Nothing here decides what is edited. */

#define G_LOG_DOMAIN "gadget-text-nearest"

#include "config.h"

#include "gadget-text-nearest.h"

#include "gadget-text-lines.h"
#include "common/gadget-line-diff.h"

#include <string.h>

#define MAX_OLD_LINES 2000 /* lines of the old text that vote */
#define MAX_SAME 8         /* votes of one line of the file */
#define MAX_SHOWN 2500     /* bytes of a difference */
#define MAX_SPAN_LINES 4   /* lines shown of each of several places */
#define MAX_LINE 160       /* bytes shown of each of them */
#define LEAST_SIMILAR 0.5  /* the share of equal pairs from which two lines are similar */
#define N_PAIRS 65536

static const GadgetTextLine *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextLine, i);
}

/* --- Places ----------------------------------------------------------------------------------- */

/* Returns a table from the hashes of the old lines that are not blank to lists of their numbers. */
static GHashTable *
index_lines (const GArray *old_lines)
{
  GHashTable *table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < MIN (old_lines->len, MAX_OLD_LINES); i++)
    {
      const gpointer key = GUINT_TO_POINTER (_gadget_text_line_hash (get_line (old_lines, i)));
      GArray *numbers = g_hash_table_lookup (table, key);

      if (_gadget_text_line_is_blank (get_line (old_lines, i)))
        continue;
      if (numbers == NULL)
        {
          numbers = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (table, key, numbers);
        }
      if (numbers->len < MAX_SAME)
        g_array_append_val (numbers, i);
    }
  return table;
}

/* Returns whether any line votes. BEST is set to the first line of the place with the most votes,
 * from 0. */
static gboolean
find_by_votes (const GArray *file, const guint *hashes, const GArray *old_lines, guint *best)
{
  g_autoptr (GHashTable) table = index_lines (old_lines);
  g_autofree guint *votes = g_new0 (guint, file->len + 1);
  guint most = 0;

  for (guint i = 0; i < file->len; i++)
    {
      const GArray *numbers = g_hash_table_lookup (table, GUINT_TO_POINTER (hashes[i]));

      for (guint k = 0; numbers != NULL && k < numbers->len; k++)
        {
          const guint number = g_array_index (numbers, guint, k);
          const guint begin = i > number ? i - number : 0;

          if (++votes[begin] > most)
            {
              most = votes[begin];
              *best = begin;
            }
        }
    }
  return most > 0;
}

static guint
get_pair (const char *c)
{
  return ((guint) (guchar) c[0] << 8) | (guchar) c[1];
}

static guint
find_longest (const GArray *lines)
{
  guint longest = 0;

  for (guint i = 0; i < lines->len; i++)
    if (get_line (lines, i)->length > get_line (lines, longest)->length)
      longest = i;
  return longest;
}

static void
mark_pairs (const GadgetTextLine *line, guint8 *pairs, guint8 value)
{
  for (gsize i = 0; i + 1 < line->length; i++)
    pairs[get_pair (line->text + i)] = value;
}

/* Returns the share of the pairs of a line that are marked, in relation to the longer line. */
static double
compare_pairs (const GadgetTextLine *line, const guint8 *pairs, gsize wanted)
{
  guint n = 0;

  for (gsize i = 0; i + 1 < line->length; i++)
    n += pairs[get_pair (line->text + i)];
  return (double) n / (double) MAX (MAX (line->length, wanted), 2);
}

/* Likewise, by similarity to the longest old line. */
static gboolean
find_by_pairs (const GArray *file, const GArray *old_lines, guint *best)
{
  g_autofree guint8 *pairs = g_new0 (guint8, N_PAIRS);
  const guint longest = find_longest (old_lines);
  const GadgetTextLine *wanted = get_line (old_lines, longest);
  double most = LEAST_SIMILAR;
  gboolean found = FALSE;

  mark_pairs (wanted, pairs, 1);
  for (guint i = 0; i < file->len; i++)
    {
      const double share = compare_pairs (get_line (file, i), pairs, wanted->length);

      if (share <= most)
        continue;
      most = share;
      found = TRUE;
      *best = i > longest ? i - longest : 0;
    }
  return found;
}

/* --- Showing ---------------------------------------------------------------------------------- */

static char *
join_lines (const GArray *lines, guint first, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = first; i < MIN (first + n, lines->len); i++)
    {
      g_string_append_len (text, get_line (lines, i)->text, (gssize) get_line (lines, i)->length);
      g_string_append_c (text, '\n');
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Skips the names of the files and the numbers of the first lines. */
static const char *
skip_header (const char *unified)
{
  for (guint i = 0; i < 3 && *unified != '\0'; i++)
    unified += strcspn (unified, "\n") + (strchr (unified, '\n') != NULL ? 1 : 0);
  return unified;
}

char *
_gadget_text_describe_nearest (const GArray *file, const guint *hashes, const char *old_text)
{
  g_autoptr (GArray) old_lines = _gadget_text_lines_new (old_text, strlen (old_text));
  g_autofree char *given = join_lines (old_lines, 0, old_lines->len);
  g_autofree char *actual = NULL;
  g_autoptr (GadgetLineDiff) diff = NULL;
  guint first = 0;

  if (old_lines->len == 0
      || (!find_by_votes (file, hashes, old_lines, &first)
          && !find_by_pairs (file, old_lines, &first)))
    return g_strdup ("No place of it is similar. Read the file again.");
  actual = join_lines (file, first, old_lines->len);
  diff = gadget_line_diff_new (given, strlen (given), actual, strlen (actual), "", MAX_SHOWN);
  return g_strdup_printf ("The nearest place is lines %u to %u. The difference (\"-\" is "
                          "\"old_text\", \"+\" is the file):\n%s",
                          first + 1, MIN (first + old_lines->len, file->len),
                          skip_header (diff->unified));
}

static void
append_line (GString *text, const GadgetTextLine *line, guint number)
{
  g_autofree char *shown = g_utf8_make_valid (line->text, (gssize) MIN (line->length, MAX_LINE));

  g_string_append_printf (text, "line %u: %s%s\n", number, shown,
                          line->length > MAX_LINE ? "…" : "");
}

char *
_gadget_text_describe_spans (const GArray *file, const GArray *spans)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < spans->len; i++)
    {
      const GadgetTextSpan *span = &g_array_index (spans, GadgetTextSpan, i);
      const guint n = MIN (span->n_lines, MAX_SPAN_LINES);

      for (guint k = 0; k < n; k++)
        append_line (text, get_line (file, span->first + k), span->first + k + 1);
      if (n < span->n_lines)
        g_string_append_printf (text, "… to line %u\n", span->first + span->n_lines);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}
