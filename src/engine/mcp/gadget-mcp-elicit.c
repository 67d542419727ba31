/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the user the questions of a server. Each question names the server in a line that Gadget
 * writes itself, outside of the server's text; that text is bounded. Each question can be declined.
 * A form with several fields, or with one that seems to ask for a secret, ends with a review: the
 * user sees all answers, and can start over, before they are sent. An address is shown unchanged,
 * with its host in a warning, and Gadget never opens it.
 *
 * If no user is there to answer, the question is declined, because a server that is told "cancel"
 * (dismissed) may ask again and again. When the user stops the call, the question is cancelled. A
 * choice that the server offers is never mistaken for one of Gadget's own choices.
 *
 * Source: MCP 2026-07-28, client/elicitation; 2025-11-25 differs only in how the question is
 * sent. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-elicit.h"

#include "common/gadget-json.h"
#include "common/gadget-visible.h"
#include "gadget-mcp-form.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The keys 1 to 9 answer the prompt; the last one is reserved for free text. */
#define MAX_CHOICES 8
/* MAX_MESSAGE is in characters, MAX_ADDRESS in bytes. */
#define MAX_MESSAGE 1000
#define MAX_LINES 12
#define MAX_ADDRESS 2000

/* The state of one question of a server: a form or an address. */
typedef struct
{
  char *server;
  char *message;
  GadgetItem *item;
  GCancellable *cancellable;
  GPtrArray *fields; /* (nullable): fields of a form */
  guint n_done;
  JsonObject *content;
  GString *review;
} Elicit;

/* Declared here because an answer that does not fit is asked for again. */
static void field_answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
elicit_free (gpointer data)
{
  Elicit *self = data;

  g_free (self->server);
  g_free (self->message);
  g_clear_object (&self->item);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  g_clear_pointer (&self->content, json_object_unref);
  g_string_free (self->review, TRUE);
  g_free (self);
}

JsonObject *
gadget_mcp_elicit_make_answer (const char *action)
{
  JsonObject *answer = json_object_new ();

  json_object_set_string_member (answer, "action", action);
  return answer;
}

static void
finish (GTask *task, const char *action, JsonObject *content)
{
  JsonObject *answer = gadget_mcp_elicit_make_answer (action);

  if (content != NULL)
    json_object_set_object_member (answer, "content", json_object_ref (content));
  g_task_return_pointer (task, answer, (GDestroyNotify) json_object_unref);
  g_object_unref (task);
}

/* Returns whether the prompt is the review at the end of a form. */
static gboolean
is_review (Elicit *self)
{
  return self->fields != NULL && self->n_done == self->fields->len;
}

/* Returns the line that says who is asking. It is a separate text of the prompt, so the server's
 * message cannot imitate it. */
static char *
dup_asker (Elicit *self)
{
  g_autofree char *server = gadget_visible_escape_line (self->server);

  /* Translators: the name of a program */
  return g_strdup_printf (is_review (self) ? _ ("Send this to the server “%s”?")
                                           : _ ("The server “%s” asks you something"),
                          server);
}

/* Returns whether a field asks for a password or a key, judging by its name, question and
 * format. */
static gboolean
is_secret (const GadgetMcpField *field)
{
  static const char *const words[] = { "password", "passwd",     "passphrase", "passcode",
                                       "secret",   "token",      "credential", "api_key",
                                       "apikey",   "api key",    "api-key",    "private",
                                       "pin code", "otp",        "2fa",        "ssh key",
                                       "ssh_key",  "access key", "access_key" };
  g_autofree char *all = g_strdup_printf ("%s\n%s\n%s", field->name, field->question,
                                          field->format != NULL ? field->format : "");
  g_autofree char *lower = g_utf8_strdown (all, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return g_ascii_strcasecmp (field->name, "pin") == 0
         || g_ascii_strcasecmp (field->name, "key") == 0;
}

static gboolean
needs_review (Elicit *self)
{
  return self->fields->len > 1 || is_secret (g_ptr_array_index (self->fields, 0));
}

/* Returns a message of at most MAX_MESSAGE characters and MAX_LINES lines. The lines beyond the
 * limit are joined into the last one. */
static char *
dup_bounded (const char *message)
{
  g_autofree char *whole =
      g_utf8_substring (message, 0, MIN (g_utf8_strlen (message, -1), MAX_MESSAGE));
  g_auto (GStrv) lines = g_strsplit (whole, "\n", MAX_LINES);
  const guint n = g_strv_length (lines);

  if (n == MAX_LINES)
    g_strdelimit (lines[n - 1], "\n", ' ');
  return g_strjoinv ("\n", lines);
}

static void
ask (GTask *task, const char *question, const char *const *choices, gboolean allow_text,
     const char *warning, GAsyncReadyCallback callback)
{
  Elicit *self = g_task_get_task_data (task);
  g_autoptr (GadgetPrompt) prompt = gadget_prompt_new_question (question, choices, allow_text);
  g_autofree char *asker = dup_asker (self);

  gadget_prompt_set_text (prompt, GADGET_PROMPT_ASKER, asker);
  gadget_prompt_set_text (prompt, GADGET_PROMPT_QUOTE_SOURCE,
                          is_review (self) ? _ ("What is sent; the names are the server’s:")
                                           : _ ("The server’s words:"));
  gadget_prompt_set_text (prompt, GADGET_PROMPT_WARNING, warning);
  gadget_item_set_prompt (self->item, prompt);
  gadget_prompt_wait_async (prompt, self->cancellable, callback, task);
}

/* Returns the label of one of Gadget's own choices, in brackets if the server offers a choice with
 * the same text. */
static char *
dup_own (Elicit *self, const char *label)
{
  const GadgetMcpField *field = self->fields != NULL && self->n_done < self->fields->len
                                    ? g_ptr_array_index (self->fields, self->n_done)
                                    : NULL;
  GString *own = g_string_new (label);

  while (
      field != NULL
      && ((field->labels != NULL && g_strv_contains ((const char *const *) field->labels, own->str))
          || g_strcmp0 (field->fallback, own->str) == 0))
    {
      g_string_prepend (own, "[");
      g_string_append (own, "]");
    }
  return g_string_free (own, FALSE);
}

/* Removes the prompt from the item and returns the user's answer (transfer full). When the user
 * declined or the prompt was dismissed, completes @task and returns NULL. */
static char *
finish_answer (GTask *task, GObject *source, GAsyncResult *result)
{
  Elicit *self = g_task_get_task_data (task);
  g_autofree char *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, NULL);
  g_autofree char *decline = dup_own (self, _ ("Decline"));

  gadget_item_set_prompt (self->item, NULL);
  if (answer != NULL && !g_str_equal (answer, decline))
    return g_steal_pointer (&answer);
  finish (task, answer != NULL ? "decline" : "cancel", NULL);
  return NULL;
}

