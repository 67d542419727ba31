/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file system that does not answer: reading one file hangs. Turns that read it end at once when
 * they are stopped, few threads are left behind, and the next call is told why it cannot be done.
 */

#include "config.h"

#include "agent-fixture.h"
#include "attach/gadget-attachment-reader.h"
#include "common/gadget-blocking.h"
#include "hung-read.h"
#include "test-store.h"
#include "test-wait.h"
#include "tools/files/gadget-tool-read-file.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>

static GadgetTurn *
start_reading (AgentFixture *fixture)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "read it");

  fake_provider_call (fixture->provider, 0, "r", "read_file", "{\"path\":\"hung.txt\"}");
  fake_provider_end (fixture->provider);
  return turn;
}

static void
test_hung_file_system (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTool) tool = gadget_tool_read_file_new ();
  g_autofree char *folder = g_dir_make_tmp ("gadget-hung-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hung.txt", NULL);
  GadgetTurn *turn;
  guint n_threads;

  g_assert_true (g_file_set_contents (path, "at last\n", -1, NULL));
  gadget_toolbox_add (gadget_agent_get_toolbox (fixture->agent), tool);
  gadget_session_set_workspace (fixture->session, folder);
  hung_read_begin (path);
  for (guint i = 0; i < GADGET_BLOCKING_MAX_GIVEN_UP; i++)
    {
      turn = start_reading (fixture);
      wait_until (hung_read_count () == i + 1);
      agent_abort_now (fixture);
      wait_idle ();
      g_assert_cmpuint (fixture->n_completed, ==, i + 1);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
    }

  n_threads = wait_n_threads ();
  turn = start_reading (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==, GADGET_ITEM_FAILED);
  g_assert_nonnull (strstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)),
                            "The file system does not answer"));
  g_assert_cmpuint (hung_read_count (), ==, GADGET_BLOCKING_MAX_GIVEN_UP);
  g_assert_cmpuint (wait_n_threads (), <=, n_threads);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == GADGET_BLOCKING_MAX_GIVEN_UP + 1);

  hung_read_answer ();
  wait_until (gadget_blocking_get_n_given_up () == 0);
  turn = start_reading (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "at last\n");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == GADGET_BLOCKING_MAX_GIVEN_UP + 2);
  g_unlink (path);
  g_rmdir (folder);
}

/* What is given with a message is not waited for either. */
static void
test_hung_attachment (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("gadget-hung-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hung.txt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const GadgetAttachmentSource source = { .file = file };
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "at last\n", -1, NULL));
  hung_read_begin (path);
  gadget_attachment_read_async (&source, cancellable, test_result_cb, &slot);
  wait_until (hung_read_count () == 1);
  g_assert_null (slot);
  g_cancellable_cancel (cancellable);
  result = test_take_result (&slot);
  g_assert_null (gadget_attachment_read_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (hung_read_count (), ==, 1);
  hung_read_answer ();
  wait_until (gadget_blocking_get_n_given_up () == 0);
  g_unlink (path);
  g_rmdir (folder);
}

/* What a model is told about the chat's folder is not waited for: a turn that is stopped meanwhile
 * ends at once, and another one asks the model without it. */
static void
test_hung_folder (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("gadget-hung-XXXXXX", NULL);
  g_autofree char *git = g_build_filename (folder, ".git", NULL);
  g_autofree char *head = g_build_filename (git, "HEAD", NULL);
  GadgetTurn *turn;

  g_assert_cmpint (g_mkdir (git, 0700), ==, 0);
  g_assert_true (g_file_set_contents (head, "ref: refs/heads/main\n", -1, NULL));
  gadget_session_set_workspace (fixture->session, folder);
  hung_read_begin (head);
  turn = agent_start (fixture, "stop");
  wait_until (hung_read_count () == 1);
  agent_abort_now (fixture);
  wait_idle ();
  g_assert_cmpuint (fixture->n_completed, ==, 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);

  agent_start (fixture, "go on");
  wait_until (hung_read_count () == 2);
  gadget_clock_advance (fixture->clock, 300 * 1000);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_null (strstr (fake_provider_get_request (fixture->provider, 0)->system, "branch"));
  /* Threads that hang are counted, also of turns that end well. */
  wait_until (gadget_blocking_get_n_given_up () == 2);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  hung_read_answer ();
  wait_until (gadget_blocking_get_n_given_up () == 0);
  agent_start_streaming (fixture, "it answers");
  g_assert_nonnull (strstr (fake_provider_get_request (fixture->provider, 1)->system, "branch"));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
  g_unlink (head);
  g_rmdir (git);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("R4-hung-file-system", test_hung_file_system);
  agent_test_add ("R4-hung-attachment", test_hung_attachment);
  agent_test_add ("R4-hung-folder", test_hung_folder);

  return g_test_run ();
}
