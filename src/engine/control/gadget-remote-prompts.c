/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An event may come before the item that asks was read from the store, and the other way round. So
 * each prompt that waits is tried to be placed whenever items come. */

#define G_LOG_DOMAIN "gadget-remote-run"

#include "config.h"

#include "gadget-remote-prompts.h"

#include "gadget-prompt-event.h"
#include "session/gadget-session-children.h"

struct _GadgetRemotePrompts
{
  GObject parent_instance;

  GadgetEngine *engine;
  GadgetSession *session;
  GadgetTurn *turn; /* (nullable): the last one of the session */
  GPtrArray *asked; /* of Asked */
  GadgetRemoteAnswerFunc func;
  gpointer user_data;
};

typedef struct
{
  char *run_id;
  char *id;       /* the owner's */
  char *subagent; /* (nullable): the session of the subagent that asks */
  char *call;     /* (nullable): the call that asks */
  GVariant *event;
  GadgetPrompt *prompt; /* ours */
  GadgetItem *item;     /* (nullable): on which it is */
} Asked;

/* An answer that is waited for. */
typedef struct
{
  GWeakRef prompts;
  char *id;
} Waiting;

G_DEFINE_FINAL_TYPE (GadgetRemotePrompts, gadget_remote_prompts, G_TYPE_OBJECT)

static void
take_off (Asked *asked)
{
  g_autoptr (GadgetItem) item = g_steal_pointer (&asked->item);

  if (item != NULL && gadget_item_get_prompt (item) == asked->prompt)
    gadget_item_set_prompt (item, NULL);
  if (asked->prompt != NULL)
    gadget_prompt_refuse (asked->prompt);
}

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  take_off (asked);
  g_clear_object (&asked->prompt);
  g_variant_unref (asked->event);
  g_free (asked->run_id);
  g_free (asked->id);
  g_free (asked->subagent);
  g_free (asked->call);
  g_free (asked);
}

static Asked *
find_asked (GadgetRemotePrompts *self, const char *id)
{
  for (guint i = 0; i < self->asked->len; i++)
    {
      Asked *asked = g_ptr_array_index (self->asked, i);

      if (g_strcmp0 (asked->id, id) == 0)
        return asked;
    }
  return NULL;
}

/* --- Finding the item ------------------------------------------------------------------------- */

/* The last one that may mean: ids of calls may come again in a turn. */
static GadgetItem *
find_item (GadgetTurn *turn, const char *call)
{
  for (guint i = turn != NULL ? gadget_turn_get_n_items (turn) : 0; i > 0; i--)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i - 1);

      if (call != NULL ? g_strcmp0 (gadget_item_get_call_id (item), call) == 0
                       : gadget_item_get_kind (item) == GADGET_ITEM_NOTE)
        return gadget_item_is_settled (item) ? NULL : item;
    }
  return NULL;
}

/* (nullable): The session of the subagent, which is read when nobody has opened it yet. */
static GadgetSession *
find_child (GadgetRemotePrompts *self, GadgetSession *session, const char *id)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);

  for (guint i = 0; turn != NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      const char *child_id = gadget_item_get_child_id (gadget_turn_get_item (turn, i));
      GadgetSession *child =
          child_id != NULL ? gadget_session_open_child (session, child_id) : NULL;
      GadgetSession *found = NULL;

      if (child != NULL)
        found = g_str_equal (child_id, id) ? child : find_child (self, child, id);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void place_all (GadgetRemotePrompts *self); /* again, when a chat was read */

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetRemotePrompts) self = user_data;

  if (gadget_engine_load_finish (GADGET_ENGINE (source), result, NULL) && self->engine != NULL)
    place_all (self);
}

static GadgetTurn *
find_turn (GadgetRemotePrompts *self, const Asked *asked)
{
  GadgetSession *session = self->session;

  if (asked->subagent != NULL)
    session = find_child (self, self->session, asked->subagent);
  if (session == NULL)
    return NULL;
  if (session != self->session && !gadget_session_get_loaded (session))
    {
      gadget_engine_load_async (self->engine, session, loaded_cb, g_object_ref (self));
      return NULL;
    }
  return gadget_session_get_last_turn (session);
}

static void
place (GadgetRemotePrompts *self, Asked *asked)
{
  GadgetTurn *turn;
  GadgetItem *item;

  if (asked->item != NULL || asked->prompt == NULL)
    return;
  turn = find_turn (self, asked);
  item = find_item (turn, asked->call);
  if (item == NULL || gadget_item_get_prompt (item) != NULL)
    return;
  asked->item = g_object_ref (item);
  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  gadget_item_set_prompt (item, asked->prompt);
}

static void
place_all (GadgetRemotePrompts *self)
{
  for (guint i = 0; i < self->asked->len; i++)
    place (self, g_ptr_array_index (self->asked, i));
}

