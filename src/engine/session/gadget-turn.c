/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A turn: its data, and notifications about each change. The status changes once, from processing
 * to one of the others. Strings that getters return belong to the turn. Everything runs on the main
 * context. */

#define G_LOG_DOMAIN "gadget-turn"

#include "config.h"

#include "gadget-turn.h"

#include "common/gadget-array-model.h"
#include "common/gadget-clock.h"

struct _GadgetTurn
{
  GObject parent_instance;

  char *id;
  char *prompt;
  GPtrArray *items; /* (element-type GadgetItem) */

  GadgetTurnStatus status;
  GadgetStopReason stop_reason;
  GadgetTurnPhase phase;
  gint64 phase_since; /* in the time of gadget_turn_get_now () */
  gint64 retry_at;
  gboolean images_left_out;
  char *error_code;
  char *error_detail;
  gboolean saved;
  GadgetSaveProblem save_problem;

  char *provider; /* (nullable) */
  char *model;    /* (nullable) */
  gint64 started_at;
  gint64 started_us; /* the moment of started_at in monotonic time */
  gint64 ended_at;
  GadgetUsage usage;
  GadgetReceipt *receipt;
};

enum
{
  PROP_0,
  PROP_STATUS,
  PROP_PHASE,
  PROP_RETRY_AT,
  PROP_SAVED,
  PROP_SAVE_PROBLEM,
  PROP_USAGE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

GADGET_DEFINE_ARRAY_MODEL (GadgetTurn, gadget_turn, GADGET_TYPE_ITEM, items)

static void
gadget_turn_finalize (GObject *object)
{
  GadgetTurn *self = GADGET_TURN (object);

  g_free (self->id);
  g_free (self->prompt);
  g_ptr_array_unref (self->items);
  g_free (self->error_code);
  g_free (self->error_detail);
  g_free (self->provider);
  g_free (self->model);
  g_clear_object (&self->receipt);

  G_OBJECT_CLASS (gadget_turn_parent_class)->finalize (object);
}

static void
gadget_turn_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetTurn *self = GADGET_TURN (object);

  switch (prop_id)
    {
    case PROP_STATUS:
      g_value_set_int (value, (int) self->status);
      break;
    case PROP_PHASE:
      g_value_set_int (value, (int) self->phase);
      break;
    case PROP_RETRY_AT:
      g_value_set_int64 (value, self->retry_at);
      break;
    case PROP_SAVED:
      g_value_set_boolean (value, self->saved);
      break;
    case PROP_SAVE_PROBLEM:
      g_value_set_int (value, (int) self->save_problem);
      break;
    case PROP_USAGE:
      g_value_set_int64 (value, self->usage.input_tokens + self->usage.output_tokens);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_turn_class_init (GadgetTurnClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_turn_finalize;
  object_class->get_property = gadget_turn_get_property;

  props[PROP_STATUS] = g_param_spec_int ("status", NULL, NULL, 0, GADGET_TURN_ERROR, 0, flags);
  props[PROP_PHASE] = g_param_spec_int ("phase", NULL, NULL, 0, GADGET_PHASE_ABORTING, 0, flags);
  props[PROP_RETRY_AT] = g_param_spec_int64 ("retry-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  props[PROP_SAVED] = g_param_spec_boolean ("saved", NULL, NULL, TRUE, flags);
  props[PROP_SAVE_PROBLEM] =
      g_param_spec_int ("save-problem", NULL, NULL, 0, GADGET_SAVE_FAILED, 0, flags);
  props[PROP_USAGE] = g_param_spec_int64 ("usage", NULL, NULL, 0, G_MAXINT64, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_turn_init (GadgetTurn *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->receipt = gadget_receipt_new ();
  self->started_at = gadget_clock_wall_ms ();
  self->started_us = g_get_monotonic_time ();
  self->phase_since = self->started_at;
  self->saved = TRUE;
}

/**
 * gadget_turn_new:
 * @id: the id of the turn
 * @prompt: the user's message
 *
 * Returns: (transfer full): a turn that starts now
 */
GadgetTurn *
gadget_turn_new (const char *id, const char *prompt)
{
  GadgetTurn *self;

  g_return_val_if_fail (id != NULL && prompt != NULL, NULL);

  self = g_object_new (GADGET_TYPE_TURN, NULL);
  self->id = g_strdup (id);
  self->prompt = g_strdup (prompt);
  return self;
}

/* gadget_turn_get_id: returns the id, which is unique among all turns and never changes.
 * (transfer none) */
const char *
gadget_turn_get_id (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->id;
}

/* gadget_turn_get_prompt: returns the user's message, without its attachments; never %NULL.
 * (transfer none) */
const char *
gadget_turn_get_prompt (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->prompt;
}

GadgetTurnStatus
gadget_turn_get_status (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), GADGET_TURN_FINISHED);
  return self->status;
}

/* gadget_turn_get_stop_reason: returns why the turn was aborted, or %GADGET_STOP_LENGTH for a
 * response that was cut off; else %GADGET_STOP_NONE. */
GadgetStopReason
gadget_turn_get_stop_reason (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), GADGET_STOP_NONE);
  return self->stop_reason;
}

static void
end (GadgetTurn *self, GadgetTurnStatus status)
{
  /* The status is set once: a late end of any kind must not overwrite the first one. */
  g_return_if_fail (self->status == GADGET_TURN_PROCESSING);

  self->ended_at = gadget_turn_get_now (self);
  self->status = status;
  gadget_turn_set_phase (self, GADGET_PHASE_IDLE);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
}

/**
 * gadget_turn_finish:
 *
 * Ends the turn with a complete response.
 */
void
gadget_turn_finish (GadgetTurn *self)
{
  g_return_if_fail (GADGET_IS_TURN (self));
  end (self, GADGET_TURN_FINISHED);
}

void
gadget_turn_finish_short (GadgetTurn *self)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  self->stop_reason = GADGET_STOP_LENGTH;
  end (self, GADGET_TURN_FINISHED);
}