/* --- Forms ------------------------------------------------------------------------------------
 */

static void
add_value (Elicit *self, const GadgetMcpField *field, JsonNode *value, const char *answer)
{
  g_autofree char *name = gadget_visible_escape_line (field->name);

  json_object_set_member (self->content, field->name, value);
  g_string_append_printf (self->review, "%s%s: %s", self->review->len > 0 ? "\n" : "", name,
                          answer);
}

static char *
dup_warning (gboolean secret, const char *problem)
{
  const char *text =
      _ ("This looks like a password or a key. What you type is sent to the server.");

  if (!secret)
    return g_strdup (problem);
  return problem != NULL ? g_strconcat (problem, "\n", text, NULL) : g_strdup (text);
}

static void
ask_field (GTask *task, const char *problem)
{
  Elicit *self = g_task_get_task_data (task);
  const GadgetMcpField *field = g_ptr_array_index (self->fields, self->n_done);
  g_autoptr (GPtrArray) choices = g_ptr_array_new ();
  g_autoptr (GString) question = g_string_new (NULL);
  g_autofree char *empty = dup_own (self, _ ("Leave empty"));
  g_autofree char *decline = dup_own (self, _ ("Decline"));
  gboolean allow_text = TRUE;
  guint n_labels = field->labels != NULL ? g_strv_length (field->labels) : 0;
  const gboolean secret = is_secret (field);
  const char *fallback = secret ? NULL : field->fallback;
  g_autofree char *warning = dup_warning (secret, problem);

  g_string_append_printf (question, "%s\n%s", self->message, field->question);
  if (field->kind == GADGET_MCP_FIELD_CHOICE && n_labels <= MAX_CHOICES - 2)
    {
      for (guint i = 0; i < n_labels; i++)
        g_ptr_array_add (choices, field->labels[i]);
      allow_text = FALSE;
    }
  else if (n_labels > 0)
    {
      g_autofree char *all = g_strjoinv (", ", field->labels);

      g_string_append_printf (question, "\n%s", all);
    }
  if (field->kind == GADGET_MCP_FIELD_BOOLEAN)
    {
      g_ptr_array_add (choices, _ ("Yes"));
      g_ptr_array_add (choices, _ ("No"));
      allow_text = FALSE;
    }
  if (allow_text && fallback != NULL)
    g_ptr_array_add (choices, (gpointer) fallback);
  else if (fallback != NULL)
    {
      g_string_append_c (question, '\n');
      /* Translators: an answer that a program suggests */
      g_string_append_printf (question, _ ("Suggested: %s"), fallback);
    }
  if (!field->required)
    g_ptr_array_add (choices, empty);
  g_ptr_array_add (choices, decline);
  g_ptr_array_add (choices, NULL);

  ask (task, question->str, (const char *const *) choices->pdata, allow_text, warning,
       field_answered_cb);
}

static void
reviewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Elicit *self = g_task_get_task_data (task);
  g_autofree char *answer = finish_answer (task, source, result);

  if (answer == NULL)
    return;
  if (g_str_equal (answer, _ ("Send")))
    {
      finish (task, "accept", self->content);
      return;
    }
  json_object_unref (self->content);
  self->content = json_object_new ();
  g_string_truncate (self->review, 0);
  self->n_done = 0;
  ask_field (task, NULL);
}

