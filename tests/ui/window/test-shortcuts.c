/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog of the keyboard shortcuts, and whether each key that it shows is bound. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "ui/common/gadget-shortcut-table.h"
#include "ui/composer/gadget-queue-row.h"
#include "ui/transcript/gadget-transcript.h"

#include <string.h>

/* --- What the dialog shows --------------------------------------------------------------------- */

/* Appends the groups, rows and keys below @widget in their order. */
static void
print (GtkWidget *widget, GString *out)
{
  if (ADW_IS_PREFERENCES_GROUP (widget))
    g_string_append_printf (out, "%s\n",
                            adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (widget)));
  else if (ADW_IS_ACTION_ROW (widget))
    g_string_append_printf (out,
                            "  %s:", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)));
  else if (gtk_widget_has_css_class (widget, "gadget-keycap"))
    g_string_append_printf (out, " %s", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    print (child, out);
  if (ADW_IS_ACTION_ROW (widget))
    g_string_append_c (out, '\n');
}

static void
test_dialog (TestWindow *self, gconstpointer data)
{
  g_autoptr (GString) out = g_string_new (NULL);
  AdwDialog *dialog;

  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.shortcuts", NULL);
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window));
  g_assert_nonnull (dialog);
  print (GTK_WIDGET (dialog), out);
  g_assert_cmpstr (out->str, ==,
                   "Stopping\n"
                   "  Stop the reply: Esc Esc\n"
                   "  Stop the reply at once: Shift+Esc\n"
                   "  Stop everything: Shift+Ctrl+Esc\n"
                   "Writing\n"
                   "  Send, or queue while a reply is written: Enter\n"
                   "  Steer the reply that is written: Ctrl+Enter\n"
                   "  New line: Shift+Enter\n"
                   "  Move a queued message up: Alt+Up\n"
                   "  Move a queued message down: Alt+Down\n"
                   "  Mention a file: @\n"
                   "  Focus message entry: Ctrl+L\n"
                   "  Go to pending question: Ctrl+J\n"
                   "Chats\n"
                   "  New chat: Ctrl+N\n"
                   "  New incognito chat: Shift+Ctrl+P\n"
                   "  New window: Shift+Ctrl+N\n"
                   "  Open a chat or a match in a new window: Ctrl+Enter\n"
                   "  Go to a chat or an action: Ctrl+K\n"
                   "  Search titles of chats: Shift+Ctrl+K\n"
                   "  Search all chats: Shift+Ctrl+F\n"
                   "  Find in the chat: Ctrl+F\n"
                   "  Next match: Ctrl+G\n"
                   "  Previous match: Shift+Ctrl+G\n"
                   "  Print the chat: Ctrl+P\n"
                   "  Rename a chat in the list: F2\n"
                   "  Delete a chat in the list: Delete\n"
                   "  Previous turn: Ctrl+Up\n"
                   "  Next turn: Ctrl+Down\n"
                   "  Scroll through the chat: Page Up Page Down\n"
                   "  Select text: Shift+Right Shift+Ctrl+Right\n"
                   "  Copy the last reply: Shift+Ctrl+C\n"
                   "General\n"
                   "  Show or hide the chats: F9\n"
                   "  Toggle activity panel: Shift+F9\n"
                   "  Main menu: F10\n"
                   "  Preferences: Ctrl+,\n"
                   "  Keyboard shortcuts: Ctrl+?\n"
                   "  Close the window: Ctrl+W\n"
                   "  Quit: Ctrl+Q\n");
}

/* --- What is bound ----------------------------------------------------------------------------- */

/* @action: (nullable): the name of the action; %NULL for a function
 * @parameter: (nullable): of the action */
static gboolean
is_shortcut (GtkShortcut *shortcut, const char *action, const char *parameter)
{
  GtkShortcutAction *bound = gtk_shortcut_get_action (shortcut);
  GVariant *arguments = gtk_shortcut_get_arguments (shortcut);
  g_autofree char *text = arguments != NULL ? g_variant_print (arguments, FALSE) : NULL;

  if (action == NULL)
    return GTK_IS_CALLBACK_ACTION (bound);
  return GTK_IS_NAMED_ACTION (bound)
         && g_str_equal (gtk_named_action_get_action_name (GTK_NAMED_ACTION (bound)), action)
         && (parameter == NULL || g_strcmp0 (text, parameter) == 0);
}

