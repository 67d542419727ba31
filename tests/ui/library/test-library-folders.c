/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folders of the list of chats. */

#include "config.h"

#include "gadget-test-ui.h"
#include "library-fixture.h"
#include "test-wait.h"
#include "wait.h"

static void
put (GadgetSession *session, GadgetChatFolder *folder)
{
  gadget_session_set_chat_folder (session,
                                  folder != NULL ? gadget_chat_folder_get_id (folder) : NULL);
}

static const GadgetLibraryEntry *
get_entry (TestWindow *self, gpointer item)
{
  GadgetLibraryModel *model = self->window->library->model;

  return gadget_library_model_get_entry (model, gadget_library_model_find (model, item));
}

/* The widget that a screen reader reads for a row. */
static GtkAccessible *
find_accessible (TestWindow *self, const char *label)
{
  return GTK_ACCESSIBLE (gtk_widget_get_parent (library_find_row (self, label)));
}

static gboolean
is_named (TestWindow *self, const char *label, const char *name)
{
  g_autofree char *difference = gtk_test_accessible_check_property (
      find_accessible (self, label), GTK_ACCESSIBLE_PROPERTY_LABEL, name);

  return difference == NULL;
}

static gboolean
is_expanded (TestWindow *self, const char *label, gboolean expanded)
{
  g_autofree char *difference = gtk_test_accessible_check_state (
      find_accessible (self, label), GTK_ACCESSIBLE_STATE_EXPANDED, expanded);

  return difference == NULL;
}

/* Folders are between what runs and the dates, subfolders before chats, and a chat is listed
 * once. */
static void
test_places (TestWindow *self, gconstpointer data)
{
  GadgetChatFolders *folders = library_get_folders (self);
  GadgetSession *a = library_add_chat (self, "A");
  GadgetSession *b = library_add_chat (self, "B");
  GadgetSession *c = library_add_chat (self, "C");
  GadgetChatFolder *work = gadget_chat_folders_create (folders, "Work", NULL);
  GadgetChatFolder *sub = gadget_chat_folders_create (folders, "Sub", work);

  gadget_chat_folders_create (folders, "Home", NULL);
  put (a, work);
  put (b, sub);
  wait_until (library_has_rows (self, "Home/\nWork/\n  Sub/\n    B\n  A\nC\n"));
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Folders") != NULL);
  g_assert_cmpint (get_entry (self, a)->group, ==, GADGET_LIBRARY_FOLDERS);
  g_assert_cmpint (get_entry (self, c)->group, ==, GADGET_LIBRARY_TODAY);
  gadget_session_set_pinned (b, TRUE);
  wait_until (library_has_rows (self, "B\nHome/\nWork/\n  Sub/\n  A\nC\n"));
  library_start_turn (self, a);
  wait_until (library_has_rows (self, "B\nA\nHome/\nWork/\n  Sub/\nC\n"));
  fake_provider_end (self->provider);
  wait_until (library_has_rows (self, "B\nHome/\nWork/\n  Sub/\n  A\nC\n"));
  /* The other folder is not lost with the one that it is in. */
  gadget_session_set_pinned (b, FALSE);
  g_assert_true (gadget_chat_folders_move (folders, sub, NULL));
  wait_until (library_has_rows (self, "Home/\nSub/\n  B\nWork/\n  A\nC\n"));
}

/* While the user searches, folders with results are open, and the others are not listed. */
static void
test_search (TestWindow *self, gconstpointer data)
{
  GadgetChatFolders *folders = library_get_folders (self);
  GadgetSession *pears = library_add_chat (self, "Pears");
  GadgetSession *apples = library_add_chat (self, "Apples");
  GadgetChatFolder *work = gadget_chat_folders_create (folders, "Work", NULL);

  put (pears, work);
  put (apples, gadget_chat_folders_create (folders, "Home", NULL));
  wait_until (library_has_rows (self, "Home/\n  Apples\nWork/\n  Pears\n"));
  _gadget_library_set_folder_open (self->window->library, work, FALSE);
  g_assert_true (library_has_rows (self, "Home/\n  Apples\nWork/\n"));
  test_key ("ctrl+shift+k");
  test_type ("pears");
  wait_until (library_has_rows (self, "Work/\n  Pears\n"));
  test_key ("Escape");
  wait_until (library_has_rows (self, "Home/\n  Apples\nWork/\n"));
}

