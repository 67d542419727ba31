/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A Fenwick tree over an array. Node i (counted from 1) is the sum of the heights from i - lowbit
 * (i) to i - 1, so a node depends only on rows before it. A splice at the end of the list therefore
 * invalidates only the nodes from there on; these are rebuilt when they are next needed. */

#define G_LOG_DOMAIN "gadget-heights"

#include "config.h"

#include "gadget-heights.h"

typedef struct
{
  int height;
  int width;
} Entry;

struct _GadgetHeights
{
  GArray *entries; /* of Entry */
  GArray *sums;    /* of gint64; node i is at index i - 1 */
  guint n_valid;   /* how many nodes, from the first one on, are up to date */
};

GadgetHeights *
gadget_heights_new (void)
{
  GadgetHeights *self = g_new0 (GadgetHeights, 1);

  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  self->sums = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
gadget_heights_free (GadgetHeights *self)
{
  g_array_unref (self->entries);
  g_array_unref (self->sums);
  g_free (self);
}

static guint
lowbit (guint i)
{
  return i & -i;
}

static gint64
get_sum (GadgetHeights *self, guint node)
{
  return g_array_index (self->sums, gint64, node - 1);
}

static void
validate (GadgetHeights *self)
{
  for (guint node = self->n_valid + 1; node <= self->entries->len; node++)
    {
      gint64 sum = g_array_index (self->entries, Entry, node - 1).height;

      for (guint step = 1; step < lowbit (node); step <<= 1)
        sum += get_sum (self, node - step);
      g_array_index (self->sums, gint64, node - 1) = sum;
    }
  self->n_valid = self->entries->len;
}

void
gadget_heights_splice (GadgetHeights *self, guint position, guint removed, guint added)
{
  g_return_if_fail (position + removed <= self->entries->len);

  if (removed > added)
    g_array_remove_range (self->entries, position + added, removed - added);
  else if (added > removed)
    {
      const guint n = added - removed;

      if (position + removed == self->entries->len)
        g_array_set_size (self->entries, self->entries->len + n);
      else
        {
          g_autofree Entry *blank = g_new0 (Entry, n);

          g_array_insert_vals (self->entries, position + removed, blank, n);
        }
    }
  for (guint i = position; i < position + added; i++)
    g_array_index (self->entries, Entry, i) = (Entry) { 0, 0 };

  g_array_set_size (self->sums, self->entries->len);
  self->n_valid = MIN (self->n_valid, position);
}

void
gadget_heights_set (GadgetHeights *self, guint position, int height, int width)
{
  Entry *entry;
  gint64 change;

  g_return_if_fail (position < self->entries->len);

  entry = &g_array_index (self->entries, Entry, position);
  change = (gint64) height - entry->height;
  entry->height = height;
  entry->width = width;
  if (change == 0)
    return;
  for (guint node = position + 1; node <= self->n_valid; node += lowbit (node))
    g_array_index (self->sums, gint64, node - 1) += change;
}

int
gadget_heights_get (GadgetHeights *self, guint position)
{
  g_return_val_if_fail (position < self->entries->len, 0);
  return g_array_index (self->entries, Entry, position).height;
}

int
gadget_heights_get_width (GadgetHeights *self, guint position)
{
  g_return_val_if_fail (position < self->entries->len, 0);
  return g_array_index (self->entries, Entry, position).width;
}

guint
gadget_heights_get_n (GadgetHeights *self)
{
  return self->entries->len;
}

gint64
gadget_heights_before (GadgetHeights *self, guint position)
{
  gint64 sum = 0;

  g_return_val_if_fail (position <= self->entries->len, 0);

  validate (self);
  for (guint node = position; node > 0; node -= lowbit (node))
    sum += get_sum (self, node);
  return sum;
}

guint
gadget_heights_find (GadgetHeights *self, gint64 y, gint64 *offset)
{
  const guint n = self->entries->len;
  guint node = 0;
  guint step = 1;

  g_return_val_if_fail (n > 0, 0);

  validate (self);
  y = MAX (y, 0);
  while (step <= n / 2)
    step <<= 1;
  for (; step > 0; step >>= 1)
    if (node + step <= n && get_sum (self, node + step) <= y)
      {
        node += step;
        y -= get_sum (self, node);
      }
  if (node == n)
    {
      node = n - 1;
      y += gadget_heights_get (self, node);
    }
  if (offset != NULL)
    *offset = y;
  return node;
}
