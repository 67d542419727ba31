/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prompts of a turn that another process works on. An event may arrive before the item that
 * asks was read from the store, or after it. Therefore each open prompt is placed again whenever a
 * chat has been read. When two windows show the chat, each has its GadgetRemotePrompts, and the
 * item has the prompt of one of them; when that one goes, the other places its own. */

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
  GPtrArray *open_prompts; /* (element-type OpenPrompt) */
  GHashTable *loading;     /* (element-type GadgetSession): subagents' chats being read */
  GadgetRemoteAnswerFunc func;
  gpointer user_data;
};

/* A prompt of the other process that waits for an answer. */
typedef struct
{
  char *run_id;
  char *id;       /* id in the other process */
  char *subagent; /* (nullable): id of the session of the subagent that asks */
  char *call;     /* (nullable): id of the call that asks */
  GVariant *event;
  GadgetPrompt *prompt; /* (nullable): copy of the prompt in this process */
  GadgetItem *item;     /* (nullable): the item that shows the prompt */
} OpenPrompt;

/* The chat of a subagent that is being read. */
typedef struct
{
  GWeakRef prompts;
  GadgetSession *child;
} Loading;

/* The task data of waiting for the user's answer. */
typedef struct
{
  GWeakRef prompts;
  char *id;
} Waiting;

G_DEFINE_FINAL_TYPE (GadgetRemotePrompts, gadget_remote_prompts, G_TYPE_OBJECT)

static GPtrArray *all; /* of GadgetRemotePrompts, unowned */

static void
unplace_prompt (OpenPrompt *open_prompt)
{
  g_autoptr (GadgetItem) item = g_steal_pointer (&open_prompt->item);

  if (item != NULL && gadget_item_get_prompt (item) == open_prompt->prompt)
    gadget_item_set_prompt (item, NULL);
  if (open_prompt->prompt != NULL)
    gadget_prompt_refuse (open_prompt->prompt);
}

static void
open_prompt_free (gpointer data)
{
  OpenPrompt *open_prompt = data;

  unplace_prompt (open_prompt);
  g_clear_object (&open_prompt->prompt);
  g_variant_unref (open_prompt->event);
  g_free (open_prompt->run_id);
  g_free (open_prompt->id);
  g_free (open_prompt->subagent);
  g_free (open_prompt->call);
  g_free (open_prompt);
}

static OpenPrompt *
find_open_prompt (GadgetRemotePrompts *self, const char *id)
{
  for (guint i = 0; i < self->open_prompts->len; i++)
    {
      OpenPrompt *open_prompt = g_ptr_array_index (self->open_prompts, i);

      if (g_strcmp0 (open_prompt->id, id) == 0)
        return open_prompt;
    }
  return NULL;
}

/* --- Finding the item ------------------------------------------------------------------------- */

/* Returns the last item that fits (nullable), because ids of calls may be used again in a turn.
 * Without a call id a note fits. A settled item asks nothing. */
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

/* Called when the chat of a subagent was read for the first time. Later GadgetSessionList reads it
 * again together with the chat that is shown. */
static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Loading *loading = user_data;
  g_autoptr (GadgetRemotePrompts) self = g_weak_ref_get (&loading->prompts);

  /* A chat that is not stored yet is tried again when the next items are read. */
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

/* Returns the chat of a subagent (nullable), at any depth below @session. Chats that are not loaded
 * yet are loaded, because the subagent may belong to one of them. */
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
find_turn (GadgetRemotePrompts *self, const OpenPrompt *open_prompt)
{
  GadgetSession *session = self->session;

  if (open_prompt->subagent != NULL)
    session = find_child (self, self->session, open_prompt->subagent);
  return session != NULL ? gadget_session_get_last_turn (session) : NULL;
}

/* Puts the prompt on its item. A call id that is used again may have been matched with the earlier
 * call before the later one was read, so the prompt is moved to the item found now. */
