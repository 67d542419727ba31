/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folders of the list: which are open, and what can be done with them. The settings keep the
 * ids of those that are closed. */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "ui/common/gadget-menu.h"
#include "ui/common/gadget-name-dialog.h"
#include "ui/common/gadget-settings.h"

#include <glib/gi18n.h>

#define CLOSED_KEY "closed-folders"

enum
{
  FOLDER_REMOVED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GadgetChatFolders *
get_folders (GadgetLibrary *self)
{
  return gadget_engine_get_chat_folders (self->engine);
}

/* Returns the folder that a chat is in. (transfer none) (nullable) */
GadgetChatFolder *
_gadget_library_get_folder (GadgetLibrary *self, GadgetSession *session)
{
  return self->engine != NULL ? gadget_chat_folders_find_for (get_folders (self), session) : NULL;
}

/* Returns the folders that are in @parent, or in none if that is NULL. (transfer full) */
GPtrArray *
_gadget_library_dup_subfolders (GadgetLibrary *self, GadgetChatFolder *parent)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_object_unref);
  const char *parent_id = parent != NULL ? gadget_chat_folder_get_id (parent) : NULL;
  GListModel *all = self->engine != NULL ? G_LIST_MODEL (get_folders (self)) : NULL;

  for (guint i = 0; all != NULL && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GadgetChatFolder) folder = g_list_model_get_item (all, i);

      if (g_strcmp0 (gadget_chat_folder_get_parent_id (folder), parent_id) == 0)
        g_ptr_array_add (folders, g_steal_pointer (&folder));
    }
  return folders;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* All folders are open while the user searches, so that the results are seen. */
gboolean
_gadget_library_is_folder_open (GadgetLibrary *self, GadgetChatFolder *folder)
{
  return self->needle != NULL
         || !g_hash_table_contains (self->closed_folders, gadget_chat_folder_get_id (folder));
}

/* Folders that were removed meanwhile are not stored any more. */
static void
store_closed (GadgetLibrary *self)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) strv = NULL;
  GHashTableIter iter;
  gpointer id;

  if (self->settings == NULL)
    return;
  g_hash_table_iter_init (&iter, self->closed_folders);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    if (gadget_chat_folders_find (get_folders (self), id) != NULL)
      g_strv_builder_add (ids, id);
  strv = g_strv_builder_end (ids);
  g_settings_set_strv (self->settings, CLOSED_KEY, (const char *const *) strv);
}

void
_gadget_library_set_folder_open (GadgetLibrary *self, GadgetChatFolder *folder, gboolean open)
{
  const char *id = gadget_chat_folder_get_id (folder);

  if (open == _gadget_library_is_folder_open (self, folder) || self->needle != NULL)
    return;
  if (open)
    g_hash_table_remove (self->closed_folders, id);
  else
    g_hash_table_add (self->closed_folders, g_strdup (id));
  store_closed (self);
  _gadget_library_rebuild (self);
}

void
_gadget_library_toggle_folder (GadgetLibrary *self, GadgetChatFolder *folder)
{
  _gadget_library_set_folder_open (self, folder, !_gadget_library_is_folder_open (self, folder));
}

/* Returns the position of the folder above that lists the entry, GTK_INVALID_LIST_POSITION for
 * none. */
guint
_gadget_library_find_parent (GadgetLibrary *self, guint position)
{
  const guint depth = gadget_library_model_get_entry (self->model, position)->depth;

  for (guint i = position; depth > 0 && i > 0; i--)
    if (gadget_library_model_get_entry (self->model, i - 1)->depth < depth)
      return i - 1;
  return GTK_INVALID_LIST_POSITION;
}

/* Opens or closes the folder that has the focus; from what a folder lists, closing leads to the
 * folder. On other rows the keys do nothing: GTK would choose the chat that has the focus. */
gboolean
_gadget_library_open_or_close (GadgetLibrary *self, gboolean open)
{
  GObject *item = _gadget_library_get_focused_item (self);
  const guint position = gadget_library_model_find (self->model, item);
  guint parent;

  if (position == GTK_INVALID_LIST_POSITION)
    return GDK_EVENT_PROPAGATE;
  parent = _gadget_library_find_parent (self, position);
  if (GADGET_IS_CHAT_FOLDER (item)
      && (open || gadget_library_model_get_entry (self->model, position)->open))
    _gadget_library_set_folder_open (self, GADGET_CHAT_FOLDER (item), open);
  else if (!open && parent != GTK_INVALID_LIST_POSITION)
    gtk_list_view_scroll_to (self->list, parent, GTK_LIST_SCROLL_FOCUS, NULL);
  return GDK_EVENT_STOP;
}

/* --- Moving chats ----------------------------------------------------------------------------- */

/* Puts chats into a folder, or into none if that is NULL. (element-type GadgetSession) */
void
_gadget_library_move (GadgetLibrary *self, GPtrArray *sessions, GadgetChatFolder *folder)
{
  for (guint i = 0; i < sessions->len; i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);

      gadget_session_set_chat_folder (session,
                                      folder != NULL ? gadget_chat_folder_get_id (folder) : NULL);
      gadget_engine_save (self->engine, session);
    }
}

static void
move_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GPtrArray) sessions = _gadget_library_take_targets (self);

  _gadget_library_move (
      self, sessions,
      gadget_chat_folders_find (get_folders (self), g_variant_get_string (parameter, NULL)));
}

