/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a turn did to files is shown, taken back and made again in the window. */

#include "config.h"

#include "undoing-fixture.h"
#include "gadget-test-ui.h"

#include "effects/gadget-effects.h"
#include "effects/gadget-snapshot-service-private.h"
#include "ui/text/gadget-selectable-text.h"
#include "ui/window/gadget-application-private.h"

#include <glib/gstdio.h>
#include <utime.h>

static gboolean
is_toast (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (gtk_widget_get_css_name (widget), "toast");
}

static void
test_finished (Fixture *fixture, gconstpointer data)
{
  GtkWidget *toast;

  undoing_write_files (fixture);
  g_assert_false (undoing_shows (fixture, "Undo…"));
  undoing_finish (fixture);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "one.txt");
  undoing_wait_dialog (fixture, "two.txt");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_assert_null (undoing_get_dialog (fixture));
  wait_until (undoing_shows (fixture, "Redo…"));

  toast = test_find (undoing_get_root (fixture), is_toast, NULL);
  g_assert_nonnull (toast);
  undoing_activate (undoing_find_button (toast, "Redo"));
  wait_until (undoing_is (fixture, "one.txt", "1\n") && undoing_is (fixture, "two.txt", "2\n"));
  wait_until (undoing_shows (fixture, "Changes redone"));
  wait_until (undoing_shows (fixture, "Undo…"));
}

/* One of two files, chosen with the keyboard alone. */
static void
test_one_of_two (Fixture *fixture, gconstpointer data)
{
  undoing_write_files (fixture);
  undoing_finish (fixture);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "two.txt");
  gtk_widget_grab_focus (gtk_widget_get_ancestor (
      test_find_label (GTK_WIDGET (undoing_get_dialog (fixture)), "two.txt"),
      GTK_TYPE_LIST_BOX_ROW));
  test_key ("space");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_assert_true (undoing_is (fixture, "two.txt", "2\n"));
}

static void
test_aborted (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = undoing_write_files (fixture);

  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (undoing_get_session (fixture)) == NULL);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  undoing_press (fixture, "Undo Changes…");
  undoing_wait_dialog (fixture, "one.txt");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Redo Changes…"));
  undoing_press (fixture, "Redo Changes…");
  undoing_wait_dialog (fixture, "Redo Changes");
  undoing_press_in_dialog (fixture, "Redo");
  wait_until (undoing_is (fixture, "one.txt", "1\n") && undoing_is (fixture, "two.txt", "2\n"));
}

static gboolean
is_drop_down (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_DROP_DOWN (widget);
}

/* A file that has changed since is kept unless the user says otherwise. */
static void
test_changed_since (Fixture *fixture, gconstpointer data)
{
  GtkWidget *drop_down;

  undoing_write_files (fixture);
  undoing_finish (fixture);
  undoing_put (fixture, "one.txt", "mine\n");
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "Changed Since");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_assert_true (undoing_is (fixture, "one.txt", "mine\n"));

  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "Changed Since");
  g_assert_false (gtk_widget_is_sensitive (
      undoing_find_button (GTK_WIDGET (undoing_get_dialog (fixture)), "Undo")));
  drop_down = test_find (GTK_WIDGET (undoing_get_dialog (fixture)), is_drop_down, NULL);
  gtk_widget_grab_focus (drop_down);
  test_key ("space");
  wait_until (test_find_label (drop_down, "Undo Anyway") != NULL);
  gadget_test_wait_frames (drop_down, 3);
  test_key ("Down");
  test_key ("Return");
  wait_until (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)) == 1);
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL));
}

static guint
count_undoing (Fixture *fixture)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (agent));
  guint n = 0;

  for (guint i = 0; i < runs->len; i++)
    n += gadget_run_get_kind (g_ptr_array_index (runs, i)) == GADGET_RUN_UNDO;
  return n;
}

