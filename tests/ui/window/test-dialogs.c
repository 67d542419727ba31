/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every dialog of the window, over a reply that is going on and over an idle chat: Esc closes the
 * dialog and nothing else, wherever the focus is; Shift+Esc and Ctrl+Shift+Esc stop at the first
 * press, and the dialog stays. Ctrl+W closes the dialog, Ctrl+Q the window; no other key of the
 * window does anything below a dialog. */

#include "config.h"

#include "fake-tool.h"
#include "gadget-test-ui.h"
#include "test-faults.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/window/gadget-unsaved-dialog.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

static gboolean
is_busy (TestWindow *self)
{
  return gadget_session_get_active_run (gadget_window_get_session (self->window)) != NULL;
}

/* --- The dialogs -------------------------------------------------------------------------------
 */

static void
show_picture (TestWindow *self)
{
  g_autoptr (GadgetPictureLoader) loader =
      gadget_picture_loader_new (gadget_engine_get_store (self->engine));
  g_autoptr (GadgetPicture) picture =
      gadget_picture_new_stored ("1", "a.png", "image/png", 100, 100, 1000);

  adw_dialog_present (gadget_picture_dialog_new (loader, picture), get_root (self));
}

static void
start (TestWindow *self)
{
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  test_window_advance (self, 1000);
}

/* "Stop and Delete?" asks only while something runs. */
static void
delete_chat (TestWindow *self)
{
  if (!is_busy (self))
    return;
  gtk_widget_activate_action (get_root (self), "win.delete-chat", NULL);
  wait_until (get_dialog (self) != NULL);
}

static void
show_storage (TestWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.preferences-page", "s", "storage");
}

static const struct
{
  const char *name;
  const char *action; /* of the window, or "session." of the chat for a turn that changed nothing */
  void (*open) (TestWindow *self);
} dialogs[] = {
  { "preferences", "win.preferences", NULL }, { "add provider", "win.add-provider", NULL },
  { "shortcuts", "win.shortcuts", NULL },     { "about", "win.about", NULL },
  { "rename", "win.rename-chat", NULL },      { "undo changes", "session.undo-changes", NULL },
  { "picture", NULL, show_picture },          { "stop and delete", NULL, delete_chat },
  { "storage", NULL, show_storage },          { "switcher", "win.switch", NULL },
  { "export", "win.export-chat", NULL },
};

static gboolean
has_focus (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (get_dialog (self)));
}

/* FALSE when there is nothing to ask now. */
static gboolean
open (TestWindow *self, guint i)
{
  g_test_message ("%s", dialogs[i].name);
  if (dialogs[i].open != NULL)
    dialogs[i].open (self);
  else if (g_str_has_prefix (dialogs[i].action, "session."))
    gtk_widget_activate_action (GTK_WIDGET (self->chat), dialogs[i].action, "s", "no-such-turn");
  else
    gtk_widget_activate_action (get_root (self), dialogs[i].action, NULL);
  if (get_dialog (self) == NULL)
    return FALSE;
  /* The dialog itself gives the focus to something that Esc is meant for. */
  wait_until (has_focus (self));
  test_run_for (300);
  return TRUE;
}

static void
assert_goes_on (TestWindow *self)
{
  test_run_for (50);
  g_assert_true (is_busy (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
}

/* Closes it as Esc does: a page of a dialog leads back to the page before, if anything. */
static void
close_with_escape (TestWindow *self)
{
  AdwDialog *dialog = get_dialog (self);

  test_key ("Escape");
  wait_until (get_dialog (self) != dialog || ADW_IS_PREFERENCES_DIALOG (dialog));
  if (get_dialog (self) == dialog)
    test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
}

/* --- Tests -------------------------------------------------------------------------------------
 */

static void
test_keyboard (TestWindow *self, gconstpointer running)
{
  if (running != NULL)
    start (self);
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      if (!open (self, i))
        continue;
      close_with_escape (self);
      if (running != NULL)
        assert_goes_on (self);
    }
}

/* When what had the focus is insensitive or gone, as after a click that makes it so. */
static void
test_no_focus (TestWindow *self, gconstpointer running)
{
  if (running != NULL)
    start (self);
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      if (!open (self, i))
        continue;
      gtk_window_set_focus (GTK_WINDOW (self->window), NULL);
      close_with_escape (self);
      if (running != NULL)
        assert_goes_on (self);
    }
}

static void
test_stop_keys (TestWindow *self, gconstpointer keys)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      AdwDialog *dialog;

      start (self);
      self->n_completed = 0;
      g_assert_true (open (self, i));
      dialog = get_dialog (self);
      test_key (keys);
      wait_until (!is_busy (self));
      g_assert_cmpuint (self->n_completed, ==, 1);
      g_assert_true (get_dialog (self) == dialog);
      adw_dialog_force_close (dialog);
      wait_until (get_dialog (self) == NULL);
      gadget_chat_focus (self->chat);
    }
}

static void
quit_cb (guint *n)
{
  (*n)++;
}

static gboolean
close_request_cb (gboolean *closing)
{
  *closing = TRUE;
  return TRUE;
}