/**
 * gadget_turn_abort:
 * @reason: not %GADGET_STOP_NONE
 *
 * Ends the turn as aborted.
 */
void
gadget_turn_abort (GadgetTurn *self, GadgetStopReason reason)
{
  g_return_if_fail (GADGET_IS_TURN (self) && reason != GADGET_STOP_NONE);

  self->stop_reason = reason;
  end (self, GADGET_TURN_ABORTED);
}

void
gadget_turn_set_limit (GadgetTurn *self, const char *code, const char *detail)
{
  g_return_if_fail (GADGET_IS_TURN (self) && self->status == GADGET_TURN_PROCESSING);

  g_set_str (&self->error_code, code);
  g_set_str (&self->error_detail, detail);
}

/**
 * gadget_turn_fail:
 * @code: see gadget_turn_get_error_code ()
 * @detail: (nullable): the original error message
 *
 * Ends the turn as failed.
 */
void
gadget_turn_fail (GadgetTurn *self, const char *code, const char *detail)
{
  g_return_if_fail (GADGET_IS_TURN (self) && code != NULL);

  g_set_str (&self->error_code, code);
  g_set_str (&self->error_detail, detail);
  end (self, GADGET_TURN_ERROR);
}

const char *
gadget_turn_get_error_code (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->error_code;
}

/* gadget_turn_get_error_detail: returns the original message of the error, or the amount of a
 * limit; %NULL if there is none. It is for the details of a message only. (transfer none) */
const char *
gadget_turn_get_error_detail (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->error_detail;
}

GadgetTurnPhase
gadget_turn_get_phase (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), GADGET_PHASE_IDLE);
  return self->phase;
}

/* gadget_turn_set_phase: also sets the start of the phase to the time of the turn. The property
 * "phase" is notified. */
void
gadget_turn_set_phase (GadgetTurn *self, GadgetTurnPhase phase)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  if (self->phase == phase)
    return;
  self->phase = phase;
  self->phase_since = gadget_turn_get_now (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PHASE]);
}

/**
 * gadget_turn_get_phase_since:
 *
 * Returns: when the phase began, in the time of gadget_turn_get_now ()
 */
gint64
gadget_turn_get_phase_since (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->phase_since;
}

