/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Storage in the preferences: sizes, and backups that are made and restored. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/gadget-store-providers.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/common/gadget-ui.h"
#include "ui/window/gadget-application-private.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

/* A dialog that opens or goes is animated, for longer with sanitizers. */
#define SETTLE_MS (20 * WAIT_S)

static GtkWidget *
get_root (TestWindow *self)
{
  return GTK_WIDGET (self->window);
}

static GadgetStore *
get_store (TestWindow *self)
{
  return gadget_engine_get_store (self->engine);
}

static void
open_page (TestWindow *self)
{
  GtkWidget *label;

  test_key ("ctrl+comma");
  wait_until ((label = test_find_label (get_root (self), "Storage")) != NULL);
  test_run_for (SETTLE_MS); /* it is moving */
  test_click (label);
  wait_until (test_find_row (get_root (self), "Undo Data") != NULL);
}

static guint
count_sessions (TestWindow *self, const char *condition)
{
  g_autofree char *path =
      g_build_filename (gadget_store_get_directory (get_store (self)), "gadget.db", NULL);
  g_autofree char *sql = g_strdup_printf ("SELECT count(*) FROM session WHERE %s", condition);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  guint n;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  n = (guint) sqlite3_column_int (stmt, 0);
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return n;
}

static void
add_chat (TestWindow *self, const char *id)
{
  g_autofree char *sql = g_strdup_printf (
      "INSERT INTO session (id, title, created_at, updated_at) VALUES ('%s', '%s', 1, 1)", id, id);

  test_store_run_sql (get_store (self), sql);
}

static GtkWidget *
find_backup (TestWindow *self)
{
  GtkWidget *list = test_find_label (get_root (self), "There is no backup yet.") != NULL
                        ? NULL
                        : test_find_row (get_root (self), "Caches");

  if (list == NULL)
    return NULL;
  list = gtk_widget_get_ancestor (list, ADW_TYPE_PREFERENCES_PAGE);
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_local ();
      g_autoptr (GDateTime) then = g_date_time_add_seconds (now, -(double) i);
      g_autofree char *title = g_date_time_format (then, "%b %-d, %H:%M");
      GtkWidget *row = test_find_row (list, title);

      if (row != NULL)
        return row;
    }
  return NULL;
}

static void
make_backup (TestWindow *self)
{
  wait_until (test_says (get_root (self), "There is no backup yet."));
  test_press (get_root (self), "Back Up Now");
  wait_until (find_backup (self) != NULL);
  g_assert_true (test_says (get_root (self), "Copy of all chats"));
}

static void
expand (TestWindow *self)
{
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (find_backup (self)), TRUE);
  wait_until (test_find_row (get_root (self), "Chats that come back") != NULL);
  test_run_for (SETTLE_MS);
}

static void
test_sizes (TestWindow *self, gconstpointer data)
{
  add_chat (self, "one");
  add_chat (self, "two");
  test_store_run_sql (get_store (self), "INSERT INTO attachment (id, session, made_at, data)"
                                        " SELECT 'a', number, 1, zeroblob (4000000) FROM session"
                                        " WHERE id = 'one'");
  open_page (self);
  wait_until (test_says (get_root (self), "2 chats"));
  g_assert_true (test_says (get_root (self), "1 file or image"));
  g_assert_true (test_says (get_root (self), "4.0\302\240MB"));
}

static void
start_again_cb (GtkWidget *window, guint *n)
{
  (*n)++;
}

static void
test_restore (TestWindow *self, gconstpointer data)
{
  guint n = 0;

  g_signal_connect (self->window, "start-again", G_CALLBACK (start_again_cb), &n);
  add_chat (self, "one");
  open_page (self);
  make_backup (self);
  test_store_run_sql (get_store (self), "DELETE FROM session WHERE id = 'one'");
  add_chat (self, "two");
  expand (self);
  test_press (get_root (self), "Restore…");
  wait_until (test_says (get_root (self), "Restore This Backup?"));
  test_run_for (SETTLE_MS);
  g_assert_cmpuint (count_sessions (self, "id = 'one'"), ==, 0);
  test_press (get_root (self), "_Restore");
  wait_until (n == 1);
  g_assert_cmpuint (count_sessions (self, "id = 'one' AND NOT archived"), ==, 1);
  g_assert_cmpuint (count_sessions (self, "id = 'two' AND archived"), ==, 1);
}

