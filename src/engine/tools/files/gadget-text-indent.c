/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Three kinds of moves can be undone letter by letter: the same blanks were left out before all
 * lines, or added before all lines, or a number of blanks (the width) was written for each tab, or
 * a tab for them, perhaps with a constant number of levels more or less. */

#define G_LOG_DOMAIN "gadget-text-indent"

#include "config.h"

#include "gadget-text-indent.h"

#include <string.h>

struct _GadgetTextMove
{
  const GArray *lines;
  /* Blanks that are put before, or taken from, each line; they borrow the text of a line. */
  const char *added;
  gsize n_added;
  const char *removed;
  gsize n_removed;
  /* The width of a tab; 0 when tabs are not converted. */
  guint width;
  gboolean to_tabs;
  int levels; /* that are added to each line */
};

static const GadgetTextIndent *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextIndent, i);
}

static gboolean
equals (const char *a, gsize n_a, const char *b, gsize n_b)
{
  return n_a == n_b && memcmp (a, b, n_a) == 0;
}

static gboolean
has (const char *text, gsize length, char c)
{
  return length > 0 && memchr (text, c, length) != NULL;
}

/* --- Blanks before all lines ------------------------------------------------------------------ */

static gboolean
is_added (const GadgetTextIndent *line, const char *added, gsize n_added)
{
  return line->n_actual == line->n_given + n_added && memcmp (line->actual, added, n_added) == 0
         && memcmp (line->actual + n_added, line->given, line->n_given) == 0;
}

static GadgetTextIndent
swap (const GadgetTextIndent *line)
{
  return (GadgetTextIndent) { line->actual, line->n_actual, line->given, line->n_given };
}

/* Finds blanks that stand before each line of the file, and not before those of the edit; or the
 * other way round with SWAPPED. */
static gboolean
find_added (const GArray *lines, gboolean swapped, const char **added, gsize *n_added)
{
  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextIndent line = swapped ? swap (get_line (lines, i)) : *get_line (lines, i);

      if (i == 0)
        {
          *added = line.actual;
          *n_added = line.n_actual - MIN (line.n_actual, line.n_given);
        }
      if (!is_added (&line, *added, *n_added))
        return FALSE;
    }
  return TRUE;
}

/* --- Tabs ------------------------------------------------------------------------------------- */

/* Reads indentation as a number of levels and of blanks that remain. */
static gboolean
parse_levels (const char *text, gsize length, gboolean tabs, guint width, int *levels, int *rest)
{
  gsize n_tabs = 0;

  while (n_tabs < length && text[n_tabs] == '\t')
    n_tabs++;
  if (has (text + n_tabs, length - n_tabs, '\t') || (!tabs && n_tabs > 0))
    return FALSE;
  *levels = tabs ? (int) n_tabs : (int) (length / width);
  *rest = tabs ? (int) (length - n_tabs) : (int) (length % width);
  return *rest < (int) width;
}

/* Returns whether all lines are explained by tabs of a width; LEVELS is set to the levels added. */
static gboolean
find_levels (const GArray *lines, gboolean to_tabs, guint width, int *levels)
{
  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextIndent *line = get_line (lines, i);
      int given, given_rest, actual, actual_rest;

      if (!parse_levels (line->given, line->n_given, !to_tabs, width, &given, &given_rest)
          || !parse_levels (line->actual, line->n_actual, to_tabs, width, &actual, &actual_rest)
          || given_rest != actual_rest || (i > 0 && actual - given != *levels))
        return FALSE;
      *levels = actual - given;
    }
  return TRUE;
}

static gboolean
has_tabs (const GArray *lines, gboolean actual)
{
  for (guint i = 0; i < lines->len; i++)
    {
      const GadgetTextIndent *line = get_line (lines, i);

      if (actual ? has (line->actual, line->n_actual, '\t')
                 : has (line->given, line->n_given, '\t'))
        return TRUE;
    }
  return FALSE;
}

static void
add_tab_move (GPtrArray *moves, const GArray *lines, gboolean to_tabs, guint width, int levels)
{
  GadgetTextMove *move = g_new0 (GadgetTextMove, 1);

  move->lines = lines;
  move->width = width;
  move->to_tabs = to_tabs;
  move->levels = levels;
  g_ptr_array_insert (moves, levels == 0 ? 0 : -1, move);
}