static void
place (GadgetRemotePrompts *self, OpenPrompt *open_prompt)
{
  GadgetItem *item;

  if (open_prompt->prompt == NULL)
    return;
  item = find_item (find_turn (self, open_prompt), open_prompt->call);
  if (item == NULL || gadget_item_get_prompt (item) != NULL)
    return;
  if (open_prompt->item != NULL
      && gadget_item_get_prompt (open_prompt->item) == open_prompt->prompt)
    gadget_item_set_prompt (open_prompt->item, NULL);
  g_set_object (&open_prompt->item, item);
  gadget_item_set_prompt (item, open_prompt->prompt);
}

/* Marks the calls of subagents that ask, and the turns in which something asks, as the other
 * process does. Returns whether the last turn of @session asks. */
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
  for (guint i = 0; i < self->open_prompts->len; i++)
    place (self, g_ptr_array_index (self->open_prompts, i));
  update_asking (self->session);
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* Returns the text that the user typed instead of choosing (nullable). */
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
      const OpenPrompt *open_prompt = find_open_prompt (self, waiting->id);

      if (open_prompt != NULL && open_prompt->prompt == prompt)
        self->func (open_prompt->run_id, open_prompt->id, answer, gadget_prompt_get_note (prompt),
                    get_words (prompt, answer), self->user_data);
    }
  g_weak_ref_clear (&waiting->prompts);
  g_free (waiting->id);
  g_free (waiting);
}

static void
ask (GadgetRemotePrompts *self, OpenPrompt *open_prompt)
{
  Waiting *waiting;

  open_prompt->prompt = gadget_prompt_event_read (open_prompt->event);
  if (open_prompt->prompt == NULL)
    return;
  waiting = g_new0 (Waiting, 1);
  g_weak_ref_init (&waiting->prompts, self);
  waiting->id = g_strdup (open_prompt->id);
  gadget_prompt_wait_async (open_prompt->prompt, NULL, answered_cb, waiting);
  place_all (self);
}

gboolean
_gadget_remote_prompts_ask_again (GadgetRemotePrompts *self, const char *id)
{
  OpenPrompt *open_prompt = find_open_prompt (self, id);

  if (open_prompt == NULL)
    return FALSE;
  unplace_prompt (open_prompt);
  g_clear_object (&open_prompt->prompt);
  ask (self, open_prompt);
  return TRUE;
}

static void
add (GadgetRemotePrompts *self, const char *run_id, const char *id, GVariant *event)
{
  OpenPrompt *open_prompt;

  /* The open prompts are sent again to a program that subscribes. */
  if (find_open_prompt (self, id) != NULL)
    return;
  open_prompt = g_new0 (OpenPrompt, 1);
  open_prompt->run_id = g_strdup (run_id);
  open_prompt->id = g_strdup (id);
  open_prompt->event = g_variant_ref (event);
  g_variant_lookup (event, "call", "s", &open_prompt->call);
  g_variant_lookup (event, "subagent", "s", &open_prompt->subagent);
  g_ptr_array_add (self->open_prompts, open_prompt);
  ask (self, open_prompt);
}

static void
withdraw (GadgetRemotePrompts *self, const char *id)
{
  OpenPrompt *open_prompt = find_open_prompt (self, id);

  if (open_prompt == NULL)
    return;
  g_ptr_array_remove (self->open_prompts, open_prompt);
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

  if (self->open_prompts->len > 0)
    {
      g_ptr_array_set_size (self->open_prompts, 0);
      update_asking (self->session);
    }
  g_ptr_array_remove (all, self);
  for (guint i = 0; i < all->len; i++)
    place_all (g_ptr_array_index (all, i));
  g_clear_object (&self->session);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (gadget_remote_prompts_parent_class)->dispose (object);
}

static void
gadget_remote_prompts_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_REMOTE_PROMPTS (object)->open_prompts);
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
  self->open_prompts = g_ptr_array_new_with_free_func (open_prompt_free);
  self->loading = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  if (all == NULL)
    all = g_ptr_array_new ();
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
  g_ptr_array_add (all, self);
  g_signal_connect_object (self->store, "session-loaded", G_CALLBACK (place_all), self,
                           G_CONNECT_SWAPPED);
  return self;
}