/* The arrow keys, Enter and a click open and close; what is closed is remembered. */
static void
test_open_and_close (TestWindow *self, gconstpointer data)
{
  GadgetSession *a = library_add_chat (self, "A");
  GadgetChatFolder *work = gadget_chat_folders_create (library_get_folders (self), "Work", NULL);

  library_add_chat (self, "B");
  put (a, work);
  gadget_engine_save (self->engine, a);
  wait_until (library_has_rows (self, "Work/\n  A\nB\n"));
  g_assert_true (is_expanded (self, "Work", TRUE));
  library_focus (self, work);
  test_key ("Left");
  g_assert_true (library_has_rows (self, "Work/\nB\n"));
  g_assert_true (is_expanded (self, "Work", FALSE));
  test_key ("Left");
  g_assert_true (library_has_rows (self, "Work/\nB\n"));
  test_key ("Right");
  g_assert_true (library_has_rows (self, "Work/\n  A\nB\n"));
  test_key ("Return");
  g_assert_true (library_has_rows (self, "Work/\nB\n"));
  g_assert_true (_gadget_library_get_focused_item (self->window->library) == (GObject *) work);
  test_key ("Return");
  g_assert_true (library_has_rows (self, "Work/\n  A\nB\n"));
  /* From a chat Left leads to its folder; neither key chooses a chat. */
  library_focus (self, a);
  test_key ("Right");
  test_key ("Left");
  wait_until (_gadget_library_get_focused_item (self->window->library) == (GObject *) work);
  g_assert_true (library_has_rows (self, "Work/\n  A\nB\n"));
  g_assert_true (gadget_window_get_session (self->window) != a);

  /* A double click is two clicks. */
  g_object_set (gtk_settings_get_default (), "gtk-double-click-time", 5000, NULL);
  test_point_at (library_find_row (self, "Work"));
  for (guint i = 0; i < 3; i++)
    {
      gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
      test_press_button ();
      wait_until (library_has_rows (self, i % 2 == 0 ? "Work/\nB\n" : "Work/\n  A\nB\n"));
    }
  gtk_settings_reset_property (gtk_settings_get_default (), "gtk-double-click-time");
  test_window_restart (self);
  wait_until (library_has_rows (self, "Work/\nNew Chat\nB\n"));
}

/* A closed folder says how many of its chats are unread, those of its subfolders too. */
static void
test_unread (TestWindow *self, gconstpointer data)
{
  GadgetChatFolders *folders = library_get_folders (self);
  GadgetSession *a = library_add_chat (self, "A");
  GadgetSession *b = library_add_chat (self, "B");
  GadgetChatFolder *work = gadget_chat_folders_create (folders, "Work", NULL);

  put (a, work);
  put (b, gadget_chat_folders_create (folders, "Sub", work));
  wait_until (library_has_rows (self, "Work/\n  Sub/\n    B\n  A\n"));
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  gadget_session_set_unread (a, TRUE);
  gadget_session_set_unread (b, TRUE);
  wait_until (get_entry (self, work)->n_unread == 2);
  g_assert_null (test_find_label (library_find_row (self, "Work"), "2"));
  g_assert_true (is_named (self, "Work", "Work, folder with 2 chats"));
  _gadget_library_set_folder_open (self->window->library, work, FALSE);
  wait_until (test_find_label (library_find_row (self, "Work"), "2") != NULL);
  g_assert_true (is_named (self, "Work", "Work, folder with 2 chats, 2 unread"));
  gadget_session_set_unread (b, FALSE);
  wait_until (test_find_label (library_find_row (self, "Work"), "1") != NULL);
}

