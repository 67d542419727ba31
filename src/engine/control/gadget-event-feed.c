/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The events of one run. A text delta is held back and joined with the following ones of its kind,
 * until FLUSH_MS have passed, it has MAX_BUFFERED, or another event happens. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-event-feed.h"

#include "gadget-event.h"

#define FLUSH_MS 50
#define MAX_BUFFERED 16384

/* A prompt that waits for an answer. */
typedef struct
{
  GadgetPrompt *prompt;
  GVariant *event; /* the event that announced the prompt */
} OpenPrompt;

struct _GadgetEventFeed
{
  GObject parent_instance;

  char *run_id;
  GadgetTurnWatch *watch;
  GadgetEventFeedFunc func;
  gpointer user_data;
  GHashTable *prompts; /* (element-type utf8 OpenPrompt): by the prompt's id */

  GString *delta_buffer; /* text that is held back */
  GadgetTurnEvent event; /* kind, item and subagent of the held text; holds references */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (GadgetEventFeed, gadget_event_feed, G_TYPE_OBJECT)

static OpenPrompt *
open_prompt_new (GadgetPrompt *prompt, GVariant *event)
{
  OpenPrompt *open_prompt = g_new (OpenPrompt, 1);

  open_prompt->prompt = g_object_ref (prompt);
  open_prompt->event = g_variant_ref (event);
  return open_prompt;
}

static void
open_prompt_free (gpointer data)
{
  OpenPrompt *open_prompt = data;

  g_object_unref (open_prompt->prompt);
  g_variant_unref (open_prompt->event);
  g_free (open_prompt);
}

void
gadget_event_feed_flush (GadgetEventFeed *self)
{
  g_autoptr (GVariant) variant = NULL;

  g_return_if_fail (GADGET_IS_EVENT_FEED (self));

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->delta_buffer->len == 0)
    return;
  variant = g_variant_ref_sink (gadget_event_to_variant (&self->event, self->delta_buffer->str));
  g_string_truncate (self->delta_buffer, 0);
  g_clear_object (&self->event.item);
  g_clear_object (&self->event.subagent);
  self->func (self->run_id, variant, self->user_data);
}

static void
flush_cb (gpointer user_data)
{
  GadgetEventFeed *self = user_data;

  self->timeout = 0;
  gadget_event_feed_flush (self);
}

static void
buffer_delta (GadgetEventFeed *self, const GadgetTurnEvent *event)
{
  if (self->delta_buffer->len > 0
      && (self->event.type != event->type || self->event.item != event->item
          || self->event.subagent != event->subagent))
    gadget_event_feed_flush (self);
  if (self->delta_buffer->len == 0)
    {
      self->event.type = event->type;
      g_set_object (&self->event.item, event->item);
      g_set_object (&self->event.subagent, event->subagent);
    }
  g_string_append (self->delta_buffer, event->delta);
  if (self->delta_buffer->len >= MAX_BUFFERED)
    {
      gadget_event_feed_flush (self);
    }
  else if (self->timeout == 0)
    {
      self->timeout = g_timeout_add_once (FLUSH_MS, flush_cb, self);
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
      buffer_delta (self, event);
      return;
    }
  gadget_event_feed_flush (self);
  variant = g_variant_ref_sink (gadget_event_to_variant (event, NULL));
  if (event->type == GADGET_TURN_EVENT_PROMPT)
    g_hash_table_insert (self->prompts, g_strdup (gadget_prompt_get_id (event->prompt)),
                         open_prompt_new (event->prompt, variant));
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
  g_string_free (self->delta_buffer, TRUE);
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
  self->delta_buffer = g_string_new (NULL);
  self->prompts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, open_prompt_free);
}

/**
 * gadget_event_feed_new:
 * @run_id: passed to @func
 * @turn: the turn to follow
 * @func: called for each event as long as the feed exists; must not drop the last reference to it
 *
 * Returns: (transfer full): a feed; @func is called for everything the turn already contains
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
 * Returns: (transfer full) (element-type GVariant): the events that announced the open prompts
 */
GPtrArray *
gadget_event_feed_list_prompts (GadgetEventFeed *self)
{
  g_autoptr (GPtrArray) events = NULL;
  GHashTableIter iter;
  gpointer open_prompt;

  g_return_val_if_fail (GADGET_IS_EVENT_FEED (self), NULL);

  events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_hash_table_iter_init (&iter, self->prompts);
  while (g_hash_table_iter_next (&iter, NULL, &open_prompt))
    g_ptr_array_add (events, g_variant_ref (((OpenPrompt *) open_prompt)->event));
  return g_steal_pointer (&events);
}

/**
 * gadget_event_feed_find_prompt:
 *
 * Returns: (transfer none) (nullable): the prompt with that id, if it waits for an answer
 */
GadgetPrompt *
gadget_event_feed_find_prompt (GadgetEventFeed *self, const char *id)
{
  const OpenPrompt *open_prompt;

  g_return_val_if_fail (GADGET_IS_EVENT_FEED (self) && id != NULL, NULL);
  open_prompt = g_hash_table_lookup (self->prompts, id);
  return open_prompt != NULL ? open_prompt->prompt : NULL;
}
