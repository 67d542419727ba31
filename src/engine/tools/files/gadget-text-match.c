/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-text-match"

#include "config.h"

#include "gadget-text-match.h"

#include "gadget-text-lines.h"

/* The most cells of the table in which lines are compared. */
#define MAX_CELLS (4 * 1024 * 1024)

static const GadgetTextLine *
get_line (const GArray *lines, guint i)
{
  return &g_array_index (lines, GadgetTextLine, i);
}

/* The lengths of the longest common subsequences of the ends of both texts. */
typedef struct
{
  const GArray *old_lines;
  const GArray *new_lines;
  guint n_same; /* equal lines at the beginning */
  guint n_old;  /* lines between the equal ones at the beginning and at the end */
  guint n_new;
  guint *cells;
} Table;

static guint *
get_cell (const Table *table, guint i, guint j)
{
  return &table->cells[(gsize) i * (table->n_new + 1) + j];
}

static gboolean
equals (const Table *table, guint i, guint j)
{
  return _gadget_text_line_equals (get_line (table->old_lines, table->n_same + i),
                                   get_line (table->new_lines, table->n_same + j));
}

static void
fill_table (Table *table)
{
  for (guint i = table->n_old; i-- > 0;)
    for (guint j = table->n_new; j-- > 0;)
      *get_cell (table, i, j) =
          equals (table, i, j) ? *get_cell (table, i + 1, j + 1) + 1
                               : MAX (*get_cell (table, i + 1, j), *get_cell (table, i, j + 1));
}

static void
follow_table (const Table *table, guint *matches)
{
  guint i = 0;
  guint j = 0;

  while (i < table->n_old && j < table->n_new)
    if (equals (table, i, j))
      {
        matches[table->n_same + j++] = table->n_same + i++;
      }
    else if (*get_cell (table, i + 1, j) >= *get_cell (table, i, j + 1))
      i++;
    else
      j++;
}

static void
skip_same (Table *table, guint *matches)
{
  guint n_old = table->old_lines->len;
  guint n_new = table->new_lines->len;

  while (table->n_same < MIN (n_old, n_new) && equals (table, 0, 0))
    {
      matches[table->n_same] = table->n_same;
      table->n_same++;
    }
  while (MIN (n_old, n_new) > table->n_same
         && _gadget_text_line_equals (get_line (table->old_lines, n_old - 1),
                                      get_line (table->new_lines, n_new - 1)))
    matches[--n_new] = --n_old;
  table->n_old = n_old - table->n_same;
  table->n_new = n_new - table->n_same;
}

guint *
_gadget_text_lines_match (const GArray *old_lines, const GArray *new_lines)
{
  g_autofree guint *matches = g_new (guint, new_lines->len + 1);
  Table table = { old_lines, new_lines, 0, 0, 0, NULL };

  for (guint j = 0; j <= new_lines->len; j++)
    matches[j] = GADGET_TEXT_NO_LINE;
  skip_same (&table, matches);
  if (((gsize) table.n_old + 1) * (table.n_new + 1) > MAX_CELLS)
    return NULL;
  table.cells = g_new0 (guint, ((gsize) table.n_old + 1) * (table.n_new + 1));
  fill_table (&table);
  follow_table (&table, matches);
  g_free (table.cells);
  return g_steal_pointer (&matches);
}
