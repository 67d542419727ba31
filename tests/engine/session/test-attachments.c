/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user gives with a message: in requests of every dialect, and in those of an agent. How
 * it is read is in test-attachment-reader.c, how it is stored in test-attachments-stored.c. */

#include "config.h"

#include "agent-fixture.h"
#include "strict-body.h"
#include "strict-request.h"
#include "wait.h"
#include "providers/gadget-anthropic.h"
#include "providers/gadget-gemini.h"
#include "providers/gadget-ollama.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-openai-responses.h"
#include "session/gadget-attachment.h"
#include "session/gadget-history.h"
#include "session/gadget-session-pictures.h"
#include "attachments-fixture.h"

#include <string.h>

static GadgetItem *
append_item (GadgetTurn *turn, GadgetItemKind kind, const char *text, guint step)
{
  g_autoptr (GadgetItem) item = gadget_item_new (kind);

  gadget_item_set_step (item, step);
  gadget_item_append_text (item, text, -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  return item;
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Two turns, and words said into the first: everything has something with it. */
static GadgetSession *
make_chat (void)
{
  GadgetSession *session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = attachments_make ("one.png", "First line\n");
  g_autoptr (GPtrArray) two = attachments_make ("two.png", "Second");
  g_autoptr (GPtrArray) three = attachments_make ("three.png", "Third");
  GadgetTurn *turn = attachments_append_turn (session, "t1", "Look", one);
  GadgetItem *steer;

  append_item (turn, GADGET_ITEM_TEXT, "I see.", 0);
  steer = append_item (turn, GADGET_ITEM_STEER, "And this", 1);
  gadget_attachments_set (steer, two);
  append_item (turn, GADGET_ITEM_TEXT, "Yes.", 1);
  gadget_turn_finish (turn);
  attachments_append_turn (session, "t2", "", three);
  return session;
}

static void
assert_part (const GadgetMessage *message, guint index, GadgetPartType type, const char *text)
{
  const GadgetPart *part;

  g_assert_cmpuint (index, <, message->parts->len);
  part = g_ptr_array_index (message->parts, index);
  g_assert_cmpint (part->type, ==, type);
  if (type == GADGET_PART_TEXT)
    g_assert_cmpstr (part->text, ==, text);
  else
    g_assert_cmpstr (part->name, ==, text);
}

static void
test_in_request (void)
{
  g_autoptr (GadgetSession) session = make_chat ();
  g_autoptr (GadgetRequest) request = gadget_history_build (session, NULL);
  const GadgetMessage *message;

  strict_request_assert (request);
  g_assert_cmpuint (request->messages->len, ==, 5);
  message = g_ptr_array_index (request->messages, 0);
  assert_part (message, 0, GADGET_PART_IMAGE, "one.png");
  assert_part (message, 1, GADGET_PART_TEXT,
               "<attached-file name=\"notes.txt\">\nFirst line\n</attached-file>\n\nLook");
  message = g_ptr_array_index (request->messages, 2);
  assert_part (message, 0, GADGET_PART_IMAGE, "two.png");
  assert_part (message, 1, GADGET_PART_TEXT,
               "<attached-file name=\"notes.txt\">\nSecond\n</attached-file>\n\nAnd this");
  /* Without words it is a message all the same. */
  message = g_ptr_array_index (request->messages, 4);
  g_assert_cmpuint (message->parts->len, ==, 2);
  assert_part (message, 1, GADGET_PART_TEXT,
               "<attached-file name=\"notes.txt\">\nThird\n</attached-file>");
}

/* A picture whose bytes are gone is told of; so is one that the model does not take. */
static void
test_not_shown (void)
{
  g_autoptr (GadgetSession) session = make_chat ();
  GPtrArray *given = gadget_attachments_get (gadget_session_get_turn (session, 0));
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) words = NULL;

  gadget_picture_set_data (gadget_attachment_get_picture (g_ptr_array_index (given, 0)), NULL);
  request = gadget_history_build (session, NULL);
  strict_request_assert (request);
  g_assert_true (g_str_has_prefix (request_get_text (request, 0),
                                   "[A picture that was attached here is not shown again.]\n\n"
                                   "<attached-file"));
  words = gadget_request_without_images (request);
  strict_request_assert (words);
  g_assert_true (
      g_str_has_prefix (request_get_text (words, 2),
                        "[A picture (image/png) that was here is not shown to you.]\n\n"));
}

/* What a summary stands for is not said again; the prompt of its turn is, with what was given. */
static void
test_summary (void)
{
  g_autoptr (GadgetSession) session = make_chat ();
  GadgetTurn *turn = gadget_session_get_turn (session, 1);
  g_autoptr (GPtrArray) chosen = NULL;
  g_autoptr (GadgetRequest) request = NULL;

  append_item (turn, GADGET_ITEM_SUMMARY, "They talked.", 0);
  append_item (turn, GADGET_ITEM_TEXT, "Go on.", 1);
  gadget_turn_finish (turn);
  attachments_append_turn (session, "t3", "More", NULL);
  chosen = gadget_session_choose_pictures (session);
  g_assert_cmpuint (chosen->len, ==, 1);
  g_assert_cmpstr (gadget_picture_get_name (g_ptr_array_index (chosen, 0)), ==, "three.png");
  request = gadget_history_build (session, NULL);
  strict_request_assert (request);
  g_assert_cmpuint (
      gadget_message_count (g_ptr_array_index (request->messages, 0), GADGET_PART_IMAGE), ==, 1);
  g_assert_null (strstr (request_get_text (request, 0), "First line"));
  g_assert_nonnull (strstr (request_get_text (request, 0), "Third"));
}

static void
test_dialects (void)
{
  static const struct
  {
    const GadgetDialect *dialect;
    StrictFunc strict;
  } rows[] = {
    { &gadget_openai_chat_dialect, strict_openai_chat },
    { &gadget_openai_responses_dialect, strict_responses },
    { &gadget_anthropic_dialect, strict_anthropic },
    { &gadget_ollama_dialect, strict_ollama },
    { &gadget_gemini_dialect, strict_gemini },
  };
  const GadgetModelSupport terms = { 0 };
  g_autoptr (GadgetSession) session = make_chat ();
  g_autoptr (GadgetRequest) request = gadget_history_build (session, NULL);
  g_autofree char *code = g_base64_encode ((const guchar *) HEAD, sizeof HEAD - 1);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GBytes) body = rows[i].dialect->make_chat_body (request, "model", &terms);
      gsize length;
      const char *text = g_bytes_get_data (body, &length);
      g_autofree char *copy = g_strndup (text, length);
      g_autofree char *refused = rows[i].strict (text, length, NULL);
      guint n_pictures = 0;

      g_test_message ("%s", rows[i].dialect->kind.id);
      g_assert_cmpstr (refused, ==, NULL);
      for (const char *at = copy; (at = strstr (at, code)) != NULL; at++)
        n_pictures++;
      g_assert_cmpuint (n_pictures, ==, 3);
      g_assert_nonnull (strstr (copy, "First line"));
      g_assert_nonnull (strstr (copy, "Third"));
    }
}

