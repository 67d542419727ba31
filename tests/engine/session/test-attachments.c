/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user gives with a message: in requests of every dialect, and on its way through the
 * store from the draft to the turn. How it is read is in test-attachment-reader.c. */

#include "config.h"

#include "agent-fixture.h"
#include "strict-body.h"
#include "strict-request.h"
#include "test-store.h"
#include "wait.h"

#include "providers/gadget-anthropic.h"
#include "providers/gadget-gemini.h"
#include "providers/gadget-ollama.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-openai-responses.h"
#include "session/gadget-attachment.h"
#include "session/gadget-history.h"
#include "session/gadget-session-pictures.h"
#include "store/gadget-sql.h"
#include "store/gadget-store-attachments-private.h"
#include "store/gadget-store-drafts.h"
#include "store/gadget-store-pictures.h"
#include "store/gadget-store-turns.h"

#include <string.h>

#define HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

static GadgetPicture *
make_picture (const char *name)
{
  g_autoptr (GBytes) data = g_bytes_new (HEAD, sizeof HEAD - 1);
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture = gadget_picture_new (name, data, &error);

  g_assert_no_error (error);
  return picture;
}

/* A picture and a text. */
static GPtrArray *
make_attachments (const char *picture_name, const char *text)
{
  GPtrArray *list = gadget_attachments_new ();
  g_autoptr (GadgetPicture) picture = make_picture (picture_name);

  g_ptr_array_add (list, gadget_attachment_new_picture (picture));
  g_ptr_array_add (list, gadget_attachment_new_text ("notes.txt", text, strlen (text)));
  return list;
}

static void
assert_attachments (gpointer message, const char *picture_name, const char *text)
{
  GPtrArray *list = gadget_attachments_get (message);
  const GadgetAttachment *first;
  const GadgetAttachment *second;

  g_assert_nonnull (list);
  g_assert_cmpuint (list->len, ==, 2);
  first = g_ptr_array_index (list, 0);
  second = g_ptr_array_index (list, 1);
  g_assert_nonnull (gadget_attachment_get_picture (first));
  g_assert_cmpstr (gadget_attachment_get_name (first), ==, picture_name);
  g_assert_cmpuint (gadget_picture_get_width (gadget_attachment_get_picture (first)), ==, 256);
  g_assert_cmpuint (gadget_attachment_get_size (first), ==, sizeof HEAD - 1);
  g_assert_cmpstr (gadget_attachment_get_name (second), ==, "notes.txt");
  g_assert_cmpstr (gadget_attachment_get_text (second), ==, text);
  g_assert_cmpuint (gadget_attachment_get_size (second), ==, strlen (text));
}

static GadgetTurn *
append_turn (GadgetSession *session, const char *id, const char *prompt, GPtrArray *attachments)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, prompt);

  gadget_attachments_set (turn, attachments);
  gadget_session_append (session, turn);
  return turn;
}

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
  g_autoptr (GPtrArray) one = make_attachments ("one.png", "First line\n");
  g_autoptr (GPtrArray) two = make_attachments ("two.png", "Second");
  g_autoptr (GPtrArray) three = make_attachments ("three.png", "Third");
  GadgetTurn *turn = append_turn (session, "t1", "Look", one);
  GadgetItem *steer;

  append_item (turn, GADGET_ITEM_TEXT, "I see.", 0);
  steer = append_item (turn, GADGET_ITEM_STEER, "And this", 1);
  gadget_attachments_set (steer, two);
  append_item (turn, GADGET_ITEM_TEXT, "Yes.", 1);
  gadget_turn_finish (turn);
  append_turn (session, "t2", "", three);
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
  append_turn (session, "t3", "More", NULL);
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

/* --- The store -------------------------------------------------------------------------------- */

typedef struct
{
  AgentFixture agent;
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->agent.store = test_store_open (fixture->directory);
  agent_set_up (&fixture->agent, data);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  agent_tear_down (&fixture->agent, data);
  test_store_close (fixture->agent.store);
  test_dir_free (fixture->directory);
}

