/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of what was done in all chats, with keys: filters, the way to an action in its chat,
 * undo and redo, export. */

#include "config.h"

#include "test-file-dialog.h"
#include "test-forms.h"
#include "undoing-fixture.h"

#include "effects/gadget-effects.h"
#include "effects/gadget-snapshot-service-private.h"

#include <string.h>

static gboolean
shows (Fixture *fixture, const char *part)
{
  return test_says (undoing_get_root (fixture), part);
}

static gboolean
is_open (Fixture *fixture)
{
  return _gadget_window_shows_ledger (fixture->window.window);
}

static void
open_page (Fixture *fixture)
{
  gtk_widget_activate_action (undoing_get_root (fixture), "win.actions", NULL);
  wait_until (is_open (fixture));
}

static void
begun_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gint64 *id = user_data;
  g_autoptr (GError) error = NULL;

  *id = gadget_effects_begin_finish (GADGET_EFFECTS (source), result, &error);
  g_assert_no_error (error);
}

/* A command that could use the network, as the shell tool puts it on record. */
static void
record_command (Fixture *fixture, GadgetTurn *turn)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  const char *id = gadget_turn_get_id (turn);
  g_autoptr (GadgetEffects) effects =
      gadget_effects_new (gadget_agent_get_snapshot_service (agent), id, id, fixture->workspace);
  gint64 effect = 0;

  gadget_effects_begin_command_async (effects, "c3", "make check", fixture->workspace, TRUE, NULL,
                                      begun_cb, &effect);
  wait_until (effect != 0);
  gadget_effects_end (effects, effect, "exit 0");
}

/* A chat in which two files were made and a command ran. Returns its turn. */
static GadgetTurn *
act (Fixture *fixture)
{
  GadgetTurn *turn = undoing_write_files (fixture);

  record_command (fixture, turn);
  undoing_finish (fixture);
  return turn;
}

static gboolean
is_list (GtkWidget *widget, gpointer user_data)
{
  return gtk_widget_has_css_class (widget, "ledger-list");
}

static void
test_filter (Fixture *fixture, gconstpointer data)
{
  GString *said;

  act (fixture);
  open_page (fixture);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window.window)), ==, "Actions");
  wait_until (shows (fixture, "2 files · 1 command"));
  g_assert_true (shows (fixture, "Today"));
  g_assert_true (shows (fixture, "one.txt"));
  g_assert_true (shows (fixture, "make check"));
  g_assert_true (shows (fixture, "with the network"));
  said = gadget_test_listen ();
  test_type ("TWO");
  wait_until (!shows (fixture, "one.txt") && shows (fixture, "two.txt"));
  wait_until (strstr (said->str, "1 file") != NULL);
  gadget_test_stop_listening (said);
  test_key ("ctrl+a");
  test_type ("unicorn");
  wait_until (shows (fixture, "No Results Found"));
  test_key ("ctrl+a");
  test_key ("BackSpace");
  wait_until (shows (fixture, "make check"));
  /* What can be undone are the files. */
  for (guint i = 0; i < 4; i++)
    test_key ("Tab");
  wait_until (gtk_widget_is_focus (test_find_button (undoing_get_root (fixture), "Can Be Undone")));
  test_key ("space");
  wait_until (!shows (fixture, "make check") && shows (fixture, "one.txt"));
  wait_until (shows (fixture, "2 files") && !shows (fixture, "2 files · 1 command"));
  test_key ("space");
  wait_until (shows (fixture, "make check"));
  for (guint i = 0; i < 4; i++)
    test_key ("shift+Tab");
  /* The kinds are before the entry: from All to Commands. */
  test_key ("shift+Tab");
  test_key ("Right");
  test_key ("Right");
  test_key ("space");
  wait_until (!shows (fixture, "one.txt") && shows (fixture, "make check"));
  test_key ("Tab");
  test_key ("Escape");
  wait_until (!is_open (fixture));
  wait_until (gtk_widget_is_focus (fixture->window.text));
}