static void
append_folders (GadgetLibrary *self, GMenu *menu, GadgetChatFolder *parent)
{
  g_autoptr (GPtrArray) folders = _gadget_library_dup_subfolders (self, parent);

  for (guint i = 0; i < folders->len; i++)
    {
      GadgetChatFolder *folder = g_ptr_array_index (folders, i);
      /* Translators: a folder of chats, and the folder in it */
      g_autofree char *path =
          parent != NULL ? g_strdup_printf (_ ("%s / %s"), gadget_chat_folder_get_name (parent),
                                            gadget_chat_folder_get_name (folder))
                         : g_strdup (gadget_chat_folder_get_name (folder));

      gadget_menu_append_name (menu, path, "library.move",
                               g_variant_new_string (gadget_chat_folder_get_id (folder)));
      append_folders (self, menu, folder);
    }
}

GMenuModel *
_gadget_library_make_move_menu (GadgetLibrary *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) folders = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();

  append_folders (self, folders, NULL);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (folders));
  /* Translators: in the menu of folders that a chat can be moved to */
  g_menu_append (others, C_ ("folder", "None"), "library.move::");
  g_menu_append (others, _ ("New Folder…"), "library.move-to-new");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return G_MENU_MODEL (menu);
}

/* --- New folders ------------------------------------------------------------------------------ */

static void
created_cb (AdwAlertDialog *dialog, const char *response, GadgetLibrary *self)
{
  GPtrArray *sessions = g_object_get_data (G_OBJECT (dialog), "sessions");
  g_autofree char *name = gadget_name_dialog_dup_name (dialog, response);
  GadgetChatFolder *folder;

  if (name == NULL)
    return;
  folder = gadget_chat_folders_create (get_folders (self), name,
                                       g_object_get_data (G_OBJECT (dialog), "parent"));
  if (folder != NULL && sessions != NULL)
    _gadget_library_move (self, sessions, folder);
}

/* Asks for the name of a new folder in @parent (nullable), and moves @sessions (nullable) there. */
static void
ask_for_folder (GadgetLibrary *self, GadgetChatFolder *parent, GPtrArray *sessions)
{
  AdwDialog *dialog = gadget_name_dialog_new (_ ("New Folder"), "", _ ("_Create"));

  if (parent != NULL)
    g_object_set_data_full (G_OBJECT (dialog), "parent", g_object_ref (parent), g_object_unref);
  if (sessions != NULL)
    g_object_set_data_full (G_OBJECT (dialog), "sessions", g_ptr_array_ref (sessions),
                            (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (created_cb), self, G_CONNECT_DEFAULT);
  gadget_name_dialog_present (dialog, GTK_WIDGET (self));
}

static void
new_folder_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ask_for_folder (GADGET_LIBRARY (widget), NULL, NULL);
}

static void
new_subfolder_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GObject) parent = g_steal_pointer (&self->context_item);

  if (GADGET_IS_CHAT_FOLDER (parent))
    ask_for_folder (self, GADGET_CHAT_FOLDER (parent), NULL);
}

static void
move_to_new_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GadgetLibrary *self = GADGET_LIBRARY (widget);
  g_autoptr (GPtrArray) sessions = _gadget_library_take_targets (self);

  ask_for_folder (self, NULL, sessions);
}

/* --- Removing --------------------------------------------------------------------------------- */

/* The focus stays in the list, as when chats are deleted. */
void
_gadget_library_remove_folder (GadgetLibrary *self, GadgetChatFolder *folder)
{
  const gboolean focused = gadget_library_has_focus (self) || self->focus_list;
  const guint position = gadget_library_model_find (self->model, folder);
  guint n;

  gadget_chat_folders_remove (get_folders (self), folder);
  _gadget_library_rebuild (self);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  if (focused && position != GTK_INVALID_LIST_POSITION && n > 0)
    gtk_list_view_scroll_to (self->list, MIN (position, n - 1), GTK_LIST_SCROLL_FOCUS, NULL);
  g_signal_emit (self, signals[FOLDER_REMOVED], 0, folder);
}

/* --- Menu ------------------------------------------------------------------------------------- */

/* Folders are nested once. (transfer full) */
GMenuModel *
_gadget_library_make_folder_menu (GadgetChatFolder *folder)
{
  GMenu *menu = g_menu_new ();

  gadget_menu_append_with_key (menu, _ ("Rename…"), "library.rename", "F2");
  if (gadget_chat_folder_get_parent_id (folder) == NULL)
    g_menu_append (menu, _ ("New Subfolder…"), "library.new-subfolder");
  gadget_menu_append_with_key (menu, _ ("Delete Folder"), "library.delete", "Delete");
  return G_MENU_MODEL (menu);
}

void
_gadget_library_folders_init (GadgetLibrary *self)
{
  g_auto (GStrv) ids = NULL;

  self->closed_folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->settings = gadget_settings_new ();
  if (self->settings == NULL)
    return;
  ids = g_settings_get_strv (self->settings, CLOSED_KEY);
  for (guint i = 0; ids[i] != NULL; i++)
    g_hash_table_add (self->closed_folders, g_strdup (ids[i]));
}

void
_gadget_library_folders_class_init (GtkWidgetClass *widget_class)
{
  signals[FOLDER_REMOVED] =
      g_signal_new ("folder-removed", G_TYPE_FROM_CLASS (widget_class), G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_CHAT_FOLDER);

  gtk_widget_class_install_action (widget_class, "library.move", "s", move_action);
  gtk_widget_class_install_action (widget_class, "library.move-to-new", NULL, move_to_new_action);
  gtk_widget_class_install_action (widget_class, "library.new-folder", NULL, new_folder_action);
  gtk_widget_class_install_action (widget_class, "library.new-subfolder", NULL,
                                   new_subfolder_action);
}