static gboolean
count_rows (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_get_int (db, "SELECT count(*) FROM attachment", data, error);
}

static gboolean
make_old (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_exec (db, "UPDATE attachment SET made_at = 1000", error);
}

static void
run (GadgetStore *store, GadgetStoreFunc func, gpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_run_async (store, func, data, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_run_finish (store, result, &error);
  g_assert_no_error (error);
}

static gint64
count_stored (GadgetStore *store)
{
  gint64 n = -1;

  run (store, count_rows, &n);
  return n;
}

static gboolean
sweep (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_attachments_sweep (db, error);
}

static void
load_pictures (GadgetStore *store, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_pictures_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_load_pictures_finish (store, result, &error);
  g_assert_no_error (error);
}

static GPtrArray *
load_draft (GadgetStore *store, const char *session_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GPtrArray *attachments = NULL;

  gadget_store_load_draft_async (store, session_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  text = gadget_store_load_draft_finish (store, result, &attachments, &error);
  g_assert_no_error (error);
  return attachments;
}

static void
test_turns_stored (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = make_attachments ("one.png", "First");
  g_autoptr (GPtrArray) two = make_attachments ("two.png", "Second");
  GadgetTurn *turn = append_turn (session, "t", "Look", one);
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetSession) loaded = NULL;
  g_autoptr (GadgetItem) steer = gadget_item_new (GADGET_ITEM_STEER);
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture;

  test_journal_flush (journal);
  g_assert_cmpint (count_stored (store), ==, 1);
  gadget_item_append_text (steer, "And this", -1);
  gadget_attachments_set (steer, two);
  gadget_item_set_status (steer, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, steer);
  test_journal_flush (journal);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_stored (store), ==, 2);

  loaded = test_store_load (store, "s");
  turn = gadget_session_get_turn (loaded, 0);
  assert_attachments (turn, "one.png", "First");
  assert_attachments (gadget_turn_get_item (turn, 0), "two.png", "Second");
  /* Pictures are read when a request is to be made, and dropped after it. */
  picture = gadget_attachment_get_picture (g_ptr_array_index (gadget_attachments_get (turn), 0));
  g_assert_null (gadget_picture_get_data (picture));
  load_pictures (store, loaded);
  g_assert_cmpmem (g_bytes_get_data (gadget_picture_get_data (picture), NULL), sizeof HEAD - 1,
                   HEAD, sizeof HEAD - 1);
  gadget_session_drop_pictures (loaded);
  g_assert_null (gadget_picture_get_data (picture));
  run (store, make_old, NULL);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
}

/* From the draft of the new chat to that of a stored one, into the queue, and into a turn; what was
 * taken out on the way goes after a day. */
static void
test_way (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) given = make_attachments ("one.png", "First");
  g_autoptr (GPtrArray) other = make_attachments ("other.png", "Other");
  g_autoptr (GPtrArray) draft = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("Look");
  g_autoptr (GadgetSession) loaded = NULL;
  g_autoptr (GadgetQueuedMessage) queued = NULL;

  gadget_store_save_draft_async (store, NULL, "", given, NULL, NULL);
  draft = load_draft (store, NULL);
  gadget_attachments_set (message, draft);
  assert_attachments (message, "one.png", "First");
  gadget_store_save_draft_async (store, NULL, "", other, NULL, NULL);
  run (store, make_old, NULL);
  /* The first is of nobody for a moment: whoever has it is about to put it elsewhere. Its bytes are
   * written again with it if they are there. */
  gadget_session_set_loaded (session, TRUE);
  gadget_attachments_set (message, given);
  gadget_session_enqueue_message (session, message);
  test_store_save (store, session);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  gadget_store_save_draft_async (store, NULL, "", NULL, NULL, NULL);
  none = load_draft (store, NULL);
  g_assert_null (none);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  run (store, make_old, NULL);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 1);

  loaded = test_store_load (store, "s");
  queued = g_list_model_get_item (gadget_session_get_queue (loaded), 0);
  assert_attachments (queued, "one.png", "First");
  g_assert_cmpstr (gadget_queued_message_get_text (queued), ==, "Look");
}