/* The heading of the first day is in sight, also of a list that is longer than the window. */
static void
test_top (Fixture *fixture, gconstpointer data)
{
  GtkAdjustment *adjustment;
  g_autofree char *sql = NULL;
  GadgetStore *store;

  act (fixture);
  sql = g_strdup_printf (
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
      " INSERT INTO effect (turn, owner, call_turn, kind, subject, started_at, ended_at, outcome,"
      " recording) SELECT number, 'o', id, 'host', i || '.example', %" G_GINT64_FORMAT
      ", 1, '200', 'none' FROM turn, n",
      g_get_real_time () / 1000);
  store = test_store_open (fixture->window.folder);
  test_store_run_sql (store, sql);
  test_store_close (store);
  open_page (fixture);
  wait_until (shows (fixture, "2 files · 1 command · 40 hosts"));
  gadget_test_wait_frames (undoing_get_root (fixture), 3);
  adjustment = gtk_scrollable_get_vadjustment (
      GTK_SCROLLABLE (test_find (undoing_get_root (fixture), is_list, NULL)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >,
                     gtk_adjustment_get_page_size (adjustment));
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
}

/* The earlier versions that the undo needs go with the chat, so that is asked first. */
static void
test_deletion (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = undoing_get_session (fixture);
  g_autofree char *size = g_format_size (4);
  g_autofree char *text =
      g_strdup_printf ("The earlier versions of 2 files, %s, go with it.", size);

  act (fixture);
  test_window_send (&fixture->window, "again");
  fake_provider_call (fixture->window.provider, 0, "d1", "write_file",
                      "{\"path\":\"one.txt\",\"content\":\"changed\\n\"}");
  fake_provider_call (fixture->window.provider, 1, "d2", "write_file",
                      "{\"path\":\"two.txt\",\"content\":\"changed, too\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 4
              && fake_provider_is_waiting (fixture->window.provider));
  undoing_finish (fixture);
  g_assert_true (undoing_is (fixture, "two.txt", "changed, too\n"));
  gtk_widget_activate_action (undoing_get_root (fixture), "win.delete-chat", NULL);
  undoing_wait_dialog (fixture, "Delete This Chat?");
  g_assert_cmpstr (adw_alert_dialog_get_body (ADW_ALERT_DIALOG (undoing_get_dialog (fixture))), ==,
                   text);
  g_assert_cmpint (gadget_session_get_deletion (session), ==, GADGET_DELETION_NONE);
  undoing_press_in_dialog (fixture, "Delete");
  wait_until (gadget_session_get_deletion (session) != GADGET_DELETION_NONE);
}

/* What was done in a chat is counted again when its deletion is undone. */
static void
test_deleted_counts (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = undoing_get_session (fixture);
  g_autoptr (GError) error = NULL;

  act (fixture);
  gadget_window_new_chat (fixture->window.window);
  test_window_send (&fixture->window, "again");
  record_command (fixture, gadget_session_get_last_turn (undoing_get_session (fixture)));
  undoing_finish (fixture);
  open_page (fixture);
  wait_until (shows (fixture, "2 files · 2 commands"));
  gadget_engine_begin_delete (fixture->window.engine, session, GADGET_DELETE_FORCE, &error);
  g_assert_no_error (error);
  _gadget_window_refresh_ledger (fixture->window.window);
  /* Neither in the sum nor in the head of the day. */
  wait_until (shows (fixture, "1 command") && !shows (fixture, "2 files"));
  g_assert_true (shows (fixture, "make check") && !shows (fixture, "one.txt"));
  g_assert_true (gadget_engine_cancel_delete (fixture->window.engine, session));
  _gadget_window_refresh_ledger (fixture->window.window);
  wait_until (shows (fixture, "2 files · 2 commands") && shows (fixture, "one.txt"));
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  open_page (fixture);
  wait_until (shows (fixture, "Nothing was done in the last 7 days."));
  test_key ("Escape");
  wait_until (!is_open (fixture));
}

/* Another process writes to the ledger while the page is shown. */
static void
test_other_process (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sql = NULL;
  GadgetStore *other;

  act (fixture);
  open_page (fixture);
  wait_until (shows (fixture, "make check"));
  sql = g_strdup_printf (
      "INSERT INTO effect (turn, owner, call_turn, kind, subject, started_at, ended_at, outcome,"
      " recording) SELECT number, 'o', id, 'host', 'example.org', %" G_GINT64_FORMAT
      ", 1, '200', 'none' FROM turn",
      g_get_real_time () / 1000);
  other = test_store_open (fixture->window.folder);
  test_store_run_sql (other, sql);
  test_store_close (other);
  wait_until (shows (fixture, "example.org"));
  wait_until (shows (fixture, "2 files · 1 command · 1 host"));
}

/* More than a window full. */
static void
say_much (Fixture *fixture)
{
  test_window_send (&fixture->window, "Tell me more.");
  for (guint i = 0; i < 60; i++)
    fake_provider_text (fixture->window.provider, "A paragraph.\n\n");
  undoing_finish (fixture);
}

/* The chat is scrolled to a row of the turn that is below its prompt: its position names the turn,
 * and a row. */
static gboolean
is_at_call (Fixture *fixture, GadgetTurn *turn)
{
  g_autofree char *position =
      gadget_transcript_dup_view (_gadget_chat_get_transcript (fixture->window.chat));

  return position != NULL && strstr (position, gadget_turn_get_id (turn)) != NULL
         && strstr (position, " prompt ") == NULL;
}

static gboolean
is_row (GtkWidget *widget, gpointer text)
{
  g_autofree char *description = NULL;

  if (!g_str_equal (G_OBJECT_TYPE_NAME (widget), "GadgetLedgerRow"))
    return FALSE;
  g_object_get (widget, "description", &description, NULL);
  return g_str_has_prefix (description, text);
}

/* Returns whether the row has the focus whose description begins with @text; not its button. */
static gboolean
is_at_row (Fixture *fixture, const char *text)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (undoing_get_root (fixture)));

  return focus != NULL && !GTK_IS_BUTTON (focus)
         && test_find (focus, is_row, (gpointer) text) != NULL;
}

