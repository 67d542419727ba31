/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A group of rows for the folders that an MCP server may use, with a row that adds one. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-mcp-folders.h"

#include "gadget-preferences-rows.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

struct _GadgetMcpFolders
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *rows; /* unowned, in the order of the group; the data "path" of each is the folder */
  GtkWidget *add_row;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpFolders, gadget_mcp_folders, ADW_TYPE_PREFERENCES_GROUP)

static const char *
get_path (GadgetMcpFolders *self, guint position)
{
  return g_object_get_data (g_ptr_array_index (self->rows, position), "path");
}

/* Removes a row; the focus, which was on its button, goes to the row that adds. */
static void
remove_cb (GadgetMcpFolders *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);

  g_ptr_array_remove (self->rows, row);
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
  gtk_widget_grab_focus (self->add_row);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
append (GadgetMcpFolders *self, const char *path)
{
  g_autofree char *name = gadget_effect_labels_dup_path (path, NULL);
  /* Translators: the accessible name of a button; a variable, header or folder */
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), name);
  GtkWidget *row;
  GtkWidget *button;

  for (guint i = 0; i < self->rows->len; i++)
    if (g_str_equal (get_path (self, i), path))
      return;
  row = gadget_ui_row_new (name, NULL);
  button = gadget_preferences_icon_button ("user-trash-symbolic", _ ("Remove"), label);
  g_object_set_data_full (G_OBJECT (row), "path", g_strdup (path), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (remove_cb), self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_ptr_array_add (self->rows, row);
  /* Removes and adds the row that adds, so that it stays the last. */
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), self->add_row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->add_row);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpFolders) self = user_data;
  g_autoptr (GFile) file =
      gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (file == NULL || g_file_peek_path (file) == NULL || self->add_row == NULL)
    return;
  append (self, g_file_peek_path (file));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
add_cb (GadgetMcpFolders *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Add Folder"));
  gtk_file_dialog_select_folder (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, g_object_ref (self));
}

static void
gadget_mcp_folders_dispose (GObject *object)
{
  g_clear_object (&GADGET_MCP_FOLDERS (object)->add_row);

  G_OBJECT_CLASS (gadget_mcp_folders_parent_class)->dispose (object);
}

static void
gadget_mcp_folders_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_MCP_FOLDERS (object)->rows);

  G_OBJECT_CLASS (gadget_mcp_folders_parent_class)->finalize (object);
}

static void
gadget_mcp_folders_class_init (GadgetMcpFoldersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_mcp_folders_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_folders_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_mcp_folders_init (GadgetMcpFolders *self)
{
  self->rows = g_ptr_array_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("Folders"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (self),
      _ ("The program may read, change and delete everything in these. It starts in the first."));
  self->add_row = g_object_ref_sink (gadget_preferences_add_row (_ ("Add Folder…")));
  g_signal_connect_object (self->add_row, "activated", G_CALLBACK (add_cb), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->add_row);
}

void
gadget_mcp_folders_load (GadgetMcpFolders *self, const char *const *folders)
{
  g_return_if_fail (GADGET_IS_MCP_FOLDERS (self));

  for (guint i = 0; folders[i] != NULL; i++)
    append (self, folders[i]);
}

char **
gadget_mcp_folders_dup (GadgetMcpFolders *self)
{
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();

  g_return_val_if_fail (GADGET_IS_MCP_FOLDERS (self), NULL);

  for (guint i = 0; i < self->rows->len; i++)
    g_strv_builder_add (folders, get_path (self, i));
  return g_strv_builder_end (folders);
}
