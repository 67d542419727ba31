/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts recorded turns to a request that every provider accepts.
 *
 * This is the only place where aborted turns are made fit to be sent; nothing is patched when the
 * abort happens. The rules:
 *
 * - Each call that is sent has exactly one result, directly after its assistant message. The result
 *   of a call that never started says so; the result of a call that was cut off has the output so
 *   far, and says so.
 * - A call whose arguments were still streaming is left out, because it has no valid input.
 * - Reasoning is sent back, unchanged, only if it is complete, its provider returned data with it
 *   that it wants back (a signature), and the same provider and model is asked again. Reasoning
 *   never ends a message: it is sent with what it led to, or both are left out.
 * - An assistant message without text and calls is left out; user messages that then follow each
 *   other are joined, because some chat templates require alternating roles.
 * - After an aborted turn the next user message begins with a note that says so, once. The note is
 *   only in the request, never on the screen.
 * - A message that the user sent into the turn is a user message at its place: after the results of
 *   the step before, and joined with a user message directly before it.
 * - The result of a subagent contains the subagent's id. If a crash prevented that result, the id
 *   is added here, so that the model can continue the subagent.
 * - A summary replaces everything said before it: the request begins with the summary, the prompt
 *   of its turn, the user's messages directly before it, and what came after it. The summary knows
 *   which turns it replaces: when one of them was removed from the chat, or came back, the summary
 *   is not right any more and is ignored.
 * - Pictures of results, and those that the user attached, are sent with their messages: the last
 *   ones of the chat, as far as they are in memory. For the others a note says that they were
 *   there. Attached pictures and texts come before the text of the message.
 * - Names and ids of calls are such that every provider accepts them. The ids are unique within the
 *   request, even if a server counts from zero in each response. */

#define G_LOG_DOMAIN "gadget-history"

#include "config.h"

#include "gadget-history.h"

#include "common/gadget-json.h"
#include "gadget-attachment.h"
#include "gadget-session-pictures.h"

#include <string.h>

/* The limits of the strictest provider, in characters. An id may get a number at its end, so
 * MAX_CALL_ID leaves room for one. */
#define MAX_CALL_ID 36
#define MAX_NAME 64

#define INTERRUPTED_NOTE                                                                           \
  "[The previous turn was interrupted by the user before it was complete. Tools may have partly "  \
  "run. Do not resume that work unless asked to.]"
#define CLOSED_NOTE                                                                                \
  "[The previous turn was interrupted because the application was closed. Tools may have partly "  \
  "run.]"
#define LIMIT_NOTE                                                                                 \
  "[The previous turn was interrupted because it reached a limit. Tools may have partly run.]"

#define SUMMARY_NOTE                                                                               \
  "[The conversation so far was too long and has been replaced by this summary of it:]"

#define PICTURE_NOTE "[A picture that came with this result is not shown again.]"

#define GIVEN_PICTURE_NOTE "[A picture that was attached here is not shown again.]"

#define NOT_STARTED_RESULT "Interrupted by user: this call was not started."
#define CUT_RESULT "[Interrupted by user: this is what came before that.]"

#define CUT_SUBAGENT_RESULT                                                                        \
  "Interrupted by user. (Subagent ID: %s. To go on with it, give this id as \"continue\".)"

/* The state of building one request. */
typedef struct
{
  GadgetRequest *request;
  const char *replay_source;
  GHashTable *call_ids; /* (element-type utf8 guint): ids in use, and the next number for each */
  GPtrArray *pictures;  /* (element-type GadgetPicture): the pictures to send */
} Builder;

static const char *
note_of (GadgetTurn *turn)
{
  if (gadget_turn_get_status (turn) != GADGET_TURN_ABORTED)
    return NULL;
  switch (gadget_turn_get_stop_reason (turn))
    {
    case GADGET_STOP_INTERRUPTED:
    case GADGET_STOP_CLOSED:
      return CLOSED_NOTE;
    case GADGET_STOP_DEADLINE:
    case GADGET_STOP_BUDGET:
      return LIMIT_NOTE;
    default:
      return INTERRUPTED_NOTE;
    }
}

