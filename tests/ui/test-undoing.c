/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a turn did to files is shown, taken back and made again in the window: real tools, a real
 * store, keys and clicks that come from outside. */

#include "config.h"

#include "effects/gadget-effects.h"
#include "effects/gadget-keeper-private.h"
#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/window/gadget-chat-private.h"
#include "ui/window/gadget-effects-dialog.h"
#include "wait.h"

#include <glib/gstdio.h>

typedef struct
{
  TestWindow window;
  char *workspace;
} Fixture;

static GadgetSession *
get_session (Fixture *fixture)
{
  return gadget_window_get_session (fixture->window.window);
}

static GtkWidget *
get_root (Fixture *fixture)
{
  return GTK_WIDGET (fixture->window.window);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  test_window_set_up (&fixture->window, data);
  fixture->workspace = test_window_give_workspace (&fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_window_tear_down (&fixture->window, data);
  test_dir_free (fixture->workspace);
}

/* --- Files -------------------------------------------------------------------------------------
 */

static void
put (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* (nullable) */
static char *
get (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
is (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *now = get (fixture, name);

  return g_strcmp0 (now, text) == 0;
}

/* --- Looking -----------------------------------------------------------------------------------
 */

static GtkWidget *
find_button (GtkWidget *root, const char *label)
{
  GtkWidget *found = test_find_label (root, label);

  return found != NULL ? gtk_widget_get_ancestor (found, GTK_TYPE_BUTTON) : NULL;
}

/* With a key: dialogs and toasts slide in, and rows move when others come, so that a click may come
 * to where the button was. */
static void
activate (GtkWidget *button)
{
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

static void
press (Fixture *fixture, const char *label)
{
  wait_until (find_button (get_root (fixture), label) != NULL
              && gtk_widget_is_sensitive (find_button (get_root (fixture), label)));
  activate (find_button (get_root (fixture), label));
}

static AdwDialog *
get_dialog (Fixture *fixture)
{
  return adw_application_window_get_visible_dialog (
      ADW_APPLICATION_WINDOW (fixture->window.window));
}

static gboolean
shows (Fixture *fixture, const char *label)
{
  return test_find_label (get_root (fixture), label) != NULL;
}

static void
wait_dialog (Fixture *fixture, const char *label)
{
  wait_until (get_dialog (fixture) != NULL
              && test_find_label (GTK_WIDGET (get_dialog (fixture)), label) != NULL);
  gadget_test_wait_frames (get_root (fixture), 3);
}

static void
press_in_dialog (Fixture *fixture, const char *label)
{
  GtkWidget *button = find_button (GTK_WIDGET (get_dialog (fixture)), label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  activate (button);
}

/* --- Turns -------------------------------------------------------------------------------------
 */

/* Two files are made, and the model is asked again. */
static GadgetTurn *
write_files (Fixture *fixture)
{
  GadgetTurn *turn = test_window_send (&fixture->window, "write");

  fake_provider_call (fixture->window.provider, 0, "c1", "write_file",
                      "{\"path\":\"one.txt\",\"content\":\"1\\n\"}");
  fake_provider_call (fixture->window.provider, 1, "c2", "write_file",
                      "{\"path\":\"two.txt\",\"content\":\"2\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 2
              && fake_provider_is_waiting (fixture->window.provider));
  g_assert_true (is (fixture, "one.txt", "1\n") && is (fixture, "two.txt", "2\n"));
  return turn;
}

static void
finish (Fixture *fixture)
{
  fake_provider_text (fixture->window.provider, "Done.");
  fake_provider_end (fixture->window.provider);
  wait_until (gadget_session_get_active_run (get_session (fixture)) == NULL);
}

static gboolean
is_toast (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (gtk_widget_get_css_name (widget), "toast");
}

static void
test_finished (Fixture *fixture, gconstpointer data)
{
  GtkWidget *toast;

  write_files (fixture);
  g_assert_false (shows (fixture, "Undo…"));
  finish (fixture);
  press (fixture, "Undo…");
  wait_dialog (fixture, "one.txt");
  wait_dialog (fixture, "two.txt");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL) && is (fixture, "two.txt", NULL));
  wait_until (shows (fixture, "Changes undone"));
  g_assert_null (get_dialog (fixture));
  wait_until (shows (fixture, "Redo…"));

  toast = test_find (get_root (fixture), is_toast, NULL);
  g_assert_nonnull (toast);
  activate (find_button (toast, "Redo"));
  wait_until (is (fixture, "one.txt", "1\n") && is (fixture, "two.txt", "2\n"));
  wait_until (shows (fixture, "Changes redone"));
  wait_until (shows (fixture, "Undo…"));
}

/* One of two files, chosen with the keyboard alone. */
static void
test_one_of_two (Fixture *fixture, gconstpointer data)
{
  write_files (fixture);
  finish (fixture);
  press (fixture, "Undo…");
  wait_dialog (fixture, "two.txt");
  gtk_widget_grab_focus (gtk_widget_get_ancestor (
      test_find_label (GTK_WIDGET (get_dialog (fixture)), "two.txt"), GTK_TYPE_LIST_BOX_ROW));
  test_key ("space");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL));
  wait_until (shows (fixture, "Changes undone"));
  g_assert_true (is (fixture, "two.txt", "2\n"));
}

static void
test_aborted (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = write_files (fixture);

  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (get_session (fixture)) == NULL);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  press (fixture, "Undo Changes…");
  wait_dialog (fixture, "one.txt");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL) && is (fixture, "two.txt", NULL));
  wait_until (shows (fixture, "Redo Changes…"));
  press (fixture, "Redo Changes…");
  wait_dialog (fixture, "Redo Changes");
  press_in_dialog (fixture, "Redo");
  wait_until (is (fixture, "one.txt", "1\n") && is (fixture, "two.txt", "2\n"));
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

  write_files (fixture);
  finish (fixture);
  put (fixture, "one.txt", "mine\n");
  press (fixture, "Undo…");
  wait_dialog (fixture, "Changed Since");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "two.txt", NULL));
  wait_until (shows (fixture, "Changes undone"));
  g_assert_true (is (fixture, "one.txt", "mine\n"));

  press (fixture, "Undo…");
  wait_dialog (fixture, "Changed Since");
  g_assert_false (
      gtk_widget_is_sensitive (find_button (GTK_WIDGET (get_dialog (fixture)), "Undo")));
  drop_down = test_find (GTK_WIDGET (get_dialog (fixture)), is_drop_down, NULL);
  gtk_widget_grab_focus (drop_down);
  test_key ("space");
  wait_until (test_find_label (drop_down, "Undo Anyway") != NULL);
  gadget_test_wait_frames (drop_down, 3);
  test_key ("Down");
  test_key ("Return");
  wait_until (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)) == 1);
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL));
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
wait_in_thread (GadgetKeeping *keeping, gpointer mutex)
{
  g_mutex_lock (mutex);
  g_mutex_unlock (mutex);
}

