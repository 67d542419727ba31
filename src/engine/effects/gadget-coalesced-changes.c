/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Effects of one turn may overlap in time: a file is edited while a command runs, and both effects
 * record the change. Each effect has read the file's state before and after, and each of these
 * snapshots took some time:
 *
 *     command  [before]·····························[after]
 *     edit               [before]···[after]
 *
 * No effect writes before its own first snapshot has ended, nor after its second has begun. So the
 * state before all of them is that of the first snapshot that ended first, and the state after all
 * of them is that of the second snapshot that began last. A difference between two effects is
 * somebody else's change only if the second snapshot of one surely ended before the first snapshot
 * of the other began; where the two overlap, the other effect may have made it.
 *
 * A snapshot of a whole workspace may fail to get a file's content when the edit replaces the file
 * at that moment. The edit's own snapshot has it. */

#define G_LOG_DOMAIN "gadget-undo"

#include "config.h"

#include "gadget-coalesced-changes.h"

#include <string.h>

void
_gadget_coalesced_change_free (GadgetCoalescedChange *self)
{
  g_free (self->root);
  g_free (self->path);
  g_free (self);
}

/* Sorts changes by when their first snapshots began. The sort is stable: changes with equal times
 * stay in the order of the ledger. */
static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const GadgetChange *first = *(GadgetChange *const *) a;
  const GadgetChange *second = *(GadgetChange *const *) b;

  return first->before.seen_begin < second->before.seen_begin   ? -1
         : first->before.seen_begin > second->before.seen_begin ? 1
                                                                : 0;
}

/* Copies a hash that one snapshot could not get from another one that saw the file in the same
 * state. */
static void
take_over (GadgetFileState *state, const GadgetFileState *other)
{
  if (state->has_hash || !other->has_hash || !gadget_file_state_same (other, state))
    return;
  state->mode = other->mode;
  memcpy (state->hash, other->hash, sizeof state->hash);
  state->has_hash = TRUE;
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

/* @last is the change, of all those before @next, whose second snapshot began last; all of these
 * snapshots had ended at @over. */
static gboolean
is_interleaved (const GadgetChange *last, gint64 over, const GadgetChange *next)
{
  return over <= next->before.seen_begin && !gadget_file_state_same (&last->after, &next->before);
}

/* @changes are those of one file. */
static GadgetCoalescedChange *
coalesce_file (GPtrArray *changes)
{
  const GadgetChange *first;
  const GadgetChange *last;
  gint64 over;
  GadgetCoalescedChange *self = g_new0 (GadgetCoalescedChange, 1);

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
      /* A root contains no "//", so the key is unambiguous. */
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
_gadget_coalesce_changes (GPtrArray *changes)
{
  g_autoptr (GHashTable) files = group_by_file (changes);
  GPtrArray *coalesced =
      g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_coalesced_change_free);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (coalesced, coalesce_file (value));
  return coalesced;
}
