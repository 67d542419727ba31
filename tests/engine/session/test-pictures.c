/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures that tools give: what a model is shown, and what is kept. */

#include "config.h"

#include "agent-fixture.h"
#include "strict-request.h"
#include "test-store.h"
#include "wait.h"

#include "agent/gadget-compaction.h"
#include "session/gadget-history.h"
#include "session/gadget-session-pictures.h"
#include "store/gadget-sql.h"

#include <string.h>

#define HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

/* 256 × 256 pixels, and a byte that tells it from others. */
static GadgetPicture *
make_picture (guint8 tag, gsize size)
{
  g_autofree char *bytes = g_malloc0 (size);
  g_autoptr (GBytes) data = NULL;
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture;

  memcpy (bytes, HEAD, sizeof HEAD - 1);
  bytes[size - 1] = (char) tag;
  data = g_bytes_new_take (g_steal_pointer (&bytes), size);
  picture = gadget_picture_new ("p.png", data, &error);
  g_assert_no_error (error);
  return picture;
}

static guint8
get_tag (GBytes *data)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (data, &size);

  return bytes[size - 1];
}

static GPtrArray *
make_list (guint8 first, guint n, gsize size)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (list, make_picture ((guint8) (first + i), size));
  return list;
}

static GadgetItem *
append_call (GadgetTurn *turn, const char *id, guint step, GPtrArray *pictures)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "look");

  gadget_item_set_step (item, step);
  gadget_item_append_arguments (item, "{}");
  gadget_item_set_result (item, "Seen.");
  gadget_item_set_pictures (item, pictures);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, item);
  return item;
}

static GadgetTurn *
append_turn (GadgetSession *session, const char *id)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new (id, "look");

  gadget_session_append (session, turn);
  return turn;
}

/* --- One of them ------------------------------------------------------------------------------ */

static void
test_what_can_be_shown (void)
{
  g_autoptr (GBytes) svg = g_bytes_new_static ("<svg/>", 6);
  g_autoptr (GBytes) none = g_bytes_new_static ("", 0);
  g_autoptr (GadgetPicture) picture = make_picture (1, GADGET_PICTURE_MAX_BYTES);
  g_autofree char *pixels = gadget_picture_dup_pixels (picture);
  g_autofree char *large = g_malloc0 (GADGET_PICTURE_MAX_BYTES + 1);
  g_autoptr (GBytes) heavy = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (gadget_picture_get_mime_type (picture), ==, "image/png");
  g_assert_cmpstr (pixels, ==, "256 × 256");
  g_assert_null (gadget_picture_new (NULL, svg, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_assert_null (gadget_picture_new (NULL, none, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  memcpy (large, HEAD, sizeof HEAD - 1);
  heavy = g_bytes_new (large, GADGET_PICTURE_MAX_BYTES + 1);
  g_assert_null (gadget_picture_new (NULL, heavy, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE);
}

/* --- Requests --------------------------------------------------------------------------------- */

static const GadgetMessage *
message_at (GadgetRequest *request, guint index)
{
  g_assert_cmpuint (index, <, request->messages->len);
  return g_ptr_array_index (request->messages, index);
}

static guint
count_images (GadgetRequest *request)
{
  guint n = 0;

  for (guint i = 0; i < request->messages->len; i++)
    n += gadget_message_count (message_at (request, i), GADGET_PART_IMAGE);
  return n;
}

static void
test_in_request (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) pictures = make_list (1, 2, 100);
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) other = NULL;
  const GadgetPart *part;

  append_call (append_turn (session, "t"), "c", 0, pictures);
  request = gadget_history_build (session, NULL);
  strict_request_assert (request);
  g_assert_cmpuint (request->messages->len, ==, 3);
  g_assert_cmpuint (message_at (request, 2)->parts->len, ==, 3);
  part = g_ptr_array_index (message_at (request, 2)->parts, 2);
  g_assert_cmpint (part->type, ==, GADGET_PART_IMAGE);
  g_assert_cmpstr (part->name, ==, "p.png");
  g_assert_cmpuint (get_tag (part->data), ==, 2);

  /* One that is not in memory is told of. */
  gadget_picture_set_data (g_ptr_array_index (pictures, 1), NULL);
  other = gadget_history_build (session, NULL);
  strict_request_assert (other);
  g_assert_cmpuint (count_images (other), ==, 1);
  g_assert_cmpstr (request_get_text (other, 2), ==,
                   "Seen.\n[A picture that came with this result is not shown again.]");
}

/* A chat of many pictures does not grow for ever: the last ones count. */
static void
test_many (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GadgetRequest) request = NULL;

  for (guint i = 0; i < 25; i++)
    {
      g_autofree char *id = g_strdup_printf ("c%u", i);
      g_autoptr (GPtrArray) pictures = make_list ((guint8) i, 1, 100);

      append_call (turn, id, i, pictures);
    }
  request = gadget_history_build (session, NULL);
  strict_request_assert (request);
  g_assert_cmpuint (count_images (request), ==, 20);
  g_assert_cmpuint (gadget_message_count (message_at (request, 2), GADGET_PART_IMAGE), ==, 0);
  g_assert_nonnull (strstr (request_get_text (request, 2), "not shown again"));
  g_assert_cmpuint (gadget_message_count (message_at (request, 12), GADGET_PART_IMAGE), ==, 1);
}

static void
test_many_bytes (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) pictures = make_list (1, 5, GADGET_PICTURE_MAX_BYTES);
  g_autoptr (GPtrArray) chosen = NULL;

  append_call (append_turn (session, "t"), "c", 0, pictures);
  chosen = gadget_session_choose_pictures (session);
  g_assert_cmpuint (chosen->len, ==, 3);
  g_assert_true (g_ptr_array_index (chosen, 0) == g_ptr_array_index (pictures, 4));
}

/* What a summary stands for is not shown any more. */
static void
test_before_summary (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) before = make_list (1, 1, 100);
  g_autoptr (GPtrArray) after = make_list (2, 1, 100);
  g_autoptr (GadgetItem) summary = gadget_item_new (GADGET_ITEM_SUMMARY);
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GPtrArray) chosen = NULL;

  append_call (turn, "a", 0, before);
  gadget_item_append_text (summary, "All is well.", -1);
  gadget_item_set_status (summary, GADGET_ITEM_FINISHED);
  gadget_turn_append (turn, summary);
  append_call (turn, "b", 1, after);
  chosen = gadget_session_choose_pictures (session);
  g_assert_cmpuint (chosen->len, ==, 1);
  g_assert_true (g_ptr_array_index (chosen, 0) == g_ptr_array_index (after, 0));
}

