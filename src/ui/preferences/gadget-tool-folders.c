/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of folders with tools that commands may read. The rows are made from the folders that
 * were found and from the user's changes: "-" and a path for a known folder that was switched off,
 * the path alone for an added one; see gadget_sandbox_tools_find (). */

#define G_LOG_DOMAIN "gadget-tool-folders"

#include "config.h"

#include "gadget-tool-folders.h"

#include "gadget-preferences-rows.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

/* The folders of one row. */
typedef struct
{
  AdwExpanderRow *row; /* (unowned): the row owns this structure */
  GadgetCommands *commands;
  GPtrArray *children;
  gboolean filling;
} Folders;

static void
folders_free (gpointer data)
{
  Folders *self = data;

  g_object_unref (self->commands);
  g_ptr_array_unref (self->children);
  g_free (self);
}

static void
set_changes (Folders *self, GPtrArray *changes)
{
  g_ptr_array_add (changes, NULL);
  gadget_commands_set_changes (self->commands, (const char *const *) changes->pdata);
}

/* Returns the changes, without those of @path. (transfer full) (element-type utf8) */
static GPtrArray *
list_others (Folders *self, const char *path)
{
  const char *const *changes = gadget_commands_get_changes (self->commands);
  GPtrArray *others = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; changes[i] != NULL; i++)
    if (!g_str_equal (changes[i], path)
        && !(*changes[i] == '-' && g_str_equal (changes[i] + 1, path)))
      g_ptr_array_add (others, g_strdup (changes[i]));
  return others;
}

static gboolean
is_added (Folders *self, const char *path)
{
  return g_strv_contains (gadget_commands_get_changes (self->commands), path);
}

static void
toggled_cb (AdwSwitchRow *child, GParamSpec *pspec, Folders *self)
{
  const char *path = g_object_get_data (G_OBJECT (child), "path");
  g_autoptr (GPtrArray) changes = NULL;

  if (self->filling)
    return;
  changes = list_others (self, path);
  if (!adw_switch_row_get_active (child) && !is_added (self, path))
    g_ptr_array_add (changes, g_strconcat ("-", path, NULL));
  set_changes (self, changes);
}

static void
append (Folders *self, const char *path, gboolean active)
{
  GtkWidget *child = adw_switch_row_new ();
  g_autofree char *name = gadget_effect_labels_dup_path (path, NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (child), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (child), name);
  adw_switch_row_set_active (ADW_SWITCH_ROW (child), active);
  g_object_set_data_full (G_OBJECT (child), "path", g_strdup (path), g_free);
  g_signal_connect (child, "notify::active", G_CALLBACK (toggled_cb), self);
  adw_expander_row_add_row (self->row, child);
  g_ptr_array_add (self->children, child);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwExpanderRow) row = user_data;
  Folders *self = g_object_get_data (G_OBJECT (row), "gadget-tool-folders");
  g_autoptr (GFile) file =
      gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);
  g_autoptr (GPtrArray) changes = NULL;

  if (file == NULL || g_file_peek_path (file) == NULL || self == NULL)
    return;
  changes = list_others (self, g_file_peek_path (file));
  g_ptr_array_add (changes, g_file_get_path (file));
  set_changes (self, changes);
}

static void
add_cb (Folders *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->row));

  gtk_file_dialog_set_title (dialog, _ ("Add Tool Folder"));
  gtk_file_dialog_select_folder (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, g_object_ref (self->row));
}

static void
append_refused (Folders *self, const char *path)
{
  g_autofree char *name = gadget_effect_labels_dup_path (path, NULL);
  GtkWidget *child =
      gadget_ui_row_new (name, _ ("Not shown to commands: it holds more than programs"));

  adw_expander_row_add_row (self->row, child);
  g_ptr_array_add (self->children, child);
}

static void
fill (Folders *self)
{
  GadgetSandboxTools *tools = gadget_commands_get_tools (self->commands);
  const char *const *changes = gadget_commands_get_changes (self->commands);
  GtkWidget *add = gadget_preferences_add_row (_ ("Add Folder…"));

  self->filling = TRUE;
  for (guint i = 0; i < self->children->len; i++)
    adw_expander_row_remove (self->row, g_ptr_array_index (self->children, i));
  g_ptr_array_set_size (self->children, 0);
  for (guint i = 0; tools != NULL && i < tools->folders->len; i++)
    append (self, ((GadgetToolFolder *) g_ptr_array_index (tools->folders, i))->path, TRUE);
  for (guint i = 0; changes[i] != NULL; i++)
    if (*changes[i] == '-')
      append (self, changes[i] + 1, FALSE);
  for (guint i = 0; tools != NULL && i < tools->refused->len; i++)
    append_refused (self, g_ptr_array_index (tools->refused, i));
  g_signal_connect_swapped (add, "activated", G_CALLBACK (add_cb), self);
  adw_expander_row_add_row (self->row, add);
  g_ptr_array_add (self->children, add);
  self->filling = FALSE;
}

static void
changed_cb (AdwExpanderRow *row)
{
  fill (g_object_get_data (G_OBJECT (row), "gadget-tool-folders"));
}

/**
 * gadget_tool_folders_show:
 * @row: an empty row
 */
void
gadget_tool_folders_show (AdwExpanderRow *row, GadgetCommands *commands)
{
  Folders *self = g_new0 (Folders, 1);

  g_return_if_fail (ADW_IS_EXPANDER_ROW (row) && GADGET_IS_COMMANDS (commands));

  self->row = row;
  self->commands = g_object_ref (commands);
  self->children = g_ptr_array_new ();
  g_object_set_data_full (G_OBJECT (row), "gadget-tool-folders", self, folders_free);
  g_signal_connect_object (commands, "changed", G_CALLBACK (changed_cb), row, G_CONNECT_SWAPPED);
  fill (self);
}
