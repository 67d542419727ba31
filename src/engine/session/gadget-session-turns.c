/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The turns of a chat. They are appended while the agent works, taken over from the store, and
 * removed by the user. Turns that were removed are not lost: the store keeps them, and when they
 * are put back they come with the turns that are read from it. */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-session-private.h"

/**
 * gadget_session_append:
 * @turn: a reference is kept
 *
 * Appends a turn.
 */
void
gadget_session_append (GadgetSession *self, GadgetTurn *turn)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && GADGET_IS_TURN (turn));

  g_ptr_array_add (self->turns, g_object_ref (turn));
  g_list_model_items_changed (G_LIST_MODEL (self), self->turns->len - 1, 0, 1);
}

/* Emits one "items-changed" for the smallest range that contains all differences, so that a view
 * does not lose its scroll position. */
static void
emit_difference (GadgetSession *self, GPtrArray *old)
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
 * gadget_session_set_turns:
 * @turns: (element-type GadgetTurn): all turns in their order; a reference to each is kept
 *
 * Replaces the turns, with those that the store read.
 */
void
gadget_session_set_turns (GadgetSession *self, GPtrArray *turns)
{
  g_autoptr (GPtrArray) old = NULL;

  g_return_if_fail (GADGET_IS_SESSION (self) && turns != NULL);

  old = g_steal_pointer (&self->turns);
  self->turns = g_ptr_array_new_full (turns->len, g_object_unref);
  for (guint i = 0; i < turns->len; i++)
    g_ptr_array_add (self->turns, g_object_ref (g_ptr_array_index (turns, i)));
  emit_difference (self, old);
}

/* What is removed from an incognito chat is gone: the store has nothing to put back. */
static void
remove_range (GadgetSession *self, guint position, guint n)
{
  if (self->pending_removals == NULL)
    self->pending_removals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = position; i < position + n && !self->incognito; i++)
    g_hash_table_add (self->pending_removals,
                      g_strdup (gadget_turn_get_id (g_ptr_array_index (self->turns, i))));
  if (n > 0)
    g_ptr_array_remove_range (self->turns, position, n);
  self->n_edits++;
  gadget_session_set_has_removed (self, !self->incognito);
}

/**
 * gadget_session_remove_turn:
 * @index: the index of the turn, which must exist
 *
 * Removes a turn from the chat. Its removal is pending until gadget_session_finish_removal (),
 * because turns read from the store may still include it.
 */
void
gadget_session_remove_turn (GadgetSession *self, guint index)
{
  g_return_if_fail (GADGET_IS_SESSION (self) && index < self->turns->len);

  remove_range (self, index, 1);
  g_list_model_items_changed (G_LIST_MODEL (self), index, 1, 0);
}

/**
 * gadget_session_replace_turns:
 * @index: the index of the first turn to replace, which must exist
 * @turn: the turn that replaces it and all turns after it
 *
 * Removes turns as gadget_session_remove_turn () does, and appends @turn, in a single change of the
 * model.
 */
void
gadget_session_replace_turns (GadgetSession *self, guint index, GadgetTurn *turn)
{
  guint n;

  g_return_if_fail (GADGET_IS_SESSION (self) && index < self->turns->len);
  g_return_if_fail (GADGET_IS_TURN (turn));

  n = self->turns->len - index;
  remove_range (self, index, n);
  g_ptr_array_add (self->turns, g_object_ref (turn));
  g_list_model_items_changed (G_LIST_MODEL (self), index, n, 1);
}

/**
 * gadget_session_is_removal_pending:
 *
 * Returns: whether the turn was removed here and the removal may not be on disk yet
 */
gboolean
gadget_session_is_removal_pending (GadgetSession *self, const char *turn_id)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), FALSE);
  return self->pending_removals != NULL && g_hash_table_contains (self->pending_removals, turn_id);
}

/**
 * gadget_session_finish_removal:
 *
 * Called when the removal of the turn is on disk, or failed: from now on the store is right about
 * it.
 */
void
gadget_session_finish_removal (GadgetSession *self, const char *turn_id)
{
  g_return_if_fail (GADGET_IS_SESSION (self));
  if (self->pending_removals != NULL)
    g_hash_table_remove (self->pending_removals, turn_id);
}

/**
 * gadget_session_get_n_edits:
 *
 * Returns: a number that changes whenever turns are removed here
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
 * Returns: the index of the turn, or -1
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

/**
 * gadget_session_get_n_turns:
 *
 * Returns: the number of turns in memory
 */
guint
gadget_session_get_n_turns (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), 0);
  return self->turns->len;
}

/**
 * gadget_session_get_turn:
 * @index: the index of the turn, which must exist
 *
 * Returns: (transfer none): the turn
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
 * Returns: (transfer none) (nullable): the last turn
 */
GadgetTurn *
gadget_session_get_last_turn (GadgetSession *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION (self), NULL);
  return self->turns->len > 0 ? g_ptr_array_index (self->turns, self->turns->len - 1) : NULL;
}
