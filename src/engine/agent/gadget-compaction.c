/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Summarizes a chat that has outgrown its model (see gadget-context-fit.c). The model is asked for
 * the summary in a run of its own, a child of the turn's run: an abort of the turn aborts both, and
 * the turn waits for the end of it. The summary becomes an item of the turn, and the history of
 * later requests starts from it. Nothing that was recorded is changed: if there is no item, because
 * the request was aborted or failed, the next request is as it would have been.
 *
 * The chat is given to the model as one text, not as messages. Such a request is valid for every
 * provider, whatever tools were called, and can be cut to any size. So it need never be longer than
 * the model can read. If the provider refuses it all the same, or the summary is cut off at the
 * model's limit of output, half of it is tried: a part of a summary never takes the place of the
 * chat.
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-compaction"

#include "config.h"

#include "gadget-compaction.h"

#include "common/gadget-tokens.h"
#include "session/gadget-history.h"

#include <string.h>

/* The share of the window that is summarized, and the largest share that the summary may have. The
 * rest of the first share is left for the response. */
#define SUMMARIZED_PERCENT 60
#define SUMMARY_PERCENT 30
/* A text is halved as long as this many tokens are left. */
#define LEAST_TOKENS 256
/* If the window is smaller, in tokens, the model is told how long its summary may be. */
#define LARGE_WINDOW 32768
/* How many characters of a long tool result are kept, from its beginning and from its end. */
#define RESULT_HEAD 1500
#define RESULT_TAIL 500

#define PROMPT                                                                                     \
  "The conversation below between a user and an assistant has become too long to be read as a "    \
  "whole. Write a summary from which the assistant can go on without it: what the user wants, "    \
  "what was decided, what was found out, what was done and with which results, and what is left "  \
  "to do. Keep exact names, paths, values and quotations where they matter. Do not answer the "    \
  "conversation and do not go on with it. Write the summary alone.\n\n"

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
 * Shortens long results of tools and leaves out pictures, except for those that the model has not
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

/* --- Summarizing ------------------------------------------------------------------------------ */

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

/* Leaves out the middle of a text that is heavier than @weight: the beginning says what the user
 * wants, the end says where the work is. */
static char *
elide_middle (const GString *text, gsize weight)
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

/* The data of the task. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  char *chat; /* (nullable): the id of the user's chat, if it is stored */
  GadgetRun *run;
  GadgetSession *session;
  GadgetTurn *turn;
  guint step;
  gint64 started_at;      /* milliseconds of the turn's time */
  GadgetRequest *request; /* what is summarized */
  gint64 window;          /* 0 if it is not known */
  gint64 tokens;          /* how many tokens of the text are sent, estimated */
  gint64 sent_tokens;     /* the estimated size of the request for a summary */
} Job;

static GadgetRequest *
make_request (Job *job)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *fitting = NULL;

  for (guint i = 0; i < job->request->messages->len; i++)
    render_message (text, g_ptr_array_index (job->request->messages, i));
  /* A text that is shorter than it may be is halved, too, if that is too much. */
  job->tokens = MIN (job->tokens, gadget_tokens_from_weight (gadget_tokens_weigh (text->str)));
  fitting = elide_middle (text, gadget_tokens_to_weight (job->tokens));
  /* Three English words are about four tokens; two thirds of the share are used. */
  if (job->window > 0 && job->window < LARGE_WINDOW)
    g_string_append_printf (words, "Write at most %" G_GINT64_FORMAT " words. ",
                            job->window * SUMMARY_PERCENT / 200);
  g_string_append (words, PROMPT);
  g_string_append (words, fitting);
  request->model = g_strdup (job->request->model);
  gadget_request_add_message (request, GADGET_ROLE_USER, words->str);
  job->sent_tokens = gadget_request_count_tokens (request);
  return g_steal_pointer (&request);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->environment);
  g_free (job->chat);
  g_object_unref (job->run);
  g_object_unref (job->session);
  g_object_unref (job->turn);
  gadget_request_unref (job->request);
  g_free (job);
}

/* Adds what the request used, which is estimated if the provider did not report it. A request that
 * failed without a report used nothing. */