/* Nothing is restored while a reply is written; it says so, and the page can be used. */
static void
test_busy (TestWindow *self, gconstpointer data)
{
  guint n = 0;

  g_signal_connect (self->window, "start-again", G_CALLBACK (start_again_cb), &n);
  add_chat (self, "one");
  test_type ("go");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  open_page (self);
  make_backup (self);
  test_store_run_sql (get_store (self), "DELETE FROM session WHERE id = 'one'");
  expand (self);
  test_press (get_root (self), "Restore…");
  wait_until (test_says (get_root (self), "Restore This Backup?"));
  test_run_for (SETTLE_MS);
  test_press (get_root (self), "_Restore");
  wait_until (test_says (get_root (self),
                         "A reply, an import or a backup still goes on. Stop it or wait."));
  g_assert_cmpuint (count_sessions (self, "id = 'one'"), ==, 0);
  g_assert_cmpuint (n, ==, 0);
  test_press (get_root (self), "Back Up Now");
}

static void
damage (TestWindow *self)
{
  g_autofree char *path =
      g_build_filename (gadget_store_get_directory (get_store (self)), "gadget.db", NULL);
  g_autofree char *page = g_strnfill (4096, 'x');
  g_autofree char *contents = NULL;
  gsize length;

  /* The last page of the file is that of an index or a table, never the first one. */
  test_store_run_sql (get_store (self), "PRAGMA wal_checkpoint (TRUNCATE)");
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  memcpy (contents + length - 4096, page, 4096);
  g_assert_true (g_file_set_contents_full (path, contents, (gssize) length,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* A damaged database is told of once, and the way to the backups is shown. */
static void
test_damaged (TestWindow *self, gconstpointer data)
{
  GadgetApplication *application = test_window_make_application (self);

  damage (self);
  for (guint i = 0; i < 2; i++)
    {
      _gadget_application_look_for_backup (application);
      wait_until (application->damage_shown);
      test_run_for (100);
    }
  wait_until (test_says (get_root (self), "Some Data Is Damaged"));
  test_press (get_root (self), "_Show Backups");
  wait_until (test_find_row (get_root (self), "Undo Data") != NULL);
  g_assert_true (test_says (get_root (self), "There is no backup yet."));
  test_run_for (SETTLE_MS);
  g_assert_false (test_says (get_root (self), "Some Data Is Damaged"));
  test_window_end_application (self, application);
}

/* --- Clearing --- */

static void
put_file (const char *folder, const char *name, gint64 age_s)
{
  const time_t then = (time_t) (g_get_real_time () / G_USEC_PER_SEC - age_s);
  struct utimbuf times = { then, then };
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "0123456789", 10, NULL));
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
press_clear (TestWindow *self, const char *button, const char *question)
{
  GtkWidget *widget;

  wait_until ((widget = test_find_button (get_root (self), button)) != NULL
              && gtk_widget_get_sensitive (widget));
  gtk_widget_grab_focus (widget);
  test_key ("space");
  wait_until (test_says (get_root (self), question));
  test_run_for (SETTLE_MS);
}

/* Undo data and caches are gone after a question; before it, when it is cancelled, and while a
 * reply is written, they are not. */
static void
test_clear (TestWindow *self, gconstpointer data)
{
  g_autofree char *blobs =
      g_build_filename (gadget_store_get_directory (get_store (self)), "blobs", "ab", NULL);
  g_autofree char *name = g_strnfill (62, 'c');
  g_autofree char *blob = g_build_filename (blobs, name, NULL);
  g_autofree char *caches = g_build_filename (g_get_user_cache_dir (), "gadget", "commands", NULL);
  g_autofree char *cache = g_build_filename (caches, "old", NULL);
  g_autofree char *recent = g_build_filename (caches, "recent", NULL);
  g_autofree char *unsaved = g_build_filename (g_get_user_cache_dir (), "gadget", "unsaved", NULL);
  g_autofree char *kept = g_build_filename (unsaved, "kept", NULL);

  put_file (blobs, name, 1000);
  put_file (cache, "workspace", 2 * 3600);
  put_file (recent, "workspace", 600);
  put_file (unsaved, "kept", 2 * 3600);
  test_window_send (self, "go");
  open_page (self);
  press_clear (self, "Clear Undo Data…", "Clear Undo Data?");
  g_assert_true (test_says (get_root (self), "can no longer be undone"));
  test_press (get_root (self), "C_lear");
  wait_until (test_says (get_root (self),
                         "A reply, an import or a backup still goes on. Stop it or wait."));
  fake_provider_end (self->provider);
  wait_until (self->n_completed == 1);
  test_run_for (SETTLE_MS);
  press_clear (self, "Clear Undo Data…", "Clear Undo Data?");
  test_key ("Escape");
  wait_until (!test_says (get_root (self), "Clear Undo Data?"));
  g_assert_true (g_file_test (blob, G_FILE_TEST_EXISTS));
  press_clear (self, "Clear Undo Data…", "Clear Undo Data?");
  test_press (get_root (self), "C_lear");
  wait_until (!g_file_test (blob, G_FILE_TEST_EXISTS));
  wait_until (test_says (get_root (self), "Undo data cleared"));
  test_run_for (SETTLE_MS);
  press_clear (self, "Clear Caches…", "Clear Caches?");
  test_press (get_root (self), "C_lear");
  wait_until (test_says (get_root (self), "Caches cleared"));
  g_assert_false (g_file_test (cache, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (recent, G_FILE_TEST_EXISTS));
  /* Texts that are kept for recovery are in the same folder, and no cache. */
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
}

/* Old chats go after a question that says how many they are; others stay. Then the images of those
 * that are left. */
static void
test_clear_old (TestWindow *self, gconstpointer data)
{
  GtkWidget *clear;

  add_chat (self, "one");
  add_chat (self, "two");
  add_chat (self, "kept");
  test_store_run_sql (get_store (self), "UPDATE session SET pinned = 1 WHERE id = 'kept';"
                                        "INSERT INTO attachment (id, session, kept, made_at, data)"
                                        " SELECT 'a', number, 1, 1, zeroblob (4000000) FROM session"
                                        " WHERE id = 'kept'");
  test_window_restart (self);
  open_page (self);
  press_clear (self, "Clear Chats…", "Clear Chats?");
  wait_until (test_says (get_root (self), "2 chats are deleted"));
  test_key ("Escape");
  wait_until (!test_says (get_root (self), "Clear Chats?"));
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 3);
  press_clear (self, "Clear Chats…", "Clear Chats?");
  wait_until (test_says (get_root (self), "2 chats are deleted"));
  test_press (get_root (self), "C_lear");
  wait_until (test_says (get_root (self), "2 chats deleted"));
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 1);
  test_run_for (SETTLE_MS);
  press_clear (self, "Clear Attachments…", "Clear Attachments?");
  wait_until (test_says (get_root (self), "There is no such image."));
  clear = test_find_button (get_root (self), "C_lear");
  g_assert_false (gtk_widget_get_sensitive (clear));
  gtk_check_button_set_active (
      GTK_CHECK_BUTTON (gtk_widget_get_ancestor (
          test_find_label (get_root (self), "Also of chats that are pinned"),
          GTK_TYPE_CHECK_BUTTON)),
      TRUE);
  wait_until (test_says (get_root (self), "1 image is removed, which takes 4.0"));
  test_press (get_root (self), "C_lear");
  wait_until (test_says (get_root (self), "1 image removed"));
  wait_until (test_says (get_root (self), "0 files and images"));
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 1);
}