/* Into a folder, into a new one, and out of it, by the menu of a chat. */
static void
test_move_by_menu (TestWindow *self, gconstpointer data)
{
  GtkWidget *root = GTK_WIDGET (self->window);
  GadgetSession *a = library_add_chat (self, "A");
  GadgetChatFolder *work = gadget_chat_folders_create (library_get_folders (self), "Wo_rk", NULL);
  static const char *const items[] = { "Wo_rk", "None", "New Folder…" };

  gadget_chat_folders_create (library_get_folders (self), "Sub", work);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      GtkWidget *menu;

      wait_until (
          library_has_rows (self, i == 1 ? "Wo_rk/\n  Sub/\n  A\n" : "Wo_rk/\n  Sub/\nA\n"));
      library_focus (self, a);
      library_press_in_menu (self, "Move to Folder");
      menu = test_find (root, library_is_open_menu, NULL);
      wait_until (test_find_label (menu, items[i]) != NULL);
      gadget_test_wait_frames (root, 20);
      g_assert_nonnull (test_find_label (menu, "Wo_rk / Sub"));
      test_click (test_find_label (menu, items[i]));
      wait_until (test_find (root, library_is_open_menu, NULL) == NULL);
    }
  wait_until (library_has_dialog (self));
  test_type ("Attic");
  test_key ("Return");
  wait_until (library_has_rows (self, "Attic/\n  A\nWo_rk/\n  Sub/\n"));
}

static gboolean
is_new_folder (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)),
                       "library.new-folder")
                == 0;
}

/* The button is in the heading of the folders alone. */
static void
test_new_folder (TestWindow *self, gconstpointer data)
{
  GtkWidget *library = GTK_WIDGET (self->window->library);
  GadgetChatFolder *work;

  library_add_chat (self, "A");
  g_assert_null (test_find (library, is_new_folder, NULL));
  work = gadget_chat_folders_create (library_get_folders (self), "Work", NULL);
  wait_until (test_find (library, is_new_folder, NULL) != NULL);
  test_click (test_find (library, is_new_folder, NULL));
  wait_until (library_has_dialog (self));
  test_type ("Attic");
  test_key ("Return");
  wait_until (library_has_rows (self, "Attic/\nWork/\nA\n"));
  wait_until (!library_has_dialog (self));

  library_focus (self, work);
  library_press_in_menu (self, "New Subfolder…");
  wait_until (library_has_dialog (self));
  test_type ("Sub");
  test_key ("Return");
  wait_until (library_has_rows (self, "Attic/\nWork/\n  Sub/\nA\n"));
}

static void
test_rename (TestWindow *self, gconstpointer data)
{
  GadgetChatFolder *work = gadget_chat_folders_create (library_get_folders (self), "Work", NULL);

  library_add_chat (self, "A");
  wait_until (library_has_rows (self, "Work/\nA\n"));
  library_focus (self, work);
  test_key ("F2");
  wait_until (self->window->library->rename_entry != NULL);
  test_type ("Attic");
  test_key ("Return");
  wait_until (library_has_rows (self, "Attic/\nA\n"));
  wait_until (_gadget_library_get_focused_item (self->window->library) == (GObject *) work);
  library_press_in_menu (self, "Rename…");
  wait_until (self->window->library->rename_entry != NULL);
  test_type ("Cellar");
  test_key ("Escape");
  wait_until (self->window->library->rename_entry == NULL);
  wait_until (_gadget_library_get_focused_item (self->window->library) == (GObject *) work);
  g_assert_true (library_has_rows (self, "Attic/\nA\n"));
}

/* The chats of a deleted folder go back to the dates, and into the folder when that is undone. */
static void
test_delete (TestWindow *self, gconstpointer data)
{
  GadgetChatFolders *folders = library_get_folders (self);
  GadgetSession *a = library_add_chat (self, "A");
  GadgetChatFolder *work = gadget_chat_folders_create (folders, "Work", NULL);

  put (a, work);
  put (library_add_chat (self, "B"), gadget_chat_folders_create (folders, "Sub", work));
  wait_until (library_has_rows (self, "Work/\n  Sub/\n    B\n  A\n"));
  library_focus (self, work);
  test_key ("Delete");
  wait_until (test_window_has_toast (self, "Folder deleted"));
  g_assert_true (library_has_rows (self, "Sub/\n  B\nA\n"));
  g_assert_true (gadget_library_has_focus (self->window->library));
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Undo") != NULL);
  test_click (test_find_label (GTK_WIDGET (self->chat), "Undo"));
  wait_until (library_has_rows (self, "Work/\n  Sub/\n    B\n  A\n"));
}

