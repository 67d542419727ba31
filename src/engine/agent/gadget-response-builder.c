/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds the items of a turn from the events of one response.
 *
 * Text and reasoning grow in one item at a time. An item ends when another kind of content begins,
 * when a call begins, or when the provider says that it is complete. Calls are found by the
 * provider's index, because their arguments may arrive interleaved. Items that an abort cuts stay
 * as they are; the turn loop settles them. */

#define G_LOG_DOMAIN "gadget-response-builder"

#include "config.h"

#include "gadget-response-builder.h"

#include "common/gadget-tokens.h"

#include <string.h>

struct _GadgetResponseBuilder
{
  GadgetTurn *turn;
  guint step;
  char *replay_source;   /* (nullable) */
  GadgetItem *streaming; /* (nullable): the text or reasoning that grows */
  GPtrArray *calls;      /* of GadgetItem (unowned), by the provider's index; may have NULL */
  GadgetUsage before;    /* the usage of the turn's earlier requests */
  gboolean is_short;     /* cut at the model's limit of output tokens */
  gboolean usage_known;
  GadgetUsage reported; /* the usage of this response, as the provider says */
  gint64 sent_tokens;   /* the estimated size of the request */
  /* the weight of what was received, see common/gadget-tokens.h */
  gsize received_weight;
};

/**
 * _gadget_response_builder_new:
 * @step: the step of the turn, for the new items
 * @replay_source: (nullable): which provider and model the items are from, for the data that these
 *   want back; %NULL if not known yet
 * @sent_tokens: an estimate of the size of the request, for providers that report no usage
 *
 * Returns: (transfer full): a builder
 */
GadgetResponseBuilder *
_gadget_response_builder_new (GadgetTurn *turn, guint step, const char *replay_source,
                              gint64 sent_tokens)
{
  GadgetResponseBuilder *self = g_new0 (GadgetResponseBuilder, 1);

  self->turn = g_object_ref (turn);
  self->step = step;
  self->replay_source = g_strdup (replay_source);
  self->calls = g_ptr_array_new ();
  self->before = *gadget_turn_get_usage (turn);
  self->sent_tokens = sent_tokens;
  return self;
}

void
_gadget_response_builder_free (GadgetResponseBuilder *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->turn);
  g_free (self->replay_source);
  g_clear_object (&self->streaming);
  g_ptr_array_unref (self->calls);
  g_free (self);
}

/**
 * _gadget_response_builder_set_replay_source:
 * @replay_source: (nullable): which provider and model the items are from
 *
 * Does nothing if the source was known before.
 */
void
_gadget_response_builder_set_replay_source (GadgetResponseBuilder *self, const char *replay_source)
{
  if (self->replay_source == NULL)
    self->replay_source = g_strdup (replay_source);
}

static void
end_streaming (GadgetResponseBuilder *self)
{
  if (self->streaming == NULL)
    return;
  gadget_item_set_ended_at (self->streaming, gadget_turn_get_now (self->turn));
  gadget_item_set_status (self->streaming, GADGET_ITEM_FINISHED);
  g_clear_object (&self->streaming);
}

static void
append_item (GadgetResponseBuilder *self, GadgetItem *item)
{
  gadget_item_set_step (item, self->step);
  gadget_item_set_started_at (item, gadget_turn_get_now (self->turn));
  gadget_turn_append (self->turn, item);
}

static void
need_streaming (GadgetResponseBuilder *self, GadgetItemKind kind)
{
  if (self->streaming != NULL && gadget_item_get_kind (self->streaming) == kind)
    return;
  end_streaming (self);
  self->streaming = gadget_item_new (kind);
  append_item (self, self->streaming);
}

static void
append_text (GadgetResponseBuilder *self, GadgetItemKind kind, const char *text)
{
  if (*text == '\0')
    return;
  need_streaming (self, kind);
  gadget_item_append_text (self->streaming, text, -1);
  self->received_weight += gadget_tokens_weigh (text);
}

/* Reasoning may be hidden; then its item has nothing but the data that the provider wants back. */
static void
end_reasoning (GadgetResponseBuilder *self, const char *replay)
{
  if (replay != NULL && self->replay_source != NULL)
    {
      need_streaming (self, GADGET_ITEM_REASONING);
      gadget_item_set_replay (self->streaming, self->replay_source, replay);
    }
  if (self->streaming != NULL && gadget_item_get_kind (self->streaming) == GADGET_ITEM_REASONING)
    end_streaming (self);
}

static void
end_text (GadgetResponseBuilder *self, const char *replay)
{
  if (self->streaming == NULL || gadget_item_get_kind (self->streaming) != GADGET_ITEM_TEXT)
    return;
  if (self->replay_source != NULL)
    gadget_item_set_replay (self->streaming, self->replay_source, replay);
  end_streaming (self);
}

static GadgetItem *
get_call (GadgetResponseBuilder *self, guint index)
{
  return index < self->calls->len ? g_ptr_array_index (self->calls, index) : NULL;
}

static void
begin_call (GadgetResponseBuilder *self, const GadgetChatEvent *event)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (event->call_id, event->name);

  end_streaming (self);
  append_item (self, item);
  if (self->calls->len <= event->call_index)
    g_ptr_array_set_size (self->calls, (gint) event->call_index + 1);
  /* The array does not own the item; the turn does. */
  g_ptr_array_index (self->calls, event->call_index) = item;
}

