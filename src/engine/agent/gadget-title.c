/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The title of a chat. At first it is the beginning of the first prompt. After the first turn that
 * finished, the model is asked for a better title in a run of its own: nothing waits for this run,
 * it is not a turn of the session (so Cancel does not appear for it), and every stop of the session
 * or of all work stops it.
 *
 * A title that is not the beginning of the first prompt was given by the user and is kept; this is
 * checked again when the model's response is there. If anything goes wrong, the title stays as it
 * is and the model is not asked again, unless the user asks for it: then the title is replaced
 * whoever gave it, if it has not changed since.
 *
 * A keyring may never answer, so a stop does not wait for it, and without a stop it is waited for
 * only for a limited time. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-title"

#include "config.h"

#include "gadget-title.h"

#include "common/gadget-bidi.h"
#include "common/gadget-clock.h"
#include "common/gadget-stop-source.h"
#include "session/gadget-attachment.h"
#include "store/gadget-store-sessions.h"

#include <string.h>

#define TITLE_CHARACTERS 60
/* How long the lookup of the key may take, in milliseconds: the keyring may ask for its
 * password. */
#define KEY_TIMEOUT_MS 30000
/* How much of the prompt, and of the response to it, the model is shown. */
#define EXCERPT_CHARACTERS 600

#define ASK                                                                                        \
  "Write a title for the conversation below: at most six words, in its language, no quotation "    \
  "marks, no full stop. Answer with the title alone.\n\n"

/* The request for a title. */
typedef struct
{
  GadgetTurnEnvironment *environment;
  GadgetSession *session;
  gboolean again;         /* the user has asked for the title */
  char *before;           /* (nullable): the title when the run began */
  GadgetSession *content; /* has the turns: @session, or a copy of one that is not loaded */
  GadgetRequest *request; /* NULL before the turns are there */
  char *provider;         /* the same: the id of the provider that is asked */
  GadgetRun *run;         /* NULL once the run has ended */
  gint64 sent_at;         /* in milliseconds since 1970 */
  GSource *stopped;       /* (nullable): watches for a stop while the key is looked up */
  guint timeout;
  GadgetTitleFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} Job;

/* Shortens a text of more than @n characters to whole words, if possible, and adds an ellipsis. */
static char *
shorten (const char *text, glong n)
{
  g_autofree char *cut = NULL;
  char *space;

  if (g_utf8_strlen (text, -1) <= n)
    return g_strdup (text);
  cut = g_utf8_substring (text, 0, n);
  space = strrchr (cut, ' ');
  if (space != NULL && space > cut)
    *space = '\0';
  return g_strconcat (cut, "…", NULL);
}

/* Returns the beginning of the first line of the prompt. (transfer full) */
char *
_gadget_title_from_prompt (const char *prompt)
{
  g_autofree char *text = g_strstrip (g_strdup (prompt));

  text[strcspn (text, "\r\n")] = '\0';
  return shorten (text, TITLE_CHARACTERS);
}

/* Returns the beginning of the turn's prompt, or the name of its first attachment if it has no
 * text. (transfer full) */
char *
_gadget_title_from_turn (GadgetTurn *turn)
{
  GPtrArray *attachments = gadget_attachments_get (turn);
  const char *prompt = gadget_turn_get_prompt (turn);
  const char *name = NULL;

  if (*prompt == '\0' && attachments != NULL)
    name = gadget_attachment_get_name (g_ptr_array_index (attachments, 0));
  return _gadget_title_from_prompt (name != NULL ? name : prompt);
}

/* --- The answer ------------------------------------------------------------------------------- */

/* Some models put their reasoning before what they say. */
static const char *
skip_thinking (const char *text)
{
  const char *end = strstr (text, "</think>");

  return end != NULL ? end + strlen ("</think>") : text;
}

static char *
dup_first_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      return g_strdup (lines[i]);
  return g_strdup ("");
}

/* These are quotation marks, and the marks that make a heading or bold text in Markdown. */
static gboolean
is_decoration (gunichar c)
{
  static const char marks[] = "\"'`*_#“”„‟«»‹›‘’‚「」『』";

  return g_unichar_isspace (c) || g_utf8_strchr (marks, -1, c) != NULL;
}

static char *
strip_decoration (const char *line)
{
  const char *start = line;
  const char *end = line + strlen (line);

  while (*start != '\0' && is_decoration (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);
  while (end > start)
    {
      const char *last = g_utf8_prev_char (end);

      if (!is_decoration (g_utf8_get_char (last)) && *last != '.')
        break;
      end = last;
    }
  return g_strndup (start, (gsize) (end - start));
}

/* Turns each sequence of spaces into one space, and leaves out characters that cannot be
 * printed. */
static char *
collapse (const char *text)
{
  GString *clean = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar character = g_utf8_get_char (c);

      if (g_unichar_isspace (character))
        {
          if (clean->len > 0 && clean->str[clean->len - 1] != ' ')
            g_string_append_c (clean, ' ');
        }
      else if (g_unichar_isprint (character))
        {
          g_string_append_unichar (clean, character);
        }
    }
  return g_string_free_and_steal (clean);
}