static void
leave_it (gpointer data)
{
}

/* An undo that takes long says so, and can be stopped: there, and with everything. What was stopped
 * can be gone on with. */
static void
test_stopped (Fixture *fixture, gconstpointer with_everything)
{
  GadgetKeeper *keeper = gadget_agent_get_keeper (gadget_engine_get_agent (fixture->window.engine));
  GMutex mutex;

  g_mutex_init (&mutex);
  write_files (fixture);
  finish (fixture);
  press (fixture, "Undo…");
  wait_dialog (fixture, "two.txt");
  g_mutex_lock (&mutex);
  _gadget_keeper_run_detached (keeper, wait_in_thread, &mutex, leave_it);
  press_in_dialog (fixture, "Undo");
  wait_until (count_undoing (fixture) == 1);
  test_window_advance (&fixture->window, 500);
  wait_until (shows (fixture, "Undoing changes…"));
  if (with_everything != NULL)
    {
      test_key ("ctrl+shift+Escape");
      wait_until (shows (fixture, "Stopping the undo of changes"));
    }
  else
    press (fixture, "Stop");
  wait_until (!shows (fixture, "Undoing changes…"));
  g_mutex_unlock (&mutex);
  wait_until (count_undoing (fixture) == 0);
  wait_until (shows (fixture, "Undo was stopped before 2 files"));
  g_assert_true (is (fixture, "one.txt", "1\n") && is (fixture, "two.txt", "2\n"));
  press (fixture, "Continue");
  wait_until (is (fixture, "one.txt", NULL) && is (fixture, "two.txt", NULL));
  wait_until (shows (fixture, "Changes undone"));
  g_mutex_clear (&mutex);
}

