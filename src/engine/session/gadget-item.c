/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An item of a turn: what every kind of item has, and notifications about each change. What only a
 * call has is in gadget-item-call.c, and the chat of its subagent in gadget-item-child.c. Strings
 * that getters return belong to the item. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-item"

#include "config.h"

#include "gadget-item-private.h"

#include "common/gadget-clock.h"
#include "gadget-session.h"

#include <string.h>

enum
{
  APPENDED,
  WARNED,
  N_SIGNALS
};

static GParamSpec *props[GADGET_ITEM_N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetItem, gadget_item, G_TYPE_OBJECT)

void
_gadget_item_notify (GadgetItem *self, GadgetItemProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
gadget_item_finalize (GObject *object)
{
  GadgetItem *self = GADGET_ITEM (object);

  g_string_free (self->text, TRUE);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_string_free (self->arguments, TRUE);
  g_free (self->arguments_text);
  g_free (self->call_id);
  g_free (self->name);
  g_free (self->result);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_clear_pointer (&self->call_summary, gadget_call_summary_free);
  g_free (self->summary);
  g_free (self->replay);
  g_free (self->replay_source);
  g_clear_object (&self->prompt);
  g_free (self->child_id);
  g_free (self->child_turn_id);
  g_clear_object (&self->child);

  G_OBJECT_CLASS (gadget_item_parent_class)->finalize (object);
}

static void
gadget_item_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GadgetItem *self = GADGET_ITEM (object);

  switch (prop_id)
    {
    case GADGET_ITEM_PROP_STATUS:
      g_value_set_int (value, (int) self->status);
      break;
    case GADGET_ITEM_PROP_ARGUMENTS:
      g_value_set_string (value, self->arguments->str);
      break;
    case GADGET_ITEM_PROP_RESULT:
      g_value_set_string (value, self->result);
      break;
    case GADGET_ITEM_PROP_SUMMARY:
      g_value_set_string (value, self->summary);
      break;
    case GADGET_ITEM_PROP_REPLAY:
      g_value_set_string (value, self->replay);
      break;
    case GADGET_ITEM_PROP_PROMPT:
      g_value_set_object (value, self->prompt);
      break;
    case GADGET_ITEM_PROP_UNRESPONSIVE:
      g_value_set_boolean (value, self->unresponsive);
      break;
    case GADGET_ITEM_PROP_CHILD:
      g_value_set_object (value, self->child);
      break;
    case GADGET_ITEM_PROP_ASKING:
      g_value_set_boolean (value, self->asking);
      break;
    case GADGET_ITEM_PROP_PICTURES:
      g_value_set_boxed (value, self->pictures);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_item_class_init (GadgetItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gadget_item_finalize;
  object_class->get_property = gadget_item_get_property;

  props[GADGET_ITEM_PROP_STATUS] =
      g_param_spec_int ("status", NULL, NULL, 0, GADGET_ITEM_NOT_RUN, 0, flags);
  props[GADGET_ITEM_PROP_ARGUMENTS] = g_param_spec_string ("arguments", NULL, NULL, "", flags);
  props[GADGET_ITEM_PROP_RESULT] = g_param_spec_string ("result", NULL, NULL, NULL, flags);
  props[GADGET_ITEM_PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, NULL, flags);
  props[GADGET_ITEM_PROP_REPLAY] = g_param_spec_string ("replay", NULL, NULL, NULL, flags);
  props[GADGET_ITEM_PROP_PROMPT] =
      g_param_spec_object ("prompt", NULL, NULL, GADGET_TYPE_PROMPT, flags);
  props[GADGET_ITEM_PROP_UNRESPONSIVE] =
      g_param_spec_boolean ("unresponsive", NULL, NULL, FALSE, flags);
  props[GADGET_ITEM_PROP_CHILD] =
      g_param_spec_object ("child", NULL, NULL, GADGET_TYPE_SESSION, flags);
  props[GADGET_ITEM_PROP_ASKING] = g_param_spec_boolean ("asking", NULL, NULL, FALSE, flags);
  props[GADGET_ITEM_PROP_PICTURES] =
      g_param_spec_boxed ("pictures", NULL, NULL, G_TYPE_PTR_ARRAY, flags);
  g_object_class_install_properties (object_class, GADGET_ITEM_N_PROPS, props);

  /**
   * GadgetItem::appended:
   * @offset: the position of the new text, in bytes
   */
  signals[APPENDED] = g_signal_new ("appended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[WARNED] = g_signal_new ("warned", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_item_init (GadgetItem *self)
{
  self->text = g_string_new (NULL);
  self->arguments = g_string_new (NULL);
}

/**
 * gadget_item_new:
 * @kind: any kind but %GADGET_ITEM_TOOL_CALL
 *
 * Returns: (transfer full): an empty item that is streaming
 */
GadgetItem *
gadget_item_new (GadgetItemKind kind)
{
  GadgetItem *self = g_object_new (GADGET_TYPE_ITEM, NULL);

  self->kind = kind;
  return self;
}

/**
 * gadget_item_new_tool_call:
 * @call_id: the provider's id of the call, unique within its turn
 * @name: the tool's name as the model wrote it
 *
 * Returns: (transfer full): a call that is streaming, with empty arguments
 */
GadgetItem *
gadget_item_new_tool_call (const char *call_id, const char *name)
{
  GadgetItem *self = gadget_item_new (GADGET_ITEM_TOOL_CALL);

  self->call_id = g_strdup (call_id);
  self->name = g_strdup (name);
  return self;
}

/* gadget_item_get_kind: returns the kind, which never changes. */
GadgetItemKind
gadget_item_get_kind (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), GADGET_ITEM_TEXT);
  return self->kind;
}

/* gadget_item_get_status () and gadget_item_set_status () are about the property "status", which is
 * notified when it changes. */
GadgetItemStatus
gadget_item_get_status (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), GADGET_ITEM_STREAMING);
  return self->status;
}