/**
 * _gadget_title_clean:
 * @answer: the response of a model that was asked for a title
 *
 * Returns: (transfer full) (nullable): one short line; %NULL if the response has no title
 */
char *
_gadget_title_clean (const char *answer)
{
  g_autofree char *valid = g_utf8_make_valid (answer, -1);
  g_autofree char *line = dup_first_line (skip_thinking (valid));
  g_autofree char *bare = strip_decoration (line);
  g_autofree char *title = NULL;

  if (g_ascii_strncasecmp (bare, "title:", 6) == 0)
    {
      g_autofree char *named = g_steal_pointer (&bare);

      bare = strip_decoration (named + 6);
    }
  title = collapse (bare);
  return *title != '\0' && *title != '<' ? shorten (title, TITLE_CHARACTERS) : NULL;
}

/* --- The run ---------------------------------------------------------------------------------- */

/* Returns whether the title of the session is still the beginning of its first prompt. */
gboolean
_gadget_title_is_wanted (GadgetSession *session)
{
  const char *title = gadget_session_get_title (session);
  g_autofree char *beginning = NULL;
  g_autofree char *automatic = NULL;

  if (gadget_session_get_n_turns (session) == 0)
    return FALSE;
  beginning = _gadget_title_from_turn (gadget_session_get_turn (session, 0));
  automatic = gadget_bidi_escape (beginning);
  return g_strcmp0 (title, automatic) == 0;
}

static void
stop_looking_up (Job *job)
{
  if (job->timeout != 0)
    gadget_clock_remove (job->environment->clock, job->timeout);
  job->timeout = 0;
  gadget_stop_source_end (&job->stopped);
}

/* Ends the run. The job is freed later, when its last callback has been called. */
static void
end_run (Job *job)
{
  g_autoptr (GadgetRun) run = g_steal_pointer (&job->run);

  stop_looking_up (job);
  if (run == NULL)
    return;
  gadget_run_seal (run);
  gadget_run_end (run);
  gadget_registry_remove (job->environment->registry, run);
  if (job->destroy != NULL)
    job->destroy (job->user_data);
}

static void
job_end (Job *job)
{
  end_run (job);
  g_object_unref (job->environment);
  g_object_unref (job->session);
  g_object_unref (job->content);
  g_clear_pointer (&job->request, gadget_request_unref);
  g_free (job->provider);
  g_free (job->before);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_end)

/* No title was made. The title stays as it is. */
static void
fail (Job *job, const GError *error)
{
  g_message ("no title was made: %s", error->message);
  gadget_run_set_failure (job->run, error->message);
  job->func (job->session, error, job->user_data);
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  end_run (user_data);
  return G_SOURCE_REMOVE;
}

static void
timeout_cb (gpointer user_data)
{
  Job *job = user_data;
  g_autoptr (GError) error =
      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "the keyring does not answer");

  job->timeout = 0;
  fail (job, error);
  end_run (job);
}

static void
begin_looking_up (Job *job)
{
  job->stopped = gadget_stop_source_new (gadget_run_get_cancellable (job->run),
                                         "[gadget] stop a title", stopped_cb, job);
  job->timeout = gadget_clock_add_timeout (job->environment->clock, KEY_TIMEOUT_MS,
                                           "[gadget] key for a title", timeout_cb, job);
}

/* The Guide only says what is in its script, so a title after its turns says nothing about the
 * chat. */
gboolean
_gadget_title_can_name (GadgetTurn *turn)
{
  return gadget_turn_get_status (turn) == GADGET_TURN_FINISHED
         && g_strcmp0 (gadget_turn_get_provider (turn), GADGET_GUIDE_ID) != 0;
}

GadgetTurn *
_gadget_title_find_turn (GadgetSession *session)
{
  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i);

      if (_gadget_title_can_name (turn))
        return turn;
    }
  return NULL;
}

static GadgetTurn *
find_last_turn (GadgetSession *session)
{
  for (guint i = gadget_session_get_n_turns (session); i > 0; i--)
    if (_gadget_title_can_name (gadget_session_get_turn (session, i - 1)))
      return gadget_session_get_turn (session, i - 1);
  return NULL;
}

static char *
dup_answer (GadgetTurn *turn)
{
  GString *answer = g_string_new (NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT)
        g_string_append_printf (answer, "%s\n", gadget_item_get_text (item));
    }
  return g_string_free_and_steal (answer);
}

static void
append_excerpt (GString *text, GadgetTurn *turn)
{
  g_autofree char *answer = dup_answer (turn);
  g_autofree char *answer_excerpt = shorten (answer, EXCERPT_CHARACTERS);
  g_autofree char *prompt = shorten (gadget_turn_get_prompt (turn), EXCERPT_CHARACTERS);

  g_string_append_printf (text, "User: %s\n\nAssistant: %s", prompt, answer_excerpt);
}

