/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subagent that works for a call: its chat, the turn that the call made in it, and whether it
 * asks the user something. The ids are known at once, the chat itself only while it is open. */

#define G_LOG_DOMAIN "gadget-item"

#include "config.h"

#include "gadget-item-private.h"

#include "gadget-session.h"

/**
 * gadget_item_get_child:
 *
 * Returns: (transfer none) (nullable): the chat of the subagent; %NULL when there is none or it has
 *   not been opened
 */
GadgetSession *
gadget_item_get_child (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child;
}

/**
 * gadget_item_get_child_turn:
 *
 * Returns: (transfer none) (nullable): the turn that this call made in the subagent's chat; %NULL
 *   when the chat is not loaded
 */
GadgetTurn *
gadget_item_get_child_turn (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->child == NULL)
    return NULL;
  for (guint i = gadget_session_get_n_turns (self->child); i > 0; i--)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->child, i - 1);

      if (g_strcmp0 (gadget_turn_get_id (turn), self->child_turn_id) == 0)
        return turn;
    }
  return NULL;
}

/* gadget_item_get_child_id () and gadget_item_get_child_turn_id () return the ids of the subagent's
 * chat and of the turn that this call made in it; both are %NULL if the call has no subagent.
 * (transfer none) */
const char *
gadget_item_get_child_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child_id;
}

const char *
gadget_item_get_child_turn_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child_turn_id;
}

/**
 * gadget_item_set_child_ids:
 * @child_id: (nullable): the id of the subagent's chat
 * @turn_id: (nullable): the id of the turn that this call made in it; %NULL if and only if
 *   @child_id is
 *
 * Sets which subagent works for the call.
 */
void
gadget_item_set_child_ids (GadgetItem *self, const char *child_id, const char *turn_id)
{
  gboolean changed;

  g_return_if_fail (GADGET_IS_ITEM (self));
  g_return_if_fail ((child_id == NULL) == (turn_id == NULL));

  changed = g_set_str (&self->child_id, child_id);
  if (g_set_str (&self->child_turn_id, turn_id) || changed)
    _gadget_item_notify (self, GADGET_ITEM_PROP_CHILD);
}

/**
 * gadget_item_set_child:
 * @child: the chat with the id set by gadget_item_set_child_ids (); a reference is kept
 *
 * Sets the chat of the subagent once it is opened.
 */
void
gadget_item_set_child (GadgetItem *self, GadgetSession *child)
{
  g_return_if_fail (GADGET_IS_ITEM (self) && GADGET_IS_SESSION (child));
  g_return_if_fail (g_strcmp0 (gadget_session_get_id (child), self->child_id) == 0);

  if (g_set_object (&self->child, child))
    _gadget_item_notify (self, GADGET_ITEM_PROP_CHILD);
}

gboolean
gadget_item_get_asking (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), FALSE);
  return self->asking;
}

/* gadget_item_set_asking: is for whoever runs the subagent, or hears of it from another process.
 * The property "asking" is notified. */
void
gadget_item_set_asking (GadgetItem *self, gboolean asking)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (self->asking == asking)
    return;
  self->asking = asking;
  _gadget_item_notify (self, GADGET_ITEM_PROP_ASKING);
}
