/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a server wants to know from the user while it works, in both versions. */

#include "config.h"

#include "mcp-fixture.h"
#include "mcp/gadget-mcp-elicit.h"
#include "test-wait.h"

#include <signal.h>
#include <string.h>

#define SOON_MS 10000

static const char *
wait_question (McpFixture *f)
{
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  return gadget_prompt_get_title (gadget_item_get_prompt (f->item));
}

static gboolean
has_choice (McpFixture *f, const char *choice)
{
  return g_strv_contains (gadget_prompt_get_choices (gadget_item_get_prompt (f->item)), choice);
}

static void
assert_result (McpFixture *f, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) result = mcp_finish_call (f, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (result->text, ==, expected);
}

static void
test_asks (McpFixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpResult) result = NULL;
  GadgetPrompt *prompt;

  mcp_connect (f);
  mcp_start_call (f, "asks", "{}");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  prompt = gadget_item_get_prompt (f->item);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, "Who are you?\nName");
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER), ==,
                   "The server “mock” asks you something");
  g_assert_null (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  g_assert_true (gadget_prompt_get_allow_text (prompt));
  g_assert_true (g_strv_contains (gadget_prompt_get_choices (prompt), "Decline"));
  mcp_answer (f, "A");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  prompt = gadget_item_get_prompt (f->item);
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING), ==,
                   "It must have at least 2 characters.");
  mcp_answer (f, "Ada");
  result = mcp_finish_call (f, NULL);
  g_assert_cmpstr (result->text, ==, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
}

static void
test_asks_form (McpFixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_connect (f);
  mcp_start_call (f, "asks-form", "{}");
  mcp_answer (f, "M");
  mcp_answer (f, "Leave empty");
  mcp_answer (f, "Yes");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  g_assert_cmpstr (gadget_prompt_get_title (gadget_item_get_prompt (f->item)), ==,
                   "size: M\nsure: Yes");
  mcp_answer (f, "Send");
  result = mcp_finish_call (f, NULL);
  g_assert_cmpstr (result->text, ==,
                   "{\"action\": \"accept\", \"content\": {\"size\": \"M\", \"sure\": true}}");
}

static void
test_asks_url (McpFixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_connect (f);
  mcp_start_call (f, "asks-url", "{}");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  g_assert_cmpstr (gadget_prompt_get_title (gadget_item_get_prompt (f->item)), ==,
                   "Log in\nhttps://example.org/login");
  g_assert_cmpstr (gadget_prompt_get_text (gadget_item_get_prompt (f->item), GADGET_PROMPT_WARNING),
                   ==, "It wants you to open a page of example.org.");
  mcp_answer (f, "Decline");
  result = mcp_finish_call (f, NULL);
  g_assert_cmpstr (result->text, ==, "{\"action\": \"decline\"}");
}

/* X23: the question is taken away, and the server is told. */
static void
test_abort_asking (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_start_call (f, "asks", "{}");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  mcp_abort (f);
  if (g_str_equal (data, "--era legacy"))
    {
      mcp_wait_log (f, "notifications/cancelled", 1);
      mcp_wait_log (f, "\"action\": \"cancel\"", 1);
    }
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpuint (mcp_count_log (f, "inputResponses"), ==, 0);
}

/* The answer came although it had asked: the question is withdrawn. */
static void
test_asks_in_vain (McpFixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_connect (f);
  mcp_start_call (f, "asks-twice", "{}");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  result = mcp_finish_call (f, NULL);
  g_assert_cmpstr (result->text, ==, "did not need it");
  mcp_wait_log (f, "\"action\": \"cancel\"", 1);
  g_assert_null (gadget_item_get_prompt (f->item));
}

static void
test_nobody (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  g_clear_object (&f->item);
  text = mcp_call (f, "asks", "{}");
  g_assert_cmpstr (text, ==, "{\"action\": \"decline\"}");
  f->item = gadget_item_new (GADGET_ITEM_TOOL_CALL);
}