/* By the line of the call; it asks when the file has changed since. */
static void
test_row (Fixture *fixture, gconstpointer data)
{
  write_files (fixture);
  finish (fixture);
  press (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL));
  g_assert_true (is (fixture, "two.txt", "2\n"));
  /* The line says so, not only the toast. */
  wait_until (find_button (GTK_WIDGET (fixture->window.chat->stack), "Redo") != NULL);

  put (fixture, "two.txt", "mine\n");
  press (fixture, "Undo");
  wait_dialog (fixture, "Changed Since");
  g_assert_true (is (fixture, "two.txt", "mine\n"));
  g_assert_null (test_find_label (GTK_WIDGET (get_dialog (fixture)), "one.txt"));
}

/* Not while an agent works in the folder, and it says why. */
static void
test_running (Fixture *fixture, gconstpointer data)
{
  write_files (fixture);
  finish (fixture);
  test_window_send (&fixture->window, "more");
  press (fixture, "Undo…");
  wait_dialog (fixture, "A turn is running in this chat. Wait until it has ended, or stop it.");
  g_assert_false (
      gtk_widget_is_sensitive (find_button (GTK_WIDGET (get_dialog (fixture)), "Undo")));
  fake_provider_end (fixture->window.provider);
  wait_until (gtk_widget_is_sensitive (find_button (GTK_WIDGET (get_dialog (fixture)), "Undo")));
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL));
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
  GadgetStore *store = gadget_engine_get_store (fixture->window.engine);
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_run_async (store, delete_row, g_strdup (gadget_session_get_id (session)), g_free,
                          test_result_cb, &result);
  wait_until (result != NULL);
  g_assert_true (gadget_store_run_finish (store, result, NULL));
}

/* Another chat is shown, or this one is deleted, while the dialog is open: it goes with its chat.
 */
static void
test_switched (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = g_object_ref (get_session (fixture));
  g_autoptr (GadgetSession) other = gadget_engine_new_session (fixture->window.engine);
  GadgetTurn *turn = write_files (fixture);

  finish (fixture);
  press (fixture, "Undo…");
  wait_dialog (fixture, "one.txt");
  gadget_chat_set_session (fixture->window.chat, other);
  wait_until (get_dialog (fixture) == NULL);
  g_assert_true (is (fixture, "one.txt", "1\n"));

  gadget_chat_set_session (fixture->window.chat, session);
  press (fixture, "Undo…");
  wait_dialog (fixture, "one.txt");
  if (data != NULL)
    {
      delete_session (fixture, session);
      press_in_dialog (fixture, "Undo");
      wait_until (shows (fixture, "Nothing was undone. This chat was deleted."));
      g_assert_true (is (fixture, "one.txt", "1\n"));
    }
  else
    {
      press_in_dialog (fixture, "Undo");
      wait_until (is (fixture, "one.txt", NULL));
    }
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_object_unref (session);
}

static void
begun_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gint64 *id = user_data;
  g_autoptr (GError) error = NULL;

  *id = gadget_effects_begin_finish (GADGET_EFFECTS (source), result, &error);
  g_assert_no_error (error);
}

