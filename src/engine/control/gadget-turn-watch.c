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
  gsize told; /* bytes of the text that were reported */
  gboolean told_call;
  gboolean told_result;
  GadgetPrompt *prompt;
  GadgetSession *subagent; /* (nullable): the call's subagent, once it was reported */
  GadgetTurnWatch *child;  /* (nullable): follows the subagent's turn */
} Followed;

struct _GadgetTurnWatch
{
  GObject parent_instance;

  GadgetTurn *turn;
  GadgetTurnEventFunc func;
  gpointer user_data;
  GPtrArray *followed;
};

G_DEFINE_FINAL_TYPE (GadgetTurnWatch, gadget_turn_watch, G_TYPE_OBJECT)

static void
followed_free (Followed *followed)
{
  g_signal_handlers_disconnect_by_data (followed->item, followed);
  g_clear_object (&followed->child);
  g_clear_object (&followed->subagent);
  g_clear_object (&followed->prompt);
  g_object_unref (followed->item);
  g_free (followed);
}

static void
tell (Followed *followed, GadgetTurnEventType type, const char *delta, GadgetPrompt *prompt)
{
  const GadgetTurnEvent event = { type, followed->item, delta, prompt, NULL };

  followed->watch->func (&event, followed->watch->user_data);
}

static void
tell_text (Followed *followed)
{
  static const GadgetTurnEventType types[] = {
    [GADGET_ITEM_TEXT] = GADGET_TURN_EVENT_TEXT,
    [GADGET_ITEM_REASONING] = GADGET_TURN_EVENT_REASONING,
    [GADGET_ITEM_TOOL_CALL] = GADGET_TURN_EVENT_TOOL_OUTPUT,
    [GADGET_ITEM_NOTE] = GADGET_TURN_EVENT_NOTE,
    [GADGET_ITEM_STEER] = GADGET_TURN_EVENT_STEER,
    [GADGET_ITEM_SUMMARY] = GADGET_TURN_EVENT_SUMMARY,
  };
  const gsize begin = followed->told;

  if (gadget_item_get_length (followed->item) == begin)
    return;
  followed->told = gadget_item_get_length (followed->item);
  tell (followed, types[gadget_item_get_kind (followed->item)],
        gadget_item_get_text (followed->item) + begin, NULL);
}

/* --- Subagents ---------------------------------------------------------------------------------*/

static void
child_event_cb (const GadgetTurnEvent *event, gpointer user_data)
{
  const Followed *followed = user_data;
  GadgetTurnEvent outer = *event;

  if (outer.subagent == NULL)
    outer.subagent = followed->subagent;
  followed->watch->func (&outer, followed->watch->user_data);
}

static void
tell_subagent (Followed *followed)
{
  GadgetTurn *turn = gadget_item_get_child_turn (followed->item);

  if (turn == NULL || followed->subagent != NULL || gadget_item_is_settled (followed->item))
    return;
  followed->subagent = g_object_ref (gadget_item_get_child (followed->item));
  tell (followed, GADGET_TURN_EVENT_SUBAGENT_STARTED, NULL, NULL);
  followed->child = gadget_turn_watch_new (turn, child_event_cb, followed);
}

static void
child_cb (GadgetItem *item, GParamSpec *pspec, Followed *followed)
{
  tell_subagent (followed);
}

static void
tell_subagent_end (Followed *followed)
{
  if (followed->child == NULL)
    return;
  g_clear_object (&followed->child);
  tell (followed, GADGET_TURN_EVENT_SUBAGENT_ENDED, NULL, NULL);
}

/* --- Items -------------------------------------------------------------------------------------*/

static void
tell_status (Followed *followed)
{
  if (gadget_item_get_kind (followed->item) != GADGET_ITEM_TOOL_CALL)
    return;

  if (!followed->told_call && gadget_item_get_status (followed->item) != GADGET_ITEM_STREAMING)
    {
      followed->told_call = TRUE;
      tell (followed, GADGET_TURN_EVENT_TOOL_CALL, NULL, NULL);
    }
  if (!followed->told_result && gadget_item_is_settled (followed->item))
    {
      followed->told_result = TRUE;
      tell_subagent_end (followed);
      tell (followed, GADGET_TURN_EVENT_TOOL_RESULT, NULL, NULL);
    }
}

static void
tell_prompt (Followed *followed)
{
  GadgetPrompt *prompt = gadget_item_get_prompt (followed->item);
  g_autoptr (GadgetPrompt) gone = NULL;

  if (prompt == followed->prompt)
    return;
  gone = g_steal_pointer (&followed->prompt);
  if (gone != NULL)
    tell (followed, GADGET_TURN_EVENT_PROMPT_GONE, NULL, gone);
  if (g_set_object (&followed->prompt, prompt) && prompt != NULL)
    tell (followed, GADGET_TURN_EVENT_PROMPT, NULL, prompt);
}

static void
appended_cb (GadgetItem *item, guint64 offset, Followed *followed)
{
  tell_text (followed);
}

static void
warned_cb (GadgetItem *item, const char *text, Followed *followed)
{
  tell (followed, GADGET_TURN_EVENT_NOTE, text, NULL);
}

static void
status_cb (GadgetItem *item, GParamSpec *pspec, Followed *followed)
{
  tell_status (followed);
}

static void
prompt_cb (GadgetItem *item, GParamSpec *pspec, Followed *followed)
{
  tell_prompt (followed);
}

static void
follow (GadgetTurnWatch *self, GadgetItem *item)
{
  Followed *followed = g_new0 (Followed, 1);

  followed->watch = self;
  followed->item = g_object_ref (item);
  g_ptr_array_add (self->followed, followed);
  g_signal_connect (item, "appended", G_CALLBACK (appended_cb), followed);
  g_signal_connect (item, "warned", G_CALLBACK (warned_cb), followed);
  g_signal_connect (item, "notify::status", G_CALLBACK (status_cb), followed);
  g_signal_connect (item, "notify::prompt", G_CALLBACK (prompt_cb), followed);
  g_signal_connect (item, "notify::child", G_CALLBACK (child_cb), followed);

  tell_text (followed);
  tell_prompt (followed);
  tell_status (followed);
  tell_subagent (followed);
}

static void
items_changed_cb (GListModel *turn, guint position, guint removed, guint added,
                  GadgetTurnWatch *self)
{
  /* A turn that goes on only grows at its end. */
  for (guint i = position; i < position + added; i++)
    follow (self, gadget_turn_get_item (GADGET_TURN (turn), i));
}

static void
gadget_turn_watch_dispose (GObject *object)
{
  GadgetTurnWatch *self = GADGET_TURN_WATCH (object);

  g_clear_pointer (&self->followed, g_ptr_array_unref);
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
  self->followed = g_ptr_array_new_with_free_func ((GDestroyNotify) followed_free);
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