/* Adds a move for each width of a tab that is possible; the one that adds no level comes first.
 * Where tabs take the place of blanks, smaller widths than its own are out of the question: the
 * edit would indent a line by several levels at once. Where blanks take the place of tabs, the
 * width of the file is the right one. */
static void
add_tab_moves (GPtrArray *moves, const GArray *lines, guint unit)
{
  static const guint widths[] = { 8, 4, 2 };
  const gboolean to_tabs = has_tabs (lines, TRUE);
  gboolean done = to_tabs == has_tabs (lines, FALSE);
  int levels;

  if (!done && !to_tabs && unit > 0 && find_levels (lines, FALSE, unit, &levels) && levels == 0)
    {
      add_tab_move (moves, lines, FALSE, unit, levels);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (widths) && !done; i++)
    if (find_levels (lines, to_tabs, widths[i], &levels))
      {
        add_tab_move (moves, lines, to_tabs, widths[i], levels);
        done = to_tabs && levels == 0;
      }
}

/* --- All moves -------------------------------------------------------------------------------- */

GPtrArray *
_gadget_text_moves_find (const GArray *lines, guint unit)
{
  g_autoptr (GPtrArray) moves = g_ptr_array_new_with_free_func (g_free);
  GadgetTextMove move = { .lines = lines, .added = "", .removed = "" };

  if (find_added (lines, FALSE, &move.added, &move.n_added))
    {
      g_ptr_array_add (moves, g_memdup2 (&move, sizeof move));
      return g_steal_pointer (&moves);
    }
  move.added = "";
  move.n_added = 0;
  if (find_added (lines, TRUE, &move.removed, &move.n_removed))
    g_ptr_array_add (moves, g_memdup2 (&move, sizeof move));
  else
    add_tab_moves (moves, lines, unit);
  return moves->len > 0 ? g_steal_pointer (&moves) : NULL;
}

gboolean
_gadget_text_move_is_none (const GadgetTextMove *self)
{
  return self->n_added == 0 && self->n_removed == 0 && self->width == 0;
}

gboolean
_gadget_text_move_keeps_level (const GadgetTextMove *self)
{
  return self->width > 0 && self->levels == 0;
}

/* Finds the line of the block with this indentation. */
static const GadgetTextIndent *
find_line (const GadgetTextMove *self, const char *given, gsize n_given)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      const GadgetTextIndent *line = get_line (self->lines, i);

      if (equals (line->given, line->n_given, given, n_given))
        return line;
    }
  return NULL;
}

/* A line between two levels may be aligned to something, in tabs of the other width: only a
 * remainder that a line of the block has is known to be right. */
static gboolean
convert_tabs (const GadgetTextMove *self, const char *given, gsize n_given, GString *text)
{
  int levels, rest;

  if (!parse_levels (given, n_given, !self->to_tabs, self->width, &levels, &rest) || rest > 0
      || levels + self->levels < 0)
    return FALSE;
  for (int i = 0; i < levels + self->levels; i++)
    g_string_append_printf (text, "%*s", self->to_tabs ? 0 : (int) self->width,
                            self->to_tabs ? "\t" : "");
  return TRUE;
}

/* Returns whether the blanks that are added and those that a line has are of two kinds. */
static gboolean
would_mix (const GadgetTextMove *self, const char *given, gsize n_given)
{
  return (has (self->added, self->n_added, '\t') && has (given, n_given, ' '))
         || (has (self->added, self->n_added, ' ') && has (given, n_given, '\t'));
}

gboolean
_gadget_text_move_apply (const GadgetTextMove *self, const char *given, gsize n_given,
                         GString *text)
{
  const GadgetTextIndent *known = find_line (self, given, n_given);

  if (known != NULL)
    {
      g_string_append_len (text, known->actual, (gssize) known->n_actual);
      return TRUE;
    }
  if (self->width > 0)
    return convert_tabs (self, given, n_given, text);
  if (n_given < self->n_removed || memcmp (given, self->removed, self->n_removed) != 0
      || would_mix (self, given, n_given))
    return FALSE;
  g_string_append_len (text, self->added, (gssize) self->n_added);
  g_string_append_len (text, given + self->n_removed, (gssize) (n_given - self->n_removed));
  return TRUE;
}
