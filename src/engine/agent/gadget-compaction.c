/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat that outgrows its model. When a request would fill most of what the model can read, old
 * tool results in it are shortened; when that is not enough, or the provider says that the chat is
 * too long, the model is asked to summarise what there is, in a run of its own below the turn's:
 * an abort of the turn ends both, and the turn waits for the end of it. The summary becomes an item
 * of the turn, and history starts from it. Nothing that was recorded is changed: without the item,
 * because it was aborted or failed, the next request is what it would have been.
 *
 * What is summarised is given as one text, not as the messages themselves: that is valid for every
 * provider whatever tools were called, and can be cut to any size.
 *
 * How much a model can read is asked for once, beside the turn's own work, and only when a request
 * has a size at which it begins to matter. The question is a call of the turn's run, and ends with
 * it at the latest. */

#define G_LOG_DOMAIN "gadget-compaction"

#include "config.h"

#include "gadget-compaction.h"

#include "common/gadget-clock.h"
#include "common/gadget-tokens.h"
#include "session/gadget-history.h"

#include <string.h>

#define FULL_PERCENT 80
/* The least that servers give a model by themselves is 4,096 tokens (Ollama, on most machines);
 * with less there is hardly room for the tools. Who has less is told by the provider that it is too
 * much.
 */
#define LEAST_LENGTH 4096
#define SMALL_TOKENS (LEAST_LENGTH * FULL_PERCENT / 100)
#define SUMMARISED_PERCENT 60
/* Of a tool's result, in characters: what is kept of its beginning and of its end. */
#define RESULT_HEAD 1500
#define RESULT_TAIL 500

#define ASK                                                                                        \
  "The conversation below between a user and an assistant has become too long to be read as a "    \
  "whole. Write a summary from which the assistant can go on without it: what the user wants, "    \
  "what was decided, what was found out, what was done and with which results, and what is left "  \
  "to do. Keep exact names, paths, values and quotations where they matter. Do not answer the "    \
  "conversation and do not go on with it. Write the summary alone.\n\n"

/* --- How much a model can read ---------------------------------------------------------------- */

typedef struct
{
  GHashTable *lengths;
  char *key;
  GadgetRun *run;
  GCancellable *call;
  GSourceOnceFunc func;
  gpointer user_data;
} Asked;

GHashTable *
_gadget_context_lengths_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static char *
make_key (const char *provider_id, GadgetRequest *request)
{
  return g_strdup_printf ("%s\n%s", provider_id != NULL ? provider_id : "",
                          request->model != NULL ? request->model : "");
}

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Asked *asked = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetModel) model =
      gadget_provider_describe_model_finish (GADGET_PROVIDER (source), result, &error);
  gint64 *tokens = g_hash_table_lookup (asked->lengths, asked->key);

  if (model != NULL && tokens != NULL)
    *tokens = gadget_model_get_context_length (model);
  else if (g_cancellable_is_cancelled (asked->call))
    g_hash_table_remove (asked->lengths, asked->key); /* asked again when it matters again */
  gadget_run_remove_call (asked->run, asked->call);
  asked->func (asked->user_data);
  g_hash_table_unref (asked->lengths);
  g_object_unref (asked->run);
  g_object_unref (asked->call);
  g_free (asked->key);
  g_free (asked);
}

/**
 * _gadget_context_lengths_get:
 * @request: what is about to be sent
 *
 * Returns: how many tokens its model can read; 0 when that is not known (yet)
 */
gint64
_gadget_context_lengths_get (GHashTable *lengths, const char *provider_id, GadgetRequest *request)
{
  g_autofree char *key = make_key (provider_id, request);
  const gint64 *known = g_hash_table_lookup (lengths, key);

  return known != NULL ? *known : 0;
}

/**
 * _gadget_context_lengths_ask:
 * @request: what is about to be sent
 * @run: which the question is a call of
 * @func: called when it is over, whichever way; until then @run does not end
 *
 * Asks how much the model can read, unless that is known, or was asked for, or does not matter.
 *
 * Returns: (transfer full) (nullable): the call, to be stopped with gadget_run_stop_call (); %NULL
 *   when nothing was asked
 */
