/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of subagents, below their calls. The model listens to their turns from the first
 * unfolding until they have ended; the chat of one that is not in memory is loaded on request. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"

#include "session/gadget-session-children.h"

/* Marks all turns of subagents within the turn as folded. Computing the turn's rows, which follows,
 * marks those that have rows as unfolded again. */
void
_gadget_transcript_model_fold_nested (GadgetTranscriptModel *self, guint turn)
{
  for (guint i = 0; i < self->live_turns->len; i++)
    {
      GadgetLiveTurn *live = g_ptr_array_index (self->live_turns, i);

      if (live->root != NULL && live->root == _gadget_transcript_model_get_entry (self, turn)->turn)
        live->folded = TRUE;
    }
}

/* Called when the rows of @child are computed: listens to it if it can still change. */
void
_gadget_transcript_model_listen_to_child (GadgetTranscriptModel *self, GadgetTurn *child,
                                          GadgetTurn *root)
{
  GadgetLiveTurn *live = g_hash_table_lookup (self->nested, child);

  if (live == NULL && _gadget_live_turn_is_needed (child))
    {
      live = _gadget_live_turn_new (self, child, 0, root);
      g_hash_table_insert (self->nested, child, live);
    }
  if (live != NULL)
    live->folded = FALSE;
}

static void
child_loaded_cb (GListModel *child, guint position, guint removed, guint added,
                 GadgetTranscriptModel *self)
{
  GadgetTurn *turn = g_hash_table_lookup (self->opening, child);
  const int index = _gadget_transcript_model_find_turn (self, turn);

  g_signal_handlers_disconnect_by_func (child, child_loaded_cb, self);
  if (index >= 0)
    _gadget_transcript_model_rebuild_turn (self, (guint) index);
  g_hash_table_remove (self->opening, child);
}

/* Requests the subagent's chat of @item, a call in @session, if it is not in memory. @turn is the
 * turn of the transcript's chat that the call is in. */
void
_gadget_transcript_model_need_child (GadgetTranscriptModel *self, GadgetSession *session,
                                     GadgetTurn *turn, GadgetItem *item)
{
  GadgetSession *child;

  if (gadget_item_get_child_id (item) == NULL || gadget_item_get_child_turn (item) != NULL)
    return;
  child = gadget_session_open_child (session, gadget_item_get_child_id (item));
  if (child == NULL || g_hash_table_contains (self->opening, child))
    return;
  g_hash_table_insert (self->opening, g_object_ref (child), g_object_ref (turn));
  g_signal_connect_object (child, "items-changed", G_CALLBACK (child_loaded_cb), self,
                           G_CONNECT_DEFAULT);
  _gadget_transcript_model_emit_load_child (self, child);
}

/* Stops listening to the turns of subagents whose calling turn was removed from the chat. */
void
_gadget_transcript_model_drop_nested (GadgetTranscriptModel *self)
{
  for (guint i = self->live_turns->len; i > 0; i--)
    {
      const GadgetLiveTurn *live = g_ptr_array_index (self->live_turns, i - 1);

      if (live->root != NULL && _gadget_transcript_model_find_turn (self, live->root) < 0)
        g_hash_table_remove (self->nested, live->turn);
    }
}
