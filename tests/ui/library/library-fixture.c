/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library-fixture.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "ui/common/gadget-labels.h"
#include "ui/library/gadget-chat-row.h"
#include "wait.h"

void
library_start_turn (TestWindow *self, GadgetSession *session)
{
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GadgetRun) run = NULL;

  gadget_session_set_model (session, "fake", "model");
  run = gadget_agent_start (gadget_engine_get_agent (self->engine), session, "go", &options, NULL);
  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (self->provider));
}

void
library_run_turn (TestWindow *self, GadgetSession *session, gboolean end)
{
  library_start_turn (self, session);
  if (!end)
    return;
  fake_provider_text (self->provider, "text");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

void
library_make_chats (TestWindow *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
      library_run_turn (self, gadget_window_get_session (self->window), TRUE);
    }
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
}

guint
library_count_listed (TestWindow *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->window->library->model));
}

GadgetSession *
library_get_focused_chat (TestWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));
  GtkWidget *row = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  return GADGET_IS_CHAT_ROW (row) ? gadget_chat_row_get_session (GADGET_CHAT_ROW (row)) : NULL;
}

void
library_focus_list (TestWindow *self)
{
  test_key ("ctrl+shift+k");
  test_key ("Tab");
  wait_until (library_get_focused_chat (self) != NULL);
}

GadgetSession *
library_add_chat (TestWindow *self, const char *title)
{
  GadgetSession *session;

  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  session = gadget_window_get_session (self->window);
  library_run_turn (self, session, TRUE);
  gadget_session_set_title (session, title);
  gadget_engine_save (self->engine, session);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  return session;
}

GadgetChatFolders *
library_get_folders (TestWindow *self)
{
  return gadget_engine_get_chat_folders (self->engine);
}

char *
library_dup_rows (TestWindow *self)
{
  GadgetLibraryModel *model = self->window->library->model;
  GString *rows = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      const GadgetLibraryEntry *entry = gadget_library_model_get_entry (model, i);

      for (guint depth = 0; depth < entry->depth; depth++)
        g_string_append (rows, "  ");
      if (GADGET_IS_SESSION (entry->item))
        g_string_append (rows, gadget_labels_title (GADGET_SESSION (entry->item)));
      else if (GADGET_IS_CHAT_FOLDER (entry->item))
        g_string_append_printf (rows, "%s/",
                                gadget_chat_folder_get_name (GADGET_CHAT_FOLDER (entry->item)));
      g_string_append_c (rows, '\n');
    }
  return g_string_free_and_steal (rows);
}

gboolean
library_has_rows (TestWindow *self, const char *rows)
{
  g_autofree char *shown = library_dup_rows (self);

  return g_str_equal (shown, rows);
}

void
library_focus (TestWindow *self, gpointer item)
{
  GadgetLibrary *library = self->window->library;
  const guint position = gadget_library_model_find (library->model, item);

  g_assert_cmpuint (position, !=, GTK_INVALID_LIST_POSITION);
  gadget_test_wait_frames (GTK_WIDGET (library), 3);
  gtk_list_view_scroll_to (library->list, position, GTK_LIST_SCROLL_FOCUS, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (library->list));
  wait_until (_gadget_library_get_focused_item (library) == item);
}

GtkWidget *
library_find_row (TestWindow *self, const char *label)
{
  GtkWidget *widget = test_find_label (GTK_WIDGET (self->window->library->list), label);

  g_assert_nonnull (widget);
  while (_gadget_library_get_row_item (self->window->library, widget) == NULL)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

gboolean
library_is_open_menu (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

gboolean
library_has_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)) != NULL;
}

void
library_press_in_menu (TestWindow *self, const char *label)
{
  GtkWidget *root = GTK_WIDGET (self->window);

  test_key ("Menu");
  wait_until (test_find (root, library_is_open_menu, NULL) != NULL);
  gadget_test_wait_frames (root, 3);
  test_click (test_find_label (test_find (root, library_is_open_menu, NULL), label));
}
