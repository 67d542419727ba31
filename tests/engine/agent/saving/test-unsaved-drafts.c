/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is written and not sent, and cannot be saved: tried again by itself, kept in a file
 * meanwhile, and taken over by the next start. */

#include "config.h"

#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "wait.h"
#include "session/gadget-attachment.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utime.h>

static GadgetUnsavedDrafts *
get_drafts (EngineFixture *fixture)
{
  return gadget_engine_get_drafts (fixture->engine);
}

static void
save (EngineFixture *fixture, GadgetSession *session, const char *text)
{
  gadget_unsaved_drafts_save (get_drafts (fixture), session, text, NULL);
}

static gboolean
has_problem (EngineFixture *fixture, GadgetSession *session)
{
  GadgetSaveProblem problem;

  return gadget_unsaved_drafts_get_problem (get_drafts (fixture), session, &problem);
}

/* What the store has. */
static char *
read_stored (EngineFixture *fixture, const char *session_id)
{
  return test_store_load_draft (gadget_engine_get_store (fixture->engine), session_id, NULL);
}

static void
assert_stored (EngineFixture *fixture, const char *session_id, const char *text)
{
  g_autofree char *stored = read_stored (fixture, session_id);

  g_assert_cmpstr (stored, ==, text);
}

/* What is shown. */
static char *
load (EngineFixture *fixture, GadgetSession *session, guint *n_attachments)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) attachments = NULL;
  char *text;

  gadget_unsaved_drafts_load_async (get_drafts (fixture), session, test_result_cb, &slot);
  result = test_take_result (&slot);
  text = gadget_unsaved_drafts_load_finish (get_drafts (fixture), result, &attachments, NULL);
  if (n_attachments != NULL)
    *n_attachments = attachments != NULL ? attachments->len : 0;
  return text;
}

static void
assert_loads (EngineFixture *fixture, GadgetSession *session, const char *text)
{
  g_autofree char *loaded = load (fixture, session, NULL);

  g_assert_cmpstr (loaded, ==, text);
}

/* How many files are in the folder of the first choice. */
static guint
count_files (EngineFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* NULL as long as there is none that is whole. One that is being written has its text already, and
 * another name. */
static char *
get_file (EngineFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (*name != '.')
      return g_build_filename (folder, name, NULL);
  return NULL;
}

static gboolean
file_has (EngineFixture *fixture, const char *text)
{
  g_autofree char *path = get_file (fixture);
  g_autofree char *content = NULL;

  return path != NULL && g_file_get_contents (path, &content, NULL, NULL)
         && strstr (content, text) != NULL;
}

/* A chat with a turn and a stored draft, and a disk that has become full. */
static void
begin_full (EngineFixture *fixture, const char *draft)
{
  engine_fixture_start (fixture, "hello", "answer");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  save (fixture, fixture->session, draft);
  assert_stored (fixture, gadget_session_get_id (fixture->session), draft);
  test_faults_set (TEST_FAULT_FULL);
}

/* Another start, which has not looked for files yet; then the chat is the one that it finds. */
static void
restart (EngineFixture *fixture)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));

  unsaved_start_again (fixture);
  g_set_object (&fixture->session, gadget_engine_find_session (fixture->engine, id));
}

static void
start_again (EngineFixture *fixture, TestFault fault)
{
  restart (fixture);
  test_faults_set (fault);
  unsaved_recover (fixture, 0);
}

/* The last of what was written, as soon as there is room; it is in a file until then. */
static void
test_by_itself (EngineFixture *fixture, gconstpointer data)
{
  GadgetSaveProblem problem;

  begin_full (fixture, "");
  save (fixture, fixture->session, "one");
  wait_until (has_problem (fixture, fixture->session));
  gadget_unsaved_drafts_get_problem (get_drafts (fixture), fixture->session, &problem);
  g_assert_cmpint (problem, ==, GADGET_SAVE_DISK_FULL);
  g_assert_false (has_problem (fixture, NULL));
  wait_until (file_has (fixture, "one\n"));
  save (fixture, fixture->session, "one two");
  wait_until (file_has (fixture, "one two\n"));
  g_assert_cmpuint (count_files (fixture), ==, 1);
  assert_loads (fixture, fixture->session, "one two");

  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_problem (fixture, fixture->session));
  wait_until (count_files (fixture) == 0);
  assert_stored (fixture, gadget_session_get_id (fixture->session), "one two");
}

