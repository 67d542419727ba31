/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Effects of one turn go on at the same time: a file is edited while a command runs, and both see
 * it change. Each has looked at it before and after, and each look took some time:
 *
 *     command  [look]···························[look]
 *     edit              [look]···[look]
 *
 * Nobody of the turn writes before his own first look is over, nor after his second has begun. So
 * of several the state from before all of them is that of the first look that was over first, and
 * the state after all of them that of the second look that began last. Only between one that was
 * surely over and one that surely began later can a difference be somebody else's doing; where two
 * overlap it may be the other one's.
 *
 * A look at a whole workspace may not get at the bytes of a file, since the edit has replaced it
 * just then. The edit's own look has them. */

#define G_LOG_DOMAIN "gadget-undo"

#include "config.h"

#include "gadget-sum.h"

#include <string.h>

void
_gadget_file_sum_free (GadgetFileSum *self)
{
  g_free (self->root);
  g_free (self->path);
  g_free (self);
}

/* In the order in which their first looks began; else as they are on record. */
static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const GadgetChange *first = *(GadgetChange *const *) a;
  const GadgetChange *second = *(GadgetChange *const *) b;

  return first->before.seen_begin < second->before.seen_begin   ? -1
         : first->before.seen_begin > second->before.seen_begin ? 1
                                                                : 0;
}

/* What one look could not get at, and another did that saw the file in the same state. */
static void
take_over (GadgetFileState *state, const GadgetFileState *other)
{
  if (other->mode != state->mode || !gadget_file_state_same_content (other, state))
    return;
  if (!state->has_hash && other->has_hash)
    {
      memcpy (state->hash, other->hash, sizeof state->hash);
      state->has_hash = TRUE;
    }
  if (state->attributes == GADGET_ATTRIBUTES_UNKNOWN)
    {
      memcpy (state->attributes_hash, other->attributes_hash, sizeof state->attributes_hash);
      state->attributes = other->attributes;
    }
}

static void
complete (GadgetFileState *state, GPtrArray *changes)
{
  for (guint i = 0; i < changes->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (changes, i);

      take_over (state, &change->before);
      take_over (state, &change->after);
    }
}

/* LAST is the one of all before NEXT whose second look began last; all of these looks were over at
 * OVER. */
static gboolean
is_interleaved (const GadgetChange *last, gint64 over, const GadgetChange *next)
{
  return over <= next->before.seen_begin && !gadget_file_state_same (&last->after, &next->before);
}

/* CHANGES are those of one file. */
static GadgetFileSum *
sum_up_file (GPtrArray *changes)
{
  const GadgetChange *first;
  const GadgetChange *last;
  gint64 over;
  GadgetFileSum *self = g_new0 (GadgetFileSum, 1);

  g_ptr_array_sort (changes, compare_begins);
  first = last = g_ptr_array_index (changes, 0);
  self->interleaved = first->shared;
  over = first->after.seen_end;
  for (guint i = 1; i < changes->len; i++)
    {
      const GadgetChange *next = g_ptr_array_index (changes, i);

      self->interleaved = self->interleaved || next->shared || is_interleaved (last, over, next);
      if (next->before.seen_end < first->before.seen_end)
        first = next;
      if (next->after.seen_begin >= last->after.seen_begin)
        last = next;
      over = MAX (over, next->after.seen_end);
    }
  self->root = g_strdup (first->root);
  self->path = g_strdup (first->path);
  self->before = first->before;
  self->after = last->after;
  complete (&self->before, changes);
  complete (&self->after, changes);
  return self;
}

static GHashTable *
group_by_file (GPtrArray *changes)
{
  GHashTable *files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < changes->len; i++)
    {
      GadgetChange *change = g_ptr_array_index (changes, i);
      g_autofree char *key = NULL;
      GPtrArray *same;

      if (change->kind == GADGET_EFFECT_UNDO || change->kind == GADGET_EFFECT_REDO
          || change->root == NULL)
        continue;
      /* A root has no "//". */
      key = g_strconcat (change->root, "//", change->path, NULL);
      same = g_hash_table_lookup (files, key);
      if (same == NULL)
        {
          same = g_ptr_array_new ();
          g_hash_table_insert (files, g_steal_pointer (&key), same);
        }
      g_ptr_array_add (same, change);
    }
  return files;
}

GPtrArray *
_gadget_sum_up (GPtrArray *changes)
{
  g_autoptr (GHashTable) files = group_by_file (changes);
  GPtrArray *sums = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_file_sum_free);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (sums, sum_up_file (value));
  return sums;
}