/* A name cannot end the tag, nor reorder what is around it. */
static void
test_names (void)
{
  g_autoptr (GadgetAttachment) attachment =
      gadget_attachment_new_text ("a\"><b>\n\u202e.txt", "x", 1);
  g_autofree char *words = gadget_attachment_dup_model_text (attachment);

  g_assert_cmpstr (words, ==, "<attached-file name=\"a___b__\\u202e.txt\">\nx\n</attached-file>");
}

/* --- The agent -------------------------------------------------------------------------------- */

static const GadgetMessage *
get_last_message (FakeProvider *provider)
{
  GadgetRequest *request =
      fake_provider_get_request (provider, fake_provider_get_n_requests (provider) - 1);

  return g_ptr_array_index (request->messages, request->messages->len - 1);
}

/* Sent, steered and queued, it reaches the model; an abort loses none of it. */
static void
test_agent (Fixture *fixture, gconstpointer data)
{
  AgentFixture *agent = &fixture->agent;
  g_autoptr (GPtrArray) one = attachments_make ("one.png", "First");
  g_autoptr (GPtrArray) two = attachments_make ("two.png", "Second");
  g_autoptr (GPtrArray) three = attachments_make ("three.png", "Third");
  const GadgetTurnOptions options = { .interactive = TRUE, .attachments = one };
  g_autoptr (GadgetQueuedMessage) steering = gadget_queued_message_new_steering ("And this");
  g_autoptr (GadgetQueuedMessage) waiting = gadget_queued_message_new ("Then that");
  g_autoptr (GadgetRun) run_ = NULL;
  g_autoptr (GError) error = NULL;
  const GadgetMessage *message;
  GadgetRequest *last;
  g_autoptr (GadgetQueuedMessage) kept = NULL;

  run_ = gadget_agent_start (agent->agent, agent->session, "", &options, &error);
  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (agent->provider));
  g_assert_cmpstr (gadget_session_get_title (agent->session), ==, "one.png");
  assert_part (get_last_message (agent->provider), 0, GADGET_PART_IMAGE, "one.png");

  gadget_attachments_set (steering, two);
  gadget_session_enqueue_message (agent->session, steering);
  gadget_attachments_set (waiting, three);
  gadget_session_enqueue_message (agent->session, waiting);
  fake_provider_call (agent->provider, 0, "a", "slow", "{}");
  fake_provider_end (agent->provider);
  wait_until (fake_tool_is_running (agent->slow));
  fake_tool_end (agent->slow, "Done.");
  wait_until (fake_provider_is_waiting (agent->provider));
  message = get_last_message (agent->provider);
  assert_part (message, 0, GADGET_PART_IMAGE, "two.png");

  agent_abort_now (agent);
  wait_until (gadget_session_get_active_run (agent->session) == NULL);
  attachments_assert (gadget_session_get_turn (agent->session, 0), "one.png", "First");
  kept = g_list_model_get_item (gadget_session_get_queue (agent->session), 0);
  attachments_assert (kept, "three.png", "Third");
  /* From the store again, since a turn drops the bytes at its end. */
  g_assert_true (gadget_agent_send_queued (agent->agent, agent->session, 0, NULL, &error));
  wait_until (fake_provider_is_waiting (agent->provider));
  message = get_last_message (agent->provider);
  g_assert_cmpuint (gadget_message_count (message, GADGET_PART_IMAGE), ==, 2);
  last = fake_provider_get_request (agent->provider, 2);
  g_assert_nonnull (strstr (request_get_text (last, last->messages->len - 1), "Then that"));
  fake_provider_end (agent->provider);
  wait_until (gadget_session_get_active_run (agent->session) == NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/attachments/in-request", test_in_request);
  g_test_add_func ("/engine/attachments/not-shown", test_not_shown);
  g_test_add_func ("/engine/attachments/summary", test_summary);
  g_test_add_func ("/engine/attachments/dialects", test_dialects);
  g_test_add_func ("/engine/attachments/names", test_names);
#define ADD(name, function)                                                                        \
  g_test_add ("/engine/attachments/" name, Fixture, NULL, attachments_set_up, function,            \
              attachments_tear_down)
  ADD ("agent", test_agent);

  return g_test_run ();
}
