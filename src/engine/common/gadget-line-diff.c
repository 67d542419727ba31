/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The greedy algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): it
 * finds the furthest reaching paths with 0, 1, 2 … insertions and deletions, keeps each round, and
 * traces the way back through the rounds. Equal lines at the beginning and the end are skipped
 * first. Texts that differ in more than MAX_EDITS lines are not compared any further: everything
 * between the equal ends is shown as replaced. */

#define G_LOG_DOMAIN "gadget-line-diff"

#include "config.h"

#include "gadget-line-diff.h"

#include <string.h>

#define MAX_EDITS 1000
#define NOWHERE (-2) /* for a diagonal without a path; one step on is outside the texts, too */
#define CONTEXT 3
#define CUT_NOTE "[The rest of the difference is not shown.]\n"

typedef struct
{
  const char *text;
  gsize length; /* including its end of line */
} Line;

typedef struct
{
  GArray *lines;
  guint *ids; /* the number of each line; equal lines have equal numbers */
  gboolean *changed;
} Side;

/* --- Lines ------------------------------------------------------------------------------------ */

static guint
hash_line (gconstpointer data)
{
  const Line *line = data;
  guint hash = 5381;

  for (gsize i = 0; i < line->length; i++)
    hash = hash * 33 + (guchar) line->text[i];
  return hash;
}

static gboolean
equal_lines (gconstpointer a, gconstpointer b)
{
  const Line *left = a;
  const Line *right = b;

  return left->length == right->length && memcmp (left->text, right->text, left->length) == 0;
}

static void
side_init (Side *side, const char *text, gsize length)
{
  side->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (gsize at = 0; at < length;)
    {
      const char *end = memchr (text + at, '\n', length - at);
      const Line line = { text + at, end != NULL ? (gsize) (end - text) + 1 - at : length - at };

      g_array_append_val (side->lines, line);
      at += line.length;
    }
  side->ids = g_new0 (guint, side->lines->len + 1);
  side->changed = g_new0 (gboolean, side->lines->len + 1);
}

static void
side_clear (Side *side)
{
  g_array_unref (side->lines);
  g_free (side->ids);
  g_free (side->changed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static void
number_lines (Side *side, GHashTable *ids)
{
  for (guint i = 0; i < side->lines->len; i++)
    {
      Line *line = &g_array_index (side->lines, Line, i);
      guint id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, line));

      if (id == 0)
        {
          id = g_hash_table_size (ids) + 1;
          g_hash_table_insert (ids, line, GUINT_TO_POINTER (id));
        }
      side->ids[i] = id;
    }
}