static void
ask_next (GTask *task)
{
  Elicit *self = g_task_get_task_data (task);
  const char *choices[] = { _ ("Send"), _ ("Start Over"), _ ("Decline"), NULL };

  if (self->n_done < self->fields->len)
    ask_field (task, NULL);
  else if (!needs_review (self))
    finish (task, "accept", self->content);
  else
    ask (task, self->review->str, choices, FALSE, NULL, reviewed_cb);
}

static void
field_answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Elicit *self = g_task_get_task_data (task);
  const GadgetMcpField *field = g_ptr_array_index (self->fields, self->n_done);
  g_autofree char *empty = dup_own (self, _ ("Leave empty"));
  g_autofree char *answer = finish_answer (task, source, result);
  g_autofree char *problem = NULL;
  JsonNode *value;

  if (answer == NULL)
    return;
  if (!field->required && g_str_equal (answer, empty))
    {
      self->n_done++;
      ask_next (task);
      return;
    }
  value = gadget_mcp_field_parse_answer (field, answer, &problem);
  if (value == NULL)
    {
      ask_field (task, problem);
      return;
    }
  add_value (self, field, value, answer);
  self->n_done++;
  ask_next (task);
}

/* --- Addresses --------------------------------------------------------------------------------
 */

static void
address_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  g_autofree char *answer = finish_answer (task, source, result);

  if (answer != NULL)
    finish (task, "accept", NULL);
}

static void
ask_address (GTask *task, const char *address)
{
  Elicit *self = g_task_get_task_data (task);
  const char *choices[] = { _ ("I Opened It, Go On"), _ ("Decline"), NULL };
  g_autoptr (GUri) uri = NULL;
  g_autofree char *question = NULL;
  g_autofree char *host = NULL;
  g_autofree char *warning = NULL;

  if (address != NULL && strlen (address) <= MAX_ADDRESS)
    uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);
  if (uri == NULL || g_uri_get_host (uri) == NULL
      || (!g_str_equal (g_uri_get_scheme (uri), "https")
          && !g_str_equal (g_uri_get_scheme (uri), "http")))
    {
      finish (task, "cancel", NULL);
      return;
    }
  host = gadget_visible_escape_line (g_uri_get_host (uri));
  question = g_strdup_printf ("%s\n%s", self->message, address);
  /* Translators: %s is a host, "example.org" */
  warning = g_strdup_printf (_ ("It wants you to open a page of %s."), host);
  ask (task, question, choices, FALSE, warning, address_cb);
}

/* --- Public -----------------------------------------------------------------------------------
 */

/**
 * gadget_mcp_elicit_async:
 * @server: the server's name, as the user gave it
 * @params: (nullable): the parameters of "elicitation/create"
 * @item: (nullable): the item that shows the question; %NULL when no user is there to answer
 * @cancellable: (nullable): dismisses the question
 *
 * Asks the user one question of a server.
 */
void
gadget_mcp_elicit_async (const char *server, JsonObject *params, GadgetItem *item,
                         GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task;
  Elicit *self;
  const char *message;
  const char *mode;

  g_return_if_fail (server != NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_elicit_async);
  self = g_new0 (Elicit, 1);
  self->review = g_string_new (NULL);
  g_task_set_task_data (task, self, elicit_free);
  if (params == NULL || g_cancellable_is_cancelled (cancellable))
    {
      finish (task, "cancel", NULL);
      return;
    }
  if (item == NULL)
    {
      finish (task, "decline", NULL);
      return;
    }

  message = gadget_json_get_string (params, "message");
  mode = gadget_json_get_string (params, "mode");
  self->server = g_strdup (server);
  self->message = dup_bounded (message != NULL ? message : "");
  self->item = g_object_ref (item);
  g_set_object (&self->cancellable, cancellable);
  if (g_strcmp0 (mode, "url") == 0)
    {
      ask_address (task, gadget_json_get_string (params, "url"));
      return;
    }
  self->content = json_object_new ();
  self->fields = gadget_mcp_form_parse (gadget_json_get_object (params, "requestedSchema"), NULL);
  if (self->fields == NULL)
    finish (task, "cancel", NULL);
  else
    ask_next (task);
}

/**
 * gadget_mcp_elicit_finish:
 *
 * Returns: (transfer full): the response to the server; never %NULL
 */
JsonObject *
gadget_mcp_elicit_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

gboolean
gadget_mcp_elicit_is_known (JsonObject *params)
{
  const char *mode = gadget_json_get_string (params, "mode");

  return params != NULL
         && (mode == NULL || g_str_equal (mode, "form") || g_str_equal (mode, "url"));
}

void
gadget_mcp_elicit_withdraw (GadgetItem *item)
{
  GadgetPrompt *prompt = item != NULL ? gadget_item_get_prompt (item) : NULL;

  if (prompt != NULL && gadget_prompt_get_kind (prompt) == GADGET_PROMPT_QUESTION)
    gadget_prompt_refuse (prompt);
}