static void
count_changed_cb (GListModel *model, guint position, guint n_removed, guint n_added, guint *n)
{
  *n += n_removed + n_added;
}

/* What changes is signaled of the rows that come and go alone: the others are not made again. */
static void
test_changes (TestWindow *self, gconstpointer data)
{
  GadgetLibrary *library = self->window->library;
  GadgetSession *a = library_add_chat (self, "A");
  GadgetChatFolder *work = gadget_chat_folders_create (library_get_folders (self), "Work", NULL);
  guint n_changed = 0;

  library_add_chat (self, "B");
  put (a, work);
  wait_until (library_has_rows (self, "Work/\n  A\nB\n"));
  g_signal_connect (library->model, "items-changed", G_CALLBACK (count_changed_cb), &n_changed);
  _gadget_library_set_folder_open (library, work, FALSE);
  g_assert_cmpuint (n_changed, ==, 1);
  gadget_session_set_unread (a, TRUE);
  wait_until (test_find_label (library_find_row (self, "Work"), "1") != NULL);
  g_assert_true (gadget_chat_folders_rename (library_get_folders (self), work, "Home"));
  wait_until (library_has_rows (self, "Home/\nB\n") && library->rebuild_id == 0);
  g_assert_nonnull (test_find_label (GTK_WIDGET (library), "Home"));
  g_assert_cmpuint (n_changed, ==, 1);
  _gadget_library_set_folder_open (library, work, TRUE);
  g_assert_cmpuint (n_changed, ==, 2);
  g_signal_handlers_disconnect_by_data (library->model, &n_changed);
}

/* Lists a part of many chats. */
static void
list_chats (TestWindow *self, GPtrArray *chats, guint begin, guint end)
{
  GArray *entries = gadget_library_entries_new ();

  for (guint i = begin; i < end; i++)
    {
      GadgetLibraryEntry entry = { .item = g_object_ref (g_ptr_array_index (chats, i)),
                                   .group = GADGET_LIBRARY_TODAY };

      g_array_append_val (entries, entry);
    }
  gadget_library_model_take (self->window->library->model, entries);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
}

/* When many chats come and go at once, GTK binds the rows of some to others. */
static void
test_recycled (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) chats = g_ptr_array_new_with_free_func (g_object_unref);

  library_add_chat (self, "A");
  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *id = g_strdup_printf ("chat-%u", i);

      g_ptr_array_add (chats, gadget_session_new (id));
    }
  for (guint i = 0; i < 4; i++)
    {
      list_chats (self, chats, 0, chats->len);
      list_chats (self, chats, chats->len / 2, chats->len);
    }
  list_chats (self, chats, 0, 0);
}

static void
test_failed (TestWindow *self, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new (GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "gone");

  g_signal_emit_by_name (library_get_folders (self), "failed", error);
  wait_until (test_window_has_toast (self, "This folder was deleted elsewhere."));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
#define ADD(name, function)                                                                        \
  g_test_add ("/ui/library/folders/" name, TestWindow, NULL, test_window_set_up, function,         \
              test_window_tear_down)
  ADD ("places", test_places);
  ADD ("search", test_search);
  ADD ("open-and-close", test_open_and_close);
  ADD ("unread", test_unread);
  ADD ("move-by-menu", test_move_by_menu);
  ADD ("new-folder", test_new_folder);
  ADD ("rename", test_rename);
  ADD ("delete", test_delete);
  ADD ("changes", test_changes);
  ADD ("recycled", test_recycled);
  ADD ("failed", test_failed);
  return g_test_run ();
}
