/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the recorded turns to a request that every provider accepts.
 *
 * This is the one place where aborted turns are made fit to be sent; nothing is patched when the
 * abort happens. The rules:
 *
 * - Each call that is sent has exactly one result, directly after its assistant message. A call
 *   that never started says so; a call that was cut has what it produced, and says so.
 * - A call whose arguments were still streaming is left out: it has no valid input.
 * - Reasoning is never sent back.
 * - An assistant message without words and calls is left out; user messages that then follow each
 *   other become one, since some chat templates insist on alternating roles.
 * - After an aborted turn the next user message begins with a note, once, that says so. It is in
 *   the request only, never on the screen.
 * - Names and ids of calls are such as every provider takes; ids are unique within the request,
 * also when a server counts from zero each time.
 */

#define G_LOG_DOMAIN "gadget-history"

#include "config.h"

#include "gadget-history.h"

#include "common/gadget-json.h"

#include <string.h>

/* What the strictest of the providers takes, in characters; an id may get a number at its end. */
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

#define NOT_STARTED_RESULT "Interrupted by user: this call was not started."
#define CUT_RESULT "[Interrupted by user: this is what came before that.]"

typedef struct
{
  GadgetRequest *request;
  GHashTable *call_ids; /* (element-type utf8): those given so far */
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

static void
add_user_message (Builder *builder, const char *note, const char *prompt)
{
  GPtrArray *messages = builder->request->messages;
  GadgetMessage *last = messages->len > 0 ? g_ptr_array_index (messages, messages->len - 1) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (last != NULL && last->role == GADGET_ROLE_USER)
    g_string_append_printf (text, "%s\n\n", last->text);
  if (note != NULL)
    g_string_append_printf (text, "%s\n\n", note);
  g_string_append (text, prompt);

  if (last != NULL && last->role == GADGET_ROLE_USER)
    g_set_str (&last->text, text->str);
  else
    gadget_request_add_message (builder->request, GADGET_ROLE_USER, text->str);
}

static char *
make_call_id (Builder *builder, const char *call_id)
{
  const char *given = call_id != NULL && *call_id != '\0' ? call_id : "call";
  g_autofree char *base = g_utf8_substring (given, 0, MIN (MAX_CALL_ID, g_utf8_strlen (given, -1)));
  g_autofree char *id = g_strdup (base);

  for (guint i = 2; g_hash_table_contains (builder->call_ids, id); i++)
    {
      g_free (id);
      id = g_strdup_printf ("%s-%u", base, i);
    }
  g_hash_table_add (builder->call_ids, g_strdup (id));
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
      /* Without a result its arguments never became whole. */
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
      /* After a failure it is the failure that kept it from starting, not the user. */
      return g_strdup (g_strcmp0 (result, "Interrupted by user") == 0 ? NOT_STARTED_RESULT
                                                                      : result);
    case GADGET_ITEM_RUNNING:
    case GADGET_ITEM_ABORTED:
      if (result == NULL)
        result = gadget_item_get_text (item);
      return *result != '\0' ? g_strdup_printf ("%s\n%s", result, CUT_RESULT)
                             : g_strdup ("Interrupted by user.");
    default:
      return g_strdup (result != NULL ? result : "");
    }
}

/* What a provider takes as the arguments of a recorded call: a JSON object, whatever was written.
 */
static const char *
sane_arguments (GadgetItem *item)
{
  const char *arguments = gadget_item_get_arguments (item);
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? arguments : "{}";
}

/* What a provider takes as the name of a function. Every tool that we offer has such a name; the
 * model may have called another. */
static char *
dup_sane_name (GadgetItem *item)
{
  char *name = g_strndup (gadget_item_get_name (item), MAX_NAME);

  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '-')
      *c = '_';
  return name;
}

/* One step: one assistant message, and the results of its calls. Returns where the next begins. */
static guint
add_step (Builder *builder, GadgetTurn *turn, guint first)
{
  const guint n_items = gadget_turn_get_n_items (turn);
  const guint step = gadget_item_get_step (gadget_turn_get_item (turn, first));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();
  guint end = first;

  for (; end < n_items; end++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, end);

      if (gadget_item_get_step (item) != step)
        break;
      if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT)
        g_string_append (text, gadget_item_get_text (item));
      else if (is_sent (item))
        g_ptr_array_add (calls, item);
    }

  g_autofree char *stripped = g_strstrip (g_strdup (text->str));

  if (*stripped == '\0' && calls->len == 0)
    return end;

  GadgetMessage *message = gadget_request_add_message (builder->request, GADGET_ROLE_ASSISTANT,
                                                       *stripped != '\0' ? text->str : "");
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < calls->len; i++)
    {
      GadgetItem *item = g_ptr_array_index (calls, i);
      g_autofree char *name = dup_sane_name (item);

      g_ptr_array_add (ids, make_call_id (builder, gadget_item_get_call_id (item)));
      gadget_message_add_call (message, g_ptr_array_index (ids, i), name, sane_arguments (item));
    }
  for (guint i = 0; i < calls->len; i++)
    {
      g_autofree char *result = dup_result (g_ptr_array_index (calls, i));
      GadgetMessage *answer =
          gadget_request_add_message (builder->request, GADGET_ROLE_TOOL, result);

      answer->call_id = g_strdup (g_ptr_array_index (ids, i));
    }
  return end;
}

GadgetRequest *
gadget_history_build (GadgetSession *session)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GHashTable) call_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Builder builder = { request, call_ids };
  const char *note = NULL;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i);

      add_user_message (&builder, note, gadget_turn_get_prompt (turn));
      for (guint item = 0; item < gadget_turn_get_n_items (turn);)
        item = add_step (&builder, turn, item);
      note = note_of (turn);
    }
  return g_steal_pointer (&request);
}