/* Appends to the last part if that is text without replay data; otherwise adds a part. */
static void
add_text (GadgetMessage *message, const char *text)
{
  GadgetPart *last =
      message->parts->len > 0 ? g_ptr_array_index (message->parts, message->parts->len - 1) : NULL;

  if (last != NULL && last->type == GADGET_PART_TEXT && last->replay == NULL)
    {
      g_autofree char *before = g_steal_pointer (&last->text);

      last->text = g_strconcat (before, text, NULL);
    }
  else
    gadget_message_add_part (message, GADGET_PART_TEXT, text);
}

static gboolean
ends_in_text (const GadgetMessage *message)
{
  const guint n = message->parts->len;

  return n > 0
         && ((const GadgetPart *) g_ptr_array_index (message->parts, n - 1))->type
                == GADGET_PART_TEXT;
}

/* Adds a text, separated from a text before it in the same message by an empty line. */
static void
add_paragraph (GadgetMessage *message, const char *text)
{
  if (*text == '\0')
    return;
  if (ends_in_text (message))
    add_text (message, "\n\n");
  add_text (message, text);
}

static void
add_attachment (Builder *builder, GadgetMessage *message, const GadgetAttachment *attachment)
{
  const GadgetPicture *picture = gadget_attachment_get_picture (attachment);
  GBytes *data = picture != NULL ? gadget_picture_get_data (picture) : NULL;
  g_autofree char *words = NULL;

  if (picture == NULL)
    {
      words = gadget_attachment_dup_model_text (attachment);
      add_paragraph (message, words);
    }
  else if (data != NULL && g_ptr_array_find (builder->pictures, picture, NULL))
    gadget_message_add_image (message, gadget_picture_get_name (picture),
                              gadget_picture_get_mime_type (picture), data);
  else
    add_paragraph (message, GIVEN_PICTURE_NOTE);
}

/* @source: (nullable): the turn or item that the text belongs to, for its attachments */
static void
add_user_message (Builder *builder, const char *note, const char *prompt, gpointer source)
{
  GPtrArray *messages = builder->request->messages;
  GPtrArray *attachments = source != NULL ? gadget_attachments_get (source) : NULL;
  GadgetMessage *message =
      messages->len > 0 ? g_ptr_array_index (messages, messages->len - 1) : NULL;

  if (message == NULL || message->role != GADGET_ROLE_USER)
    message = gadget_request_add_message (builder->request, GADGET_ROLE_USER, NULL);
  if (note != NULL)
    add_paragraph (message, note);
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    add_attachment (builder, message, g_ptr_array_index (attachments, i));
  add_paragraph (message, prompt);
}

static char *
make_call_id (Builder *builder, const char *call_id)
{
  const char *given = call_id != NULL && *call_id != '\0' ? call_id : "call";
  g_autofree char *base = g_utf8_substring (given, 0, MIN (MAX_CALL_ID, g_utf8_strlen (given, -1)));
  g_autofree char *id = g_strdup (base);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (builder->call_ids, base));

  while (g_hash_table_contains (builder->call_ids, id))
    {
      g_free (id);
      id = g_strdup_printf ("%s-%u", base, number++);
    }
  /* Stores the next number: counting from 2 each time would take quadratic time for a server that
   * uses one id for all calls. */
  g_hash_table_insert (builder->call_ids, g_strdup (base), GUINT_TO_POINTER (MAX (number, 2)));
  if (!g_str_equal (id, base))
    g_hash_table_insert (builder->call_ids, g_strdup (id), GUINT_TO_POINTER (2));
  return g_steal_pointer (&id);
}

