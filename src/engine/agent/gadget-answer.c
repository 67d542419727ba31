/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words and reasoning grow one item at a time: another kind, a call, or the provider's word that a
 * piece of reasoning is complete ends the one before. Calls are kept by the provider's index, since
 * their arguments may come interleaved. What an abort cuts stays as it is; sealing it is the
 * turn loop's work. */

#define G_LOG_DOMAIN "gadget-answer"

#include "config.h"

#include "gadget-answer.h"

#include "common/gadget-tokens.h"

#include <string.h>

struct _GadgetAnswer
{
  GadgetTurn *turn;
  guint step;
  char *replay_source;   /* (nullable) */
  GadgetItem *streaming; /* (nullable): the words or reasoning that grow */
  GPtrArray *calls;      /* of GadgetItem, by the provider's index; may have NULL */
  GadgetUsage before;    /* what earlier answers of the turn used */
  gboolean is_short;     /* cut at the model's limit of output tokens */
  gboolean usage_known;
  GadgetUsage told;   /* of this answer, by the provider */
  gint64 sent_tokens; /* estimated, as what is received */
  gsize received_weight;
};

/**
 * _gadget_answer_new:
 * @step: of the turn, for its items
 * @replay_source: (nullable): who answers, for what it wants back, if that is known
 * @sent_tokens: an estimate of what was asked, for where the provider tells no usage
 */
GadgetAnswer *
_gadget_answer_new (GadgetTurn *turn, guint step, const char *replay_source, gint64 sent_tokens)
{
  GadgetAnswer *self = g_new0 (GadgetAnswer, 1);

  self->turn = g_object_ref (turn);
  self->step = step;
  self->replay_source = g_strdup (replay_source);
  self->calls = g_ptr_array_new ();
  self->before = *gadget_turn_get_usage (turn);
  self->sent_tokens = sent_tokens;
  return self;
}

void
_gadget_answer_free (GadgetAnswer *self)
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
 * _gadget_answer_set_replay_source:
 * @replay_source: (nullable): who answers, where that was not known before something came
 */
void
_gadget_answer_set_replay_source (GadgetAnswer *self, const char *replay_source)
{
  if (self->replay_source == NULL)
    self->replay_source = g_strdup (replay_source);
}

static void
end_streaming (GadgetAnswer *self)
{
  if (self->streaming == NULL)
    return;
  gadget_item_set_ended_at (self->streaming, gadget_turn_get_now (self->turn));
  gadget_item_set_status (self->streaming, GADGET_ITEM_FINISHED);
  g_clear_object (&self->streaming);
}

static void
append_item (GadgetAnswer *self, GadgetItem *item)
{
  gadget_item_set_step (item, self->step);
  gadget_item_set_started_at (item, gadget_turn_get_now (self->turn));
  gadget_turn_append (self->turn, item);
}

static void
need_streaming (GadgetAnswer *self, GadgetItemKind kind)
{
  if (self->streaming != NULL && gadget_item_get_kind (self->streaming) == kind)
    return;
  end_streaming (self);
  self->streaming = gadget_item_new (kind);
  append_item (self, self->streaming);
}

static void
append_text (GadgetAnswer *self, GadgetItemKind kind, const char *text)
{
  if (*text == '\0')
    return;
  need_streaming (self, kind);
  gadget_item_append_text (self->streaming, text, -1);
  self->received_weight += gadget_tokens_weigh (text);
}

/* Reasoning may be hidden altogether: then there is only what the provider wants back. */
static void
end_reasoning (GadgetAnswer *self, const char *replay)
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
end_text (GadgetAnswer *self, const char *replay)
{
  if (self->streaming == NULL || gadget_item_get_kind (self->streaming) != GADGET_ITEM_TEXT)
    return;
  if (self->replay_source != NULL)
    gadget_item_set_replay (self->streaming, self->replay_source, replay);
  end_streaming (self);
}

static GadgetItem *
get_call (GadgetAnswer *self, guint index)
{
  return index < self->calls->len ? g_ptr_array_index (self->calls, index) : NULL;
}

static void
begin_call (GadgetAnswer *self, const GadgetChatEvent *event)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (event->call_id, event->name);

  end_streaming (self);
  append_item (self, item);
  if (self->calls->len <= event->call_index)
    g_ptr_array_set_size (self->calls, (gint) event->call_index + 1);
  /* The turn holds it. */
  g_ptr_array_index (self->calls, event->call_index) = item;
}

static void
end_call (GadgetAnswer *self, GadgetItem *call, const char *replay)
{
  if (replay != NULL && self->replay_source != NULL)
    gadget_item_set_replay (call, self->replay_source, replay);
  gadget_item_set_status (call, GADGET_ITEM_PENDING);
}

static void
add_usage (GadgetAnswer *self, const GadgetUsage *of_request)
{
  GadgetUsage usage = self->before;

  gadget_usage_add (&usage, of_request);
  gadget_turn_set_usage (self->turn, &usage);
}

/**
 * _gadget_answer_take:
 *
 * Returns: what the turn does now; %GADGET_PHASE_IDLE when the event says nothing about it
 */
GadgetTurnPhase
_gadget_answer_take (GadgetAnswer *self, const GadgetChatEvent *event)
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
      self->told = (GadgetUsage) { .input_tokens = event->input_tokens,
                                   .output_tokens = event->output_tokens,
                                   .cost = event->cost };
      add_usage (self, &self->told);
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

static void
estimate_usage (GadgetAnswer *self)
{
  GadgetUsage usage = self->told;

  usage.input_tokens = MAX (usage.input_tokens, self->sent_tokens);
  usage.output_tokens =
      MAX (usage.output_tokens, gadget_tokens_from_weight (self->received_weight));
  usage.estimated = TRUE;
  add_usage (self, &usage);
}

/**
 * _gadget_answer_settle:
 * @whole: whether it came to its end; else its last item stays as it was cut
 *
 * Nothing more comes. The server may not have said what was used, or, of an answer that was cut,
 * only what a stream begins with: then that is estimated from what was sent and what came.
 */
void
_gadget_answer_settle (GadgetAnswer *self, gboolean whole)
{
  if (self->usage_known ? !whole : self->received_weight > 0)
    estimate_usage (self);
  if (whole)
    end_streaming (self);
}

gboolean
_gadget_answer_is_silent (GadgetAnswer *self)
{
  return self->received_weight == 0 && self->calls->len == 0 && !self->is_short;
}

/* What the provider said that it read; 0 if it did not say. */
gint64
_gadget_answer_get_input_tokens (GadgetAnswer *self)
{
  return self->usage_known ? self->told.input_tokens : 0;
}

gboolean
_gadget_answer_is_short (GadgetAnswer *self)
{
  return self->is_short;
}

/* Of an answer that was cut not all calls are whole. */
gboolean
_gadget_answer_has_whole_calls (GadgetAnswer *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      GadgetItem *call = g_ptr_array_index (self->calls, i);

      if (call != NULL && gadget_item_get_status (call) == GADGET_ITEM_PENDING)
        return TRUE;
    }
  return FALSE;
}

/* (transfer none) (element-type GadgetItem): may have NULL */
GPtrArray *
_gadget_answer_get_calls (GadgetAnswer *self)
{
  return self->calls;
}