/* gadget_turn_get_retry_at () and gadget_turn_set_retry_at () are about when the request is sent
 * again, in milliseconds since 1970 of the clock that gadget_turn_get_now () reads; 0 if it never
 * was. The property "retry-at" is notified. */
gint64
gadget_turn_get_retry_at (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->retry_at;
}

void
gadget_turn_set_retry_at (GadgetTurn *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  if (self->retry_at == ms)
    return;
  self->retry_at = ms;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RETRY_AT]);
}

gboolean
gadget_turn_get_images_left_out (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), FALSE);
  return self->images_left_out;
}

/* gadget_turn_set_images_left_out: notes that images were left out of a request, which stays true.
 * Nothing is notified. */
void
gadget_turn_set_images_left_out (GadgetTurn *self)
{
  g_return_if_fail (GADGET_IS_TURN (self));
  self->images_left_out = TRUE;
}

GadgetSaveProblem
gadget_turn_get_save_problem (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), GADGET_SAVE_FAILED);
  return self->save_problem;
}

/**
 * gadget_turn_set_save_problem:
 * @problem: why the turn is not saved
 *
 * The problem means something only while gadget_turn_get_saved () is %FALSE. The property
 * "save-problem" is notified.
 */
void
gadget_turn_set_save_problem (GadgetTurn *self, GadgetSaveProblem problem)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  if (self->save_problem == problem)
    return;
  self->save_problem = problem;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SAVE_PROBLEM]);
}

gboolean
gadget_turn_get_saved (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), TRUE);
  return self->saved;
}

/**
 * gadget_turn_set_saved:
 * @saved: whether the final state is on disk
 *
 * The property "saved" is notified.
 */
void
gadget_turn_set_saved (GadgetTurn *self, gboolean saved)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  if (self->saved == saved)
    return;
  self->saved = saved;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SAVED]);
}

/**
 * gadget_turn_get_provider:
 *
 * Returns: (transfer none) (nullable): the id of the provider that was asked
 */
const char *
gadget_turn_get_provider (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->provider;
}

/**
 * gadget_turn_get_model:
 *
 * Returns: (transfer none) (nullable): the provider's name of the model that was asked
 */
const char *
gadget_turn_get_model (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->model;
}

/**
 * gadget_turn_set_model:
 * @provider: (nullable): the id of the provider that is asked
 * @model: (nullable): its name of the model
 *
 * Copies both strings. Nothing is notified.
 */
void
gadget_turn_set_model (GadgetTurn *self, const char *provider, const char *model)
{
  g_return_if_fail (GADGET_IS_TURN (self));
  g_set_str (&self->provider, provider);
  g_set_str (&self->model, model);
}

/* gadget_turn_get_started_at () and gadget_turn_get_ended_at () return milliseconds since 1970; the
 * end is 0 while the turn goes on. */
gint64
gadget_turn_get_started_at (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->started_at;
}

/**
 * gadget_turn_get_now:
 *
 * Returns the calendar time at which the turn started plus the monotonic time since then. So the
 * times within a turn keep their distances when the calendar is set or the computer sleeps. All
 * times of a turn and of its items are taken from here.
 *
 * Returns: milliseconds since 1970
 */
gint64
gadget_turn_get_now (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->started_at + (g_get_monotonic_time () - self->started_us) / 1000;
}

gint64
gadget_turn_get_ended_at (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->ended_at;
}

/**
 * gadget_turn_get_usage:
 *
 * Returns: (transfer none): the usage so far
 */
const GadgetUsage *
gadget_turn_get_usage (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return &self->usage;
}

/**
 * gadget_turn_set_usage:
 * @usage: the sum over all requests of the turn, which is copied
 *
 * The property "usage" is notified.
 */
void
gadget_turn_set_usage (GadgetTurn *self, const GadgetUsage *usage)
{
  g_return_if_fail (GADGET_IS_TURN (self) && usage != NULL);

  self->usage = *usage;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_USAGE]);
}

/**
 * gadget_turn_get_receipt:
 *
 * Returns: (transfer none): the operations of the turn that are in flight, or were stopped
 */
GadgetReceipt *
gadget_turn_get_receipt (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), NULL);
  return self->receipt;
}

