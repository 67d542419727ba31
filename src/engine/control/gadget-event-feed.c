/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A delta waits for more of its kind: until a moment has passed, it has become long, or anything
 * else happens. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-event-feed.h"

#include "gadget-event.h"

#define HOLD_MS 50
#define HOLD_BYTES 16384

/* Something that waits for an answer. */
typedef struct
{
  GadgetPrompt *prompt;
  GVariant *event; /* as it was told */
} Asked;

struct _GadgetEventFeed
{
  GObject parent_instance;

  char *run_id;
  GadgetTurnWatch *watch;
  GadgetEventFeedFunc func;
  gpointer user_data;
  GHashTable *prompts; /* id → Asked */

  GString *held;
  GadgetTurnEvent event; /* what is held back is of this kind; holds references */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (GadgetEventFeed, gadget_event_feed, G_TYPE_OBJECT)

static Asked *
asked_new (GadgetPrompt *prompt, GVariant *event)
{
  Asked *asked = g_new (Asked, 1);

  asked->prompt = g_object_ref (prompt);
  asked->event = g_variant_ref (event);
  return asked;
}

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_object_unref (asked->prompt);
  g_variant_unref (asked->event);
  g_free (asked);
}

void
gadget_event_feed_flush (GadgetEventFeed *self)
{
  g_autoptr (GVariant) variant = NULL;

  g_return_if_fail (GADGET_IS_EVENT_FEED (self));

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->held->len == 0)
    return;
  variant = g_variant_ref_sink (gadget_event_to_variant (&self->event, self->held->str));
  g_string_truncate (self->held, 0);
  g_clear_object (&self->event.item);
  g_clear_object (&self->event.subagent);
  self->func (self->run_id, variant, self->user_data);
}

static void
held_cb (gpointer user_data)
{
  GadgetEventFeed *self = user_data;

  self->timeout = 0;
  gadget_event_feed_flush (self);
}

static void
hold (GadgetEventFeed *self, const GadgetTurnEvent *event)
{
  if (self->held->len > 0
      && (self->event.type != event->type || self->event.item != event->item
          || self->event.subagent != event->subagent))
    gadget_event_feed_flush (self);
  if (self->held->len == 0)
    {
      self->event.type = event->type;
      g_set_object (&self->event.item, event->item);
      g_set_object (&self->event.subagent, event->subagent);
    }
  g_string_append (self->held, event->delta);
  if (self->held->len >= HOLD_BYTES)
    {
      gadget_event_feed_flush (self);
    }
  else if (self->timeout == 0)
    {
      self->timeout = g_timeout_add_once (HOLD_MS, held_cb, self);
      g_source_set_name_by_id (self->timeout, "[gadget] events on the bus");
    }
}

static void
event_cb (const GadgetTurnEvent *event, gpointer user_data)
{
  GadgetEventFeed *self = user_data;
  g_autoptr (GVariant) variant = NULL;

  if (event->delta != NULL)
    {
      hold (self, event);
      return;
    }
  gadget_event_feed_flush (self);
  variant = g_variant_ref_sink (gadget_event_to_variant (event, NULL));
  if (event->type == GADGET_TURN_EVENT_PROMPT)
    g_hash_table_insert (self->prompts, g_strdup (gadget_prompt_get_id (event->prompt)),
                         asked_new (event->prompt, variant));
  if (event->type == GADGET_TURN_EVENT_PROMPT_GONE)
    g_hash_table_remove (self->prompts, gadget_prompt_get_id (event->prompt));
  self->func (self->run_id, variant, self->user_data);
}

static void
gadget_event_feed_dispose (GObject *object)
{
  GadgetEventFeed *self = GADGET_EVENT_FEED (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_object (&self->watch);
  g_clear_object (&self->event.item);
  g_clear_object (&self->event.subagent);

  G_OBJECT_CLASS (gadget_event_feed_parent_class)->dispose (object);
}

static void
gadget_event_feed_finalize (GObject *object)
{
  GadgetEventFeed *self = GADGET_EVENT_FEED (object);

  g_hash_table_unref (self->prompts);
  g_string_free (self->held, TRUE);
  g_free (self->run_id);

  G_OBJECT_CLASS (gadget_event_feed_parent_class)->finalize (object);
}

static void
gadget_event_feed_class_init (GadgetEventFeedClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_event_feed_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_event_feed_finalize;
}

static void
gadget_event_feed_init (GadgetEventFeed *self)
{
  self->held = g_string_new (NULL);
  self->prompts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, asked_free);
}

/**
 * gadget_event_feed_new:
 * @func: told of each event, as long as the feed lives, which must not end within it
 */
GadgetEventFeed *
gadget_event_feed_new (const char *run_id, GadgetTurn *turn, GadgetEventFeedFunc func,
                       gpointer user_data)
{
  GadgetEventFeed *self;

  g_return_val_if_fail (run_id != NULL && GADGET_IS_TURN (turn) && func != NULL, NULL);

  self = g_object_new (GADGET_TYPE_EVENT_FEED, NULL);
  self->run_id = g_strdup (run_id);
  self->func = func;
  self->user_data = user_data;
  self->watch = gadget_turn_watch_new (turn, event_cb, self);
  return self;
}

/**
 * gadget_event_feed_list_prompts:
 *
 * Returns: (transfer full) (element-type GVariant): the events of what waits for an answer
 */
GPtrArray *
gadget_event_feed_list_prompts (GadgetEventFeed *self)
{
  g_autoptr (GPtrArray) events = NULL;
  GHashTableIter iter;
  gpointer asked;

  g_return_val_if_fail (GADGET_IS_EVENT_FEED (self), NULL);

  events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_hash_table_iter_init (&iter, self->prompts);
  while (g_hash_table_iter_next (&iter, NULL, &asked))
    g_ptr_array_add (events, g_variant_ref (((Asked *) asked)->event));
  return g_steal_pointer (&events);
}

/**
 * gadget_event_feed_find_prompt:
 *
 * Returns: (transfer none) (nullable): what is asked under that id, if it waits
 */
GadgetPrompt *
gadget_event_feed_find_prompt (GadgetEventFeed *self, const char *id)
{
  const Asked *asked;

  g_return_val_if_fail (GADGET_IS_EVENT_FEED (self) && id != NULL, NULL);
  asked = g_hash_table_lookup (self->prompts, id);
  return asked != NULL ? asked->prompt : NULL;
}