/* Messages that wait longer than a day have left the draft and the queue when they are sent, and
 * their turns are not stored yet when another process sweeps. */
static void
test_sent_late (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = make_attachments ("one.png", "First");
  g_autoptr (GPtrArray) two = make_attachments ("two.png", "Second");
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("Look");
  g_autoptr (GadgetQueuedMessage) taken = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_attachments_set (message, one);
  gadget_session_enqueue_message (session, message);
  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "Look here", two, NULL, NULL);
  run (store, make_old, NULL);

  taken = gadget_session_take_queued (session, 0);
  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "", NULL, NULL, NULL);
  none = load_draft (store, "s");
  g_assert_null (none);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  run (store, make_old, NULL);
  run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 0);
}

/* A chat that begins with turns of another has bytes of its own, so that either can be deleted. */
static void
test_branch (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = make_attachments ("one.png", "First");
  GadgetTurn *turn = append_turn (session, "t", "Look", one);
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetSession) branch = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) branched = NULL;
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture;

  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, &error));
  gadget_store_branch_async (store, "s", "t", "branch", "Branch", test_result_cb, &slot);
  branched = test_take_result (&slot);
  gadget_store_branch_finish (store, branched, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_stored (store), ==, 2);
  test_store_delete (store, "s");
  g_assert_cmpint (count_stored (store), ==, 1);

  branch = test_store_load (store, "branch");
  turn = gadget_session_get_turn (branch, 0);
  assert_attachments (turn, "one.png", "First");
  load_pictures (store, branch);
  picture = gadget_attachment_get_picture (g_ptr_array_index (gadget_attachments_get (turn), 0));
  g_assert_nonnull (gadget_picture_get_data (picture));
}

/* Deleting the chat deletes what was given in it. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) given = make_attachments ("one.png", "First");

  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "look", given, NULL, NULL);
  g_assert_cmpint (count_stored (store), ==, 1);
  test_store_delete (store, "s");
  g_assert_cmpint (count_stored (store), ==, 0);
}

/* Not what is attached to a draft that another process shows: that is stored again with another
 * one, where the bytes are in the database alone. */
static void
test_deleted_elsewhere (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) given = make_attachments ("one.png", "First");
  g_autoptr (GadgetOpenLock) other = gadget_open_lock_new (gadget_store_get_directory (store), "s");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) loaded = NULL;
  g_autofree char *text = NULL;

  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "look", given, NULL, NULL);
  gadget_store_load_draft_async (store, "s", test_result_cb, &slot);
  result = test_take_result (&slot);
  text = gadget_store_load_draft_finish (store, result, &loaded, NULL);
  g_assert_true (test_store_try_delete (store, "s", GADGET_DELETE_FORCE, NULL));
  g_assert_cmpint (count_stored (store), ==, 1);
  gadget_store_save_draft_async (store, NULL, text, loaded, NULL, NULL);
  g_assert_cmpint (count_stored (store), ==, 1);
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
  g_autoptr (GPtrArray) one = make_attachments ("one.png", "First");
  g_autoptr (GPtrArray) two = make_attachments ("two.png", "Second");
  g_autoptr (GPtrArray) three = make_attachments ("three.png", "Third");
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
  assert_attachments (gadget_session_get_turn (agent->session, 0), "one.png", "First");
  kept = g_list_model_get_item (gadget_session_get_queue (agent->session), 0);
  assert_attachments (kept, "three.png", "Third");
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
  g_test_add ("/engine/attachments/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("turns-stored", test_turns_stored);
  ADD ("way", test_way);
  ADD ("sent-late", test_sent_late);
  ADD ("branch", test_branch);
  ADD ("deleted", test_deleted);
  ADD ("deleted-elsewhere", test_deleted_elsewhere);
  ADD ("agent", test_agent);

  return g_test_run ();
}