/* Enter shows the first, Down and Enter the next one, in its chat. */
static void
test_opens (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = undoing_get_session (fixture);
  GadgetTurn *turn = act (fixture);

  say_much (fixture);
  gadget_window_new_chat (fixture->window.window);
  wait_until (undoing_get_session (fixture) != session);
  open_page (fixture);
  wait_until (shows (fixture, "one.txt"));
  test_key ("Return");
  wait_until (!is_open (fixture) && undoing_get_session (fixture) == session);
  wait_until (gtk_widget_is_focus (fixture->window.text));
  gadget_window_new_chat (fixture->window.window);
  open_page (fixture);
  wait_until (shows (fixture, "one.txt"));
  test_key ("Down");
  wait_until (is_at_row (fixture, "Ran make check, "));
  test_key ("Down");
  wait_until (is_at_row (fixture, "Created two.txt, "));
  test_key ("Return");
  wait_until (!is_open (fixture) && undoing_get_session (fixture) == session);
  wait_until (is_at_call (fixture, turn));
  /* The same while that chat is shown below the page. */
  test_key ("ctrl+End");
  open_page (fixture);
  test_type ("one.txt");
  wait_until (shows (fixture, "1 file"));
  test_key ("Return");
  wait_until (!is_open (fixture));
  wait_until (is_at_call (fixture, turn));
}

/* Enter right after the last key opens what matches all the keys. */
static void
test_opens_typed (Fixture *fixture, gconstpointer data)
{
  GadgetSession *session = undoing_get_session (fixture);
  GadgetTurn *turn = act (fixture);

  gadget_window_new_chat (fixture->window.window);
  test_window_send (&fixture->window, "again");
  record_command (fixture, gadget_session_get_last_turn (undoing_get_session (fixture)));
  undoing_finish (fixture);
  open_page (fixture);
  wait_until (shows (fixture, "2 files · 2 commands"));
  test_type ("one.txt");
  test_key ("Return");
  wait_until (!is_open (fixture) && undoing_get_session (fixture) == session);
  wait_until (is_at_call (fixture, turn));
}

static void
run_outside (Fixture *fixture, const char *sql)
{
  GadgetStore *store = test_store_open (fixture->window.folder);

  test_store_run_sql (store, sql);
  test_store_close (store);
}

/* When the actions cannot be read, the page says so, and reads them again when it is told to. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  GString *said;

  act (fixture);
  run_outside (fixture, "PRAGMA legacy_alter_table = ON; ALTER TABLE effect RENAME TO away");
  said = gadget_test_listen ();
  open_page (fixture);
  wait_until (shows (fixture, "The actions could not be read."));
  wait_until (strstr (said->str, "The actions could not be read.") != NULL);
  wait_until (test_find_button (undoing_get_root (fixture), "Try Again") != NULL);
  while (!gtk_widget_is_focus (test_find_button (undoing_get_root (fixture), "Try Again")))
    test_key ("Tab");
  /* The page would also read them by itself once the store has changed. */
  run_outside (fixture, "PRAGMA legacy_alter_table = ON; ALTER TABLE away RENAME TO effect");
  test_key ("space");
  wait_until (shows (fixture, "2 files · 1 command"));
  g_assert_true (shows (fixture, "one.txt"));
  wait_until (strstr (said->str, "2 files · 1 command") != NULL);
  gadget_test_stop_listening (said);
}