static void
test_size (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) seen = make_list (1, 1, 100);
  g_autoptr (GPtrArray) new = make_list (2, 1, 100);
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) words = NULL;
  gint64 tokens;

  append_call (turn, "a", 0, seen);
  append_call (turn, "b", 1, new);
  request = gadget_history_build (session, NULL);
  words = gadget_request_without_images (request);
  strict_request_assert (words);
  g_assert_cmpuint (count_images (words), ==, 0);
  g_assert_nonnull (strstr (request_get_text (words, 2), "(image/png)"));
  g_assert_cmpuint (count_images (request), ==, 2);

  /* 256 × 256 / 750 */
  tokens = gadget_request_count_tokens (request);
  _gadget_compaction_shorten (request);
  g_assert_cmpuint (count_images (request), ==, 1);
  g_assert_cmpuint (gadget_message_count (message_at (request, 4), GADGET_PART_IMAGE), ==, 1);
  g_assert_cmpint (tokens - gadget_request_count_tokens (request), >, 87 - 30);
  g_assert_cmpint (gadget_request_count_tokens (request), >, 87);
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
  return _gadget_sql_get_int (db, "SELECT count(*) FROM picture", data, error);
}

static gint64
count_stored (GadgetStore *store)
{
  gint64 n = -1;

  test_store_run (store, count_rows, &n);
  return n;
}

static GadgetPicture *
get_picture (GadgetSession *session, guint item, guint index)
{
  GPtrArray *pictures =
      gadget_item_get_pictures (gadget_turn_get_item (gadget_session_get_turn (session, 0), item));

  g_assert_nonnull (pictures);
  g_assert_cmpuint (index, <, pictures->len);
  return g_ptr_array_index (pictures, index);
}

static void
store_chat (GadgetStore *store, GadgetSession *session)
{
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GPtrArray) one = make_list (1, 1, 5000);
  g_autoptr (GPtrArray) two = make_list (2, 2, 100);
  g_autoptr (GError) error = NULL;
  GadgetItem *item;

  append_call (turn, "a", 0, NULL);
  append_call (turn, "b", 1, one);
  test_journal_flush (journal);
  item = append_call (turn, "c", 2, two);
  test_journal_flush (journal);
  /* Written again with the item, it stays one. */
  gadget_item_take_call_summary (
      item, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "Looked", NULL));
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, &error));
  g_assert_no_error (error);
}