/* --- Limits --- */

static char *
dup_setting (TestWindow *self, const char *key)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  char *value = NULL;

  gadget_store_get_setting_async (get_store (self), key, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_get_setting_finish (get_store (self), result, &value, NULL));
  return value;
}

/* What is set is stored, and shown again. */
static void
test_limits (TestWindow *self, gconstpointer data)
{
  GtkWidget *row;
  g_autofree char *value = NULL;

  open_page (self);
  wait_until ((row = test_find_row (get_root (self), "Keep Undo Data")) != NULL);
  wait_until (adw_spin_row_get_value (ADW_SPIN_ROW (row)) == 90);
  value = dup_setting (self, "undo-days");
  g_assert_null (value);
  adw_spin_row_set_value (ADW_SPIN_ROW (row), 30);
  test_key ("Escape");
  wait_until (test_find_row (get_root (self), "Keep Undo Data") == NULL);
  value = dup_setting (self, "undo-days");
  g_assert_cmpstr (value, ==, "30");
  test_run_for (SETTLE_MS);
  open_page (self);
  wait_until ((row = test_find_row (get_root (self), "Keep Undo Data")) != NULL);
  wait_until (adw_spin_row_get_value (ADW_SPIN_ROW (row)) == 30);
}

/* --- Deleting everything --- */