static gboolean
is_sent (GadgetItem *item)
{
  if (gadget_item_get_kind (item) != GADGET_ITEM_TOOL_CALL)
    return FALSE;
  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_STREAMING:
      return FALSE;
    case GADGET_ITEM_NOT_RUN:
      /* Without a result, the arguments never became complete. */
      return gadget_item_get_result (item) != NULL;
    default:
      return TRUE;
    }
}

static char *
dup_result (GadgetItem *item)
{
  const char *result = gadget_item_get_result (item);

  switch (gadget_item_get_status (item))
    {
    case GADGET_ITEM_PENDING:
      return g_strdup (NOT_STARTED_RESULT);
    case GADGET_ITEM_NOT_RUN:
      /* After a failure the call was not run because of the failure, not because of the user. */
      return g_strdup (g_strcmp0 (result, "Interrupted by user") == 0 ? NOT_STARTED_RESULT
                                                                      : result);
    case GADGET_ITEM_RUNNING:
    case GADGET_ITEM_ABORTED:
      if (result == NULL && gadget_item_get_child_id (item) != NULL)
        return g_strdup_printf (CUT_SUBAGENT_RESULT, gadget_item_get_child_id (item));
      if (result == NULL)
        result = gadget_item_get_text (item);
      return *result != '\0' ? g_strdup_printf ("%s\n%s", result, CUT_RESULT)
                             : g_strdup ("Interrupted by user.");
    default:
      return g_strdup (result != NULL ? result : "");
    }
}

/* Returns the arguments of a recorded call if they are a JSON object, which providers require; else
 * an empty object. */
static const char *
sane_arguments (GadgetItem *item)
{
  const char *arguments = gadget_item_get_arguments (item);
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? arguments : "{}";
}

/* Returns the name of the function in characters that providers accept. The names of Gadget's own
 * tools always are; the model may have called another one. */
static char *
dup_sane_name (GadgetItem *item)
{
  char *name = g_strndup (gadget_item_get_name (item), MAX_NAME);

  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '-')
      *c = '_';
  return name;
}

/* Returns the replay data of an item (nullable): only the provider that gave it gets it back. */
static const char *
get_replay (Builder *builder, GadgetItem *item)
{
  if (builder->replay_source == NULL
      || g_strcmp0 (gadget_item_get_replay_source (item), builder->replay_source) != 0)
    return NULL;
  return gadget_item_get_replay (item);
}

static void
set_replay_of_last (GadgetMessage *message, const char *replay)
{
  GadgetPart *last = g_ptr_array_index (message->parts, message->parts->len - 1);

  g_set_str (&last->replay, replay);
}

static void
add_item (Builder *builder, GadgetMessage *message, GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);
  const char *replay = get_replay (builder, item);
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;

  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      add_text (message, text);
      if (replay != NULL && gadget_item_get_status (item) == GADGET_ITEM_FINISHED)
        set_replay_of_last (message, replay);
      break;
    case GADGET_ITEM_REASONING:
      if (replay != NULL && gadget_item_get_status (item) == GADGET_ITEM_FINISHED)
        gadget_message_add_part (message, GADGET_PART_REASONING, text)->replay = g_strdup (replay);
      break;
    case GADGET_ITEM_TOOL_CALL:
      if (!is_sent (item))
        break;
      id = make_call_id (builder, gadget_item_get_call_id (item));
      name = dup_sane_name (item);
      gadget_message_add_call (message, id, name, sane_arguments (item))->replay =
          g_strdup (replay);
      break;
    default:
      break;
    }
}

static gboolean
is_blank (const GadgetPart *part)
{
  const char *c = part->text;

  while (g_ascii_isspace (*c))
    c++;
  return *c == '\0';
}

/* Removes text that is only white space and reasoning at the end, which providers refuse. */
static void
tidy (GadgetMessage *message)
{
  for (guint i = message->parts->len; i > 0; i--)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i - 1);

      if ((part->type == GADGET_PART_TEXT && is_blank (part))
          || (part->type == GADGET_PART_REASONING && i == message->parts->len))
        g_ptr_array_remove_index (message->parts, i - 1);
    }
}