/* Until it is known what a command changed, nothing can be undone, and the button says why. */
static void
test_recording (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  GadgetTurn *turn = write_files (fixture);
  const char *id = gadget_turn_get_id (turn);
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (gadget_agent_get_keeper (agent), id, id, fixture->workspace);
  gint64 effect = 0;

  gadget_effects_begin_async (effects, "c3", GADGET_EFFECT_COMMAND, "make", NULL, NULL, begun_cb,
                              &effect);
  wait_until (effect != 0);
  test_key ("shift+Escape");
  wait_until (shows (fixture, "Recording Changes…"));
  g_assert_false (gtk_widget_is_sensitive (find_button (get_root (fixture), "Recording Changes…")));
  put (fixture, "three.txt", "3\n");
  gadget_effects_end (effects, effect, "exit 0");
  press (fixture, "Undo Changes…");
  wait_dialog (fixture, "three.txt");
  wait_dialog (fixture, "Not Undone");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "three.txt", NULL) && is (fixture, "one.txt", NULL));
}

/* Of a process that died when nothing was kept yet. */
static void
lose_edit (Fixture *fixture, GadgetTurn *turn, const char *name)
{
  GadgetKeeper *keeper = gadget_agent_get_keeper (gadget_engine_get_agent (fixture->window.engine));
  GadgetStore *store = gadget_keeper_get_store (keeper);
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);
  char *id = (char *) gadget_turn_get_id (turn);
  const GadgetEffectRow row = { .turn_id = id,
                                .call_turn_id = id,
                                .kind = GADGET_EFFECT_CHANGE,
                                .subject = path,
                                .root = fixture->workspace,
                                .recording = GADGET_RECORDING_PENDING };
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *slot = NULL;

  gadget_store_begin_effect_async (store, &row, "effects-of-the-dead", test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_cmpint (gadget_store_begin_effect_finish (store, result, NULL), >, 0);
  g_signal_emit_by_name (keeper, "recorded", id);
}

/* A turn that changed nothing, as far as its calls tell. */
static GadgetTurn *
read_lost (Fixture *fixture)
{
  const guint n = fake_provider_get_n_requests (fixture->window.provider);
  GadgetTurn *turn;

  put (fixture, "lost.txt", "what was in it?\n");
  turn = test_window_send (&fixture->window, "read");
  fake_provider_call (fixture->window.provider, 0, "c1", "read_file", "{\"path\":\"lost.txt\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == n + 2
              && fake_provider_is_waiting (fixture->window.provider));
  finish (fixture);
  return turn;
}

/* What is not on record cannot be undone; it is not said that nothing was done. */
static void
test_lost (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = read_lost (fixture);

  g_assert_false (shows (fixture, "Undo…"));
  lose_edit (fixture, turn, "lost.txt");
  press (fixture, "Undo…");
  wait_dialog (fixture, "Not Recorded");
  wait_dialog (fixture, "Changing \u2068lost.txt\u2069");
  wait_dialog (fixture, "interrupted when Gadget ended · may have been changed");
  g_assert_false (
      gtk_widget_is_sensitive (find_button (GTK_WIDGET (get_dialog (fixture)), "Undo")));
}

static void
undo_last (Fixture *fixture)
{
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat), "session.undo-last", NULL));
}

/* Whoever wants the last turn undone is not offered an older one instead. */
static void
test_last_is_lost (Fixture *fixture, gconstpointer data)
{
  write_files (fixture);
  finish (fixture);
  lose_edit (fixture, read_lost (fixture), "lost.txt");
  undo_last (fixture);
  wait_dialog (fixture, "Not Recorded");
  g_assert_null (test_find_label (GTK_WIDGET (get_dialog (fixture)), "one.txt"));
}

static void
run_in_store (Fixture *fixture, GadgetStoreFunc func, const char *turn_id)
{
  GadgetStore *store = gadget_engine_get_store (fixture->window.engine);
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_run_async (store, func, g_strdup (turn_id), g_free, test_result_cb, &result);
  wait_until (result != NULL);
  g_assert_true (gadget_store_run_finish (store, result, NULL));
}

static gboolean
break_effects (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (sqlite3_exec (db, "ALTER TABLE effect RENAME TO broken", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  return TRUE;
}

static void
test_last_is_unreadable (Fixture *fixture, gconstpointer data)
{
  write_files (fixture);
  finish (fixture);
  wait_until (shows (fixture, "Undo…"));
  run_in_store (fixture, break_effects, NULL);
  undo_last (fixture);
  wait_until (shows (fixture, "The Changes Could Not Be Read"));
  g_assert_null (get_dialog (fixture));
}

static void
delete_turn (Fixture *fixture, const char *id)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window.chat),
                                             "session.delete-turn", "s", id));
}

