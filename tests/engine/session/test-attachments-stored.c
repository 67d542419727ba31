/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user gives with a message, on its way through the store from the draft to the turn. */

#include "config.h"

#include "agent-fixture.h"
#include "attachments-fixture.h"
#include "session/gadget-attachment.h"
#include "session/gadget-session-pictures.h"
#include "store/gadget-sql.h"
#include "store/gadget-store-attachments-private.h"
#include "store/gadget-store-drafts.h"
#include "store/gadget-store-turns.h"
#include "strict-body.h"
#include "test-store.h"
#include "wait.h"

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

static gint64
count_stored (GadgetStore *store)
{
  gint64 n = -1;

  test_store_run (store, count_rows, &n);
  return n;
}

static gboolean
sweep (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_attachments_sweep (db, error);
}

static GPtrArray *
load_draft (GadgetStore *store, const char *session_id)
{
  GPtrArray *attachments;

  g_free (test_store_load_draft (store, session_id, &attachments));
  return attachments;
}

static void
test_turns_stored (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = attachments_make ("one.png", "First");
  g_autoptr (GPtrArray) two = attachments_make ("two.png", "Second");
  GadgetTurn *turn = attachments_append_turn (session, "t", "Look", one);
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
  attachments_assert (turn, "one.png", "First");
  attachments_assert (gadget_turn_get_item (turn, 0), "two.png", "Second");
  /* Pictures are read when a request is to be made, and dropped after it. */
  picture = gadget_attachment_get_picture (g_ptr_array_index (gadget_attachments_get (turn), 0));
  g_assert_null (gadget_picture_get_data (picture));
  test_store_load_pictures (store, loaded);
  g_assert_cmpmem (g_bytes_get_data (gadget_picture_get_data (picture), NULL), sizeof HEAD - 1,
                   HEAD, sizeof HEAD - 1);
  gadget_session_drop_pictures (loaded);
  g_assert_null (gadget_picture_get_data (picture));
  test_store_run (store, make_old, NULL);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
}

/* From the draft of the new chat to that of a stored one, into the queue, and into a turn; what was
 * taken out on the way goes after a day. */
static void
test_way (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) given = attachments_make ("one.png", "First");
  g_autoptr (GPtrArray) other = attachments_make ("other.png", "Other");
  g_autoptr (GPtrArray) draft = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("Look");
  g_autoptr (GadgetSession) loaded = NULL;
  g_autoptr (GadgetQueuedMessage) queued = NULL;

  gadget_store_save_draft_async (store, NULL, "", given, NULL, NULL);
  draft = load_draft (store, NULL);
  gadget_attachments_set (message, draft);
  attachments_assert (message, "one.png", "First");
  gadget_store_save_draft_async (store, NULL, "", other, NULL, NULL);
  test_store_run (store, make_old, NULL);
  /* The first is of nobody for a moment: whoever has it is about to put it elsewhere. Its bytes are
   * written again with it if they are there. */
  gadget_session_set_loaded (session, TRUE);
  gadget_attachments_set (message, given);
  gadget_session_enqueue_message (session, message);
  test_store_save (store, session);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  gadget_store_save_draft_async (store, NULL, "", NULL, NULL, NULL);
  none = load_draft (store, NULL);
  g_assert_null (none);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  test_store_run (store, make_old, NULL);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 1);

  loaded = test_store_load (store, "s");
  queued = g_list_model_get_item (gadget_session_get_queue (loaded), 0);
  attachments_assert (queued, "one.png", "First");
  g_assert_cmpstr (gadget_queued_message_get_text (queued), ==, "Look");
}

/* Messages that wait longer than a day have left the draft and the queue when they are sent, and
 * their turns are not stored yet when another process sweeps. */
static void
test_sent_late (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = attachments_make ("one.png", "First");
  g_autoptr (GPtrArray) two = attachments_make ("two.png", "Second");
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("Look");
  g_autoptr (GadgetQueuedMessage) taken = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_attachments_set (message, one);
  gadget_session_enqueue_message (session, message);
  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "Look here", two, NULL, NULL);
  test_store_run (store, make_old, NULL);

  taken = gadget_session_take_queued (session, 0);
  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "", NULL, NULL, NULL);
  none = load_draft (store, "s");
  g_assert_null (none);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 2);
  test_store_run (store, make_old, NULL);
  test_store_run (store, sweep, NULL);
  g_assert_cmpint (count_stored (store), ==, 0);
}

/* A chat that begins with turns of another has bytes of its own, so that either can be deleted. */
static void
test_branch (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) one = attachments_make ("one.png", "First");
  GadgetTurn *turn = attachments_append_turn (session, "t", "Look", one);
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
  attachments_assert (turn, "one.png", "First");
  test_store_load_pictures (store, branch);
  picture = gadget_attachment_get_picture (g_ptr_array_index (gadget_attachments_get (turn), 0));
  g_assert_nonnull (gadget_picture_get_data (picture));
}

/* Deleting the chat deletes what was given in it. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = fixture->agent.store;
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GPtrArray) given = attachments_make ("one.png", "First");

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
  g_autoptr (GPtrArray) given = attachments_make ("one.png", "First");
  g_autoptr (GadgetOpenLock) other = gadget_open_lock_new (gadget_store_get_directory (store), "s");
  g_autoptr (GPtrArray) loaded = NULL;
  g_autofree char *text = NULL;

  test_store_save (store, session);
  gadget_store_save_draft_async (store, "s", "look", given, NULL, NULL);
  text = test_store_load_draft (store, "s", &loaded);
  g_assert_true (test_store_try_delete (store, "s", GADGET_DELETE_FORCE, NULL));
  g_assert_cmpint (count_stored (store), ==, 1);
  gadget_store_save_draft_async (store, NULL, text, loaded, NULL, NULL);
  g_assert_cmpint (count_stored (store), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function)                                                                        \
  g_test_add ("/engine/attachments/" name, Fixture, NULL, attachments_set_up, function,            \
              attachments_tear_down)
  ADD ("turns-stored", test_turns_stored);
  ADD ("way", test_way);
  ADD ("sent-late", test_sent_late);
  ADD ("branch", test_branch);
  ADD ("deleted", test_deleted);
  ADD ("deleted-elsewhere", test_deleted_elsewhere);

  return g_test_run ();
}