void
gadget_item_set_status (GadgetItem *self, GadgetItemStatus status)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (self->status == status)
    return;
  self->status = status;
  _gadget_item_notify (self, GADGET_ITEM_PROP_STATUS);
}

/**
 * gadget_item_is_settled:
 *
 * Returns: whether the item is complete: its status is final, and its text does not grow any more
 */
gboolean
gadget_item_is_settled (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), TRUE);
  return self->status >= GADGET_ITEM_FINISHED;
}

guint
gadget_item_get_step (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->step;
}

/**
 * gadget_item_set_step:
 * @step: the number of the request in the turn, from 0
 *
 * Nothing is notified.
 */
void
gadget_item_set_step (GadgetItem *self, guint step)
{
  g_return_if_fail (GADGET_IS_ITEM (self));
  self->step = step;
}

const char *
gadget_item_get_text (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->text->str;
}

/* gadget_item_get_length: returns the length of the text in bytes. */
gsize
gadget_item_get_length (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->text->len;
}

/**
 * gadget_item_append_text:
 * @text: valid UTF-8
 * @length: in bytes, or -1 if @text is zero-terminated
 *
 * Appends to the text and emits "appended". A settled item is not changed, so late output of a
 * stopped tool is dropped.
 */
void
gadget_item_append_text (GadgetItem *self, const char *text, gssize length)
{
  gsize offset;

  g_return_if_fail (GADGET_IS_ITEM (self) && text != NULL);

  if (gadget_item_is_settled (self))
    return;
  offset = self->text->len;
  g_string_append_len (self->text, text, length);
  if (self->text->len > offset)
    g_signal_emit (self, signals[APPENDED], 0, (guint64) offset);
}

static void
note_free (gpointer data)
{
  GadgetItemNote *note = data;

  gadget_call_summary_free (note->summary);
  g_free (note);
}

/**
 * gadget_item_append_note:
 * @summary: the note; copied
 *
 * Appends the text of a note in the same way as gadget_item_append_text (), and remembers where it
 * is.
 */