/* A turn does not leave with changes that nobody has been told of. */
static void
test_delete_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;

  id = g_strdup (gadget_turn_get_id (write_files (fixture)));
  finish (fixture);
  wait_until (shows (fixture, "Undo…"));
  run_in_store (fixture, break_effects, NULL);

  delete_turn (fixture, id);
  wait_dialog (fixture, "Remove Without Undo?");
  press_in_dialog (fixture, "Cancel");
  wait_until (get_dialog (fixture) == NULL);
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (fixture)), ==, 1);

  delete_turn (fixture, id);
  wait_dialog (fixture, "Remove Without Undo?");
  g_assert_cmpint (
      adw_alert_dialog_get_response_appearance (ADW_ALERT_DIALOG (get_dialog (fixture)), "keep"),
      ==, ADW_RESPONSE_DESTRUCTIVE);
  press_in_dialog (fixture, "Remove");
  wait_until (gadget_session_get_n_turns (get_session (fixture)) == 0);
  g_assert_true (is (fixture, "one.txt", "1\n"));
}

/* Reading the changes of one turn fails, and no others. */
static gboolean
break_changes (sqlite3 *db, gpointer data, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("ALTER TABLE change RENAME TO kept;"
                       "CREATE VIEW change AS SELECT * FROM kept WHERE CASE WHEN effect IN"
                       " (SELECT effect.number FROM effect JOIN turn ON turn.number = effect.turn"
                       "  WHERE turn.id = '%s') THEN json ('broken' || effect) ELSE 1 END",
                       (char *) data);

  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

static gboolean
mend_changes (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (
      sqlite3_exec (db, "DROP VIEW change; ALTER TABLE kept RENAME TO change", NULL, NULL, NULL),
      ==, SQLITE_OK);
  return TRUE;
}

static GadgetTurn *
write_third (Fixture *fixture)
{
  const guint n = fake_provider_get_n_requests (fixture->window.provider);
  GadgetTurn *turn = test_window_send (&fixture->window, "more");

  fake_provider_call (fixture->window.provider, 0, "c1", "write_file",
                      "{\"path\":\"three.txt\",\"content\":\"3\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == n + 2
              && fake_provider_is_waiting (fixture->window.provider));
  finish (fixture);
  return turn;
}

static gboolean
is_partly_known (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LABEL (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), " changed 2 files. ") != NULL
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), " could not be read. ") != NULL;
}

/* What one turn did cannot be read: what the others did can be undone all the same. */
static void
test_replace_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;

  first = g_strdup (gadget_turn_get_id (write_files (fixture)));
  finish (fixture);
  run_in_store (fixture, break_changes, gadget_turn_get_id (write_third (fixture)));

  _gadget_chat_start_over (fixture->window.chat, first, "again", NULL);
  wait_dialog (fixture, "Undo File Changes?");
  g_assert_nonnull (test_find (GTK_WIDGET (get_dialog (fixture)), is_partly_known, NULL));
  run_in_store (fixture, mend_changes, NULL);
  press_in_dialog (fixture, "Undo Changes");
  wait_until (is (fixture, "one.txt", NULL) && is (fixture, "two.txt", NULL));
  wait_until (gadget_session_get_n_turns (get_session (fixture)) == 1
              && fake_provider_is_waiting (fixture->window.provider));
  g_assert_true (is (fixture, "three.txt", "3\n"));
  finish (fixture);
}

/* The rest of its turn can be. */
static void
test_lost_besides (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = write_files (fixture);

  finish (fixture);
  lose_edit (fixture, turn, "lost.txt");
  press (fixture, "Undo…");
  wait_dialog (fixture, "one.txt");
  wait_dialog (fixture, "Not Recorded");
  press_in_dialog (fixture, "Undo");
  wait_until (is (fixture, "one.txt", NULL) && is (fixture, "two.txt", NULL));
  wait_until (shows (fixture, "Changes undone"));
}