static void
add_picture (Builder *builder, GadgetMessage *message, const GadgetPicture *picture)
{
  GBytes *data = gadget_picture_get_data (picture);

  if (data != NULL && g_ptr_array_find (builder->pictures, picture, NULL))
    gadget_message_add_image (message, gadget_picture_get_name (picture),
                              gadget_picture_get_mime_type (picture), data);
  else
    add_text (message, message->parts->len > 0 ? "\n" PICTURE_NOTE : PICTURE_NOTE);
}

static void
add_result (Builder *builder, const GadgetPart *call, GadgetItem *item)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);
  g_autofree char *result = dup_result (item);
  GadgetMessage *answer =
      gadget_request_add_result (builder->request, call->call_id, call->name, result);

  answer->failed = gadget_item_get_status (item) == GADGET_ITEM_FAILED;
  for (guint i = 0; pictures != NULL && i < pictures->len; i++)
    add_picture (builder, answer, g_ptr_array_index (pictures, i));
}

static gboolean
is_of_step (GadgetItem *item, guint step)
{
  return gadget_item_get_step (item) == step && gadget_item_get_kind (item) != GADGET_ITEM_STEER
         && gadget_item_get_kind (item) != GADGET_ITEM_SUMMARY;
}

/* Adds one step: an assistant message, and the results of its calls. Returns the index of the first
 * item after the step. */
static guint
add_step (Builder *builder, GadgetTurn *turn, guint first)
{
  const guint n_items = gadget_turn_get_n_items (turn);
  const guint step = gadget_item_get_step (gadget_turn_get_item (turn, first));
  GPtrArray *messages = builder->request->messages;
  GadgetMessage *message =
      gadget_request_add_message (builder->request, GADGET_ROLE_ASSISTANT, NULL);
  guint end = first;
  guint part = 0;

  for (; end < n_items && is_of_step (gadget_turn_get_item (turn, end), step); end++)
    add_item (builder, message, gadget_turn_get_item (turn, end));
  tidy (message);
  if (message->parts->len == 0)
    {
      g_ptr_array_remove_index (messages, messages->len - 1);
      return end;
    }

  /* The calls among the parts are in the same order as the items. */
  for (guint i = first; i < end; i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (!is_sent (item))
        continue;
      while (((GadgetPart *) g_ptr_array_index (message->parts, part))->type != GADGET_PART_CALL)
        part++;
      add_result (builder, g_ptr_array_index (message->parts, part++), item);
    }
  return end;
}

static void
add_items (Builder *builder, GadgetTurn *turn, guint first)
{
  for (guint i = first; i < gadget_turn_get_n_items (turn);)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      switch (gadget_item_get_kind (item))
        {
        case GADGET_ITEM_STEER:
          add_user_message (builder, NULL, gadget_item_get_text (item), item);
          i++;
          break;
        case GADGET_ITEM_SUMMARY:
          i++;
          break;
        case GADGET_ITEM_TEXT:
        case GADGET_ITEM_REASONING:
        case GADGET_ITEM_TOOL_CALL:
        case GADGET_ITEM_NOTE:
        default:
          i = add_step (builder, turn, i);
          break;
        }
    }
}

/* --- Summaries -------------------------------------------------------------------------------- */

/**
 * gadget_history_digest_turns:
 * @ids: (element-type utf8): ids of turns, in their order
 *
 * Returns: (transfer full): a digest of the ids; a summary stores it to identify the turns it
 *   replaces
 */
char *
gadget_history_digest_turns (GPtrArray *ids)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);

      g_checksum_update (sum, (const guchar *) id, (gssize) strlen (id) + 1);
    }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
digest_before (GadgetSession *session, guint turn_index)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_sized_new (turn_index);

  for (guint i = 0; i < turn_index; i++)
    g_ptr_array_add (ids, (gpointer) gadget_turn_get_id (gadget_session_get_turn (session, i)));
  return gadget_history_digest_turns (ids);
}

