/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes that are not on record, or cannot be read, cannot be undone, and the window says so. */

#include "config.h"

#include "undoing-fixture.h"

#include "effects/gadget-snapshot-service-private.h"

/* Of a process that died when nothing was kept yet. */
static void
lose_edit (Fixture *fixture, GadgetTurn *turn, const char *name)
{
  GadgetSnapshotService *service =
      gadget_agent_get_snapshot_service (gadget_engine_get_agent (fixture->window.engine));
  GadgetStore *store = gadget_snapshot_service_get_store (service);
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
  g_signal_emit_by_name (service, "recorded", id);
}

/* A turn that changed nothing, as far as its calls tell. */
static GadgetTurn *
read_lost (Fixture *fixture)
{
  const guint n = fake_provider_get_n_requests (fixture->window.provider);
  GadgetTurn *turn;

  undoing_put (fixture, "lost.txt", "what was in it?\n");
  turn = test_window_send (&fixture->window, "read");
  fake_provider_call (fixture->window.provider, 0, "c1", "read_file", "{\"path\":\"lost.txt\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == n + 2
              && fake_provider_is_waiting (fixture->window.provider));
  undoing_finish (fixture);
  return turn;
}

/* What is not on record cannot be undone; it is not said that nothing was done. */
static void
test_lost (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = read_lost (fixture);

  g_assert_false (undoing_shows (fixture, "Undo…"));
  lose_edit (fixture, turn, "lost.txt");
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "Not Recorded");
  undoing_wait_dialog (fixture, "Changing \u2068lost.txt\u2069");
  undoing_wait_dialog (fixture, "interrupted when Gadget ended · may have been changed");
  g_assert_false (gtk_widget_is_sensitive (
      undoing_find_button (GTK_WIDGET (undoing_get_dialog (fixture)), "Undo")));
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
  undoing_write_files (fixture);
  undoing_finish (fixture);
  lose_edit (fixture, read_lost (fixture), "lost.txt");
  undo_last (fixture);
  undoing_wait_dialog (fixture, "Not Recorded");
  g_assert_null (test_find_label (GTK_WIDGET (undoing_get_dialog (fixture)), "one.txt"));
}

static void
run_in_store (Fixture *fixture, GadgetStoreFunc func, const char *turn_id)
{
  GadgetStore *store = gadget_engine_get_store (fixture->window.engine);

  test_store_run (store, func, (gpointer) turn_id);
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
  undoing_write_files (fixture);
  undoing_finish (fixture);
  wait_until (undoing_shows (fixture, "Undo…"));
  run_in_store (fixture, break_effects, NULL);
  undo_last (fixture);
  wait_until (undoing_shows (fixture, "The Changes Could Not Be Read"));
  g_assert_null (undoing_get_dialog (fixture));
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

  id = g_strdup (gadget_turn_get_id (undoing_write_files (fixture)));
  undoing_finish (fixture);
  wait_until (undoing_shows (fixture, "Undo…"));
  run_in_store (fixture, break_effects, NULL);

  delete_turn (fixture, id);
  undoing_wait_dialog (fixture, "Remove Without Undo?");
  undoing_press_in_dialog (fixture, "Cancel");
  wait_until (undoing_get_dialog (fixture) == NULL);
  g_assert_cmpuint (gadget_session_get_n_turns (undoing_get_session (fixture)), ==, 1);

  delete_turn (fixture, id);
  undoing_wait_dialog (fixture, "Remove Without Undo?");
  g_assert_cmpint (adw_alert_dialog_get_response_appearance (
                       ADW_ALERT_DIALOG (undoing_get_dialog (fixture)), "keep"),
                   ==, ADW_RESPONSE_DESTRUCTIVE);
  undoing_press_in_dialog (fixture, "Remove");
  wait_until (gadget_session_get_n_turns (undoing_get_session (fixture)) == 0);
  g_assert_true (undoing_is (fixture, "one.txt", "1\n"));
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
  undoing_finish (fixture);
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

  first = g_strdup (gadget_turn_get_id (undoing_write_files (fixture)));
  undoing_finish (fixture);
  run_in_store (fixture, break_changes, gadget_turn_get_id (write_third (fixture)));

  _gadget_chat_start_over (fixture->window.chat, first, "again", NULL);
  undoing_wait_dialog (fixture, "Undo File Changes?");
  g_assert_nonnull (test_find (GTK_WIDGET (undoing_get_dialog (fixture)), is_partly_known, NULL));
  run_in_store (fixture, mend_changes, NULL);
  undoing_press_in_dialog (fixture, "Undo Changes");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (gadget_session_get_n_turns (undoing_get_session (fixture)) == 1
              && fake_provider_is_waiting (fixture->window.provider));
  g_assert_true (undoing_is (fixture, "three.txt", "3\n"));
  undoing_finish (fixture);
}

/* The rest of its turn can be. */
static void
test_lost_besides (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = undoing_write_files (fixture);

  undoing_finish (fixture);
  lose_edit (fixture, turn, "lost.txt");
  undoing_press (fixture, "Undo…");
  undoing_wait_dialog (fixture, "one.txt");
  undoing_wait_dialog (fixture, "Not Recorded");
  undoing_press_in_dialog (fixture, "Undo");
  wait_until (undoing_is (fixture, "one.txt", NULL) && undoing_is (fixture, "two.txt", NULL));
  wait_until (undoing_shows (fixture, "Changes undone"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/undoing/" name, Fixture, NULL, undoing_set_up, func, undoing_tear_down)
  ADD ("lost", test_lost);
  ADD ("lost-besides", test_lost_besides);
  ADD ("last-is-lost", test_last_is_lost);
  ADD ("last-is-unreadable", test_last_is_unreadable);
  ADD ("delete-unreadable", test_delete_unreadable);
  ADD ("replace-unreadable", test_replace_unreadable);
  return g_test_run ();
}