static void
follow_turn (GadgetRemotePrompts *self)
{
  GadgetTurn *turn = gadget_session_get_last_turn (self->session);

  if (turn != self->turn)
    {
      if (self->turn != NULL)
        g_signal_handlers_disconnect_by_func (self->turn, place_all, self);
      g_set_object (&self->turn, turn);
      if (turn != NULL)
        g_signal_connect_object (turn, "items-changed", G_CALLBACK (place_all), self,
                                 G_CONNECT_SWAPPED);
    }
  place_all (self);
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* (nullable): What the user typed, and did not choose. */
static const char *
get_words (GadgetPrompt *prompt, const char *answer)
{
  const char *const *choices = gadget_prompt_get_choices (prompt);

  if (choices == NULL || !g_strv_contains (choices, answer))
    return answer;
  return gadget_prompt_get_note (prompt);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetPrompt *prompt = GADGET_PROMPT (source);
  Waiting *waiting = user_data;
  g_autoptr (GadgetRemotePrompts) self = g_weak_ref_get (&waiting->prompts);
  g_autofree char *answer = gadget_prompt_wait_finish (prompt, result, NULL);

  if (self != NULL && self->engine != NULL && answer != NULL)
    {
      const Asked *asked = find_asked (self, waiting->id);

      if (asked != NULL && asked->prompt == prompt)
        self->func (asked->run_id, asked->id, answer, gadget_prompt_get_note (prompt),
                    get_words (prompt, answer), self->user_data);
    }
  g_weak_ref_clear (&waiting->prompts);
  g_free (waiting->id);
  g_free (waiting);
}

static void
ask (GadgetRemotePrompts *self, Asked *asked)
{
  Waiting *waiting;

  asked->prompt = gadget_prompt_event_read (asked->event);
  if (asked->prompt == NULL)
    return;
  waiting = g_new0 (Waiting, 1);
  g_weak_ref_init (&waiting->prompts, self);
  waiting->id = g_strdup (asked->id);
  gadget_prompt_wait_async (asked->prompt, NULL, answered_cb, waiting);
  place (self, asked);
}

gboolean
_gadget_remote_prompts_ask_again (GadgetRemotePrompts *self, const char *id)
{
  Asked *asked = find_asked (self, id);

  if (asked == NULL)
    return FALSE;
  take_off (asked);
  g_clear_object (&asked->prompt);
  ask (self, asked);
  return TRUE;
}

static void
add (GadgetRemotePrompts *self, const char *run_id, const char *id, GVariant *event)
{
  Asked *asked;

  /* What is open is told again to who subscribes. */
  if (find_asked (self, id) != NULL)
    return;
  asked = g_new0 (Asked, 1);
  asked->run_id = g_strdup (run_id);
  asked->id = g_strdup (id);
  asked->event = g_variant_ref (event);
  g_variant_lookup (event, "call", "s", &asked->call);
  g_variant_lookup (event, "subagent", "s", &asked->subagent);
  g_ptr_array_add (self->asked, asked);
  ask (self, asked);
}

static void
withdraw (GadgetRemotePrompts *self, const char *id)
{
  Asked *asked = find_asked (self, id);

  if (asked == NULL)
    return;
  g_ptr_array_remove (self->asked, asked);
  if (self->asked->len == 0 && self->turn != NULL
      && gadget_turn_get_phase (self->turn) == GADGET_PHASE_ASKING)
    gadget_turn_set_phase (self->turn, GADGET_PHASE_WAITING);
}

void
_gadget_remote_prompts_handle_event (GadgetRemotePrompts *self, const char *run_id, GVariant *event)
{
  const char *name = NULL;
  const char *id = NULL;

  g_return_if_fail (GADGET_IS_REMOTE_PROMPTS (self));

  if (!g_variant_lookup (event, "event", "&s", &name) || !g_variant_lookup (event, "id", "&s", &id))
    return;
  if (g_str_equal (name, "question") || g_str_equal (name, "permission"))
    add (self, run_id, id, event);
  else if (g_str_equal (name, "prompt-gone"))
    withdraw (self, id);
}

/* ---------------------------------------------------------------------------------------------- */

static void
gadget_remote_prompts_dispose (GObject *object)
{
  GadgetRemotePrompts *self = GADGET_REMOTE_PROMPTS (object);

  g_ptr_array_set_size (self->asked, 0);
  g_clear_object (&self->turn);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);

  G_OBJECT_CLASS (gadget_remote_prompts_parent_class)->dispose (object);
}

static void
gadget_remote_prompts_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_REMOTE_PROMPTS (object)->asked);

  G_OBJECT_CLASS (gadget_remote_prompts_parent_class)->finalize (object);
}

static void
gadget_remote_prompts_class_init (GadgetRemotePromptsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_remote_prompts_dispose;
  object_class->finalize = gadget_remote_prompts_finalize;
}

static void
gadget_remote_prompts_init (GadgetRemotePrompts *self)
{
  self->asked = g_ptr_array_new_with_free_func (asked_free);
}

GadgetRemotePrompts *
_gadget_remote_prompts_new (GadgetEngine *engine, GadgetSession *session,
                            GadgetRemoteAnswerFunc func, gpointer user_data)
{
  GadgetRemotePrompts *self = g_object_new (GADGET_TYPE_REMOTE_PROMPTS, NULL);

  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  self->func = func;
  self->user_data = user_data;
  g_signal_connect_object (session, "items-changed", G_CALLBACK (follow_turn), self,
                           G_CONNECT_SWAPPED);
  follow_turn (self);
  return self;
}