static void
end_call (GadgetResponseBuilder *self, GadgetItem *call, const char *replay)
{
  if (replay != NULL && self->replay_source != NULL)
    gadget_item_set_replay (call, self->replay_source, replay);
  gadget_item_set_status (call, GADGET_ITEM_PENDING);
}

static void
add_usage (GadgetResponseBuilder *self, const GadgetUsage *of_request)
{
  GadgetUsage usage = self->before;

  gadget_usage_add (&usage, of_request);
  gadget_turn_set_usage (self->turn, &usage);
}

/**
 * _gadget_response_builder_take:
 *
 * Adds what @event says to the turn.
 *
 * Returns: the phase of the turn after the event; %GADGET_PHASE_IDLE if the event does not change
 *   it
 */
GadgetTurnPhase
_gadget_response_builder_take (GadgetResponseBuilder *self, const GadgetChatEvent *event)
{
  GadgetItem *call = get_call (self, event->call_index);

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      append_text (self, GADGET_ITEM_TEXT, event->text);
      return GADGET_PHASE_STREAMING;
    case GADGET_CHAT_TEXT_END:
      end_text (self, event->replay);
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_REASONING:
      append_text (self, GADGET_ITEM_REASONING, event->text);
      return GADGET_PHASE_REASONING;
    case GADGET_CHAT_REASONING_END:
      end_reasoning (self, event->replay);
      return GADGET_PHASE_REASONING;
    case GADGET_CHAT_CALL_BEGIN:
      begin_call (self, event);
      return GADGET_PHASE_STREAMING;
    case GADGET_CHAT_CALL_ARGUMENTS:
      if (call != NULL)
        gadget_item_append_arguments (call, event->text);
      self->received_weight += gadget_tokens_weigh (event->text);
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_CALL_END:
      if (call != NULL)
        end_call (self, call, event->replay);
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_USAGE:
      self->usage_known = TRUE;
      self->reported = event->usage;
      add_usage (self, &self->reported);
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_LIMIT:
      self->is_short = TRUE;
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_IMAGES_LEFT_OUT:
      gadget_turn_set_images_left_out (self->turn);
      return GADGET_PHASE_IDLE;
    case GADGET_CHAT_LOADING:
      return GADGET_PHASE_LOADING;
    case GADGET_CHAT_RETRY:
      gadget_turn_set_retry_at (self->turn, gadget_turn_get_now (self->turn) + event->retry_ms);
      return GADGET_PHASE_RETRYING;
    default:
      g_return_val_if_reached (GADGET_PHASE_IDLE);
    }
}

/**
 * _gadget_response_builder_get_usage:
 * @whole: whether the response is complete
 * @usage: (out): what the request used
 *
 * Called when no more events come. The server may have reported no usage, or, for a response that
 * was cut, only what it reports at the beginning. Then the usage is estimated from what was sent
 * and received.
 *
 * Returns: whether the request used anything
 */
gboolean
_gadget_response_builder_get_usage (GadgetResponseBuilder *self, gboolean whole, GadgetUsage *usage)
{
  *usage = self->reported;
  if (!self->usage_known && self->received_weight == 0)
    return FALSE;
  if (self->usage_known && whole)
    return TRUE;
  usage->input_tokens = MAX (usage->input_tokens, self->sent_tokens);
  usage->output_tokens =
      MAX (usage->output_tokens, gadget_tokens_from_weight (self->received_weight));
  usage->estimated = TRUE;
  return TRUE;
}

/**
 * _gadget_response_builder_settle:
 * @whole: whether the response is complete; if not, its last item stays as it was cut
 * @usage: (nullable): what the request used
 */
void
_gadget_response_builder_settle (GadgetResponseBuilder *self, gboolean whole,
                                 const GadgetUsage *usage)
{
  if (usage != NULL)
    add_usage (self, usage);
  if (whole)
    end_streaming (self);
}

/* Returns whether nothing of the response has arrived: no content, no call, no limit. */
gboolean
_gadget_response_builder_is_silent (GadgetResponseBuilder *self)
{
  return self->received_weight == 0 && self->calls->len == 0 && !self->is_short;
}

/* Returns how many input tokens the provider has reported; 0 if it has not. */
gint64
_gadget_response_builder_get_input_tokens (GadgetResponseBuilder *self)
{
  return self->usage_known ? self->reported.input_tokens : 0;
}

gboolean
_gadget_response_builder_is_short (GadgetResponseBuilder *self)
{
  return self->is_short;
}

/* Returns whether there is a call with complete arguments. In a response that was cut, other calls
 * may be incomplete. */
gboolean
_gadget_response_builder_has_whole_calls (GadgetResponseBuilder *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      GadgetItem *call = g_ptr_array_index (self->calls, i);

      if (call != NULL && gadget_item_get_status (call) == GADGET_ITEM_PENDING)
        return TRUE;
    }
  return FALSE;
}

/* (transfer none) (element-type GadgetItem): may contain NULL */
GPtrArray *
_gadget_response_builder_get_calls (GadgetResponseBuilder *self)
{
  return self->calls;
}
