/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exporting chats with the keyboard: what is in the file, and what a failure or a stop leaves. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-file-dialog.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-window.h"
#include "wait.h"

#include <string.h>

/* A dialog that opens or goes is animated, for longer with sanitizers. */
#define SETTLE_MS (20 * WAIT_S)

static GtkWidget *
get_root (TestWindow *self)
{
  return GTK_WIDGET (self->window);
}

static AdwDialog *
get_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window));
}

/* A chat with this title and one turn. */
static void
make_chat (TestWindow *self, const char *title)
{
  GadgetSession *session;

  test_window_send (self, title);
  fake_provider_text (self->provider, "The *answer*.");
  fake_provider_end (self->provider);
  session = gadget_window_get_session (self->window);
  wait_until (gadget_session_get_active_run (session) == NULL);
  gadget_session_set_title (session, title);
  gadget_engine_save (self->engine, session);
}

static gboolean
is_open_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
has_focus (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return get_dialog (self) != NULL && focus != NULL
         && gtk_widget_is_ancestor (focus, GTK_WIDGET (get_dialog (self)));
}

/* By the menu of the window's chat. */
static void
open_dialog (TestWindow *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->window->chat_menu));
  test_key ("Return");
  wait_until (test_find (get_root (self), is_open_menu, NULL) != NULL);
  gadget_test_wait_frames (get_root (self), 3);
  test_click (test_find_label (test_find (get_root (self), is_open_menu, NULL), "Export…"));
  wait_until (has_focus (self));
  test_run_for (SETTLE_MS);
}