GCancellable *
_gadget_context_lengths_ask (GHashTable *lengths, const char *provider_id, GadgetProvider *provider,
                             GadgetRequest *request, GadgetRun *run, GSourceOnceFunc func,
                             gpointer user_data)
{
  g_autofree char *key = make_key (provider_id, request);
  Asked *asked;

  if (g_hash_table_contains (lengths, key) || gadget_request_count_tokens (request) < SMALL_TOKENS)
    return NULL;
  g_hash_table_insert (lengths, g_strdup (key), g_new0 (gint64, 1));
  asked = g_new0 (Asked, 1);
  asked->lengths = g_hash_table_ref (lengths);
  asked->key = g_steal_pointer (&key);
  asked->run = g_object_ref (run);
  asked->call = gadget_run_add_call (run);
  asked->func = func;
  asked->user_data = user_data;
  gadget_provider_describe_model_async (provider, request->model, gadget_run_get_receipt (run),
                                        asked->call, described_cb, asked);
  return g_object_ref (asked->call);
}

gboolean
_gadget_compaction_is_due (GadgetRequest *request, gint64 context_length)
{
  return context_length > 0
         && gadget_request_count_tokens (request) > context_length * FULL_PERCENT / 100;
}

/* --- Shortening ------------------------------------------------------------------------------- */

static char *
shorten_result (const char *text)
{
  const glong n = g_utf8_strlen (text, -1);
  g_autofree char *head = NULL;
  g_autofree char *tail = NULL;

  if (n <= 2 * (RESULT_HEAD + RESULT_TAIL))
    return g_strdup (text);
  head = g_utf8_substring (text, 0, RESULT_HEAD);
  tail = g_utf8_substring (text, n - RESULT_TAIL, n);
  return g_strdup_printf ("%s\n[… %ld characters of this result were left out to save space …]\n%s",
                          head, n - RESULT_HEAD - RESULT_TAIL, tail);
}

/**
 * _gadget_compaction_shorten:
 *
 * Shortens long results of tools, and leaves pictures out, but not those that the model has not
 * seen yet.
 */
void
_gadget_compaction_shorten (GadgetRequest *request)
{
  guint seen = 0;

  for (guint i = 0; i < request->messages->len; i++)
    if (((GadgetMessage *) g_ptr_array_index (request->messages, i))->role == GADGET_ROLE_ASSISTANT)
      seen = i;
  for (guint i = 0; i < seen; i++)
    {
      GadgetMessage *message = g_ptr_array_index (request->messages, i);

      gadget_message_drop_images (message, "shown again, to save space");
      for (guint j = 0; message->role == GADGET_ROLE_TOOL && j < message->parts->len; j++)
        {
          GadgetPart *part = g_ptr_array_index (message->parts, j);
          g_autofree char *whole = NULL;

          if (part->type != GADGET_PART_TEXT)
            continue;
          whole = g_steal_pointer (&part->text);
          part->text = shorten_result (whole);
        }
    }
}

/* --- Summarising ------------------------------------------------------------------------------ */

static void
render_message (GString *text, const GadgetMessage *message)
{
  static const char *const names[] = { "User", "Assistant", "Result" };
  g_autofree char *words = gadget_message_dup_text (message);

  if (message->role == GADGET_ROLE_TOOL)
    {
      g_autofree char *result = shorten_result (words);

      g_string_append_printf (text, "%s of %s: %s\n\n", names[message->role], message->name,
                              result);
      return;
    }
  if (*words != '\0')
    g_string_append_printf (text, "%s: %s\n\n", names[message->role], words);
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type == GADGET_PART_CALL)
        g_string_append_printf (text, "Assistant calls %s: %s\n\n", part->name, part->arguments);
      else if (part->type == GADGET_PART_IMAGE)
        g_string_append (text, "[an image]\n\n");
    }
}

static gsize
weigh_character (const char *c)
{
  const char character[] = { *c, '\0' };

  return gadget_tokens_weigh (character);
}

/* Leaves the middle out of what is heavier than @weight: the beginning says what is wanted, the end
 * where the work is. */
static char *
fit (const GString *text, gsize weight)
{
  const char *head = text->str;
  const char *tail = text->str + text->len;
  gsize n = 0;

  if (gadget_tokens_weigh (text->str) <= weight)
    return g_strdup (text->str);
  for (; n < weight / 4; head = g_utf8_next_char (head))
    n += weigh_character (head);
  for (n = 0; n < weight * 3 / 4; n += weigh_character (tail))
    tail = g_utf8_prev_char (tail);
  return g_strdup_printf ("%.*s\n\n[… a part was left out …]\n\n%s", (int) (head - text->str),
                          text->str, tail);
}

