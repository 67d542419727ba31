/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog of imports. They go on without it, so it only shows what #GadgetImports has. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-import-dialog.h"

#include "common/gadget-clock.h"
#include "gadget-preferences-rows.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

struct _GadgetImportDialog
{
  AdwDialog parent_instance;

  GtkButton *import_button;
  GtkStack *stack;
  AdwPreferencesGroup *running_group;
  AdwActionRow *running_row;
  GtkProgressBar *progress_bar;
  AdwPreferencesGroup *finished_group;
  GtkListBox *finished_list;

  GadgetImports *imports;
};

G_DEFINE_FINAL_TYPE (GadgetImportDialog, gadget_import_dialog, ADW_TYPE_DIALOG)

/* --- Reports --- */

/* Adds a line of the report, if there is something to say. */
static void
add_line (AdwExpanderRow *row, const char *icon, const char *title, const char *subtitle, guint n)
{
  GtkWidget *line;
  GtkWidget *label;
  g_autofree char *text = NULL;

  if (n == 0)
    return;
  line = gadget_ui_row_new (title, subtitle);
  text = g_strdup_printf ("%'u", n);
  label = gtk_label_new (text);
  gtk_widget_add_css_class (label, "dimmed");
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_prefix (ADW_ACTION_ROW (line), gtk_image_new_from_icon_name (icon));
  adw_action_row_add_suffix (ADW_ACTION_ROW (line), label);
  adw_expander_row_add_row (row, line);
}

static void
add_lines (AdwExpanderRow *row, const GadgetImportReport *report)
{
  const char *const warning = "dialog-warning-symbolic";

  add_line (row, "list-add-symbolic", _ ("Imported chats"), NULL, report->n_added);
  add_line (row, "list-add-symbolic", _ ("Branches of these chats"),
            _ ("Other replies and edited messages, as chats of their own."), report->n_branches);
  add_line (row, "list-add-symbolic", _ ("Chats with new messages"), NULL, report->n_extended);
  add_line (row, "view-refresh-symbolic", _ ("Here already, not imported again"), NULL,
            report->n_unchanged);
  add_line (row, "view-refresh-symbolic", _ ("Left as they are"),
            _ ("They went on here, or are open."), report->n_kept);
  add_line (row, warning, _ ("Chats without messages"), _ ("They were left out."), report->n_empty);
  add_line (row, warning, _ ("Damaged entries"), _ ("They were left out."), report->n_broken);
  add_line (row, warning, _ ("Entries that are too large"), _ ("They were left out."),
            report->n_too_large);
  add_line (row, warning, _ ("Entries that are no chats"), _ ("They were left out."),
            report->n_foreign);
  add_line (row, warning, _ ("Files and images"),
            _ ("They were not imported. The chats name them."), report->n_missing);
  add_line (row, warning, _ ("Chats with instructions to the model"),
            _ ("The instructions were left out."), report->n_instructions);
  add_line (row, warning, _ ("Further branches"), _ ("They are too many and were left out."),
            report->n_left_out);
  add_line (row, warning, _ ("Files that end in the middle"),
            _ ("What is whole in them was imported."), report->n_cut);
  add_line (row, warning, _ ("Damaged files in archives"),
            _ ("What could be read of them was imported."), report->n_damaged);
  add_line (row, warning, _ ("Missing files of the export"),
            _ ("Their numbers are not among those of the imported files."), report->n_gaps);
}

static void
undo_confirmed (GtkWidget *row)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (row, GADGET_TYPE_IMPORT_DIALOG);

  if (dialog != NULL)
    gadget_imports_undo (GADGET_IMPORT_DIALOG (dialog)->imports,
                         g_object_get_data (G_OBJECT (row), "imported"));
}

static void
undo_cb (GtkWidget *row)
{
  gadget_preferences_confirm (
      row, _ ("Undo This Import?"),
      _ ("The imported chats are deleted. Those that went on here, or are open, stay."),
      _ ("_Undo Import"), undo_confirmed);
}

static void
add_undo_button (GtkWidget *row, const GadgetImported *imported)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Undo Import…"));

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (button, !imported->undoing);
  g_signal_connect_object (button, "clicked", G_CALLBACK (undo_cb), row, G_CONNECT_SWAPPED);
  adw_expander_row_add_suffix (ADW_EXPANDER_ROW (row), button);
}

/* Returns what became of an import (transfer full). */
static char *
dup_outcome (const GadgetImported *imported)
{
  g_autofree char *when = gadget_labels_moment (imported->ended_at, gadget_clock_wall_ms ());

  if (imported->error != NULL)
    return imported->problem != NULL ? g_strdup (imported->problem)
                                     : gadget_labels_error (imported->error, NULL);
  if (imported->undone && imported->n_kept == 0)
    return g_strdup (_ ("Undone"));
  if (imported->undone)
    return g_strdup_printf (ngettext ("Undone; %'u chat was left as it is",
                                      "Undone; %'u chats were left as they are", imported->n_kept),
                            imported->n_kept);
  return g_steal_pointer (&when);
}