static guint
count_lost (EngineFixture *fixture)
{
  g_autoptr (GPtrArray) lost = gadget_unsaved_drafts_list_lost (get_drafts (fixture));

  return lost->len;
}

/* The recovery file cannot grow: what it has is not what was written last, until there is room for
 * that file. */
static void
test_outdated_file (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *more = g_strnfill (5000, 'x');
  const struct rlimit small = { 4000, RLIM_INFINITY };
  struct rlimit before;

  begin_full (fixture, "");
  save (fixture, fixture->session, "one");
  wait_until (file_has (fixture, "one\n"));
  g_assert_cmpuint (count_lost (fixture), ==, 0);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  save (fixture, fixture->session, more);
  wait_until (count_lost (fixture) == 1);
  g_assert_true (file_has (fixture, "one\n"));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  wait_until (file_has (fixture, more));
  g_assert_cmpuint (count_lost (fixture), ==, 0);

  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_problem (fixture, fixture->session));
}

/* A store that takes its time. */
static void
test_slow (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "");
  test_faults_set (TEST_FAULT_STALL);
  save (fixture, fixture->session, "slow");
  wait_until (file_has (fixture, "slow\n"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_problem (fixture, fixture->session));
  wait_until (count_files (fixture) == 0);
}

/* Who goes on typing does not put off the file, and the store gets the last text when it answers.
 */
static void
test_slow_typing (EngineFixture *fixture, gconstpointer data)
{
  const char *id;

  begin_full (fixture, "");
  id = gadget_session_get_id (fixture->session);
  test_faults_set (TEST_FAULT_STALL);
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *text = g_strdup_printf ("typed %u", i);

      save (fixture, fixture->session, text);
      test_run_for (100);
    }
  g_assert_true (file_has (fixture, "typed "));
  g_assert_true (has_problem (fixture, fixture->session));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_problem (fixture, fixture->session));
  wait_until (count_files (fixture) == 0);
  assert_stored (fixture, id, "typed 39");
}

/* The same when no folder takes the file at first. */
static void
test_slow_without_file (EngineFixture *fixture, gconstpointer data)
{
  const struct rlimit small = { 10, RLIM_INFINITY };
  struct rlimit before;

  begin_full (fixture, "");
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  test_faults_set (TEST_FAULT_STALL);
  save (fixture, fixture->session, "slow");
  wait_until (count_lost (fixture) == 1);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  wait_until (file_has (fixture, "slow\n"));
  wait_until (count_lost (fixture) == 0);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_problem (fixture, fixture->session));
}

/* In the place of what is stored, of which it is made, whatever was changed in it. */
static void
test_recovered (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "a stored draft");
  save (fixture, fixture->session, "a draft");
  wait_until (file_has (fixture, "a draft\n"));
  start_again (fixture, TEST_FAULT_NONE);
  assert_loads (fixture, fixture->session, "a draft");
  wait_until (count_files (fixture) == 0);
  assert_stored (fixture, gadget_session_get_id (fixture->session), "a draft");
}

/* What was attached comes too. */
static void
test_recovered_attachments (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPicture) picture = unsaved_make_picture ();
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  g_autofree char *text = NULL;
  g_autofree char *dump = NULL;
  guint n;

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "text", 4));
  begin_full (fixture, "look");
  gadget_unsaved_drafts_save (get_drafts (fixture), fixture->session, "look at it", attachments);
  wait_until (file_has (fixture, "look at it\n"));
  start_again (fixture, TEST_FAULT_NONE);
  text = load (fixture, fixture->session, &n);
  g_assert_cmpstr (text, ==, "look at it");
  g_assert_cmpuint (n, ==, 2);
  wait_until (count_files (fixture) == 0);
  dump = unsaved_dump (fixture->directory);
  g_assert_nonnull (strstr (dump, "hex (data)=89504E47"));
}

/* Full again at the next start: it is shown, and kept in a file. */
static void
test_not_yet (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "");
  save (fixture, fixture->session, "patient");
  wait_until (file_has (fixture, "patient\n"));
  start_again (fixture, TEST_FAULT_FULL);
  assert_loads (fixture, fixture->session, "patient");
  wait_until (has_problem (fixture, fixture->session));
  wait_until (file_has (fixture, "patient\n"));
  start_again (fixture, TEST_FAULT_NONE);
  assert_loads (fixture, fixture->session, "patient");
  wait_until (count_files (fixture) == 0);
  assert_stored (fixture, gadget_session_get_id (fixture->session), "patient");
}