static GadgetRequest *
make_request (GadgetRequest *request, gint64 context_length)
{
  g_autoptr (GadgetRequest) ask = gadget_request_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *fitting = NULL;
  g_autofree char *words = NULL;
  gint64 tokens;

  for (guint i = 0; i < request->messages->len; i++)
    render_message (text, g_ptr_array_index (request->messages, i));
  /* Where the size is not known, the provider has just said that this was too much. */
  tokens = context_length > 0 ? context_length * SUMMARISED_PERCENT / 100
                              : gadget_request_count_tokens (request) / 2;
  fitting = fit (text, gadget_tokens_to_weight (tokens));
  words = g_strconcat (ASK, fitting, NULL);
  ask->model = g_strdup (request->model);
  gadget_request_add_message (ask, GADGET_ROLE_USER, words);
  return g_steal_pointer (&ask);
}

typedef struct
{
  GadgetRegistry *registry;
  GadgetRun *run;
  GadgetSession *session;
  GadgetTurn *turn;
  guint step;
  gint64 sent_tokens; /* estimated */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->registry);
  g_object_unref (job->run);
  g_object_unref (job->session);
  g_object_unref (job->turn);
  g_free (job);
}

static void
add_usage (Job *job, const char *summary)
{
  GadgetUsage usage = *gadget_turn_get_usage (job->turn);

  gadget_usage_add (&usage, &(GadgetUsage) { .input_tokens = job->sent_tokens,
                                             .output_tokens = gadget_tokens_from_weight (
                                                 gadget_tokens_weigh (summary)),
                                             .estimated = TRUE });
  gadget_turn_set_usage (job->turn, &usage);
}

static void
append_summary (Job *job, const char *summary)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_SUMMARY);

  gadget_item_set_step (item, job->step);
  gadget_item_append_text (item, summary, -1);
  gadget_item_set_started_at (item, gadget_run_get_started_at (job->run));
  gadget_item_set_ended_at (item, gadget_clock_wall_ms ());
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_history_mark_summary (job->session, job->turn, item);
  gadget_turn_append (job->turn, item);
}

static void
generated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *summary =
      gadget_provider_generate_finish (GADGET_PROVIDER (source), result, &error);
  const gboolean aborted = gadget_run_seal (job->run) != GADGET_STOP_NONE;

  if (!aborted && summary == NULL)
    gadget_run_set_failure (job->run, error->message);
  gadget_run_end (job->run);
  gadget_registry_remove (job->registry, job->run);
  if (summary != NULL)
    g_strstrip (summary);
  /* The turn may have been given up meanwhile, and does not change any more. */
  if (summary != NULL && gadget_turn_get_status (job->turn) == GADGET_TURN_PROCESSING)
    add_usage (job, summary);
  if (!aborted && summary == NULL)
    g_message ("the chat could not be summarised: %s", error->message);
  if (aborted || summary == NULL || *summary == '\0')
    {
      g_task_return_boolean (task, FALSE);
      return;
    }
  append_summary (job, summary);
  g_task_return_boolean (task, TRUE);
}

void
_gadget_compaction_async (GadgetRegistry *registry, GadgetRun *parent, GadgetProvider *provider,
                          GadgetSession *session, GadgetTurn *turn, guint step,
                          GadgetRequest *request, gint64 context_length,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GadgetRequest) ask = make_request (request, context_length);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, _gadget_compaction_async);
  g_task_set_task_data (task, job, job_free);
  job->registry = g_object_ref (registry);
  job->session = g_object_ref (session);
  job->turn = g_object_ref (turn);
  job->step = step;
  job->sent_tokens = gadget_request_count_tokens (ask);
  job->run = gadget_run_new (GADGET_RUN_COMPACTION, NULL, gadget_run_get_session_id (parent), NULL,
                             parent, gadget_run_get_receipt (parent));
  gadget_registry_add (registry, job->run);
  gadget_provider_generate_async (provider, ask, gadget_run_get_receipt (job->run),
                                  gadget_run_get_cancellable (job->run), generated_cb,
                                  g_steal_pointer (&task));
}

gboolean
_gadget_compaction_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL);
}