static GtkWidget *
make_row (GadgetImported *imported)
{
  GtkWidget *row;
  g_autofree char *outcome = dup_outcome (imported);

  if (imported->report == NULL || imported->undone)
    {
      row = gadget_ui_row_new (imported->name, outcome);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row),
                                 imported->report == NULL
                                     ? gadget_preferences_mark ("dialog-error-symbolic", "error")
                                     : gtk_image_new_from_icon_name ("edit-undo-symbolic"));
      return row;
    }
  row = adw_expander_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), imported->name);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), outcome);
  adw_expander_row_add_prefix (ADW_EXPANDER_ROW (row),
                               gadget_preferences_mark ("object-select-symbolic", "success"));
  g_object_set_data (G_OBJECT (row), "imported", imported);
  if (imported->report->number != 0)
    add_undo_button (row, imported);
  add_lines (ADW_EXPANDER_ROW (row), imported->report);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  return row;
}

/* --- Showing --- */

static void
show_progress (GadgetImportDialog *self)
{
  const guint n = gadget_imports_get_n_chats (self->imports);
  g_autofree char *text = g_strdup_printf (ngettext ("%'u chat", "%'u chats", n), n);

  gtk_progress_bar_set_fraction (self->progress_bar, gadget_imports_get_fraction (self->imports));
  adw_action_row_set_subtitle (self->running_row, text);
}

static void
show_all (GadgetImportDialog *self)
{
  GPtrArray *finished = gadget_imports_get_finished (self->imports);
  const char *running = gadget_imports_get_running (self->imports);

  /* A button that goes must not take the focus with it. */
  if (running == NULL && gtk_widget_get_focus_child (GTK_WIDGET (self->running_group)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->import_button));
  gtk_widget_set_visible (GTK_WIDGET (self->running_group), running != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->finished_group), finished->len > 0);
  gtk_stack_set_visible_child_name (self->stack,
                                    running != NULL || finished->len > 0 ? "list" : "empty");
  if (running != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->running_row), running);
  show_progress (self);
  gtk_list_box_remove_all (self->finished_list);
  for (guint i = 0; i < finished->len; i++)
    gtk_list_box_append (self->finished_list, make_row (g_ptr_array_index (finished, i)));
}

/* --- Actions --- */

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetImports) imports = user_data;
  g_autoptr (GListModel) files =
      gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (source), result, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (g_file_peek_path (file) != NULL)
        g_strv_builder_add (builder, g_file_peek_path (file));
    }
  paths = g_strv_builder_end (builder);
  if (paths[0] != NULL)
    gadget_imports_start (imports, (const char *const *) paths);
}

static void
import_cb (GadgetImportDialog *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Import Chats"));
  gtk_file_dialog_set_accept_label (dialog, _ ("_Import"));
  gtk_file_dialog_open_multiple (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 chosen_cb, g_object_ref (self->imports));
}

static void
cancel_cb (GadgetImportDialog *self)
{
  gadget_imports_cancel (self->imports);
  gadget_announce (GTK_WIDGET (self), _ ("Import cancelled. Nothing was added."),
                   GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* --- Object --- */

static void
gadget_import_dialog_dispose (GObject *object)
{
  GadgetImportDialog *self = GADGET_IMPORT_DIALOG (object);

  g_clear_object (&self->imports);
  gtk_widget_dispose_template (GTK_WIDGET (self), GADGET_TYPE_IMPORT_DIALOG);

  G_OBJECT_CLASS (gadget_import_dialog_parent_class)->dispose (object);
}

static void
gadget_import_dialog_class_init (GadgetImportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_import_dialog_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/preferences/gadget-import-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, import_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, running_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, running_row);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, finished_group);
  gtk_widget_class_bind_template_child (widget_class, GadgetImportDialog, finished_list);
  gtk_widget_class_bind_template_callback (widget_class, import_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
gadget_import_dialog_init (GadgetImportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
gadget_import_dialog_new (GadgetImports *imports)
{
  GadgetImportDialog *self = g_object_new (GADGET_TYPE_IMPORT_DIALOG, NULL);

  self->imports = g_object_ref (imports);
  g_signal_connect_object (imports, "changed", G_CALLBACK (show_all), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (imports, "progressed", G_CALLBACK (show_progress), self,
                           G_CONNECT_SWAPPED);
  show_all (self);
  return GTK_WIDGET (self);
}