static void
test_stored (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) loaded = NULL;
  GadgetPicture *picture;

  store_chat (store, session);
  g_assert_cmpint (count_stored (store), ==, 3);
  loaded = test_store_load (store, "s");
  g_assert_null (
      gadget_item_get_pictures (gadget_turn_get_item (gadget_session_get_turn (loaded, 0), 0)));
  picture = get_picture (loaded, 1, 0);
  g_assert_cmpstr (gadget_picture_get_id (picture), ==,
                   gadget_picture_get_id (get_picture (session, 1, 0)));
  g_assert_cmpstr (gadget_picture_get_name (picture), ==, "p.png");
  g_assert_cmpstr (gadget_picture_get_mime_type (picture), ==, "image/png");
  g_assert_cmpuint (gadget_picture_get_width (picture), ==, 256);
  g_assert_cmpuint (gadget_picture_get_height (picture), ==, 256);
  g_assert_cmpuint (gadget_picture_get_size (picture), ==, 5000);
  /* Opening a chat reads none of them. */
  g_assert_null (gadget_picture_get_data (picture));
  test_store_load_pictures (store, loaded);
  g_assert_true (g_bytes_equal (gadget_picture_get_data (picture),
                                gadget_picture_get_data (get_picture (session, 1, 0))));
  g_assert_cmpuint (get_tag (gadget_picture_get_data (get_picture (loaded, 2, 0))), ==, 2);
  g_assert_cmpuint (get_tag (gadget_picture_get_data (get_picture (loaded, 2, 1))), ==, 3);
  gadget_session_drop_pictures (loaded);
  g_assert_null (gadget_picture_get_data (picture));

  test_store_delete (store, "s");
  g_assert_cmpint (count_stored (store), ==, 0);
  /* What is gone is left out. */
  test_store_load_pictures (store, loaded);
  g_assert_null (gadget_picture_get_data (picture));
}

/* A turn that goes on in another process gets its pictures when they come. */
static void
test_grows (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, "s", NULL);
  g_autoptr (GadgetJournal) journal = gadget_journal_new (store, session, turn);
  g_autoptr (GadgetSession) other = NULL;
  g_autoptr (GPtrArray) pictures = make_list (1, 1, 100);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("a", "look");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_turn_append (turn, item);
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  test_journal_flush (journal);
  other = test_store_load (store, "s");
  g_assert_null (
      gadget_item_get_pictures (gadget_turn_get_item (gadget_session_get_turn (other, 0), 0)));
  gadget_item_set_pictures (item, pictures);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  test_journal_flush (journal);
  gadget_store_load_session_async (store, other, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (store, result, NULL));
  g_assert_cmpuint (gadget_picture_get_size (get_picture (other, 0, 0)), ==, 100);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
}

/* --- A turn ----------------------------------------------------------------------------------- */

/* The model is shown it in the next step, and again in the next turn, for which it is read again.
 */
static void
test_turns (Fixture *fixture, gconstpointer data)
{
  AgentFixture *agent = &fixture->agent;
  g_autoptr (GadgetPicture) picture = make_picture (7, 1000);
  const GadgetPart *part;

  agent_start_streaming (agent, "look");
  fake_provider_call (agent->provider, 0, "a", "slow", "{}");
  fake_provider_end (agent->provider);
  wait_until (fake_tool_is_running (agent->slow));
  fake_tool_end_with (agent->slow, "Here.", picture);
  wait_until (fake_provider_get_n_requests (agent->provider) == 2);
  g_assert_cmpuint (count_images (fake_provider_get_request (agent->provider, 1)), ==, 1);
  fake_provider_text (agent->provider, "A dot.");
  fake_provider_end (agent->provider);
  wait_until (agent->n_completed == 1);
  g_assert_null (gadget_picture_get_data (picture));

  agent_start_streaming (agent, "and its colour?");
  g_assert_cmpuint (count_images (fake_provider_get_request (agent->provider, 2)), ==, 1);
  part =
      g_ptr_array_index (message_at (fake_provider_get_request (agent->provider, 2), 2)->parts, 1);
  g_assert_cmpuint (get_tag (part->data), ==, 7);
  fake_provider_text (agent->provider, "Red.");
  fake_provider_end (agent->provider);
  wait_until (agent->n_completed == 2);
}

/* A turn that could not be stored keeps what only it has. */
static void
test_unsaved (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  GadgetTurn *turn = append_turn (session, "t");
  g_autoptr (GPtrArray) pictures = make_list (1, 1, 100);

  append_call (turn, "a", 0, pictures);
  gadget_turn_finish (turn);
  gadget_turn_set_saved (turn, FALSE);
  gadget_session_drop_pictures (session);
  g_assert_nonnull (gadget_picture_get_data (g_ptr_array_index (pictures, 0)));
  gadget_turn_set_saved (turn, TRUE);
  gadget_session_drop_pictures (session);
  g_assert_null (gadget_picture_get_data (g_ptr_array_index (pictures, 0)));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/pictures/what-can-be-shown", test_what_can_be_shown);
  g_test_add_func ("/engine/pictures/in-request", test_in_request);
  g_test_add_func ("/engine/pictures/many", test_many);
  g_test_add_func ("/engine/pictures/many-bytes", test_many_bytes);
  g_test_add_func ("/engine/pictures/before-summary", test_before_summary);
  g_test_add_func ("/engine/pictures/size", test_size);
#define ADD(path, function)                                                                        \
  g_test_add ("/engine/pictures/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("stored", test_stored);
  ADD ("grows", test_grows);
  ADD ("turns", test_turns);
  ADD ("unsaved", test_unsaved);

  return g_test_run ();
}
