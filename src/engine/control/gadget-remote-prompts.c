/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An event may come before the item that asks was read from the store, and the other way round. So
 * each prompt that waits is tried to be placed whenever a chat has been read. */

#define G_LOG_DOMAIN "gadget-remote-run"

#include "config.h"

#include "gadget-remote-prompts.h"

#include "gadget-prompt-event.h"
#include "session/gadget-session-children.h"
#include "store/gadget-store-sessions.h"

struct _GadgetRemotePrompts
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetSession *session;
  GPtrArray *asked;    /* of Asked */
  GHashTable *loading; /* (element-type GadgetSession): chats of subagents that are being read */
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

/* The chat of a subagent that is being read. */
typedef struct
{
  GWeakRef prompts;
  GadgetSession *child;
} Loading;

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

/* Reads the chat of a subagent for the first time. Later on GadgetChatList reads it again together
 * with the one that is shown. */
static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Loading *loading = user_data;
  g_autoptr (GadgetRemotePrompts) self = g_weak_ref_get (&loading->prompts);

  /* When it is not stored yet, it is tried again with the next items. */
  gadget_store_load_session_finish (GADGET_STORE (source), result, NULL);
  if (self != NULL)
    g_hash_table_remove (self->loading, loading->child);
  g_weak_ref_clear (&loading->prompts);
  g_object_unref (loading->child);
  g_free (loading);
}

static void
load_child (GadgetRemotePrompts *self, GadgetSession *child)
{
  Loading *loading;

  if (!g_hash_table_add (self->loading, g_object_ref (child)))
    return;
  loading = g_new0 (Loading, 1);
  g_weak_ref_init (&loading->prompts, self);
  loading->child = g_object_ref (child);
  gadget_store_load_session_async (self->store, child, loaded_cb, loading);
}

/* (nullable): The chat of the subagent. Chats that have not been read yet are, since it may be the
 * subagent of one of them. */
static GadgetSession *
find_child (GadgetRemotePrompts *self, GadgetSession *session, const char *id)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  GadgetSession *found = NULL;

  for (guint i = 0; turn != NULL && found == NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);
      const char *child_id = gadget_item_get_child_id (item);
      GadgetSession *child;

      if (child_id == NULL || gadget_item_is_settled (item))
        continue;
      child = gadget_session_open_child (session, child_id);
      if (!gadget_session_get_loaded (child))
        load_child (self, child);
      else
        found = g_str_equal (child_id, id) ? child : find_child (self, child, id);
    }
  return found;
}

static GadgetTurn *
find_turn (GadgetRemotePrompts *self, const Asked *asked)
{
  GadgetSession *session = self->session;

  if (asked->subagent != NULL)
    session = find_child (self, self->session, asked->subagent);
  return session != NULL ? gadget_session_get_last_turn (session) : NULL;
}

/* An id that came again may have been taken for the earlier call, as long as the later one had not
 * been read. */
static void
place (GadgetRemotePrompts *self, Asked *asked)
{
  GadgetItem *item;

  if (asked->prompt == NULL)
    return;
  item = find_item (find_turn (self, asked), asked->call);
  if (item == NULL || gadget_item_get_prompt (item) != NULL)
    return;
  if (asked->item != NULL && gadget_item_get_prompt (asked->item) == asked->prompt)
    gadget_item_set_prompt (asked->item, NULL);
  g_set_object (&asked->item, item);
  gadget_item_set_prompt (item, asked->prompt);
}

/* Calls of subagents that ask, and turns in which anything asks, say so, as in the other process.
 * Returns whether the last turn of @session does. */
static gboolean
update_asking (GadgetSession *session)
{
  GadgetTurn *turn = gadget_session_get_last_turn (session);
  gboolean asking = FALSE;

  for (guint i = 0; turn != NULL && i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_child_turn (item) != NULL)
        gadget_item_set_asking (item, !gadget_item_is_settled (item)
                                          && update_asking (gadget_item_get_child (item)));
      asking |= gadget_item_get_asking (item) || gadget_item_get_prompt (item) != NULL;
    }
  if (asking)
    gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  else if (turn != NULL && gadget_turn_get_phase (turn) == GADGET_PHASE_ASKING)
    gadget_turn_set_phase (turn, GADGET_PHASE_WAITING);
  return asking;
}

static void
place_all (GadgetRemotePrompts *self)
{
  for (guint i = 0; i < self->asked->len; i++)
    place (self, g_ptr_array_index (self->asked, i));
  update_asking (self->session);
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

  if (self != NULL && self->session != NULL && answer != NULL)
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
  place_all (self);
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
  place_all (self);
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

  if (self->asked->len > 0)
    {
      g_ptr_array_set_size (self->asked, 0);
      update_asking (self->session);
    }
  g_clear_object (&self->session);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_remote_prompts_parent_class)->dispose (object);
}

static void
gadget_remote_prompts_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_REMOTE_PROMPTS (object)->asked);
  g_hash_table_unref (GADGET_REMOTE_PROMPTS (object)->loading);

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
  self->loading = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

GadgetRemotePrompts *
_gadget_remote_prompts_new (GadgetEngine *engine, GadgetSession *session,
                            GadgetRemoteAnswerFunc func, gpointer user_data)
{
  GadgetRemotePrompts *self = g_object_new (GADGET_TYPE_REMOTE_PROMPTS, NULL);

  self->store = g_object_ref (gadget_engine_get_store (engine));
  self->session = g_object_ref (session);
  self->func = func;
  self->user_data = user_data;
  g_signal_connect_object (self->store, "session-loaded", G_CALLBACK (place_all), self,
                           G_CONNECT_SWAPPED);
  return self;
}
