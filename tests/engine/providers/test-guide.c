/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-wait.h"

#include "common/gadget-json.h"
#include "providers/gadget-guide-script.h"
#include "providers/gadget-guide.h"

#include <string.h>

#define SOON_MS 5000

/* --- The script ------------------------------------------------------------------------------ */

static GadgetRequest *
make_request (const char *prompt, const char *tools)
{
  GadgetRequest *request = gadget_request_new ();
  g_auto (GStrv) names = g_strsplit (tools, " ", -1);

  gadget_request_add_message (request, GADGET_ROLE_USER, prompt);
  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0')
      gadget_request_add_tool (request, names[i], "", "{}");
  return request;
}

#define ALL_TOOLS "read_file shell wait ask_user task"

/* "text" and the names of the calls, in order; the words are in @text, if wanted. */
static char *
plan (GadgetRequest *request, char **text, char **arguments)
{
  g_autoptr (GPtrArray) steps = gadget_guide_script_plan (request);
  g_autoptr (GString) shape = g_string_new (NULL);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < steps->len; i++)
    {
      const GadgetGuideStep *step = g_ptr_array_index (steps, i);

      if (step->kind == GADGET_GUIDE_CALL)
        {
          g_autoptr (JsonNode) node = gadget_json_parse (step->text, strlen (step->text), NULL);

          g_assert_nonnull (node);
          g_assert_true (JSON_NODE_HOLDS_OBJECT (node));
          g_string_append_printf (shape, "%s ", step->name);
          if (arguments != NULL)
            g_set_str (arguments, step->text);
        }
      else
        {
          g_assert_cmpstr (step->text, !=, "");
          g_string_append (shape, step->kind == GADGET_GUIDE_TEXT ? "text " : "reasoning ");
          g_string_append (words, step->text);
        }
    }
  g_assert_null (strchr (words->str, '!'));
  g_assert_null (strstr (words->str, " AI "));
  if (text != NULL)
    *text = g_strdup (words->str);
  return g_strdup (g_strchomp (shape->str));
}

static void
assert_plan (const char *prompt, const char *tools, const char *expected)
{
  g_autoptr (GadgetRequest) request = make_request (prompt, tools);
  g_autofree char *found = plan (request, NULL, NULL);

  g_assert_cmpstr (found, ==, expected);
}

static void
assert_says (const char *prompt, const char *words)
{
  g_autoptr (GadgetRequest) request = make_request (prompt, ALL_TOOLS);
  g_autofree char *text = NULL;
  g_autofree char *shape = plan (request, &text, NULL);

  if (strstr (text, words) == NULL)
    g_error ("“%s” is not in: %s", words, text);
}

static void
test_topics (void)
{
  assert_says ("What is Gadget?", "not a language model");
  assert_says ("Hi", "I am the Guide");
  assert_says ("who are you", "a script built into Gadget");
  assert_says ("What is the history of Rome?", "I have no answer to that");
  assert_says ("How do I add a provider?", "Ollama");
  assert_says ("Where is my KEY kept?", "keyring");
  assert_says ("What about privacy?", "no telemetry");
  assert_says ("How do I undo?", "Nothing you see is lost");
  assert_says ("What is the queue?", "Enter puts your message");
  assert_says ("", "I have no answer");
}

static void
test_tools (void)
{
  g_autoptr (GadgetRequest) request = make_request ("Please read “src/main.c”.", ALL_TOOLS);
  g_autofree char *arguments = NULL;
  g_autofree char *shape = plan (request, NULL, &arguments);

  g_assert_cmpstr (shape, ==, "text read_file");
  g_assert_cmpstr (arguments, ==, "{\"path\":\"src/main.c\"}");

  assert_plan ("Read a file", ALL_TOOLS, "text read_file");
  assert_plan ("Run a slow command", ALL_TOOLS, "text shell wait");
  assert_plan ("Run a command", ALL_TOOLS, "text shell");
  assert_plan ("Ask me something", ALL_TOOLS, "text ask_user");
  assert_plan ("Wait a little", ALL_TOOLS, "text wait");
  assert_plan ("Two tools in parallel", ALL_TOOLS, "text wait wait");
  assert_plan ("Let the Guide show you Stop", ALL_TOOLS, "text text text wait shell");
  assert_plan ("Show me Stop", "wait", "text text text wait");
  assert_plan ("Let me see you think", ALL_TOOLS, "reasoning text");
  assert_plan ("Hand work to a helper", ALL_TOOLS, "text task task");
  assert_plan ("Hand work to a helper", "wait", "text");

  /* A tool that is not offered is never called. */
  assert_plan ("Run a command", "read_file", "text");
  assert_plan ("Read a file", "", "text");
  assert_plan ("Ask me something", "", "text");
}