static void
wait_in_thread (GadgetSnapshotWorker *keeping, gpointer mutex)
{
  g_mutex_lock (mutex);
  g_mutex_unlock (mutex);
}

static void
leave_it (gpointer data)
{
}

/* Begins to undo a turn that wrote @file; the undo lasts until @mutex is unlocked. */
static void
begin_long_undo_of (Fixture *fixture, const char *file, GMutex *mutex)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);

  g_mutex_init (mutex);
  undoing_finish (fixture);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, file);
  g_mutex_lock (mutex);
  _gadget_snapshot_service_run_detached (gadget_agent_get_snapshot_service (agent), wait_in_thread,
                                         mutex, leave_it);
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (count_undoing (fixture) == 1);
}

static void
begin_long_undo (Fixture *fixture, GMutex *mutex)
{
  undoing_write_files (fixture);
  begin_long_undo_of (fixture, "two.txt", mutex);
}

/* While an undo runs, the command says so, before and after the undo does, and opens no dialog. */
static void
test_command (Fixture *fixture, gconstpointer data)
{
  static const char said[] =
      "An undo is running in this chat. Wait until it has ended, or stop it.";
  GMutex mutex;

  begin_long_undo (fixture, &mutex);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  wait_until (undoing_shows (fixture, said));
  test_window_advance (&fixture->window, 500);
  wait_until (undoing_shows (fixture, "Undoing changes…") && !undoing_shows (fixture, said));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  wait_until (undoing_shows (fixture, said));
  g_assert_null (undoing_get_dialog (fixture));
  g_mutex_unlock (&mutex);
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_assert_null (undoing_get_dialog (fixture));
  g_mutex_clear (&mutex);
}

static guint
count_dialogs (Fixture *fixture)
{
  g_autoptr (GListModel) dialogs =
      adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (fixture->window.window));

  return g_list_model_get_n_items (dialogs);
}

/* The command is given again before its dialog is there. */
static void
test_command_twice (Fixture *fixture, gconstpointer data)
{
  undoing_write_files (fixture);
  undoing_finish (fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  undoing_wait_dialog (fixture, "two.txt");
  test_run_for (300);
  g_assert_cmpuint (count_dialogs (fixture), ==, 1);
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (count_dialogs (fixture) == 0);

  /* It can be given once more. */
  undoing_press (fixture, "Redo…");
  undoing_wait_dialog (fixture, "two.txt");
  undoing_press_in_dialog (fixture, "Redo");
  wait_until (undoing_is (fixture, "one.txt", "1\n") && undoing_is (fixture, "two.txt", "2\n"));
  wait_until (undoing_shows (fixture, "Undo…"));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  undoing_wait_dialog (fixture, "two.txt");
}

/* A dialog about files takes the place of the one before, which goes with the chat like it. */
static void
test_dialog_after_dialog (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) other = gadget_engine_new_session (fixture->window.engine);
  GadgetTurn *turn = undoing_write_files (fixture);

  undoing_finish (fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL);
  wait_until (undoing_get_dialog (fixture) != NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-changes", "s",
                              gadget_turn_get_id (turn));
  undoing_wait_dialog (fixture, "two.txt");
  wait_until (count_dialogs (fixture) == 1);
  gadget_chat_set_session (fixture->window.chat, other);
  wait_until (count_dialogs (fixture) == 0);
}

/* A window is not closed in the middle of an undo without a word. */
static void
test_closing (Fixture *fixture, gconstpointer data)
{
  GadgetApplication *application = test_window_make_application (&fixture->window);
  GMutex mutex;

  begin_long_undo (fixture, &mutex);
  gtk_window_close (GTK_WINDOW (fixture->window.window));
  undoing_wait_dialog (fixture, "Stop and Close?");
  undoing_wait_dialog (fixture, "Changes are still being undone or redone. Files that were not "
                                "reached stay as they are.");
  undoing_press_in_dialog (fixture, "Keep Open");
  wait_until (undoing_get_dialog (fixture) == NULL);
  g_assert_cmpuint (count_undoing (fixture), ==, 1);
  g_mutex_unlock (&mutex);
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_mutex_clear (&mutex);
  test_window_end_application (&fixture->window, application);
}

