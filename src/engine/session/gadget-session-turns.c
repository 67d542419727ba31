/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The turns of a chat. They are appended while the agent works, taken over from the store, and
 * taken out by the user. What was taken out is not lost: the store keeps it, and what it gives back
 * comes with the rest. */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-session-private.h"

void
gadget_session_append (GadgetSession *self, GadgetTurn *turn)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && GADGET_IS_TURN (turn));

  g_ptr_array_add (self->turns, g_object_ref (turn));
  g_list_model_items_changed (G_LIST_MODEL (self), self->turns->len - 1, 0, 1);
}

/* One change is told, of no more than what became otherwise: what is read stays where it is. */
static void
tell_difference (GadgetSession *self, GPtrArray *old)
{
  const guint shorter = MIN (old->len, self->turns->len);
  guint head = 0;
  guint tail = 0;

  while (head < shorter && g_ptr_array_index (old, head) == g_ptr_array_index (self->turns, head))
    head++;
  while (tail < shorter - head
         && g_ptr_array_index (old, old->len - 1 - tail)
                == g_ptr_array_index (self->turns, self->turns->len - 1 - tail))
    tail++;
  if (head + tail < MAX (old->len, self->turns->len))
    g_list_model_items_changed (G_LIST_MODEL (self), head, old->len - head - tail,
                                self->turns->len - head - tail);
}

/**
 * gadget_session_take_turns:
 * @turns: (transfer full) (element-type GadgetTurn): all turns, with a free function that
 *   unreferences
 *
 * Replaces the turns with those that the store read.
 */
void
gadget_session_take_turns (GadgetSession *self, GPtrArray *turns)
{
  g_autoptr (GPtrArray) old = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self) && turns != NULL);

  old = g_steal_pointer (&self->turns);
  self->turns = turns;
  tell_difference (self, old);
}

static void
leave (GadgetSession *self, guint position, guint n)
{
  for (guint i = position; i < position + n; i++)
    g_hash_table_add (self->leaving,
                      g_strdup (gadget_turn_get_id (g_ptr_array_index (self->turns, i))));
  if (n > 0)
    g_ptr_array_remove_range (self->turns, position, n);
  self->n_edits++;
  gadget_session_set_has_removed (self, TRUE);
}

/**
 * gadget_session_remove_turn:
 * @index: which one, which must exist
 *
 * Takes a turn out of the chat. Until gadget_session_forget_leaving () it counts as leaving: what
 * is read from the store may still have it.
 */
void
gadget_session_remove_turn (GadgetSession *self, guint index)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && index < self->turns->len);

  leave (self, index, 1);
  g_list_model_items_changed (G_LIST_MODEL (self), index, 1, 0);
}

/**
 * gadget_session_replace_turns:
 * @index: the first one to be replaced; all that follow are too
 * @turn: what comes in their place
 *
 * Like gadget_session_remove_turn () for each of them, and one change for whoever looks.
 */
void
gadget_session_replace_turns (GadgetSession *self, guint index, GadgetTurn *turn)
{
  guint n;

  g_return_if_fail (GADGET_IS_SESSION (self) && index < self->turns->len);
  g_return_if_fail (GADGET_IS_TURN (turn));

  n = self->turns->len - index;
  leave (self, index, n);
  g_ptr_array_add (self->turns, g_object_ref (turn));
  g_list_model_items_changed (G_LIST_MODEL (self), index, n, 1);
}

/**
 * gadget_session_is_leaving:
 *
 * Returns: whether the turn was taken out here, and that is perhaps not on disk yet
 */
gboolean
gadget_session_is_leaving (GadgetSession *self, const char *turn_id)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return g_hash_table_contains (self->leaving, turn_id);
}

/**
 * gadget_session_forget_leaving:
 *
 * What is on disk is true of that turn from now on: it was taken out there too, or could not be.
 */
void
gadget_session_forget_leaving (GadgetSession *self, const char *turn_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  g_hash_table_remove (self->leaving, turn_id);
}

/**
 * gadget_session_get_n_edits:
 *
 * Returns: a number that is another one whenever turns were taken out here
 */
guint
gadget_session_get_n_edits (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return self->n_edits;
}

/**
 * gadget_session_find_turn:
 *
 * Returns: its index, or -1
 */
int
gadget_session_find_turn (GadgetSession *self, const char *turn_id)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), -1);

  for (guint i = self->turns->len; i > 0; i--)
    if (g_strcmp0 (gadget_turn_get_id (g_ptr_array_index (self->turns, i - 1)), turn_id) == 0)
      return (int) i - 1;
  return -1;
}

guint
gadget_session_get_n_turns (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return self->turns->len;
}

/**
 * gadget_session_get_turn:
 *
 * Returns: (transfer none): the turn at @index, which must exist
 */
GadgetTurn *
gadget_session_get_turn (GadgetSession *self, guint index)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self) && index < self->turns->len, NULL);
  return g_ptr_array_index (self->turns, index);
}

/**
 * gadget_session_get_last_turn:
 *
 * Returns: (transfer none) (nullable): the newest turn
 */
GadgetTurn *
gadget_session_get_last_turn (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->turns->len > 0 ? g_ptr_array_index (self->turns, self->turns->len - 1) : NULL;
}