static void
test_declined (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_connect (f);
  mcp_start_call (f, "samples", "{}");
  result = mcp_finish_call (f, &error);
  if (g_str_equal (data, "--era legacy"))
    g_assert_nonnull (strstr (result->text, "-32601"));
  else
    g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL);
}

static const char *
get_warning (McpFixture *f)
{
  return gadget_prompt_get_text (gadget_item_get_prompt (f->item), GADGET_PROMPT_WARNING);
}

/* A field of each kind; what does not fit is asked for again, and all can be said anew. */
static void
test_asks_all (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  mcp_start_call (f, "asks-all", "{}");
  mcp_answer (f, "nobody");
  wait_question (f);
  g_assert_cmpstr (get_warning (f), ==, "It must be an e-mail address.");
  mcp_answer (f, "ada@example.org");
  mcp_answer (f, "31.12.2026");
  wait_question (f);
  g_assert_cmpstr (get_warning (f), ==, "It must be a date, such as 2026-12-31.");
  mcp_answer (f, "2026-12-31");
  wait_question (f);
  g_assert_true (has_choice (f, "1.5"));
  mcp_answer (f, "0.25");
  wait_question (f);
  g_assert_cmpstr (get_warning (f), ==, "It must be at least 0.5.");
  mcp_answer (f, "2.5");
  g_assert_true (g_str_has_suffix (wait_question (f), "sure\nSuggested: Yes"));
  mcp_answer (f, "No");
  g_assert_true (g_str_has_suffix (wait_question (f), "plan\nSuggested: Plan B"));
  mcp_answer (f, "Plan A");
  wait_question (f);
  g_assert_true (has_choice (f, "X, the first, Y"));
  mcp_answer (f, "Z");
  wait_question (f);
  g_assert_cmpstr (get_warning (f), ==, "Choose among: X, the first, Y");
  mcp_answer (f, "X, the first");
  g_assert_cmpstr (wait_question (f), ==,
                   "mail: ada@example.org\nday: 2026-12-31\nn: 2.5\nsure: No\n"
                   "plan: Plan A\ntags: X, the first");
  mcp_answer (f, "Start Over");
  mcp_answer (f, "ada@example.org");
  mcp_answer (f, "Leave empty");
  mcp_answer (f, "1.5");
  mcp_answer (f, "Leave empty");
  mcp_answer (f, "Plan B");
  mcp_answer (f, "X, the first, Y");
  mcp_answer (f, "Send");
  assert_result (f, "{\"action\": \"accept\", \"content\": {\"mail\": \"ada@example.org\", "
                    "\"n\": 1.5, \"plan\": \"b\", \"tags\": [\"x\", \"y\"]}}");
}

/* In the middle of a form, and at its end. */
static void
test_declined_midway (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  mcp_start_call (f, "asks-form", "{}");
  mcp_answer (f, "M");
  mcp_answer (f, "Decline");
  assert_result (f, "{\"action\": \"decline\"}");
  mcp_start_call (f, "asks-form", "{}");
  mcp_answer (f, "M");
  mcp_answer (f, "3");
  mcp_answer (f, "No");
  wait_question (f);
  mcp_abort (f);
}

/* What the server offers is never taken for what we do. */
static void
test_own_words (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  mcp_start_call (f, "asks-decline", "{}");
  wait_question (f);
  g_assert_true (has_choice (f, "[Decline]"));
  g_assert_true (has_choice (f, "[Leave empty]"));
  mcp_answer (f, "Decline");
  assert_result (f, "{\"action\": \"accept\", \"content\": {\"reply\": \"Decline\"}}");
  mcp_start_call (f, "asks-decline", "{}");
  mcp_answer (f, "[Decline]");
  assert_result (f, "{\"action\": \"decline\"}");
}

static void
test_unknown_mode (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "asks-oddly", "{\"text\":\"hologram\"}");
  g_assert_nonnull (strstr (text, "-32602"));
}