/* Only what was done in one chat, which is chosen in the menu of its chip. */
static void
test_one_chat (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  gadget_session_set_title (undoing_get_session (fixture), "Pears");
  gadget_window_new_chat (fixture->window.window);
  test_window_send (&fixture->window, "again");
  record_command (fixture, gadget_session_get_last_turn (undoing_get_session (fixture)));
  undoing_finish (fixture);
  open_page (fixture);
  wait_until (shows (fixture, "2 files · 2 commands"));
  test_key ("Tab");
  test_key ("space");
  wait_until (shows (fixture, "Any Chat"));
  /* The chat that was used last is the first. */
  test_key ("Down");
  test_key ("Down");
  test_key ("Return");
  wait_until (shows (fixture, "2 files · 1 command"));
  g_assert_true (shows (fixture, "one.txt"));
  wait_until (test_find_button (undoing_get_root (fixture), "Any Chat") != NULL);
  test_key ("Delete");
  wait_until (shows (fixture, "2 files · 2 commands"));
}

static gboolean
is_undo (GtkWidget *widget, gpointer label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), "ledger.undo") == 0
         && test_find_label (widget, label) != NULL;
}

/* The button of the first row that has one. */
static GtkWidget *
find_undo (Fixture *fixture, const char *label)
{
  return test_find (undoing_get_root (fixture), is_undo, (gpointer) label);
}

static void
search_for (Fixture *fixture, const char *text)
{
  open_page (fixture);
  test_type (text);
  wait_until (shows (fixture, "1 file"));
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  gadget_window_new_chat (fixture->window.window);
  search_for (fixture, "one.txt");
  wait_until (find_undo (fixture, "Undo") != NULL);
  undoing_activate (find_undo (fixture, "Undo"));
  wait_until (undoing_is (fixture, "one.txt", NULL));
  g_assert_true (undoing_is (fixture, "two.txt", "2\n"));
  /* Its row stays, and says so; the page stays, too. */
  wait_until (find_undo (fixture, "Redo") != NULL);
  wait_until (shows (fixture, "undone at "));
  wait_until (undoing_shows (fixture, "Changes undone"));
  g_assert_true (is_open (fixture));
  undoing_activate (find_undo (fixture, "Redo"));
  wait_until (undoing_is (fixture, "one.txt", "1\n"));
  wait_until (find_undo (fixture, "Undo") != NULL);
}

/* Down leads from the entry to the rows, Tab from a row to its button; Enter there is undo. */
static void
test_undo_key (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  search_for (fixture, "one.txt");
  wait_until (find_undo (fixture, "Undo") != NULL);
  test_key ("Down");
  g_assert_true (is_at_row (fixture, "Created one.txt, "));
  test_key ("Tab");
  g_assert_true (gtk_widget_is_focus (find_undo (fixture, "Undo")));
  test_key ("Return");
  wait_until (undoing_is (fixture, "one.txt", NULL));
  wait_until (find_undo (fixture, "Redo") != NULL);
  g_assert_true (gtk_widget_is_focus (find_undo (fixture, "Redo")));
  test_key ("Return");
  wait_until (undoing_is (fixture, "one.txt", "1\n"));
  g_assert_true (is_open (fixture));
}