/**
 * gadget_turn_append:
 * @item: (transfer none): a new item; a reference is kept
 *
 * Appends an item, which takes its times from the turn's clock.
 */
void
gadget_turn_append (GadgetTurn *self, GadgetItem *item)
{
  g_return_if_fail (GADGET_IS_TURN (self) && GADGET_IS_ITEM (item));

  gadget_item_set_clock (item, self->started_at, self->started_us);
  g_ptr_array_add (self->items, g_object_ref (item));
  g_list_model_items_changed (G_LIST_MODEL (self), self->items->len - 1, 0, 1);
}

/* gadget_turn_get_n_items: returns the number of items, which is that of the list model. */
guint
gadget_turn_get_n_items (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), 0);
  return self->items->len;
}

/**
 * gadget_turn_get_item:
 * @index: the index of the item, which must exist
 *
 * Returns: (transfer none): the item
 */
GadgetItem *
gadget_turn_get_item (GadgetTurn *self, guint index)
{
  g_return_val_if_fail (GADGET_IS_TURN (self) && index < self->items->len, NULL);
  return g_ptr_array_index (self->items, index);
}

gboolean
gadget_turn_has_calls (GadgetTurn *self)
{
  for (guint i = 0; i < gadget_turn_get_n_items (self); i++)
    if (gadget_item_get_kind (gadget_turn_get_item (self, i)) == GADGET_ITEM_TOOL_CALL)
      return TRUE;
  return FALSE;
}

static void
settle_item (GadgetItem *item, gboolean aborted)
{
  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_STREAMING:
      gadget_item_set_ended_at (item, gadget_item_get_now (item));
      if (gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL)
        gadget_item_set_status (item, GADGET_ITEM_NOT_RUN);
      else
        gadget_item_set_status (item, aborted ? GADGET_ITEM_ABORTED : GADGET_ITEM_FINISHED);
      break;
    case GADGET_ITEM_PENDING:
      gadget_item_set_result (item, aborted ? "Interrupted by user" : "Not started");
      gadget_item_set_status (item, GADGET_ITEM_NOT_RUN);
      break;
    default:
      g_assert (gadget_item_is_settled (item));
      break;
    }
}

/**
 * gadget_turn_settle_items:
 * @aborted: whether the items are cut off by an abort
 *
 * Settles the items when nothing of the turn is in flight any more: an item that was cut off gets a
 * status that says so, and a call that never started gets a result that says so.
 */
void
gadget_turn_settle_items (GadgetTurn *self, gboolean aborted)
{
  g_return_if_fail (GADGET_IS_TURN (self));

  for (guint i = 0; i < self->items->len; i++)
    settle_item (g_ptr_array_index (self->items, i), aborted);
}

/**
 * gadget_turn_has_output:
 *
 * Returns: whether the turn has ever shown anything besides the prompt and notes of Gadget
 */
gboolean
gadget_turn_has_output (GadgetTurn *self)
{
  g_return_val_if_fail (GADGET_IS_TURN (self), FALSE);
  for (guint i = 0; i < self->items->len; i++)
    if (gadget_item_get_kind (g_ptr_array_index (self->items, i)) != GADGET_ITEM_NOTE)
      return TRUE;
  return FALSE;
}

/**
 * gadget_turn_restore:
 * @record: the data of a stored turn
 *
 * Makes the turn equal to a stored one. For the store: the rules for a turn that is going on do not
 * apply.
 */
void
gadget_turn_restore (GadgetTurn *self, const GadgetTurnRecord *record)
{
  g_return_if_fail (GADGET_IS_TURN (self) && record != NULL);

  self->stop_reason = record->stop_reason;
  if (self->started_at != record->started_at)
    {
      self->started_us += (record->started_at - self->started_at) * 1000;
      self->started_at = record->started_at;
    }
  self->ended_at = record->ended_at;
  self->usage = record->usage;
  g_set_str (&self->error_code, record->error_code);
  g_set_str (&self->error_detail, record->error_detail);
  if (record->receipt != NULL)
    g_set_object (&self->receipt, record->receipt);
  if (self->status != record->status)
    {
      self->status = record->status;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
    }
}