/* Another process saved something else since: both are kept. */
static void
test_changed_since (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "");
  save (fixture, fixture->session, "recovered");
  wait_until (file_has (fixture, "recovered\n"));
  restart (fixture);
  save (fixture, fixture->session, "written since");
  assert_stored (fixture, gadget_session_get_id (fixture->session), "written since");
  unsaved_recover (fixture, 0);
  assert_loads (fixture, fixture->session, "written since\n\nrecovered");
}

/* The new chat has no row, and neither has a chat whose first turn is not saved. */
static void
test_new_chat (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;

  test_faults_set (TEST_FAULT_FULL);
  save (fixture, NULL, "of a new chat");
  wait_until (file_has (fixture, "of a new chat\n"));
  start_again (fixture, TEST_FAULT_NONE);
  assert_loads (fixture, NULL, "of a new chat");
  wait_until (count_files (fixture) == 0);
  assert_stored (fixture, NULL, "of a new chat");

  fixture->session = gadget_engine_new_session (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
  test_faults_set (TEST_FAULT_FULL);
  turn = engine_fixture_start (fixture, "hello", "answer");
  save (fixture, fixture->session, "behind it");
  wait_until (has_problem (fixture, fixture->session));
  test_faults_set (TEST_FAULT_NONE);
  engine_fixture_abort (fixture);
  wait_until (gadget_turn_get_saved (turn)
              && gadget_session_get_active_run (fixture->session) == NULL);
  wait_until (!has_problem (fixture, fixture->session));
  assert_stored (fixture, gadget_session_get_id (fixture->session), "behind it");
}

/* It does not come back when its chat was deleted. */
static void
test_deleted (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "");
  save (fixture, fixture->session, "doomed");
  wait_until (file_has (fixture, "doomed\n"));
  unsaved_start_again (fixture);
  g_assert_true (engine_fixture_delete (
      fixture->engine,
      gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session)),
      GADGET_DELETE_UNUSED, NULL));
  unsaved_recover (fixture, 0);
  assert_loads (fixture, NULL, "");
  wait_until (count_files (fixture) == 0);
}

static char *
get_contents (const char *path)
{
  char *content = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  return content;
}

/* A kill before the file was removed: what is stored is newer, and has all of it. */
static void
test_saved_since (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPicture) picture = unsaved_make_picture ();
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  g_autofree char *path = NULL;
  g_autofree char *older = NULL;
  g_autofree char *text = NULL;
  guint n;

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "text", 4));
  begin_full (fixture, "");
  gadget_unsaved_drafts_save (get_drafts (fixture), fixture->session, "look", attachments);
  wait_until (file_has (fixture, "look\n"));
  path = get_file (fixture);
  older = get_contents (path);
  test_faults_set (TEST_FAULT_NONE);
  gadget_unsaved_drafts_save (get_drafts (fixture), fixture->session, "look at it", attachments);
  wait_until (!has_problem (fixture, fixture->session) && count_files (fixture) == 0);
  restart (fixture);
  g_assert_true (g_file_set_contents (path, older, -1, NULL));
  unsaved_recover (fixture, 0);
  text = load (fixture, fixture->session, &n);
  g_assert_cmpstr (text, ==, "look at it");
  g_assert_cmpuint (n, ==, 2);
}

/* A kill while the file was written anew: the draft is in both files, and only as it was last. */
static void
test_two_files (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autofree char *part = NULL;
  g_autofree char *older = NULL;
  g_autofree char *newer = NULL;

  begin_full (fixture, "");
  save (fixture, fixture->session, "as it was");
  wait_until (file_has (fixture, "as it was\n"));
  path = get_file (fixture);
  older = get_contents (path);
  save (fixture, fixture->session, "it is different");
  wait_until (file_has (fixture, "it is different\n"));
  newer = get_contents (path);
  restart (fixture);

  name = g_strdup_printf (".%s.1.part", strrchr (path, '/') + 1);
  part = g_build_filename (fixture->directory, "unsaved", name, NULL);
  g_assert_true (g_file_set_contents (path, older, -1, NULL));
  g_assert_cmpint (g_utime (path, &(struct utimbuf) { 0 }), ==, 0);
  g_assert_true (g_file_set_contents (part, newer, -1, NULL));
  unsaved_recover (fixture, 0);
  assert_loads (fixture, fixture->session, "it is different");
  wait_until (count_files (fixture) == 0);
}

