/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Follows the items of a turn and reports each change once, as an event. For each item it remembers
 * what was reported so far. */

#define G_LOG_DOMAIN "gadget-turn-watch"

#include "config.h"

#include "gadget-turn-watch.h"

/* The state of one item: what was reported so far. */
typedef struct
{
  GadgetTurnWatch *watch;
  GadgetItem *item;
  gsize reported; /* bytes of the text that were reported */
  gboolean call_reported;
  gboolean result_reported;
  GadgetPrompt *prompt;
  GadgetSession *subagent; /* (nullable): the call's subagent, once it was reported */
  GadgetTurnWatch *child;  /* (nullable): follows the subagent's turn */
} ItemState;

struct _GadgetTurnWatch
{
  GObject parent_instance;

  GadgetTurn *turn;
  GadgetTurnEventFunc func;
  gpointer user_data;
  GPtrArray *states;
};

G_DEFINE_FINAL_TYPE (GadgetTurnWatch, gadget_turn_watch, G_TYPE_OBJECT)

static void
item_state_free (ItemState *state)
{
  g_signal_handlers_disconnect_by_data (state->item, state);
  g_clear_object (&state->child);
  g_clear_object (&state->subagent);
  g_clear_object (&state->prompt);
  g_object_unref (state->item);
  g_free (state);
}

static void
emit (ItemState *state, GadgetTurnEventType type, const char *delta, GadgetPrompt *prompt)
{
  const GadgetTurnEvent event = { type, state->item, delta, prompt, NULL };

  state->watch->func (&event, state->watch->user_data);
}

static void
emit_text (ItemState *state)
{
  static const GadgetTurnEventType types[] = {
    [GADGET_ITEM_TEXT] = GADGET_TURN_EVENT_TEXT,
    [GADGET_ITEM_REASONING] = GADGET_TURN_EVENT_REASONING,
    [GADGET_ITEM_TOOL_CALL] = GADGET_TURN_EVENT_TOOL_OUTPUT,
    [GADGET_ITEM_NOTE] = GADGET_TURN_EVENT_NOTE,
    [GADGET_ITEM_STEER] = GADGET_TURN_EVENT_STEER,
    [GADGET_ITEM_SUMMARY] = GADGET_TURN_EVENT_SUMMARY,
  };
  const gsize begin = state->reported;

  if (gadget_item_get_length (state->item) == begin)
    return;
  state->reported = gadget_item_get_length (state->item);
  emit (state, types[gadget_item_get_kind (state->item)],
        gadget_item_get_text (state->item) + begin, NULL);
}

/* --- Subagents ---------------------------------------------------------------------------------*/

static void
child_event_cb (const GadgetTurnEvent *event, gpointer user_data)
{
  const ItemState *state = user_data;
  GadgetTurnEvent outer = *event;

  if (outer.subagent == NULL)
    outer.subagent = state->subagent;
  state->watch->func (&outer, state->watch->user_data);
}

static void
emit_subagent (ItemState *state)
{
  GadgetTurn *turn = gadget_item_get_child_turn (state->item);

  if (turn == NULL || state->subagent != NULL || gadget_item_is_settled (state->item))
    return;
  state->subagent = g_object_ref (gadget_item_get_child (state->item));
  emit (state, GADGET_TURN_EVENT_SUBAGENT_STARTED, NULL, NULL);
  state->child = gadget_turn_watch_new (turn, child_event_cb, state);
}

static void
child_cb (GadgetItem *item, GParamSpec *pspec, ItemState *state)
{
  emit_subagent (state);
}

static void
emit_subagent_end (ItemState *state)
{
  if (state->child == NULL)
    return;
  g_clear_object (&state->child);
  emit (state, GADGET_TURN_EVENT_SUBAGENT_ENDED, NULL, NULL);
}

/* --- Items -------------------------------------------------------------------------------------*/