void
gadget_item_append_note (GadgetItem *self, const GadgetCallSummary *summary)
{
  g_autofree char *words = NULL;
  GadgetItemNote *note;

  g_return_if_fail (GADGET_IS_ITEM (self) && summary != NULL);

  if (gadget_item_is_settled (self))
    return;
  words = gadget_call_summary_dup_plain_text (summary);
  note = g_new0 (GadgetItemNote, 1);
  note->offset = self->text->len;
  note->length = strlen (words);
  note->summary = gadget_call_summary_copy (summary);
  if (self->notes == NULL)
    self->notes = g_ptr_array_new_with_free_func (note_free);
  g_ptr_array_add (self->notes, note);
  gadget_item_append_text (self, words, -1);
}

/* gadget_item_get_n_notes () returns how many notes the text has; gadget_item_get_note () returns
 * the one at @index, which must be less (transfer none). The item owns the notes. */
guint
gadget_item_get_n_notes (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->notes != NULL ? self->notes->len : 0;
}

const GadgetItemNote *
gadget_item_get_note (GadgetItem *self, guint index)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self) && index < gadget_item_get_n_notes (self), NULL);
  return g_ptr_array_index (self->notes, index);
}

/* Called by the turn that the item is appended to. The two times are the same moment in
 * milliseconds since 1970 and in monotonic microseconds. */
void
gadget_item_set_clock (GadgetItem *self, gint64 wall_ms, gint64 monotonic_us)
{
  g_return_if_fail (GADGET_IS_ITEM (self));
  self->clock_ms = wall_ms;
  self->clock_us = monotonic_us;
}

/**
 * gadget_item_get_now:
 *
 * Returns: the time of the item's turn in milliseconds since 1970, see gadget_turn_get_now (); the
 *   calendar time before the item has a turn
 */
gint64
gadget_item_get_now (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  if (self->clock_ms == 0)
    return gadget_clock_wall_ms ();
  return self->clock_ms + (g_get_monotonic_time () - self->clock_us) / 1000;
}

/* gadget_item_get_started_at () and gadget_item_set_started_at () are about when the work on the
 * item began, in milliseconds since 1970 of the clock that gadget_item_get_now () reads; 0 if it is
 * unknown. Nothing is notified. */
gint64
gadget_item_get_started_at (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->started_at;
}

void
gadget_item_set_started_at (GadgetItem *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_ITEM (self));
  self->started_at = ms;
}

/* gadget_item_get_ended_at () and gadget_item_set_ended_at () are about when the work on the item
 * ended, in milliseconds since 1970; 0 while it goes on, and if it is unknown. Nothing is
 * notified. */
gint64
gadget_item_get_ended_at (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->ended_at;
}

void
gadget_item_set_ended_at (GadgetItem *self, gint64 ms)
{
  g_return_if_fail (GADGET_IS_ITEM (self));
  self->ended_at = ms;
}

const char *
gadget_item_get_replay (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->replay;
}

/* gadget_item_get_replay_source: returns which provider and model wants the data of
 * gadget_item_get_replay () back; %NULL if there are none. (transfer none) */
const char *
gadget_item_get_replay_source (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->replay_source;
}

/**
 * gadget_item_set_replay:
 * @source: (nullable): the provider and model, "anthropic/claude-…"
 * @replay: (nullable): the data in the format of that provider's API
 *
 * Sets both; the strings are copied. The property "replay" is notified.
 */
void
gadget_item_set_replay (GadgetItem *self, const char *source, const char *replay)
{
  g_return_if_fail (GADGET_IS_ITEM (self));
  g_return_if_fail ((source == NULL) == (replay == NULL));

  g_set_str (&self->replay_source, source);
  if (g_set_str (&self->replay, replay))
    _gadget_item_notify (self, GADGET_ITEM_PROP_REPLAY);
}

/**
 * gadget_item_warn:
 * @text: a sentence, translated
 *
 * Emits "warned", for something that the user should know before the call does it.
 */
void
gadget_item_warn (GadgetItem *self, const char *text)
{
  g_return_if_fail (GADGET_IS_ITEM (self) && text != NULL);
  g_signal_emit (self, signals[WARNED], 0, text);
}