/* An undo that takes long says so, and can be stopped: there (no @keys), with Esc like all that its
 * chat does, and with everything. What was stopped can be gone on with. */
static void
test_stopped (Fixture *fixture, gconstpointer keys)
{
  GMutex mutex;

  begin_long_undo (fixture, &mutex);
  test_window_advance (&fixture->window, 500);
  wait_until (undoing_shows (fixture, "Undoing changes…"));
  if (keys == NULL)
    undoing_press (fixture, "Stop");
  else if (g_str_equal (keys, "Escape"))
    {
      test_key (keys);
      wait_until (undoing_shows (fixture, "Press Esc again to abort"));
      g_assert_cmpuint (count_undoing (fixture), ==, 1);
      test_key (keys);
    }
  else
    test_key (keys);
  if (g_strcmp0 (keys, "ctrl+shift+Escape") == 0)
    wait_until (undoing_shows (fixture, "Stopping the undo of changes"));
  wait_until (!undoing_shows (fixture, "Undoing changes…"));
  g_mutex_unlock (&mutex);
  wait_until (count_undoing (fixture) == 0);
  wait_until (undoing_shows (fixture, "2 files not undone"));
  g_assert_true (undoing_is (fixture, "one.txt", "1\n") && undoing_is (fixture, "two.txt", "2\n"));
  undoing_press (fixture, "Continue");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_mutex_clear (&mutex);
}

/* What is left is counted as the line of the turn counts: without the folder that was made. */
static void
test_stopped_folder (Fixture *fixture, gconstpointer data)
{
  GMutex mutex;

  test_window_send (&fixture->window, "write");
  fake_provider_call (fixture->window.provider, 0, "c1", "write_file",
                      "{\"path\":\"new/one.txt\",\"content\":\"1\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 2
              && fake_provider_is_waiting (fixture->window.provider));
  begin_long_undo_of (fixture, "new/one.txt", &mutex);
  test_window_advance (&fixture->window, 500);
  undoing_press (fixture, "Stop");
  wait_until (!undoing_shows (fixture, "Undoing changes…"));
  g_mutex_unlock (&mutex);
  wait_until (undoing_shows (fixture, "1 file not undone"));
  g_mutex_clear (&mutex);
}

static void
begun_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gint64 *id = user_data;
  g_autoptr (GError) error = NULL;

  *id = gadget_effects_begin_finish (GADGET_EFFECTS (source), result, &error);
  g_assert_no_error (error);
}

/* Sends a message for which a command does @work, which is put on record as by the shell tool. The
 * model is asked again then. */
static void
run_command (Fixture *fixture, void (*work) (Fixture *fixture))
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  const char *id = gadget_turn_get_id (test_window_send (&fixture->window, "write"));
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (gadget_agent_get_snapshot_service (agent), id, id, fixture->workspace);
  gint64 effect = 0;

  fake_provider_call (fixture->window.provider, 0, "c0", "list_dir", "{}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 2
              && fake_provider_is_waiting (fixture->window.provider));
  gadget_effects_begin_command_async (effects, "c1", "command", fixture->workspace, FALSE, NULL,
                                      begun_cb, &effect);
  wait_until (effect != 0);
  work (fixture);
  gadget_effects_end (effects, effect, "exit 0");
}

static void
make_folders (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "new", "inner", NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

static gboolean
has_folder (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "new", "inner", NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

static gboolean
is_text (GtkWidget *widget, gpointer text)
{
  return GADGET_IS_SELECTABLE_TEXT (widget)
         && g_str_equal (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)), text);
}

