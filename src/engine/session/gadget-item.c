/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An item of a turn: its data, and notifications about each change. Strings that getters return
 * belong to the item. Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-item"

#include "config.h"

#include "gadget-item.h"

#include "common/gadget-clock.h"
#include "common/gadget-visible.h"
#include "gadget-arguments.h"
#include "gadget-session.h"

#include <string.h>

struct _GadgetItem
{
  GObject parent_instance;

  GadgetItemKind kind;
  GadgetItemStatus status;
  guint step;
  GString *text;
  GPtrArray *notes; /* (nullable) (element-type GadgetItemNote): notes within the text */
  gint64 started_at;
  gint64 ended_at;
  gint64 clock_ms; /* calendar time of the turn's clock; 0 before it has a turn */
  gint64 clock_us; /* the same moment in monotonic time */

  char *call_id;
  char *name;
  GString *arguments;
  char *arguments_text; /* (nullable): made when first requested */
  char *result;
  GPtrArray *pictures;             /* (nullable) (element-type GadgetPicture) */
  GadgetCallSummary *call_summary; /* (nullable): the data that summary is made of */
  char *summary;                   /* (nullable): text of call_summary */
  char *replay;
  char *replay_source;
  GadgetPrompt *prompt;
  guint n_prompts;
  gboolean unresponsive;
  char *child_id;
  char *child_turn_id;
  GadgetSession *child;
  gboolean asking;
};

enum
{
  PROP_0,
  PROP_STATUS,
  PROP_ARGUMENTS,
  PROP_RESULT,
  PROP_SUMMARY,
  PROP_REPLAY,
  PROP_PROMPT,
  PROP_UNRESPONSIVE,
  PROP_CHILD,
  PROP_ASKING,
  PROP_PICTURES,
  N_PROPS
};

enum
{
  APPENDED,
  WARNED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetItem, gadget_item, G_TYPE_OBJECT)

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
    case PROP_STATUS:
      g_value_set_int (value, (int) self->status);
      break;
    case PROP_ARGUMENTS:
      g_value_set_string (value, self->arguments->str);
      break;
    case PROP_RESULT:
      g_value_set_string (value, self->result);
      break;
    case PROP_SUMMARY:
      g_value_set_string (value, self->summary);
      break;
    case PROP_REPLAY:
      g_value_set_string (value, self->replay);
      break;
    case PROP_PROMPT:
      g_value_set_object (value, self->prompt);
      break;
    case PROP_UNRESPONSIVE:
      g_value_set_boolean (value, self->unresponsive);
      break;
    case PROP_CHILD:
      g_value_set_object (value, self->child);
      break;
    case PROP_ASKING:
      g_value_set_boolean (value, self->asking);
      break;
    case PROP_PICTURES:
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

  props[PROP_STATUS] = g_param_spec_int ("status", NULL, NULL, 0, GADGET_ITEM_NOT_RUN, 0, flags);
  props[PROP_ARGUMENTS] = g_param_spec_string ("arguments", NULL, NULL, "", flags);
  props[PROP_RESULT] = g_param_spec_string ("result", NULL, NULL, NULL, flags);
  props[PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, NULL, flags);
  props[PROP_REPLAY] = g_param_spec_string ("replay", NULL, NULL, NULL, flags);
  props[PROP_PROMPT] = g_param_spec_object ("prompt", NULL, NULL, GADGET_TYPE_PROMPT, flags);
  props[PROP_UNRESPONSIVE] = g_param_spec_boolean ("unresponsive", NULL, NULL, FALSE, flags);
  props[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GADGET_TYPE_SESSION, flags);
  props[PROP_ASKING] = g_param_spec_boolean ("asking", NULL, NULL, FALSE, flags);
  props[PROP_PICTURES] = g_param_spec_boxed ("pictures", NULL, NULL, G_TYPE_PTR_ARRAY, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

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
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
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
gadget_item_get_call_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->call_id;
}

/* gadget_item_get_name: returns the name of the tool as the model wrote it, which need not be that
 * of a tool; %NULL if the item is no call. (transfer none) */
const char *
gadget_item_get_name (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->name;
}

/* gadget_item_get_arguments: returns the JSON text as far as it has arrived; "" before that. It is
 * valid until more is appended. (transfer none) */
const char *
gadget_item_get_arguments (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->arguments->str;
}

/**
 * gadget_item_get_arguments_text:
 *
 * Returns: (transfer none): the arguments formatted for the user; "" while they are streaming
 */