static gboolean
is_effects_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), user_data) == 0;
}

static gboolean
is_failure (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LABEL (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)),
                              "The file could not be saved. ");
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **text = user_data;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* A command that could use the network, as the shell tool puts it on record. */
static void
record_command (Fixture *fixture, GadgetTurn *turn)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  const char *id = gadget_turn_get_id (turn);
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (gadget_agent_get_keeper (agent), id, id, fixture->workspace);
  gint64 effect = 0;

  gadget_effects_begin_command_async (effects, "c3", "make", fixture->workspace, TRUE, NULL,
                                      begun_cb, &effect);
  wait_until (effect != 0);
  gadget_effects_end (effects, effect, "exit 0");
}

static void
test_effects (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "done.txt", NULL);
  g_autofree char *missing = g_build_filename (fixture->workspace, "none", "done.txt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) nowhere = g_file_new_for_path (missing);
  GtkWidget *button;
  g_autofree char *text = NULL;
  g_autofree char *saved = NULL;

  record_command (fixture, write_files (fixture));
  finish (fixture);
  wait_until (test_find (get_root (fixture), is_effects_button, (gpointer) "What Was Done"));
  activate (test_find (get_root (fixture), is_effects_button, (gpointer) "What Was Done"));
  wait_dialog (fixture, "What Was Done");
  wait_dialog (fixture, "Created \u2068one.txt\u2069");
  wait_dialog (fixture, "with the network");
  button = test_find (GTK_WIDGET (get_dialog (fixture)), is_effects_button, (gpointer) "Copy");
  g_assert_nonnull (button);
  activate (button);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (button), NULL, pasted_cb, &text);
  wait_until (text != NULL);
  g_assert_nonnull (strstr (text, "  Created one.txt\n"));
  g_assert_nonnull (strstr (text, "  Created two.txt\n"));
  g_assert_nonnull (strstr (text, "  Ran make · with the network\n"));

  g_assert_nonnull (
      test_find (GTK_WIDGET (get_dialog (fixture)), is_effects_button, (gpointer) "Save As…"));
  gadget_effects_dialog_save (GADGET_EFFECTS_DIALOG (get_dialog (fixture)), file);
  wait_dialog (fixture, "The list was saved");
  g_assert_true (g_file_load_contents (file, NULL, &saved, NULL, NULL, NULL));
  g_assert_cmpstr (saved, ==, text);
  gadget_effects_dialog_save (GADGET_EFFECTS_DIALOG (get_dialog (fixture)), nowhere);
  wait_until (test_find (GTK_WIDGET (get_dialog (fixture)), is_failure, NULL));
}

/* A turn that called no tool has nothing of all this. */
static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  test_window_send (&fixture->window, "hello");
  finish (fixture);
  test_run_for (300);
  g_assert_false (shows (fixture, "Undo…"));
  g_assert_null (test_find (get_root (fixture), is_effects_button, (gpointer) "What Was Done"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(name, func) g_test_add ("/ui/undoing/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("finished", test_finished);
  ADD ("one-of-two", test_one_of_two);
  ADD ("aborted", test_aborted);
  ADD ("changed-since", test_changed_since);
  ADD ("stopped", test_stopped);
  g_test_add ("/ui/undoing/stopped-with-everything", Fixture, "everything", set_up, test_stopped,
              tear_down);
  ADD ("row", test_row);
  ADD ("running", test_running);
  ADD ("recording", test_recording);
  ADD ("lost", test_lost);
  ADD ("lost-besides", test_lost_besides);
  ADD ("last-is-lost", test_last_is_lost);
  ADD ("last-is-unreadable", test_last_is_unreadable);
  ADD ("delete-unreadable", test_delete_unreadable);
  ADD ("replace-unreadable", test_replace_unreadable);
  ADD ("switched", test_switched);
  g_test_add ("/ui/undoing/deleted", Fixture, "deleted", set_up, test_switched, tear_down);
  ADD ("effects", test_effects);
  ADD ("nothing", test_nothing);
  return g_test_run ();
}