/* A chat that is named again may have come to another subject since it began. */
static GadgetRequest *
make_request (GadgetSession *session, gboolean again)
{
  GadgetRequest *request = gadget_request_new ();
  GadgetTurn *turn = _gadget_title_find_turn (session);
  GadgetTurn *last = find_last_turn (session);
  g_autoptr (GString) text = g_string_new (ASK);

  append_excerpt (text, turn);
  if (again && last != turn)
    {
      g_string_append (text, "\n\n");
      append_excerpt (text, last);
    }
  request->model = g_strdup (gadget_turn_get_model (turn));
  gadget_request_add_message (request, GADGET_ROLE_USER, text->str);
  return request;
}

/* Returns whether the title is to be replaced, now that the response is there. */
static gboolean
is_wanted (Job *job)
{
  return job->again ? g_strcmp0 (gadget_session_get_title (job->session), job->before) == 0
                    : _gadget_title_is_wanted (job->session);
}

/* A request for which the provider reports nothing is so small that it is not estimated. */
static void
count_request (Job *job, GAsyncResult *result)
{
  GadgetUsageRecord record = {
    .chat = gadget_session_get_id (job->session),
    .provider = job->provider,
    .model = job->request->model,
    .purpose = GADGET_USAGE_TITLE,
    .ms = MAX (gadget_clock_wall_ms () - job->sent_at, 0),
  };

  if (gadget_provider_get_generated_usage (result, &record.usage))
    _gadget_turn_environment_count (job->environment, &record);
}

static void
generated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Job) job = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer =
      gadget_provider_generate_finish (GADGET_PROVIDER (source), result, &error);
  g_autofree char *title = answer != NULL ? _gadget_title_clean (answer) : NULL;

  count_request (job, result);
  if (gadget_run_is_aborted (job->run))
    return;
  if (title == NULL && error == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         "the response of the model has no title");
  if (error != NULL)
    {
      fail (job, error);
      return;
    }
  if (!is_wanted (job))
    return;
  gadget_session_set_title (job->session, title);
  job->func (job->session, NULL, job->user_data);
}

static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Job) job = user_data;
  GadgetRun *run = job->run;
  GadgetRequest *request = job->request;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProvider) provider =
      gadget_provider_list_resolve_finish (GADGET_PROVIDER_LIST (source), result, &error);

  /* If the run was stopped before the request, no request is made. */
  stop_looking_up (job);
  if (run == NULL || gadget_run_is_aborted (run))
    return;
  if (provider == NULL)
    {
      fail (job, error);
      return;
    }
  job->sent_at = gadget_clock_wall_ms ();
  gadget_provider_generate_async (provider, request, gadget_run_get_receipt (run),
                                  gadget_run_get_cancellable (run), generated_cb,
                                  g_steal_pointer (&job));
}

/* Asks the model once the turns are there. Takes @job. */
static void
ask (Job *job)
{
  job->provider = g_strdup (gadget_turn_get_provider (_gadget_title_find_turn (job->content)));
  job->request = make_request (job->content, job->again);
  gadget_provider_list_resolve_async (job->environment->providers, job->provider,
                                      gadget_run_get_cancellable (job->run), resolved_cb, job);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Job) job = user_data;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_finish (GADGET_STORE (source), result, &error);
  if (job->run == NULL || gadget_run_is_aborted (job->run))
    return;
  if (error == NULL && _gadget_title_find_turn (job->content) == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         "no model has finished a turn of the chat");
  if (error != NULL)
    fail (job, error);
  else
    ask (g_steal_pointer (&job));
}

/**
 * _gadget_title_start:
 * @store: (nullable): where the turns are read from; %NULL if @session is loaded and has one that
 * it can be named after
 * @again: the user has asked for the title, which replaces one that the user gave
 * @func: called when @session has got a new title, which is to be saved, or when none was made
 *
 * The run is in the registry when this returns, and leaves it when it has ended.
 */
void
_gadget_title_start (GadgetTurnEnvironment *environment, GadgetStore *store, GadgetSession *session,
                     gboolean again, GadgetTitleFunc func, gpointer user_data,
                     GDestroyNotify destroy)
{
  Job *job;

  g_return_if_fail (store != NULL || _gadget_title_find_turn (session) != NULL);

  job = g_new0 (Job, 1);
  job->environment = g_object_ref (environment);
  job->session = g_object_ref (session);
  job->content =
      store != NULL ? gadget_session_new (gadget_session_get_id (session)) : g_object_ref (session);
  job->again = again;
  job->before = g_strdup (gadget_session_get_title (session));
  job->func = func;
  job->user_data = user_data;
  job->destroy = destroy;
  job->run =
      gadget_run_new (GADGET_RUN_TITLE, NULL, gadget_session_get_id (session), NULL, NULL, NULL);
  begin_looking_up (job);
  gadget_registry_add (environment->registry, job->run);
  if (store != NULL)
    gadget_store_load_session_async (store, job->content, loaded_cb, job);
  else
    ask (job);
}