const char *
gadget_item_get_arguments_text (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->status == GADGET_ITEM_STREAMING)
    return "";
  if (self->arguments_text == NULL)
    self->arguments_text = gadget_arguments_to_text (self->arguments->str);
  return self->arguments_text;
}

/**
 * gadget_item_append_arguments:
 * @text: the next part of the JSON text, UTF-8
 *
 * The property "arguments" is notified.
 */
void
gadget_item_append_arguments (GadgetItem *self, const char *text)
{
  g_return_if_fail (GADGET_IS_ITEM (self) && text != NULL);

  g_string_append (self->arguments, text);
  g_clear_pointer (&self->arguments_text, g_free);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ARGUMENTS]);
}

/* gadget_item_get_result: returns what the model gets; %NULL before the call has a result.
 * (transfer none) */
const char *
gadget_item_get_result (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->result;
}

/**
 * gadget_item_set_result:
 * @result: (nullable): what the model gets, which is copied
 *
 * The property "result" is notified.
 */
void
gadget_item_set_result (GadgetItem *self, const char *result)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (g_set_str (&self->result, result))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RESULT]);
}

/**
 * gadget_item_get_pictures:
 *
 * Returns: (transfer none) (nullable) (element-type GadgetPicture): the pictures in their order;
 *   must not be changed
 */
GPtrArray *
gadget_item_get_pictures (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->pictures;
}

/**
 * gadget_item_set_pictures:
 * @pictures: (nullable) (element-type GadgetPicture): a reference is kept; %NULL and an empty array
 *   do nothing
 *
 * Sets the pictures that came with the result.
 */
void
gadget_item_set_pictures (GadgetItem *self, GPtrArray *pictures)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (pictures == NULL || pictures->len == 0 || pictures == self->pictures)
    return;
  g_ptr_array_ref (pictures);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  self->pictures = pictures;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PICTURES]);
}

/* gadget_item_get_summary: returns the line for the user with its marks around code, as described
 * in the header; %NULL if there is none. (transfer none) */
const char *
gadget_item_get_summary (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->summary;
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
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REPLAY]);
}

/**
 * gadget_item_dup_plain_summary:
 *
 * Returns: (transfer full): the summary without marks, for a terminal or a log; the tool's name if
 *   there is no summary
 */
char *
gadget_item_dup_plain_summary (GadgetItem *self)
{
  g_autoptr (GString) plain = NULL;

  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->summary == NULL || *self->summary == '\0')
    return g_strdup (self->name);
  plain = g_string_new (self->summary);
  g_string_replace (plain, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (plain, GADGET_CODE_END, "", 0);
  return g_string_free_and_steal (g_steal_pointer (&plain));
}

/* Makes characters visible that would reorder the line. Code in the summary comes from a model or a
 * file, so only the outermost marks are Gadget's own and stay. */
static char *
dup_ordered (const char *summary)
{
  const char *begin = strstr (summary, GADGET_CODE_BEGIN);
  const char *end = g_strrstr (summary, GADGET_CODE_END);
  g_autofree char *words = NULL;
  g_autofree char *code = NULL;
  g_autofree char *before = NULL;
  g_autofree char *within = NULL;
  g_autofree char *after = NULL;

  if (begin == NULL || end == NULL || end < begin)
    return gadget_visible_dup_ordered (summary);
  words = g_strndup (summary, (gsize) (begin - summary));
  begin += strlen (GADGET_CODE_BEGIN);
  code = g_strndup (begin, (gsize) (end - begin));
  before = gadget_visible_dup_ordered (words);
  within = gadget_visible_dup_ordered (code);
  after = gadget_visible_dup_ordered (end + strlen (GADGET_CODE_END));
  return g_strconcat (before, GADGET_CODE_BEGIN, within, GADGET_CODE_END, after, NULL);
}

/**
 * gadget_item_get_call_summary:
 *
 * Returns: (transfer none) (nullable): the data that the summary is made of
 */
const GadgetCallSummary *
gadget_item_get_call_summary (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->call_summary;
}

/**
 * gadget_item_take_call_summary:
 * @summary: (transfer full) (nullable): what the call does or did
 *
 * Sets the summary and makes its text.
 */
void
gadget_item_take_call_summary (GadgetItem *self, GadgetCallSummary *summary)
{
  g_autofree char *words = NULL;
  g_autofree char *ordered = NULL;

  g_return_if_fail (GADGET_IS_ITEM (self));

  g_clear_pointer (&self->call_summary, gadget_call_summary_free);
  self->call_summary = summary;
  words = summary != NULL ? gadget_call_summary_dup_text (summary) : NULL;
  ordered = words != NULL ? dup_ordered (words) : NULL;
  if (g_set_str (&self->summary, ordered))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SUMMARY]);
}