/* The window looks for files again when the store takes writes, also while drafts that were found
 * first are still taken over. */
static void
test_recovered_twice (EngineFixture *fixture, gconstpointer data)
{
  GAsyncResult *first = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  begin_full (fixture, "");
  save (fixture, fixture->session, "of the chat");
  save (fixture, NULL, "of a new chat");
  wait_until (count_files (fixture) == 2);
  restart (fixture);
  gadget_engine_recover_async (fixture->engine, test_result_cb, &first);
  result = test_take_result (&first);
  gadget_unsaved_drafts_begin_recovery (get_drafts (fixture));
  gadget_unsaved_drafts_end_recovery (get_drafts (fixture), none);
  assert_loads (fixture, fixture->session, "of the chat");
  assert_loads (fixture, NULL, "of a new chat");
  wait_until (count_files (fixture) == 0);
}

/* A search that failed is repeated: what it finds then is taken over, but for the draft that was
 * read meanwhile, whose text is shown and would be lost. The next start takes that one over. */
static void
test_recovered_late (EngineFixture *fixture, gconstpointer data)
{
  begin_full (fixture, "");
  save (fixture, fixture->session, "of the chat");
  save (fixture, NULL, "of a new chat");
  wait_until (count_files (fixture) == 2);
  restart (fixture);
  gadget_unsaved_drafts_begin_recovery (get_drafts (fixture));
  gadget_unsaved_drafts_end_recovery (get_drafts (fixture), NULL);
  assert_loads (fixture, NULL, "");
  save (fixture, NULL, "what is shown");
  unsaved_recover (fixture, 0);
  assert_loads (fixture, fixture->session, "of the chat");
  assert_loads (fixture, NULL, "what is shown");
  wait_until (count_files (fixture) == 1);
  restart (fixture);
  unsaved_recover (fixture, 0);
  assert_loads (fixture, NULL, "what is shown\n\nof a new chat");
  wait_until (count_files (fixture) == 0);
}

/* Files are in the data folder and in no other one, however long that takes. A disk that is slow
 * for a moment has the next folder asked too, which these tests do not look into. */
static char *
make_only_place (void)
{
  static const char *const variables[] = { "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
                                           "TMPDIR" };
  /* GLib remembers the first temporary folder that it is asked for. */
  char *home = g_mkdtemp (g_strdup ("/tmp/gadget-drafts-XXXXXX"));
  g_autofree char *obstacle = g_strdup_printf ("%s/gadget-%u", home, (guint) geteuid ());
  g_autofree char *file = g_build_filename (home, "gadget", NULL);

  g_assert_true (g_file_set_contents (obstacle, "", 0, NULL));
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], home, TRUE);
  return home;
}

int
main (int argc, char *argv[])
{
  g_autofree char *home = make_only_place ();
  int status;

  g_test_init (&argc, &argv, NULL);
  test_faults_install ();
  /* A file that becomes too large is an error of the write. */
  signal (SIGXFSZ, SIG_IGN);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/unsaved-drafts/" path, EngineFixture, NULL, engine_fixture_set_up,          \
              function, engine_fixture_tear_down)
  ADD ("by-itself", test_by_itself);
  ADD ("outdated-file", test_outdated_file);
  ADD ("slow", test_slow);
  ADD ("slow-typing", test_slow_typing);
  ADD ("slow-without-file", test_slow_without_file);
  ADD ("recovered", test_recovered);
  ADD ("recovered-attachments", test_recovered_attachments);
  ADD ("not-yet", test_not_yet);
  ADD ("changed-since", test_changed_since);
  ADD ("new-chat", test_new_chat);
  ADD ("deleted", test_deleted);
  ADD ("saved-since", test_saved_since);
  ADD ("two-files", test_two_files);
  ADD ("recovered-late", test_recovered_late);
  ADD ("recovered-twice", test_recovered_twice);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