/* Looks among the shortcuts of @widget itself; those of GTK may have the same keys. */
static gboolean
has_shortcut (GtkWidget *widget, const char *accelerator, const char *action, const char *parameter)
{
  g_autoptr (GtkShortcutTrigger) wanted = gtk_shortcut_trigger_parse_string (accelerator);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GListModel) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0;
           GTK_IS_SHORTCUT_CONTROLLER (controller) && j < g_list_model_get_n_items (controller);
           j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (controller, j);

          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), wanted)
              && is_shortcut (shortcut, action, parameter))
            return TRUE;
        }
    }
  return FALSE;
}

static void
assert_bound (GtkWidget *widget, const char *accelerator, const char *action, const char *parameter)
{
  g_test_message ("%s of %s", accelerator, G_OBJECT_TYPE_NAME (widget));
  g_assert_true (has_shortcut (widget, accelerator, action, parameter));
}

/* Keys that a widget handles itself, and the test that presses them. */
static const struct
{
  const char *accelerator;
  const char *test;
} handled[] = {
  { "Escape", "stopping-keys" },
  { "<Shift>Escape", "stopping-keys" },
  { "<Control><Shift>Escape", "stopping-keys" },
  { "Return", "queue" },
  { "<Control>Return", "queue" },
  { "<Shift>Return", "test_new_line () below" },
  { "at", "mentions" },
  { "<Control>w", "dialogs" },
  { "<Control>q", "dialogs" },
};

static gboolean
is_handled (const char *accelerator)
{
  for (guint i = 0; i < G_N_ELEMENTS (handled); i++)
    if (g_str_equal (handled[i].accelerator, accelerator))
      return TRUE;
  return FALSE;
}

static void
assert_key_bound (TestWindow *self, GtkWidget *queue_row, const GadgetShortcut *shortcut,
                  const char *accelerator)
{
  const char *action = shortcut->action;

  if (action == NULL && is_handled (accelerator))
    return;
  if (action == NULL)
    assert_bound (test_find (GTK_WIDGET (self->window), test_is_transcript, NULL), accelerator,
                  strstr (accelerator, "Page") != NULL ? "transcript.scroll" : "transcript.extend",
                  NULL);
  else if (g_str_has_prefix (action, "win."))
    assert_bound (GTK_WIDGET (self->window), accelerator, action, shortcut->parameter);
  else if (g_str_has_prefix (action, "library."))
    assert_bound (GTK_WIDGET (self->window->library), accelerator, NULL, NULL);
  else if (g_str_has_prefix (action, "queued."))
    assert_bound (queue_row, accelerator, action, NULL);
  else
    g_error ("%s: a widget binds this key, and its line is missing here", action);
}

static void
test_bound (TestWindow *self, gconstpointer data)
{
  g_autoptr (GtkWidget) queue_row = g_object_ref_sink (g_object_new (GADGET_TYPE_QUEUE_ROW, NULL));

  /* The transcript is in sight when it has a turn. */
  test_window_send (self, "hello");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  for (guint i = 0; i < gadget_shortcut_table_get_n (); i++)
    {
      const GadgetShortcut *shortcut = gadget_shortcut_table_get (i);

      assert_key_bound (self, queue_row, shortcut, shortcut->first);
      if (shortcut->second != NULL)
        assert_key_bound (self, queue_row, shortcut, shortcut->second);
    }
  /* While the transcript has the focus, it goes from turn to turn with the keys of the window. */
  assert_bound (test_find (GTK_WIDGET (self->window), test_is_transcript, NULL), "<Control>Up",
                "transcript.turn", "-1");
  g_assert_false (has_shortcut (queue_row, "<Control>n", "win.new-chat", NULL));
}

/* A key of an action that a class does not have would do nothing. */
static void
test_no_such_action (void)
{
  GtkWidgetClass *widget_class = g_type_class_ref (GADGET_TYPE_QUEUE_ROW);
  const guint n_keys = 4;

  for (guint i = 0; i < n_keys; i++)
    g_test_expect_message ("gadget-ui", G_LOG_LEVEL_CRITICAL, "*has_action*");
  gadget_shortcut_table_bind (widget_class, "library.");
  g_test_assert_expected_messages ();
  g_type_class_unref (widget_class);
}

static void
test_new_line (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  test_type ("a");
  test_key ("shift+Return");
  test_type ("b");
  wait_until (gtk_text_buffer_get_char_count (buffer) == 3);
  g_assert_cmpint (gtk_text_buffer_get_line_count (buffer), ==, 2);
}

#define add(name, test)                                                                            \
  g_test_add ("/ui/shortcuts/" name, TestWindow, NULL, test_window_set_up, test,                   \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("dialog", test_dialog);
  add ("bound", test_bound);
  g_test_add_func ("/ui/shortcuts/no-such-action", test_no_such_action);
  add ("new-line", test_new_line);
  return g_test_run ();
}