static gboolean
has_text (Fixture *fixture, const char *text)
{
  return test_find (undoing_get_root (fixture), is_text, (gpointer) text) != NULL;
}

/* Folders are named, and undone, where the turn changed nothing else. */
static void
test_folders (Fixture *fixture, gconstpointer data)
{
  GMutex mutex;

  run_command (fixture, make_folders);
  begin_long_undo_of (fixture, "new/inner", &mutex);
  test_window_advance (&fixture->window, 500);
  undoing_press (fixture, "Stop");
  wait_until (!undoing_shows (fixture, "Undoing changes…"));
  g_mutex_unlock (&mutex);
  wait_until (undoing_shows (fixture, "2 folders not undone"));
  g_assert_true (has_text (fixture, "2 folders changed"));
  g_assert_true (has_folder (fixture));
  undoing_press (fixture, "Continue");
  wait_until (!has_folder (fixture));
  wait_until (has_text (fixture, "2 folders changed · undone"));
  undoing_press (fixture, "Redo…");
  undoing_wait_dialog (fixture, "Folder created");
  undoing_press_in_dialog (fixture, "Redo");
  wait_until (has_folder (fixture));
  g_mutex_clear (&mutex);
}

static void
close_folder (Fixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->workspace, "new", NULL);
  g_autofree char *file = g_build_filename (folder, "a", NULL);
  const struct utimbuf times = { 1000, 1000 };

  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  g_assert_cmpint (g_utime (file, (struct utimbuf *) &times), ==, 0);
}

/* A folder is named whose permissions were changed, although a file in it got another time. */
static void
test_folder_permissions (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->workspace, "new", NULL);
  GStatBuf info;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0750), ==, 0);
  undoing_put (fixture, "new/a", "1\n");
  run_command (fixture, close_folder);
  undoing_finish (fixture);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "Permissions changed");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (g_stat (folder, &info) == 0 && (info.st_mode & 0777) == 0750);
}

/* By the line of the call; it asks when the file has changed since. */
static void
test_row (Fixture *fixture, gconstpointer data)
{
  undoing_write_files (fixture);
  undoing_finish (fixture);
  undoing_press (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL));
  g_assert_true (undoing_is (fixture, "two.txt", "2\n"));
  /* The line says so, not only the toast. */
  wait_until (undoing_find_button (GTK_WIDGET (fixture->window.chat->stack), "Redo") != NULL);

  undoing_put (fixture, "two.txt", "mine\n");
  undoing_press (fixture, "Undo");
  undoing_wait_dialog (fixture, "Changed Since");
  g_assert_true (undoing_is (fixture, "two.txt", "mine\n"));
  g_assert_null (test_find_label (GTK_WIDGET (undoing_get_dialog (fixture)), "one.txt"));
}

/* Not while an agent works in the folder, and it says why. */
static void
test_running (Fixture *fixture, gconstpointer data)
{
  undoing_write_files (fixture);
  undoing_finish (fixture);
  test_window_send (&fixture->window, "more");
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture,
                       "A turn is running in this chat. Wait until it has ended, or stop it.");
  g_assert_false (gtk_widget_is_sensitive (
      undoing_find_button (GTK_WIDGET (undoing_get_dialog (fixture)), "Undo")));
  fake_provider_end (fixture->window.provider);
  wait_until (gtk_widget_is_sensitive (
      undoing_find_button (GTK_WIDGET (undoing_get_dialog (fixture)), "Undo")));
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL));
}