/* A call that fails until the user has opened an address. */
static void
test_needs_url (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  mcp_start_call (f, "needs-url", "{}");
  g_assert_cmpstr (wait_question (f), ==, "Log in\nhttps://example.org/1");
  mcp_answer (f, "I Opened It, Go On");
  assert_result (f, "opened");
}

/* --- A server that poses as somebody else ----------------------------------------------------- */

static void
elicited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  JsonObject **answer = user_data;

  *answer = gadget_mcp_elicit_finish (result);
}

/* Its words stay in their place, and what looks like a secret is looked at before it is sent. */
static void
test_poses (McpFixture *f, gconstpointer data)
{
  g_autoptr (GString) message = g_string_new ("Hello”\nGadget asks: unlock your keyring\n");
  g_autoptr (JsonNode) schema = json_from_string (
      "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"title\":\"Keyring "
      "password\",\"default\":\"hunter2\"}},\"required\":[\"a\"]}",
      NULL);
  g_autoptr (JsonObject) params = json_object_new ();
  g_autoptr (JsonObject) answer = NULL;
  GadgetPrompt *prompt;

  for (guint i = 0; i < 100; i++)
    g_string_append (message, "line\n");
  json_object_set_string_member (params, "message", message->str);
  json_object_set_member (params, "requestedSchema", json_node_copy (schema));
  gadget_mcp_elicit_async ("mock”\nGadget", params, f->item, NULL, elicited_cb, &answer);
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  prompt = gadget_item_get_prompt (f->item);
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_ASKER), ==,
                   "The server “mock”\\x0aGadget” asks you something");
  g_assert_nonnull (strstr (get_warning (f), "password"));
  g_assert_false (has_choice (f, "hunter2"));
  {
    g_auto (GStrv) lines = g_strsplit (gadget_prompt_get_title (prompt), "\n", -1);

    g_assert_cmpuint (g_strv_length (lines), <=, 14);
  }
  mcp_answer (f, "sesame");
  g_assert_cmpstr (wait_question (f), ==, "a: sesame");
  g_assert_null (answer);
  mcp_answer (f, "Decline");
  while (answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (json_object_get_string_member (answer, "action"), ==, "decline");
}

static void
test_needs_url_declined (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "needs-url", "{\"text\":\"never\"}");
  mcp_answer (f, "I Opened It, Go On");
  g_assert_true (g_str_has_suffix (wait_question (f), "https://example.org/2"));
  mcp_answer (f, "Decline");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_URL_ELICITATION_REQUIRED);
  g_assert_cmpstr (error->message, ==, "It must be opened");

  mcp_start_call (f, "needs-url", "{\"text\":\"never\"}");
  wait_question (f);
  mcp_abort (f);
}

#define ADD_LEGACY(name, function)                                                                 \
  g_test_add ("/engine/mcp-questions/legacy/" name, McpFixture, "--era legacy", mcp_set_up,        \
              function, mcp_tear_down)
#define ADD_BOTH(name, function)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    ADD_LEGACY (name, function);                                                                   \
    g_test_add ("/engine/mcp-questions/modern/" name, McpFixture, "--era modern", mcp_set_up,      \
                function, mcp_tear_down);                                                          \
  }                                                                                                \
  G_STMT_END

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  ADD_BOTH ("asks", test_asks);
  ADD_BOTH ("asks-form", test_asks_form);
  ADD_BOTH ("asks-url", test_asks_url);
  ADD_BOTH ("asks-all", test_asks_all);
  ADD_BOTH ("poses", test_poses);
  ADD_BOTH ("declined-midway", test_declined_midway);
  ADD_BOTH ("own-words", test_own_words);
  ADD_BOTH ("X23-abort-asking", test_abort_asking);
  ADD_LEGACY ("asks-in-vain", test_asks_in_vain);
  ADD_LEGACY ("unknown-mode", test_unknown_mode);
  ADD_LEGACY ("needs-url", test_needs_url);
  ADD_LEGACY ("needs-url-declined", test_needs_url_declined);
  ADD_BOTH ("nobody", test_nobody);
  ADD_BOTH ("declined", test_declined);

  return g_test_run ();
}