static GFile *
choose (TestWindow *self, const char *name)
{
  g_autofree char *folder = g_build_filename (self->folder, "exported", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GFile *file = g_file_new_for_path (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  test_file_dialog_choose (file);
  return file;
}

static char *
read_file (GFile *file)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_load_contents (file, NULL, &text, NULL, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static guint
count_files (TestWindow *self)
{
  g_autofree char *folder = g_build_filename (self->folder, "exported", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Enter is enough. */
static void
test_return_key (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = choose (self, "pears.html");
  g_autofree char *text = NULL;

  make_chat (self, "Pears");
  open_dialog (self);
  g_assert_true (test_says (get_root (self), "One file that looks like the window"));
  test_key ("Return");
  wait_until (get_dialog (self) == NULL);
  wait_until (test_window_has_toast (self, "Chat exported"));
  g_assert_nonnull (test_find_button (get_root (self), "_Show"));
  text = read_file (file);
  g_assert_nonnull (strstr (text, "<title>Pears</title>"));
  g_assert_nonnull (strstr (text, "<p>The <em>answer</em>.</p>"));
  g_assert_cmpuint (count_files (self), ==, 1);
}

/* Enter is also enough where the dialog is a sheet at the bottom of a narrow window. */
static void
test_narrow (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = choose (self, "pears.html");
  int frame;

  make_chat (self, "Pears");
  /* The frame around the window counts too. */
  gtk_window_get_default_size (GTK_WINDOW (self->window), &frame, NULL);
  frame -= gtk_widget_get_width (get_root (self));
  gtk_window_set_default_size (GTK_WINDOW (self->window), 360 + frame, 720);
  wait_until (gtk_widget_get_width (get_root (self)) == 360);
  open_dialog (self);
  g_assert_true (gtk_widget_is_focus (test_find_button (get_root (self), "_Export…")));
  test_key ("Return");
  wait_until (get_dialog (self) == NULL);
  wait_until (g_file_query_exists (file, NULL));
}

/* All chats but those of the archive, as JSON, which has no choice of parts. */
static void
test_all (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) file = choose (self, "all.json");
  g_autofree char *text = NULL;

  make_chat (self, "Pears");
  gadget_session_set_archived (gadget_window_get_session (self->window), TRUE);
  gadget_engine_save (self->engine, gadget_window_get_session (self->window));
  test_window_new_chat (self);
  make_chat (self, "Apples");
  test_window_new_chat (self);
  make_chat (self, "Plums");
  open_dialog (self);
  g_assert_true (test_says (get_root (self), "2 chats, without 1 archived one"));
  test_click (test_find_row (get_root (self), "All Chats"));
  test_click (test_find_label (get_root (self), "JSON"));
  wait_until (!gtk_widget_is_sensitive (test_find_row (get_root (self), "Reasoning")));
  g_assert_true (
      adw_switch_row_get_active (ADW_SWITCH_ROW (test_find_row (get_root (self), "Reasoning"))));
  test_click (test_find_label (get_root (self), "Markdown"));
  wait_until (gtk_widget_is_sensitive (test_find_row (get_root (self), "Reasoning")));
  g_assert_false (
      adw_switch_row_get_active (ADW_SWITCH_ROW (test_find_row (get_root (self), "Reasoning"))));
  test_click (test_find_label (get_root (self), "JSON"));
  wait_until (!gtk_widget_is_sensitive (test_find_row (get_root (self), "Reasoning")));
  test_press (get_root (self), "_Export…");
  wait_until (test_window_has_toast (self, "2 chats exported"));
  text = read_file (file);
  g_assert_nonnull (strstr (text, "\"title\":\"Apples\""));
  g_assert_nonnull (strstr (text, "\"title\":\"Plums\""));
  g_assert_null (strstr (text, "Pears"));
}

/* A chat that is not stored cannot be exported. */
static void
test_new_chat (TestWindow *self, gconstpointer data)
{
  open_dialog (self);
  g_assert_false (gtk_widget_is_sensitive (test_find_row (get_root (self), "This Chat")));
  g_assert_false (gtk_widget_is_sensitive (test_find_row (get_root (self), "All Chats")));
  g_assert_false (gtk_widget_is_sensitive (test_find_button (get_root (self), "_Export…")));
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
}

static GtkWidget *
find_print_dialog (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GtkPrintUnixDialog")
        && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

/* PDF leads to the print dialog. */
static void
test_pdf (TestWindow *self, gconstpointer data)
{
  make_chat (self, "Pears");
  open_dialog (self);
  test_click (test_find_label (get_root (self), "PDF"));
  wait_until (test_says (get_root (self), "Through the print dialog."));
  test_press (get_root (self), "_Export…");
  wait_until (get_dialog (self) == NULL);
  wait_until (find_print_dialog () != NULL);
  wait_until (gtk_window_is_active (GTK_WINDOW (find_print_dialog ())));
  test_key ("Escape");
  wait_until (find_print_dialog () == NULL);
}

/* The dialog says what can be done, and stays for another attempt. */
static void
test_failure (TestWindow *self, gconstpointer data)
{
  g_autoptr (GFile) missing = choose (self, "missing/pears.html");
  g_autoptr (GFile) file = NULL;

  make_chat (self, "Pears");
  open_dialog (self);
  test_key ("Return");
  wait_until (test_says (get_root (self), "The chats could not be exported. "
                                          "The file or its folder does not exist any more."));
  g_assert_cmpuint (count_files (self), ==, 0);
  test_file_dialog_fail (GTK_DIALOG_ERROR_DISMISSED);
  test_key ("Return");
  test_run_for (SETTLE_MS);
  g_assert_nonnull (get_dialog (self));
  file = choose (self, "pears.html");
  test_key ("Return");
  wait_until (test_window_has_toast (self, "Chat exported"));
  g_assert_cmpuint (count_files (self), ==, 1);
}

/* Esc stops an export that takes long, of which the progress is shown. Nothing is left of it, or an
 * earlier file stays. */
static void
test_cancel (TestWindow *self, gconstpointer exists)
{
  g_autoptr (GFile) file = choose (self, "pears.html");
  GadgetStore *store = gadget_engine_get_store (self->engine);

  make_chat (self, "Pears");
  if (exists != NULL)
    g_assert_true (g_file_replace_contents (file, "old", 3, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                            NULL, NULL));
  test_store_run_sql (
      store, "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
             " INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
             " SELECT number, i, 'text', 'done', 0,"
             " replace (hex (zeroblob (250000)), '00', '*a* '), 1, 1 FROM turn, n");
  open_dialog (self);
  test_key ("Return");
  wait_until (test_says (get_root (self), "Exporting 1 chat…"));
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
  wait_until (count_files (self) == (exists != NULL ? 1u : 0u));
  test_run_for (SETTLE_MS);
  g_assert_cmpuint (count_files (self), ==, exists != NULL ? 1 : 0);
  g_assert_false (test_window_has_toast (self, "Chat exported"));
  if (exists != NULL)
    {
      g_autofree char *text = read_file (file);

      g_assert_cmpstr (text, ==, "old");
    }
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/ui/export-dialog/" path, TestWindow, data, test_window_set_up, func,               \
              test_window_tear_down)
  ADD ("return-key", test_return_key, NULL);
  ADD ("narrow", test_narrow, NULL);
  ADD ("all", test_all, NULL);
  ADD ("new-chat", test_new_chat, NULL);
  ADD ("pdf", test_pdf, NULL);
  ADD ("failure", test_failure, NULL);
  ADD ("cancel/new", test_cancel, NULL);
  ADD ("cancel/replaced", test_cancel, "old");
#undef ADD
  return g_test_run ();
}