/* What it tells its helpers, it understands itself. */
static void
test_helpers (void)
{
  static const char *const shapes[] = { "text text text", "text wait" };
  g_autoptr (GadgetRequest) request = make_request ("Hand work to a helper", ALL_TOOLS);
  g_autoptr (GPtrArray) steps = gadget_guide_script_plan (request);

  for (guint i = 1; i < steps->len; i++)
    {
      const GadgetGuideStep *step = g_ptr_array_index (steps, i);
      g_autoptr (JsonNode) node = gadget_json_parse (step->text, strlen (step->text), NULL);
      const char *prompt = gadget_json_get_string (json_node_get_object (node), "prompt");

      assert_plan (prompt, ALL_TOOLS, shapes[i - 1]);
    }
}

static void
test_story (void)
{
  g_autoptr (GadgetRequest) request = make_request ("Tell me a long story", ALL_TOOLS);
  g_autofree char *text = NULL;
  g_autofree char *shape = plan (request, &text, NULL);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  /* At least three minutes. */
  g_assert_cmpuint (g_strv_length (words), >, 3 * 60 * 40);
}

static void
test_results (void)
{
  g_autoptr (GadgetRequest) request = make_request ("Run a slow command", ALL_TOOLS);
  GadgetMessage *message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "I run");
  g_autofree char *text = NULL;
  g_autofree char *shape = NULL;

  gadget_message_add_call (message, "c1", "shell", "{\"command\":\"ls\"}");
  gadget_message_add_call (message, "c2", "wait", "{\"seconds\":1}");
  gadget_request_add_result (request, "c1", "shell", "one\ntwo\n");
  gadget_request_add_result (request, "c2", "wait", "Waited 1 s.");

  shape = plan (request, &text, NULL);
  g_assert_null (strstr (shape, "shell"));
  g_assert_nonnull (strstr (text, "one\ntwo"));
  g_assert_nonnull (strstr (text, "The timer is over"));
}

/* What was refused, failed, or was stopped by itself is not called done. */
static void
test_results_not_done (void)
{
  g_autoptr (GadgetRequest) request = make_request ("Run a slow command", ALL_TOOLS);
  GadgetMessage *message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "I run");
  g_autofree char *text = NULL;
  g_autofree char *shape = NULL;

  gadget_message_add_call (message, "c1", "shell", "{\"command\":\"ls\"}");
  gadget_message_add_call (message, "c2", "shell", "{\"command\":\"ls\"}");
  gadget_message_add_call (message, "c3", "wait", "{\"seconds\":1}");
  gadget_message_add_call (message, "c4", "ask_user", "{\"question\":\"Which?\"}");
  gadget_request_add_result (request, "c1", "shell", "The user did not allow it.")->failed = TRUE;
  gadget_request_add_result (request, "c2", "shell",
                             "line 1\n[Interrupted by user: this is what came before that.]");
  gadget_request_add_result (request, "c3", "wait", "Interrupted by user.");
  gadget_request_add_result (request, "c4", "ask_user", "Nobody is there.")->failed = TRUE;

  shape = plan (request, &text, NULL);
  g_assert_nonnull (strstr (text, "The user did not allow it."));
  g_assert_nonnull (strstr (text, "line 1"));
  g_assert_nonnull (strstr (text, "Nobody is there."));
  g_assert_null (strstr (text, "is done"));
  g_assert_null (strstr (text, "is over"));
  g_assert_null (strstr (text, "go on from there"));
}

static void
test_interruption (void)
{
  g_autoptr (GadgetRequest) request = make_request ("Run a slow command", ALL_TOOLS);
  GadgetMessage *message =
      gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "four words are here");
  g_autofree char *text = NULL;
  g_autofree char *shape = NULL;

  gadget_message_add_call (message, "c1", "shell", "{\"command\":\"ls\"}");
  gadget_request_add_result (request, "c1", "shell",
                             "line 1\n[Interrupted by user: this is what came before that.]");
  gadget_request_add_message (request, GADGET_ROLE_USER,
                              "[The previous turn was interrupted by the user before it was "
                              "complete. Tools may have partly run.]\n\nWhat happened?");
  shape = plan (request, &text, NULL);
  g_assert_cmpstr (shape, ==, "text");
  g_assert_nonnull (strstr (text, "4 words"));
  g_assert_nonnull (strstr (text, "1 tool was stopped"));

  /* With another question, that is answered as well. */
  g_clear_pointer (&text, g_free);
  g_clear_pointer (&shape, g_free);
  g_ptr_array_remove_index (request->messages, request->messages->len - 1);
  gadget_request_add_message (request, GADGET_ROLE_USER,
                              "[The previous turn was interrupted by the user before it was "
                              "complete.]\n\nWhat about privacy?");
  shape = plan (request, &text, NULL);
  g_assert_cmpstr (shape, ==, "text text");
  g_assert_nonnull (strstr (text, "no telemetry"));
}

/* --- The provider ---------------------------------------------------------------------------- */

