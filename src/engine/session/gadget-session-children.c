/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-session"

#include "config.h"

#include "gadget-session-children.h"

/* Returns the calls that name the subagent's chat (transfer container): the call that started it,
 * and one for each time it was continued. */
static GPtrArray *
find_calls (GadgetSession *self, const char *child_id)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < gadget_session_get_n_turns (self); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (self, i);

      for (guint k = 0; k < gadget_turn_get_n_items (turn); k++)
        if (g_strcmp0 (gadget_item_get_child_id (gadget_turn_get_item (turn, k)), child_id) == 0)
          g_ptr_array_add (found, gadget_turn_get_item (turn, k));
    }
  return found;
}

/**
 * gadget_session_open_child:
 * @self: the chat that contains the call
 * @child_id: the id of the subagent's chat
 *
 * Returns: (transfer none) (nullable): the chat, the same object each time
 */
GadgetSession *
gadget_session_open_child (GadgetSession *self, const char *child_id)
{
  g_autoptr (GPtrArray) calls = NULL;
  g_autoptr (GadgetSession) child = NULL;

  g_return_val_if_fail (GADGET_IS_SESSION (self) && child_id != NULL, NULL);

  calls = find_calls (self, child_id);
  for (guint i = 0; i < calls->len && child == NULL; i++)
    g_set_object (&child, gadget_item_get_child (g_ptr_array_index (calls, i)));
  if (child == NULL && calls->len > 0)
    {
      child = gadget_session_new (child_id);
      gadget_session_set_parent_id (child, gadget_session_get_id (self));
    }
  for (guint i = 0; i < calls->len; i++)
    gadget_item_set_child (g_ptr_array_index (calls, i), child);
  return child; /* owned by the items */
}

/**
 * gadget_session_find_working_child:
 * @id: the id of the subagent's chat
 *
 * Returns: (transfer none) (nullable): the chat
 */
GadgetSession *
gadget_session_find_working_child (GadgetSession *self, const char *id)
{
  GadgetTurn *turn;

  g_return_val_if_fail (GADGET_IS_SESSION (self) && id != NULL, NULL);

  turn = gadget_session_get_last_turn (self);
  for (guint i = 0; turn != NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetSession *child = gadget_item_get_child (gadget_turn_get_item (turn, i));
      GadgetSession *found;

      if (child == NULL || gadget_session_get_active_run (child) == NULL)
        continue;
      if (g_str_equal (gadget_session_get_id (child), id))
        return child;
      found = gadget_session_find_working_child (child, id);
      if (found != NULL)
        return found;
    }
  return NULL;
}