static void
test_close_keys (TestWindow *self, gconstpointer without_focus)
{
  guint n = 0;
  gboolean closing = FALSE;

  g_signal_connect_swapped (self->window, "quit", G_CALLBACK (quit_cb), &n);
  g_signal_connect_swapped (self->window, "close-request", G_CALLBACK (close_request_cb), &closing);
  start (self);
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      AdwDialog *dialog;

      g_assert_true (open (self, i));
      dialog = get_dialog (self);
      if (without_focus != NULL)
        gtk_window_set_focus (GTK_WINDOW (self->window), NULL);
      test_key ("ctrl+q");
      wait_until (n == i + 1);
      g_assert_true (get_dialog (self) == dialog);
      if (without_focus != NULL)
        gtk_window_set_focus (GTK_WINDOW (self->window), NULL);
      test_key ("ctrl+w");
      wait_until (get_dialog (self) == NULL);
      g_assert_cmpuint (n, ==, i + 1);
      g_assert_false (closing);
    }
  gadget_chat_focus (self->chat);
  test_key ("ctrl+w");
  wait_until (closing);
  g_signal_handlers_disconnect_by_func (self->window, close_request_cb, &closing);
  g_signal_handlers_disconnect_by_func (self->window, quit_cb, &n);
}

static void
test_window_keys (TestWindow *self, gconstpointer without_focus)
{
  static const char *const keys[] = { "ctrl+n",     "ctrl+k",        "ctrl+f", "F9",
                                      "shift+F9",   "F10",           "ctrl+l", "ctrl+j",
                                      "ctrl+comma", "ctrl+question", "ctrl+Up" };
  GadgetSession *session = gadget_window_get_session (self->window);

  start (self);
  /* Of each kind one. */
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i += 4)
    {
      AdwDialog *dialog;

      g_assert_true (open (self, i));
      dialog = get_dialog (self);
      for (guint j = 0; j < G_N_ELEMENTS (keys); j++)
        {
          g_test_message ("%s", keys[j]);
          if (without_focus != NULL)
            gtk_window_set_focus (GTK_WINDOW (self->window), NULL);
          test_key (keys[j]);
          g_assert_true (get_dialog (self) == dialog);
          wait_until (has_focus (self));
        }
      g_assert_true (gadget_window_get_session (self->window) == session);
      g_assert_true (adw_overlay_split_view_get_show_sidebar (self->window->split_view));
      g_assert_false (adw_overlay_split_view_get_show_sidebar (self->window->activity_view));
      close_with_escape (self);
    }
}

/* --- Replies that are not saved ----------------------------------------------------------------
 */