guint
gadget_line_count (const char *text, gsize length)
{
  guint n = 0;

  for (gsize at = 0; at < length; n++)
    {
      const char *end = memchr (text + at, '\n', length - at);

      at = end != NULL ? (gsize) (end - text) + 1 : length;
    }
  return n;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* The part of both sides between the equal lines at the beginning and at the end. */
typedef struct
{
  Side *old_side;
  Side *new_side;
  guint begin;
  int n_old;
  int n_new;
} Middle;

/* How far the path of round D reaches on the diagonal K = x - y; diagonals go from -D to D. */
static int
reach_of (GPtrArray *rounds, int d, int k)
{
  const int *reach = g_ptr_array_index (rounds, (guint) d);

  return k < -d || k > d ? NOWHERE : reach[k + d];
}

/* The x at which the path to diagonal K enters it with its D-th edit, before it follows equal
 * lines. DOWN is TRUE when that edit is an insertion. */
static int
step_from (GPtrArray *rounds, int d, int k, gboolean *down)
{
  const int left = reach_of (rounds, d - 1, k - 1);
  const int above = reach_of (rounds, d - 1, k + 1);

  *down = k == -d || (k != d && left < above);
  return *down ? above : left + 1;
}

static gboolean
run_round (const Middle *middle, GPtrArray *rounds, int d)
{
  int *reach = g_new (int, 2 * d + 1);
  gboolean done = FALSE;

  g_ptr_array_add (rounds, reach);
  for (int k = -d; k <= d; k++)
    reach[k + d] = NOWHERE;
  for (int k = -d; k <= d && !done; k += 2)
    {
      gboolean down = FALSE;
      int x = d == 0 ? 0 : step_from (rounds, d, k, &down);
      int y = x - k;

      if (x < 0 || x > middle->n_old || y < 0 || y > middle->n_new)
        continue;
      while (x < middle->n_old && y < middle->n_new
             && middle->old_side->ids[middle->begin + (guint) x]
                    == middle->new_side->ids[middle->begin + (guint) y])
        x++, y++;
      reach[k + d] = x;
      done = x == middle->n_old && y == middle->n_new;
    }
  return done;
}

static void
mark_all (const Middle *middle)
{
  for (int i = 0; i < middle->n_old; i++)
    middle->old_side->changed[middle->begin + (guint) i] = TRUE;
  for (int i = 0; i < middle->n_new; i++)
    middle->new_side->changed[middle->begin + (guint) i] = TRUE;
}

static void
mark_way_back (const Middle *middle, GPtrArray *rounds)
{
  int k = middle->n_old - middle->n_new;

  for (int d = (int) rounds->len - 1; d > 0; d--)
    {
      gboolean down;
      const int x = step_from (rounds, d, k, &down);

      if (down)
        middle->new_side->changed[middle->begin + (guint) (x - k - 1)] = TRUE;
      else
        middle->old_side->changed[middle->begin + (guint) (x - 1)] = TRUE;
      k += down ? 1 : -1;
    }
}

static void
compare (Side *old_side, Side *new_side)
{
  const guint n_old = old_side->lines->len;
  const guint n_new = new_side->lines->len;
  g_autoptr (GPtrArray) rounds = g_ptr_array_new_with_free_func (g_free);
  Middle middle = { old_side, new_side, 0, 0, 0 };
  guint n_tail = 0;
  gboolean done = FALSE;

  while (middle.begin < MIN (n_old, n_new)
         && old_side->ids[middle.begin] == new_side->ids[middle.begin])
    middle.begin++;
  while (n_tail < MIN (n_old, n_new) - middle.begin
         && old_side->ids[n_old - n_tail - 1] == new_side->ids[n_new - n_tail - 1])
    n_tail++;
  middle.n_old = (int) (n_old - n_tail - middle.begin);
  middle.n_new = (int) (n_new - n_tail - middle.begin);

  for (int d = 0; d <= MAX_EDITS && !done; d++)
    done = run_round (&middle, rounds, d);
  if (done)
    mark_way_back (&middle, rounds);
  else
    mark_all (&middle);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Lines [first, last) of the old side that are replaced by lines [first, last) of the new side. */
typedef struct
{
  guint old_first;
  guint old_last;
  guint new_first;
  guint new_last;
} Block;

static gboolean
is_changed (const Side *side, guint line)
{
  return line < side->lines->len && side->changed[line];
}

/* Collects the changes; changes that are near each other become one block. */
static GArray *
find_blocks (const Side *old_side, const Side *new_side)
{
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  guint i = 0;
  guint j = 0;

  while (i < old_side->lines->len || j < new_side->lines->len)
    {
      Block *before = blocks->len > 0 ? &g_array_index (blocks, Block, blocks->len - 1) : NULL;
      Block block = { i, i, j, j };

      while (is_changed (old_side, block.old_last))
        block.old_last++;
      while (is_changed (new_side, block.new_last))
        block.new_last++;
      if (block.old_last == i && block.new_last == j)
        {
          i++, j++;
          continue;
        }
      i = block.old_last;
      j = block.new_last;
      if (before != NULL && block.old_first - before->old_last <= 2 * CONTEXT)
        *before = (Block) { before->old_first, i, before->new_first, j };
      else
        g_array_append_val (blocks, block);
    }
  return blocks;
}

static void
append_line (GString *text, char mark, const Side *side, guint number)
{
  const Line *line = &g_array_index (side->lines, Line, number);

  g_string_append_c (text, mark);
  g_string_append_len (text, line->text, (gssize) line->length);
  if (line->text[line->length - 1] != '\n')
    g_string_append (text, "\n\\ No newline at end of file\n");
}

/* For an empty range, diff writes the number of the line before it. */
static void
append_range (GString *text, char mark, guint first, guint last)
{
  g_string_append_printf (text, "%c%u,%u ", mark, last > first ? first + 1 : first, last - first);
}

/* Returns FALSE when the text became longer than MAX_LENGTH. */
static gboolean
append_block (GString *text, const Side *old_side, const Side *new_side, const Block *block,
              gsize max_length)
{
  const guint before = MIN (CONTEXT, MIN (block->old_first, block->new_first));
  const guint after = MIN (CONTEXT, old_side->lines->len - block->old_last);
  const guint old_end = block->old_last + after;
  const guint new_end = block->new_last + after;
  guint i = block->old_first - before;
  guint j = block->new_first - before;

  g_string_append (text, "@@ ");
  append_range (text, '-', i, old_end);
  append_range (text, '+', j, new_end);
  g_string_append (text, "@@\n");
  while ((i < old_end || j < new_end) && text->len < max_length)
    if (is_changed (old_side, i))
      append_line (text, '-', old_side, i++);
    else if (is_changed (new_side, j))
      append_line (text, '+', new_side, j++);
    else
      {
        append_line (text, ' ', old_side, i);
        i++, j++;
      }
  return i == old_end && j == new_end;
}

static char *
write_unified (const Side *old_side, const Side *new_side, const char *old_name,
               const char *new_name, gsize max_length)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) blocks = find_blocks (old_side, new_side);
  gboolean fits = TRUE;

  if (blocks->len > 0)
    g_string_append_printf (text, "--- %s\n+++ %s\n", old_name, new_name);
  for (guint i = 0; i < blocks->len && fits; i++)
    fits = append_block (text, old_side, new_side, &g_array_index (blocks, Block, i), max_length);
  if (!fits)
    {
      g_string_truncate (text, MIN (text->len, max_length));
      g_string_append (text, "\n" CUT_NOTE);
    }
  return g_utf8_make_valid (text->str, (gssize) text->len);
}