typedef struct
{
  GadgetClock *clock;
  GadgetProvider *guide;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GAsyncResult *result;
  GString *text;
  GString *calls;
  guint n_late;
  guint abort_at_word;
  guint n_words;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->clock = gadget_clock_new_manual (1000);
  f->guide = gadget_guide_new (f->clock);
  f->receipt = gadget_receipt_new ();
  f->cancellable = g_cancellable_new ();
  f->text = g_string_new (NULL);
  f->calls = g_string_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (f->n_late, ==, 0);
  g_clear_object (&f->result);
  g_assert_finalize_object (f->guide);
  g_assert_finalize_object (f->clock);
  g_assert_finalize_object (f->cancellable);
  g_assert_finalize_object (f->receipt);
  g_string_free (f->text, TRUE);
  g_string_free (f->calls, TRUE);
}

static void
sink (const GadgetChatEvent *event, gpointer user_data)
{
  Fixture *f = user_data;

  f->n_late += g_cancellable_is_cancelled (f->cancellable);
  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (f->text, event->text);
      if (++f->n_words == f->abort_at_word)
        g_cancellable_cancel (f->cancellable);
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_assert_cmpstr (event->call_id, !=, "");
      g_string_append_printf (f->calls, "%u:%s", event->call_index, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append (f->calls, event->text);
      break;
    case GADGET_CHAT_USAGE:
      g_assert_cmpint (event->usage.input_tokens + event->usage.output_tokens, ==, 0);
      break;
    case GADGET_CHAT_CALL_END:
      g_string_append (f->calls, ";");
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
start (Fixture *f, const char *prompt)
{
  g_autoptr (GadgetRequest) request = make_request (prompt, ALL_TOOLS);

  gadget_provider_chat_async (f->guide, request, sink, f, f->receipt, f->cancellable,
                              test_result_cb, &f->result);
}

static gboolean
finish (Fixture *f, GError **error)
{
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  return gadget_provider_chat_finish (f->guide, f->result, error);
}

static void
assert_aborted (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  gadget_clock_advance (f->clock, 60 * G_USEC_PER_SEC);
  test_run_for (20);
}

static void
test_pace (Fixture *f, gconstpointer data)
{
  start (f, "Run a slow command");
  gadget_clock_advance (f->clock, 299 * 1000);
  g_assert_cmpuint (f->n_words, ==, 0);
  gadget_clock_advance (f->clock, 1000);
  g_assert_cmpuint (f->n_words, ==, 1);
  gadget_clock_advance (f->clock, 250 * 1000);
  g_assert_cmpuint (f->n_words, ==, 11);
  for (guint i = 0; i < 100; i++)
    gadget_clock_advance (f->clock, 25 * 1000);
  g_assert_true (finish (f, NULL));
  g_assert_true (g_str_has_prefix (f->text->str, "I run a command that writes"));
  g_assert_true (g_str_has_suffix (f->text->str, "Stop them whenever you like."));
  g_assert_true (g_str_has_prefix (f->calls->str, "0:shell{\"command\":\"for i in"));
  g_assert_true (g_str_has_suffix (f->calls->str, "1:wait{\"seconds\":30};"));
}

static void
test_abort_before (Fixture *f, gconstpointer data)
{
  g_cancellable_cancel (f->cancellable);
  start (f, "Hi");
  assert_aborted (f);
  g_assert_cmpstr (f->text->str, ==, "");
}

static void
test_abort_mid_text (Fixture *f, gconstpointer data)
{
  start (f, "Tell me a long story");
  gadget_clock_advance (f->clock, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (f->n_words, >, 20);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 1);
  gadget_receipt_mark_abort (f->receipt);
  g_cancellable_cancel (f->cancellable);
  assert_aborted (f);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
  g_assert_cmpuint (gadget_receipt_get_n_lines (f->receipt), ==, 1);
  g_assert_cmpint (gadget_receipt_get_line (f->receipt, 0)->kind, ==, GADGET_RECEIPT_REPLY);
}

static void
test_abort_from_sink (Fixture *f, gconstpointer data)
{
  f->abort_at_word = 5;
  start (f, "Tell me a long story");
  gadget_clock_advance (f->clock, 2 * G_USEC_PER_SEC);
  assert_aborted (f);
  g_assert_cmpuint (f->n_words, ==, 5);
}

static void
test_models (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  gadget_provider_list_models_async (f->guide, NULL, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  models = gadget_provider_list_models_finish (f->guide, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 1);
}

#define ADD(path, func) g_test_add ("/engine/guide/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/guide/script/topics", test_topics);
  g_test_add_func ("/engine/guide/script/tools", test_tools);
  g_test_add_func ("/engine/guide/script/helpers", test_helpers);
  g_test_add_func ("/engine/guide/script/story", test_story);
  g_test_add_func ("/engine/guide/script/results", test_results);
  g_test_add_func ("/engine/guide/script/results-not-done", test_results_not_done);
  g_test_add_func ("/engine/guide/script/interruption", test_interruption);
  ADD ("pace", test_pace);
  ADD ("abort-before", test_abort_before);
  ADD ("abort-mid-text", test_abort_mid_text);
  ADD ("abort-from-sink", test_abort_from_sink);
  ADD ("models", test_models);
  return g_test_run ();
}