/* GTK's file chooser (4.18) loses what it asks of each folder on the way to the current one, in
 * threads of GIO, so that nothing in the stack tells of it. Nothing of ours asks so. Read by the
 * leak sanitizer, where there is one. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:g_file_query_info\n";
}

static void
count_close_cb (gpointer user_data)
{
  (*(guint *) user_data)++;
}

/* (nullable) */
static GtkFileChooser *
find_chooser (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (GTK_IS_FILE_CHOOSER (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

/* Returns: where the dialog offers to save it: in the current folder */
static char *
save_copy (TestWindow *self)
{
  g_autoptr (GFile) file = NULL;
  GtkFileChooser *chooser = NULL;
  g_autofree char *name = g_path_get_basename (self->folder);
  char *path;

  g_assert_cmpint (chdir (self->folder), ==, 0);
  gtk_widget_grab_focus (
      gtk_widget_get_ancestor (test_find_label (get_root (self), "Save a Copy…"), GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until ((chooser = find_chooser ()) != NULL);
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  wait_until ((file = gtk_file_chooser_get_file (chooser)) != NULL);
  /* GTK loses what it has heard of the folders on the way when its dialog goes before it shows
   * them. */
  wait_until (test_find_label (GTK_WIDGET (chooser), name) != NULL);
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
  G_GNUC_END_IGNORE_DEPRECATIONS
  g_assert_cmpint (chdir ("/"), ==, 0);
  path = g_file_get_path (file);
  g_assert_true (g_str_has_prefix (path, self->folder));
  return path;
}

static gboolean
is_part (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL;
}

static gboolean
says (TestWindow *self, const char *part)
{
  return test_find (get_root (self), is_part, (gpointer) part) != NULL;
}

static GadgetUnsavedTurns *
ask_about_unsaved (TestWindow *self, const char *text, guint *n_closed)
{
  GadgetUnsavedTurns *unsaved = gadget_agent_get_unsaved (gadget_engine_get_agent (self->engine));

  start (self);
  fake_provider_text (self->provider, text);
  test_faults_set (TEST_FAULT_FULL);
  test_key ("shift+Escape");
  wait_until (self->n_completed == 1 && gadget_unsaved_turns_get_n (unsaved) == 1);
  gadget_unsaved_dialog_present (GTK_WINDOW (self->window), self->engine, count_close_cb, n_closed);
  wait_until (test_find_label (get_root (self), "A Reply Is Not Saved") != NULL);
  g_assert_false (says (self, "copy"));
  return unsaved;
}

/* The question comes again after a copy, and says that there is one. */
static void
test_copy (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  guint n_closed = 0;
  GadgetUnsavedTurns *unsaved = ask_about_unsaved (self, " and more", &n_closed);

  path = save_copy (self);
  wait_until (says (self, "A copy was saved."));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "Some text and more"));

  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_unsaved_turns_get_n (unsaved) == 0 && n_closed == 1);
}

/* Or why there is none: it is too large for a file. */
static void
test_copy_fails (TestWindow *self, gconstpointer data)
{
  const struct rlimit small = { 16384, RLIM_INFINITY };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = NULL;
  GadgetUnsavedTurns *unsaved;
  struct rlimit before;
  guint n_closed = 0;

  for (guint i = 0; i < 5000; i++)
    g_string_append (text, "some words\n");
  unsaved = ask_about_unsaved (self, text->str, &n_closed);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  path = save_copy (self);
  wait_until (says (self, "The copy could not be saved. "));

  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_unsaved_turns_get_n (unsaved) == 0 && n_closed == 1);
}

/* A queue of an idle chat that is in no file either is asked about until one could be written. */
static void
test_lost_chat (TestWindow *self, gconstpointer data)
{
  const struct rlimit small = { 10, RLIM_INFINITY };
  GadgetSession *session = gadget_window_get_session (self->window);
  struct rlimit before;
  guint n_closed = 0;

  test_window_send (self, "go");
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (self->n_completed == 1);
  gadget_session_set_queue_paused (session, TRUE);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  test_faults_set (TEST_FAULT_FULL);
  gadget_session_enqueue (session, "waits");
  gadget_engine_save (self->engine, session);
  wait_until (gadget_unsaved_dialog_is_needed (self->engine));
  gadget_unsaved_dialog_present (GTK_WINDOW (self->window), self->engine, count_close_cb,
                                 &n_closed);
  wait_until (test_find_label (get_root (self), "A Chat Is Not Saved") != NULL);
  g_assert_true (says (self, "Changes to a chat could not be saved. They will be lost if you close "
                             "Gadget now."));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  wait_until (n_closed == 1);
  g_assert_false (gadget_unsaved_dialog_is_needed (self->engine));
  test_faults_set (TEST_FAULT_NONE);
}

#define add(name, test, data)                                                                      \
  g_test_add ("/ui/dialogs/" name, TestWindow, data, test_window_set_up, test,                     \
              test_window_tear_down)

static gboolean
is_mode_row (GtkWidget *widget, gpointer user_data)
{
  return ADW_IS_COMBO_ROW (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                         "Permissions");
}

/* What a mode means stands above its row, and is read with the row. */
static void
test_mode_description (TestWindow *self, gconstpointer data)
{
  GtkWidget *row;

  gtk_widget_activate_action (get_root (self), "win.preferences", NULL);
  wait_until ((row = test_find (get_root (self), is_mode_row, NULL)) != NULL);
  /* A description by something else would come before it. */
  g_assert_false (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (row),
                                                    GTK_ACCESSIBLE_RELATION_DESCRIBED_BY));
  g_assert_null (
      gtk_test_accessible_check_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                          "Asks before anything but reading in the folder"));
  close_with_escape (self);
}

static int
measure (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* Two keys whose names are long, as they are in German, need not stand beside each other. */
static void
test_shortcut_width (TestWindow *self, gconstpointer data)
{
  GtkWidget *title;
  GtkWidget *first;
  GtkWidget *second;

  test_key ("ctrl+question");
  wait_until (get_dialog (self) != NULL);
  wait_until ((title = test_find_label (GTK_WIDGET (get_dialog (self)), "Select text")) != NULL);
  first = test_find_label (GTK_WIDGET (get_dialog (self)), "Shift+Right");
  second = test_find_label (GTK_WIDGET (get_dialog (self)), "Shift+Ctrl+Right");
  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_cmpint (measure (gtk_widget_get_ancestor (second, ADW_TYPE_ACTION_ROW)), <,
                   measure (title) + measure (first) + measure (second));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  test_faults_install ();
  /* A file that becomes too large is an error of the write. */
  signal (SIGXFSZ, SIG_IGN);

  add ("shortcut-width", test_shortcut_width, NULL);
  add ("keyboard", test_keyboard, NULL);
  add ("keyboard-running", test_keyboard, "running");
  add ("no-focus", test_no_focus, NULL);
  add ("no-focus-running", test_no_focus, "running");
  add ("close-keys", test_close_keys, NULL);
  add ("close-keys-no-focus", test_close_keys, "without focus");
  add ("window-keys", test_window_keys, NULL);
  add ("window-keys-no-focus", test_window_keys, "without focus");
  add ("stop", test_stop_keys, "shift+Escape");
  add ("stop-everything", test_stop_keys, "ctrl+shift+Escape");
  add ("copy", test_copy, NULL);
  add ("copy-fails", test_copy_fails, NULL);
  add ("lost-chat", test_lost_chat, NULL);
  add ("mode-description", test_mode_description, NULL);

  return g_test_run ();
}