static void
emit_status (ItemState *state)
{
  if (gadget_item_get_kind (state->item) != GADGET_ITEM_TOOL_CALL)
    return;

  if (!state->call_reported && gadget_item_get_status (state->item) != GADGET_ITEM_STREAMING)
    {
      state->call_reported = TRUE;
      emit (state, GADGET_TURN_EVENT_TOOL_CALL, NULL, NULL);
    }
  if (!state->result_reported && gadget_item_is_settled (state->item))
    {
      state->result_reported = TRUE;
      emit_subagent_end (state);
      emit (state, GADGET_TURN_EVENT_TOOL_RESULT, NULL, NULL);
    }
}

static void
emit_prompt (ItemState *state)
{
  GadgetPrompt *prompt = gadget_item_get_prompt (state->item);
  g_autoptr (GadgetPrompt) gone = NULL;

  if (prompt == state->prompt)
    return;
  gone = g_steal_pointer (&state->prompt);
  if (gone != NULL)
    emit (state, GADGET_TURN_EVENT_PROMPT_GONE, NULL, gone);
  if (g_set_object (&state->prompt, prompt) && prompt != NULL)
    emit (state, GADGET_TURN_EVENT_PROMPT, NULL, prompt);
}

static void
appended_cb (GadgetItem *item, guint64 offset, ItemState *state)
{
  emit_text (state);
}

static void
warned_cb (GadgetItem *item, const char *text, ItemState *state)
{
  emit (state, GADGET_TURN_EVENT_NOTE, text, NULL);
}

static void
status_cb (GadgetItem *item, GParamSpec *pspec, ItemState *state)
{
  emit_status (state);
}

static void
prompt_cb (GadgetItem *item, GParamSpec *pspec, ItemState *state)
{
  emit_prompt (state);
}

static void
watch_item (GadgetTurnWatch *self, GadgetItem *item)
{
  ItemState *state = g_new0 (ItemState, 1);

  state->watch = self;
  state->item = g_object_ref (item);
  g_ptr_array_add (self->states, state);
  g_signal_connect (item, "appended", G_CALLBACK (appended_cb), state);
  g_signal_connect (item, "warned", G_CALLBACK (warned_cb), state);
  g_signal_connect (item, "notify::status", G_CALLBACK (status_cb), state);
  g_signal_connect (item, "notify::prompt", G_CALLBACK (prompt_cb), state);
  g_signal_connect (item, "notify::child", G_CALLBACK (child_cb), state);

  emit_text (state);
  emit_prompt (state);
  emit_status (state);
  emit_subagent (state);
}

static void
items_changed_cb (GListModel *turn, guint position, guint removed, guint added,
                  GadgetTurnWatch *self)
{
  /* A turn that goes on only grows at its end. */
  for (guint i = position; i < position + added; i++)
    watch_item (self, gadget_turn_get_item (GADGET_TURN (turn), i));
}

static void
gadget_turn_watch_dispose (GObject *object)
{
  GadgetTurnWatch *self = GADGET_TURN_WATCH (object);

  g_clear_pointer (&self->states, g_ptr_array_unref);
  g_clear_object (&self->turn);

  G_OBJECT_CLASS (gadget_turn_watch_parent_class)->dispose (object);
}

static void
gadget_turn_watch_class_init (GadgetTurnWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_turn_watch_dispose;
}

static void
gadget_turn_watch_init (GadgetTurnWatch *self)
{
  self->states = g_ptr_array_new_with_free_func ((GDestroyNotify) item_state_free);
}

/**
 * gadget_turn_watch_new:
 * @turn: the turn to follow
 * @func: called for each event as long as the watch exists; must not drop the last reference to it
 *
 * Returns: (transfer full): a watch; @func was already called for everything the turn contains
 */
GadgetTurnWatch *
gadget_turn_watch_new (GadgetTurn *turn, GadgetTurnEventFunc func, gpointer user_data)
{
  GadgetTurnWatch *self;

  g_return_val_if_fail (GADGET_IS_TURN (turn) && func != NULL, NULL);

  self = g_object_new (GADGET_TYPE_TURN_WATCH, NULL);
  self->turn = g_object_ref (turn);
  self->func = func;
  self->user_data = user_data;
  g_signal_connect_object (turn, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_DEFAULT);
  items_changed_cb (G_LIST_MODEL (turn), 0, 0, gadget_turn_get_n_items (turn), self);
  return self;
}
