/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The menus of the composer: that of models asks the providers while it is open, and no longer;
 * that of folders offers those of other chats. */

#include "config.h"

#include "fake-server.h"
#include "gadget-test-ui.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-window.h"
#include "wait.h"

typedef struct
{
  TestWindow window;
  FakeServer *server;
} Fixture;

/* A provider that takes questions and never answers. */
static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config = NULL;
  g_autofree char *url = NULL;

  test_window_set_up (&self->window, data);
  self->server = fake_server_new ();
  fake_reply_stall (fake_server_set_get_reply (self->server));
  url = fake_server_dup_url (self->server, "/v1");
  config = gadget_provider_config_new ("silent", "Silent", "openai-chat", url, "model");
  test_engine_add_provider (self->window.engine, config);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_window_tear_down (&self->window, data);
  fake_server_free (self->server);
}

static gboolean
is_menu (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GadgetModelMenu")
         && gtk_widget_get_mapped (widget);
}

static gboolean
is_open (Fixture *self)
{
  return test_find (GTK_WIDGET (self->window.window), is_menu, NULL) != NULL;
}

static void
open_menu (Fixture *self, guint n_asked)
{
  gtk_widget_activate_action (self->window.text, "win.choose-model", NULL);
  wait_until (is_open (self));
  wait_until (fake_server_count (self->server, FAKE_EVENT_STALL) == n_asked);
  g_assert_cmpuint (fake_server_count_ends (self->server), ==, n_asked - 1);
}

static void
test_closed (Fixture *self, gconstpointer data)
{
  open_menu (self, 1);
  test_key ("Escape");
  wait_until (!is_open (self));
  wait_until (fake_server_count_ends (self->server) == 1);
  /* And it asks again. */
  open_menu (self, 2);
}

static void
test_stop_everything (Fixture *self, gconstpointer data)
{
  open_menu (self, 1);
  gtk_widget_activate_action (self->window.text, "win.stop-all", NULL);
  wait_until (fake_server_count_ends (self->server) == 1);
  wait_until (test_window_has_toast (&self->window, "Stopping questions to the providers"));
}

static gboolean
is_folder_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), user_data) == 0;
}

static GtkMenuButton *
find_folder_button (Fixture *self, const char *tooltip)
{
  return GTK_MENU_BUTTON (
      test_find (GTK_WIDGET (self->window.window), is_folder_button, (gpointer) tooltip));
}

/* The folder of another chat is one press away; it is not offered where it is in use. */
static void
test_recent_folders (Fixture *self, gconstpointer data)
{
  TestWindow *window = &self->window;
  g_autofree char *folder = test_window_give_workspace (window);
  g_autofree char *shown = g_utf8_truncate_middle (folder, 32);
  GtkWidget *row;

  test_window_send (window, "hello");
  fake_provider_end (window->provider);
  wait_until (window->n_completed == 1);
  gtk_menu_button_popup (find_folder_button (self, folder));
  wait_until (test_find_label (GTK_WIDGET (window->window), "Choose Folder…") != NULL);
  g_assert_null (test_find_label (GTK_WIDGET (window->window), "Recent Folders"));
  gtk_menu_button_popdown (find_folder_button (self, folder));

  gtk_widget_activate_action (GTK_WIDGET (window->window), "win.new-chat", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.no-workspace", NULL);
  gtk_menu_button_popup (find_folder_button (self, "The folder that Gadget may work in"));
  wait_until (test_find_label (GTK_WIDGET (window->window), "Recent Folders") != NULL);
  row = gtk_widget_get_parent (test_find_label (GTK_WIDGET (window->window), shown));
  g_signal_emit_by_name (row, "clicked");
  wait_until (
      g_strcmp0 (gadget_session_get_workspace (gadget_window_get_session (window->window)), folder)
      == 0);
  g_assert_true (gtk_widget_has_focus (window->text));
  test_dir_free (g_steal_pointer (&folder));
}

static gboolean
is_folder_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

/* A long path is cut, so that its end is in a window of 360 pixels. */
static void
test_long_folder (Fixture *self, gconstpointer data)
{
  TestWindow *window = &self->window;
  g_autofree char *name = g_strnfill (120, 'x');
  g_autofree char *path = g_strconcat ("/srv/", name, "/of_mine", NULL);
  GtkWidget *menu;

  test_window_send (window, "hello");
  fake_provider_end (window->provider);
  wait_until (window->n_completed == 1);
  gadget_session_set_workspace (gadget_window_get_session (window->window), path);
  gtk_widget_activate_action (GTK_WIDGET (window->window), "win.new-chat", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.no-workspace", NULL);
  gtk_menu_button_popup (find_folder_button (self, "The folder that Gadget may work in"));
  wait_until (test_find_label (GTK_WIDGET (window->window), "Recent Folders") != NULL);
  menu = test_find (GTK_WIDGET (window->window), is_folder_menu, NULL);
  wait_until (gtk_widget_get_width (menu) > 0);
  g_assert_cmpint (gtk_widget_get_width (menu), <=, 360);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/ui/model-menu/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("closed", test_closed);
  ADD ("stop-everything", test_stop_everything);
  ADD ("recent-folders", test_recent_folders);
  ADD ("long-folder", test_long_folder);
  return g_test_run ();
}