GadgetPrompt *
gadget_item_get_prompt (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->prompt;
}

/**
 * gadget_item_set_prompt:
 * @prompt: (nullable): the question that is to be answered, of which a reference is kept; %NULL
 *   when none waits
 *
 * Each new one counts in gadget_item_get_n_prompts (). The property "prompt" is notified.
 */
void
gadget_item_set_prompt (GadgetItem *self, GadgetPrompt *prompt)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (!g_set_object (&self->prompt, prompt))
    return;
  self->n_prompts += prompt != NULL;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PROMPT]);
}

/**
 * gadget_item_get_n_prompts:
 *
 * Returns: the number of prompts that the item has had, which tells one question from the next
 */
guint
gadget_item_get_n_prompts (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), 0);
  return self->n_prompts;
}

gboolean
gadget_item_get_unresponsive (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), FALSE);
  return self->unresponsive;
}

/* gadget_item_set_unresponsive: is for the run of the call. The property "unresponsive" is
 * notified. */
void
gadget_item_set_unresponsive (GadgetItem *self, gboolean unresponsive)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (self->unresponsive == unresponsive)
    return;
  self->unresponsive = unresponsive;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_UNRESPONSIVE]);
}

/**
 * gadget_item_get_child:
 *
 * Returns: (transfer none) (nullable): the chat of the subagent; %NULL when there is none or it has
 *   not been opened
 */
GadgetSession *
gadget_item_get_child (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child;
}

/**
 * gadget_item_get_child_turn:
 *
 * Returns: (transfer none) (nullable): the turn that this call made in the subagent's chat; %NULL
 *   when the chat is not loaded
 */
GadgetTurn *
gadget_item_get_child_turn (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);

  if (self->child == NULL)
    return NULL;
  for (guint i = gadget_session_get_n_turns (self->child); i > 0; i--)
    {
      GadgetTurn *turn = gadget_session_get_turn (self->child, i - 1);

      if (g_strcmp0 (gadget_turn_get_id (turn), self->child_turn_id) == 0)
        return turn;
    }
  return NULL;
}

/* gadget_item_get_child_id () and gadget_item_get_child_turn_id () return the ids of the subagent's
 * chat and of the turn that this call made in it; both are %NULL if the call has no subagent.
 * (transfer none) */
const char *
gadget_item_get_child_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child_id;
}

const char *
gadget_item_get_child_turn_id (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), NULL);
  return self->child_turn_id;
}

/**
 * gadget_item_set_child_ids:
 * @child_id: (nullable): the id of the subagent's chat
 * @turn_id: (nullable): the id of the turn that this call made in it; %NULL if and only if
 *   @child_id is
 *
 * Sets which subagent works for the call.
 */
void
gadget_item_set_child_ids (GadgetItem *self, const char *child_id, const char *turn_id)
{
  gboolean changed;

  g_return_if_fail (GADGET_IS_ITEM (self));
  g_return_if_fail ((child_id == NULL) == (turn_id == NULL));

  changed = g_set_str (&self->child_id, child_id);
  if (g_set_str (&self->child_turn_id, turn_id) || changed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CHILD]);
}

/**
 * gadget_item_set_child:
 * @child: the chat with the id set by gadget_item_set_child_ids (); a reference is kept
 *
 * Sets the chat of the subagent once it is opened.
 */
void
gadget_item_set_child (GadgetItem *self, GadgetSession *child)
{
  g_return_if_fail (GADGET_IS_ITEM (self) && GADGET_IS_SESSION (child));
  g_return_if_fail (g_strcmp0 (gadget_session_get_id (child), self->child_id) == 0);

  if (g_set_object (&self->child, child))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CHILD]);
}

gboolean
gadget_item_get_asking (GadgetItem *self)
{
  g_return_val_if_fail (GADGET_IS_ITEM (self), FALSE);
  return self->asking;
}

/* gadget_item_set_asking: is for whoever runs the subagent, or hears of it from another process.
 * The property "asking" is notified. */
void
gadget_item_set_asking (GadgetItem *self, gboolean asking)
{
  g_return_if_fail (GADGET_IS_ITEM (self));

  if (self->asking == asking)
    return;
  self->asking = asking;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ASKING]);
}