static void
add_usage (Job *job, GAsyncResult *result, const char *summary)
{
  GadgetRun *uppermost = gadget_run_get_uppermost (job->run);
  GadgetUsage sum = *gadget_turn_get_usage (job->turn);
  GadgetUsageRecord record = {
    .chat = job->chat,
    .turn = gadget_run_get_turn_id (uppermost),
    .provider = gadget_turn_get_provider (job->turn),
    .model = gadget_turn_get_model (job->turn),
    .purpose = GADGET_USAGE_SUMMARY,
    .ms = MAX (gadget_turn_get_now (job->turn) - job->started_at, 0),
  };

  if (!gadget_provider_get_generated_usage (result, &record.usage))
    {
      if (summary == NULL)
        return;
      record.usage = (GadgetUsage) {
        .input_tokens = job->sent_tokens,
        .output_tokens = gadget_tokens_from_weight (gadget_tokens_weigh (summary)),
        .estimated = TRUE,
      };
    }
  _gadget_turn_environment_count (job->environment, &record);
  /* The turn may have been given up meanwhile; it does not change any more then. */
  if (gadget_turn_get_status (job->turn) != GADGET_TURN_PROCESSING)
    return;
  gadget_usage_add (&sum, &record.usage);
  gadget_turn_set_usage (job->turn, &sum);
}

/* A summary must not fill the room that it is to make. */
static char *
dup_short (const Job *job, const char *summary)
{
  g_autoptr (GString) text = g_string_new (summary);

  if (job->window == 0)
    return g_strdup (summary);
  return elide_middle (text, gadget_tokens_to_weight (job->window * SUMMARY_PERCENT / 100));
}

static void
append_summary (Job *job, const char *summary)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_SUMMARY);
  g_autofree char *text = dup_short (job, summary);

  gadget_item_set_step (item, job->step);
  gadget_item_append_text (item, text, -1);
  gadget_item_set_started_at (item, job->started_at);
  gadget_item_set_ended_at (item, gadget_turn_get_now (job->turn));
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_history_mark_summary (job->session, job->turn, item);
  gadget_turn_append (job->turn, item);
}

static void generated_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* @task is (transfer full). */
static void
send_request (GadgetProvider *provider, GTask *task)
{
  Job *job = g_task_get_task_data (task);
  g_autoptr (GadgetRequest) request = make_request (job);

  gadget_provider_generate_async (provider, request, gadget_run_get_receipt (job->run),
                                  gadget_run_get_cancellable (job->run), generated_cb, task);
}

/* Returns whether the text was halved, to be tried again. */
static gboolean
halve (Job *job, const GError *error)
{
  if (gadget_run_is_aborted (job->run)
      || !(g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CONTEXT)
           || g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE))
      || job->tokens / 2 < LEAST_TOKENS)
    return FALSE;
  job->tokens /= 2;
  return TRUE;
}

static void
generated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Job *job = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *summary =
      gadget_provider_generate_finish (GADGET_PROVIDER (source), result, &error);
  gboolean aborted;

  add_usage (job, result, summary);
  if (summary == NULL && halve (job, error))
    {
      send_request (GADGET_PROVIDER (source), g_steal_pointer (&task));
      return;
    }
  aborted = gadget_run_seal (job->run) != GADGET_STOP_NONE;
  if (!aborted && summary == NULL)
    gadget_run_set_failure (job->run, error->message);
  gadget_run_end (job->run);
  gadget_registry_remove (job->environment->registry, job->run);
  if (summary != NULL)
    g_strstrip (summary);
  if (!aborted && summary == NULL)
    g_message ("the chat could not be summarized: %s", error->message);
  if (aborted || summary == NULL || *summary == '\0')
    {
      g_task_return_boolean (task, FALSE);
      return;
    }
  append_summary (job, summary);
  g_task_return_boolean (task, TRUE);
}

void
_gadget_compaction_async (GadgetTurnEnvironment *environment, const char *chat, GadgetRun *parent,
                          GadgetProvider *provider, GadgetSession *session, GadgetTurn *turn,
                          guint step, GadgetRequest *request, gint64 window,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, _gadget_compaction_async);
  g_task_set_task_data (task, job, job_free);
  job->environment = g_object_ref (environment);
  job->chat = g_strdup (chat);
  job->session = g_object_ref (session);
  job->turn = g_object_ref (turn);
  job->step = step;
  job->started_at = gadget_turn_get_now (turn);
  job->request = gadget_request_ref (request);
  job->window = window;
  /* If the window is not known, the provider has just refused the request as too long. */
  job->tokens =
      window > 0 ? window * SUMMARIZED_PERCENT / 100 : gadget_request_count_tokens (request) / 2;
  job->run = gadget_run_new (GADGET_RUN_COMPACTION, NULL, gadget_run_get_session_id (parent), NULL,
                             parent, gadget_run_get_receipt (parent));
  gadget_registry_add (environment->registry, job->run);
  send_request (provider, task);
}

gboolean
_gadget_compaction_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL);
}