static guint
count_changed (const Side *side)
{
  guint n = 0;

  for (guint i = 0; i < side->lines->len; i++)
    n += side->changed[i] ? 1 : 0;
  return n;
}

/**
 * gadget_line_diff_new:
 * @old_text: (nullable): the old file, not necessarily UTF-8; %NULL if it does not exist
 * @new_text: (nullable): the new file, not necessarily UTF-8; %NULL if it does not exist
 * @name: the name of the file, for the header of the difference
 * @max_length: in bytes; a longer @unified is cut there and ends with a note
 *
 * Returns: (transfer full): the difference
 */
GadgetLineDiff *
gadget_line_diff_new (const char *old_text, gsize old_length, const char *new_text,
                      gsize new_length, const char *name, gsize max_length)
{
  GadgetLineDiff *self = g_new0 (GadgetLineDiff, 1);
  g_autoptr (GHashTable) ids = g_hash_table_new (hash_line, equal_lines);
  g_auto (Side) old_side = { 0 };
  g_auto (Side) new_side = { 0 };

  g_assert (name != NULL);

  side_init (&old_side, old_text, old_text != NULL ? old_length : 0);
  side_init (&new_side, new_text, new_text != NULL ? new_length : 0);
  number_lines (&old_side, ids);
  number_lines (&new_side, ids);
  compare (&old_side, &new_side);
  self->n_added = count_changed (&new_side);
  self->n_removed = count_changed (&old_side);
  self->unified = write_unified (&old_side, &new_side, old_text != NULL ? name : "/dev/null",
                                 new_text != NULL ? name : "/dev/null", max_length);
  return self;
}

/* gadget_line_diff_free: frees the text of the hunks, too; @self must not be %NULL. */
void
gadget_line_diff_free (GadgetLineDiff *self)
{
  g_free (self->unified);
  g_free (self);
}