static gboolean
delete_row (sqlite3 *db, gpointer data, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("DELETE FROM session WHERE id = '%s'", (char *) data);

  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

/* As another process does it. */
static void
delete_session (Fixture *fixture, GadgetSession *session)
{
  test_store_run (gadget_engine_get_store (fixture->window.engine), delete_row,
                  (gpointer) gadget_session_get_id (session));
}

/* Another chat is shown, or this one is deleted, while the dialog is open: it goes with its chat.
 */
static void
test_switched (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = g_object_ref (undoing_get_session (fixture));
  g_autoptr (GadgetSession) other = gadget_engine_new_session (fixture->window.engine);
  GadgetTurn *turn = undoing_write_files (fixture);

  undoing_finish (fixture);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "one.txt");
  gadget_chat_set_session (fixture->window.chat, other);
  wait_until (undoing_get_dialog (fixture) == NULL);
  g_assert_true (undoing_is (fixture, "one.txt", "1\n"));

  gadget_chat_set_session (fixture->window.chat, session);
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "one.txt");
  if (data != NULL)
    {
      delete_session (fixture, session);
      undoing_press_in_dialog (fixture, "Undo");
      wait_until (undoing_shows (fixture, "Nothing was undone. This chat was deleted."));
      g_assert_true (undoing_is (fixture, "one.txt", "1\n"));
    }
  else
    {
      undoing_press_in_dialog (fixture, "Undo");
      wait_until (undoing_is (fixture, "one.txt", NULL));
    }
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_object_unref (session);
}

/* Until it is known what a command changed, nothing can be undone, and the button says why. */
static void
test_recording (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  GadgetTurn *turn = undoing_write_files (fixture);
  const char *id = gadget_turn_get_id (turn);
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (gadget_agent_get_snapshot_service (agent), id, id, fixture->workspace);
  gint64 effect = 0;

  gadget_effects_begin_async (effects, "c3", GADGET_EFFECT_COMMAND, "make", NULL, NULL, begun_cb,
                              &effect);
  wait_until (effect != 0);
  test_key ("shift+Escape");
  wait_until (undoing_shows (fixture, "Recording Changes…"));
  g_assert_false (gtk_widget_is_sensitive (
      undoing_find_button (undoing_get_root (fixture), "Recording Changes…")));
  undoing_put (fixture, "three.txt", "3\n");
  gadget_effects_end (effects, effect, "exit 0");
  undoing_press (fixture, "Undo Changes…");
  undoing_wait_dialog (fixture, "three.txt");
  undoing_wait_dialog (fixture, "Not Undone");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "three.txt", NULL) && undoing_is (fixture, "one.txt", NULL));
}

static gboolean
is_effects_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Actions") == 0;
}

/* A turn that called no tool has nothing of all this. */
static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  test_window_send (&fixture->window, "hello");
  undoing_finish (fixture);
  test_run_for (300);
  g_assert_false (undoing_shows (fixture, "Undo…"));
  g_assert_null (test_find (undoing_get_root (fixture), is_effects_button, NULL));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/undoing/" name, Fixture, NULL, undoing_set_up, func, undoing_tear_down)
  ADD ("finished", test_finished);
  ADD ("one-of-two", test_one_of_two);
  ADD ("aborted", test_aborted);
  ADD ("changed-since", test_changed_since);
  ADD ("stopped", test_stopped);
  g_test_add ("/ui/undoing/stopped-with-esc", Fixture, "Escape", undoing_set_up, test_stopped,
              undoing_tear_down);
  g_test_add ("/ui/undoing/stopped-with-everything", Fixture, "ctrl+shift+Escape", undoing_set_up,
              test_stopped, undoing_tear_down);
  ADD ("stopped-folder", test_stopped_folder);
  ADD ("folders", test_folders);
  ADD ("folder-permissions", test_folder_permissions);
  ADD ("command", test_command);
  ADD ("command-twice", test_command_twice);
  ADD ("dialog-after-dialog", test_dialog_after_dialog);
  ADD ("closing", test_closing);
  ADD ("row", test_row);
  ADD ("running", test_running);
  ADD ("recording", test_recording);
  ADD ("switched", test_switched);
  g_test_add ("/ui/undoing/deleted", Fixture, "deleted", undoing_set_up, test_switched,
              undoing_tear_down);
  ADD ("nothing", test_nothing);
  return g_test_run ();
}