/* In each text of the chat. No program writes it by itself. */
#define WORD "marzipan"

static void
open_question (TestWindow *self)
{
  GtkWidget *row;

  open_page (self);
  wait_until ((row = test_find_row (get_root (self), "Delete Everything…")) != NULL);
  gtk_widget_grab_focus (row);
  test_run_for (SETTLE_MS); /* it is scrolled to */
  test_key ("Return");
  wait_until (test_says (get_root (self), "Delete Everything?"));
  test_run_for (SETTLE_MS);
}

static void
add_provider (TestWindow *self)
{
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("mine", "Mine", "ollama", "http://127.0.0.1:9", "m");

  gadget_provider_list_add_async (providers, config, NULL, NULL, NULL, NULL, NULL);
  wait_until (g_list_model_get_n_items (G_LIST_MODEL (providers)) == 2);
}

/* The word is typed, a reply is stopped, and nothing of a chat is left but the provider, also not
 * what is in the composer. */
static void
test_erase (TestWindow *self, gconstpointer also_keys)
{
  GtkWidget *button;
  GtkWidget *check;
  guint n = 0;

  g_signal_connect (self->window, "start-again", G_CALLBACK (start_again_cb), &n);
  add_provider (self);
  test_store_run_sql (get_store (self), "PRAGMA secure_delete = OFF");
  test_window_send (self, "A cake of " WORD);
  fake_provider_text (self->provider, "With " WORD ".");
  test_window_type (self, "More " WORD);
  open_question (self);
  button = test_find_button (get_root (self), "_Delete Everything");
  g_assert_false (gtk_widget_get_sensitive (button));
  test_type ("delet");
  test_key ("Return");
  g_assert_false (gtk_widget_get_sensitive (button));
  test_type ("e");
  wait_until (gtk_widget_get_sensitive (button));
  check = gtk_widget_get_ancestor (
      test_find_label (get_root (self), "Also providers, tool servers and their keys"),
      GTK_TYPE_CHECK_BUTTON);
  /* In a window of 360 pixels the dialog has margins of 30, and its content of 24. */
  g_assert_cmpint (gadget_ui_get_minimum_width (check), <=, 360 - 2 * 30 - 2 * 24);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), also_keys != NULL);
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 1);
  test_key ("Return");
  wait_until (n == 1);
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 0);
  test_window_restart (self);
  g_assert_cmpuint (
      g_list_model_get_n_items (G_LIST_MODEL (gadget_engine_get_providers (self->engine))), ==,
      also_keys != NULL ? 1 : 2);
  g_assert_false (test_dir_has_word (gadget_store_get_directory (get_store (self)), WORD));
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (self->engine)), ==, 0);
  g_assert_true (gadget_composer_is_empty (self->composer));
}

/* Without the word nothing is deleted. */
static void
test_erase_cancelled (TestWindow *self, gconstpointer data)
{
  add_chat (self, "one");
  open_question (self);
  test_type ("no");
  test_key ("Return");
  test_key ("Escape");
  wait_until (!test_says (get_root (self), "Delete Everything?"));
  g_assert_cmpuint (count_sessions (self, "TRUE"), ==, 1);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("gadget-cache-XXXXXX", NULL);

  /* Caches of other programs stay. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func)                                                                            \
  g_test_add ("/ui/storage-page/" path, TestWindow, NULL, test_window_set_up, func,                \
              test_window_tear_down)
  ADD ("sizes", test_sizes);
  ADD ("restore", test_restore);
  ADD ("busy", test_busy);
  ADD ("damaged", test_damaged);
  ADD ("clear", test_clear);
  ADD ("clear/old", test_clear_old);
  ADD ("limits", test_limits);
  ADD ("erase", test_erase);
  g_test_add ("/ui/storage-page/erase/keys", TestWindow, "keys", test_window_set_up, test_erase,
              test_window_tear_down);
  ADD ("erase/cancelled", test_erase_cancelled);
#undef ADD
  return g_test_run ();
}