/* A file that has changed since is kept unless the user says otherwise. */
static void
test_undo_changed (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  gadget_window_new_chat (fixture->window.window);
  undoing_put (fixture, "one.txt", "mine\n");
  search_for (fixture, "one.txt");
  wait_until (find_undo (fixture, "Undo") != NULL);
  undoing_activate (find_undo (fixture, "Undo"));
  undoing_wait_dialog (fixture, "Changed Since");
  g_assert_true (undoing_is (fixture, "one.txt", "mine\n"));
  g_assert_null (test_find_label (GTK_WIDGET (undoing_get_dialog (fixture)), "two.txt"));
  test_key ("Escape");
  wait_until (undoing_get_dialog (fixture) == NULL);
  g_assert_true (is_open (fixture));
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
wait_in_thread (GadgetSnapshotWorker *worker, gpointer mutex)
{
  g_mutex_lock (mutex);
  g_mutex_unlock (mutex);
}

static void
leave_it (gpointer data)
{
}

/* Esc Esc stops an undo of another chat than the one below the page; the page stays. */
static void
test_undo_stopped (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->window.engine);
  GMutex mutex;

  g_mutex_init (&mutex);
  act (fixture);
  gadget_window_new_chat (fixture->window.window);
  search_for (fixture, "one.txt");
  wait_until (find_undo (fixture, "Undo") != NULL);
  g_mutex_lock (&mutex);
  _gadget_snapshot_service_run_detached (gadget_agent_get_snapshot_service (agent), wait_in_thread,
                                         &mutex, leave_it);
  undoing_activate (find_undo (fixture, "Undo"));
  wait_until (count_undoing (fixture) == 1);
  test_key ("Escape");
  wait_until (undoing_shows (fixture, "Press Esc again to abort"));
  g_assert_cmpuint (count_undoing (fixture), ==, 1);
  test_key ("Escape");
  wait_until (!undoing_shows (fixture, "Press Esc again to abort"));
  g_mutex_unlock (&mutex);
  wait_until (count_undoing (fixture) == 0);
  wait_until (undoing_shows (fixture, "1 file not undone"));
  g_assert_true (undoing_is (fixture, "one.txt", "1\n"));
  g_assert_true (is_open (fixture));
  g_mutex_clear (&mutex);
}

/* The whole of a row is said at once. */
static void
test_described (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  open_page (fixture);
  wait_until (test_find (undoing_get_root (fixture), is_row, (gpointer) "Created one.txt, ")
              != NULL);
  g_assert_nonnull (test_find (undoing_get_root (fixture), is_row, (gpointer) "Ran make check, "));
}

static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "actions.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *csv = NULL;

  act (fixture);
  open_page (fixture);
  wait_until (shows (fixture, "one.txt"));
  test_file_dialog_choose (file);
  gtk_widget_grab_focus (fixture->window.window->export_button);
  test_key ("space");
  wait_until (shows (fixture, "Export as CSV…"));
  test_key ("Return");
  wait_until (undoing_shows (fixture, "The actions were exported"));
  g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
  g_assert_nonnull (strstr (csv, "time,kind,subject"));
  g_assert_nonnull (strstr (csv, ",command,make check,"));
}

static gboolean
is_actions_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Actions") == 0;
}

/* From a reply, only what was done for it; and from there to all. */
static void
test_one_reply (Fixture *fixture, gconstpointer data)
{
  act (fixture);
  test_window_send (&fixture->window, "more");
  fake_provider_call (fixture->window.provider, 0, "d1", "write_file",
                      "{\"path\":\"three.txt\",\"content\":\"3\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 4
              && fake_provider_is_waiting (fixture->window.provider));
  undoing_finish (fixture);
  wait_until (test_find (undoing_get_root (fixture), is_actions_button, NULL) != NULL);
  undoing_activate (test_find (undoing_get_root (fixture), is_actions_button, NULL));
  wait_until (is_open (fixture) && shows (fixture, "One Reply"));
  wait_until (shows (fixture, "2 files · 1 command") != shows (fixture, "three.txt"));
  test_click (test_find_button (undoing_get_root (fixture), "All Chats"));
  wait_until (shows (fixture, "3 files · 1 command"));
  g_assert_false (shows (fixture, "One Reply"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/window-ledger/" name, Fixture, NULL, undoing_set_up, func, undoing_tear_down)
  ADD ("filter", test_filter);
  ADD ("top", test_top);
  ADD ("deletion", test_deletion);
  ADD ("deleted-counts", test_deleted_counts);
  ADD ("empty", test_empty);
  ADD ("unreadable", test_unreadable);
  ADD ("one-chat", test_one_chat);
  ADD ("other-process", test_other_process);
  ADD ("opens", test_opens);
  ADD ("opens-typed", test_opens_typed);
  ADD ("undo", test_undo);
  ADD ("undo-key", test_undo_key);
  ADD ("undo-changed", test_undo_changed);
  ADD ("undo-stopped", test_undo_stopped);
  ADD ("described", test_described);
  ADD ("export", test_export);
  ADD ("one-reply", test_one_reply);
#undef ADD

  return g_test_run ();
}