/**
 * gadget_history_mark_summary:
 * @session: the chat
 * @turn: the turn of @session that @item will be appended to
 * @item: a summary of everything before it
 *
 * Stores in @item which turns it replaces.
 */
void
gadget_history_mark_summary (GadgetSession *session, GadgetTurn *turn, GadgetItem *item)
{
  g_autofree char *digest = NULL;
  int index;

  g_return_if_fail (GADGET_IS_SESSION (session) && GADGET_IS_TURN (turn));
  g_return_if_fail (GADGET_IS_ITEM (item));

  index = gadget_session_find_turn (session, gadget_turn_get_id (turn));
  if (index < 0)
    return;
  digest = digest_before (session, (guint) index);
  gadget_item_set_replay (item, GADGET_HISTORY_SUMMARY_SOURCE, digest);
}

static gboolean
is_summary_valid (GadgetSession *session, guint turn_index, GadgetItem *item)
{
  g_autofree char *digest = NULL;

  /* A summary of an older version has no digest: it replaces all turns that there were. */
  if (g_strcmp0 (gadget_item_get_replay_source (item), GADGET_HISTORY_SUMMARY_SOURCE) != 0)
    return !gadget_session_get_has_removed (session);
  digest = digest_before (session, turn_index);
  return g_strcmp0 (gadget_item_get_replay (item), digest) == 0;
}

/* Finds the last complete summary whose turns are all still there. Returns FALSE if there is
 * none. */
static gboolean
find_summary (GadgetSession *session, guint *turn_index, guint *item_index)
{
  for (guint t = gadget_session_get_n_turns (session); t > 0; t--)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, t - 1);

      for (guint i = gadget_turn_get_n_items (turn); i > 0; i--)
        {
          GadgetItem *item = gadget_turn_get_item (turn, i - 1);

          if (gadget_item_get_kind (item) != GADGET_ITEM_SUMMARY
              || gadget_item_get_status (item) != GADGET_ITEM_FINISHED
              || !is_summary_valid (session, t - 1, item))
            continue;
          *turn_index = t - 1;
          *item_index = i - 1;
          return TRUE;
        }
    }
  return FALSE;
}

static void
add_summary (Builder *builder, GadgetTurn *turn, guint index, const char *note)
{
  guint first = index;

  add_user_message (builder, SUMMARY_NOTE,
                    gadget_item_get_text (gadget_turn_get_item (turn, index)), NULL);
  add_user_message (builder, note, gadget_turn_get_prompt (turn), turn);
  /* The model has not responded to these messages yet, so the summary does not include them. */
  while (first > 0
         && gadget_item_get_kind (gadget_turn_get_item (turn, first - 1)) == GADGET_ITEM_STEER)
    first--;
  add_items (builder, turn, first);
}

/**
 * gadget_history_build:
 * @session: the chat; its turns must be loaded
 * @replay_source: (nullable): the provider and model that is asked, in the form of
 *   gadget_item_get_replay_source ()
 *
 * Returns: (transfer full): the chat so far as a request, without a model, instructions and tools
 */
GadgetRequest *
gadget_history_build (GadgetSession *session, const char *replay_source)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GHashTable) call_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) pictures = NULL;
  Builder builder = { request, replay_source, call_ids, NULL };
  gboolean summarized;
  guint first = 0;
  guint summary = 0;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  builder.pictures = pictures = gadget_session_choose_pictures (session);
  summarized = find_summary (session, &first, &summary);
  for (guint i = first; i < gadget_session_get_n_turns (session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i);
      const char *note = i > 0 ? note_of (gadget_session_get_turn (session, i - 1)) : NULL;

      if (summarized && i == first)
        {
          add_summary (&builder, turn, summary, note);
          continue;
        }
      add_user_message (&builder, note, gadget_turn_get_prompt (turn), turn);
      add_items (&builder, turn, 0);
    }
  return g_steal_pointer (&request);
}
