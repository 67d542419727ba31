/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that lists the file changes of a turn and lets the user choose which to undo or redo.
 * The dialog waits for the recording of changes that are not recorded yet; the rows are in
 * gadget-undo-rows.c. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-undo-dialog.h"

#include "gadget-undo-effects.h"
#include "gadget-undo-rows.h"
#include "effects/gadget-turn-changes.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

#define MIN_HEIGHT 320
#define MAX_HEIGHT 560

struct _GadgetUndoDialog
{
  AdwDialog parent_instance;

  GtkWidget *apply_button;
  GtkWidget *cancel_button;
  AdwBanner *banner;
  GtkStack *stack;
  GtkWidget *recording_label;
  AdwStatusPage *empty_page;
  AdwPreferencesPage *page;

  GadgetSnapshotService *service;
  char *turn_id;
  char *workspace;      /* (nullable) */
  char **only;          /* (nullable): absolute paths of the only files to show */
  GadgetUndoRows *rows; /* (nullable): NULL until the changes are read */
  gboolean has_obstacle;
  gboolean disposed;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetUndoDialog, gadget_undo_dialog, ADW_TYPE_DIALOG)

static void
update_apply (gpointer data, gpointer nothing)
{
  GadgetUndoDialog *self = data;
  const gboolean can_apply =
      self->rows != NULL && !self->has_obstacle && _gadget_undo_rows_has_choice (self->rows);

  /* An insensitive button loses the focus, and Esc goes to the focus widget. */
  if (!can_apply && gtk_widget_has_focus (self->apply_button))
    gtk_widget_grab_focus (self->cancel_button);
  gtk_widget_set_sensitive (self->apply_button, can_apply);
}

static void
apply_cb (GadgetUndoDialog *self)
{
  g_auto (GStrv) paths = NULL;
  g_auto (GStrv) anyway = NULL;

  if (self->rows == NULL)
    return;
  _gadget_undo_rows_take (self->rows, &paths, &anyway);
  g_signal_emit (self, signals[CHOSEN], 0, _gadget_undo_rows_get_redo (self->rows), paths, anyway);
  adw_dialog_close (ADW_DIALOG (self));
}

/* --- Contents --------------------------------------------------------------------------------- */

static void
show_nothing (GadgetUndoDialog *self, const char *title, const char *text)
{
  g_autofree char *escaped = text != NULL ? g_markup_escape_text (text, -1) : NULL;

  adw_status_page_set_title (self->empty_page, title);
  adw_status_page_set_description (self->empty_page, escaped);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* Makes the dialog smaller when it lists a few files only. */
static void
fit_height (GadgetUndoDialog *self)
{
  GtkWidget *child = adw_dialog_get_child (ADW_DIALOG (self));
  int width, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (width, gtk_widget_get_width (child)),
                      NULL, &natural, NULL, NULL);
  adw_dialog_set_content_height (ADW_DIALOG (self), CLAMP (natural, MIN_HEIGHT, MAX_HEIGHT));
}

static void
effects_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUndoDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);

  if (self->disposed || self->rows == NULL)
    return;
  if (changes != NULL)
    {
      _gadget_undo_effects_add (self->page, gadget_turn_changes_get_effects (changes),
                                self->workspace);
      fit_height (self);
    }
  else if (_gadget_undo_rows_get_n_files (self->rows) == 0)
    show_nothing (self, _ ("The Changes Could Not Be Read"),
                  gadget_error_labels_get_reason (error));
}

static void
show_rows (GadgetUndoDialog *self, GadgetUndoList *list)
{
  /* When the record is lost there is something to show, even without files. */
  const gboolean lost = list->recording == GADGET_RECORDING_LOST && self->only == NULL;

  self->rows = _gadget_undo_rows_new (self->page, list, self->workspace,
                                      (const char *const *) self->only, update_apply, self);
  if (_gadget_undo_rows_get_n_files (self->rows) == 0 && !lost)
    {
      show_nothing (self, _ ("Nothing to Undo"), _ ("This turn changed no files."));
      return;
    }
  if (_gadget_undo_rows_get_redo (self->rows))
    {
      adw_dialog_set_title (ADW_DIALOG (self), _ ("Redo Changes"));
      gtk_button_set_label (GTK_BUTTON (self->apply_button), _ ("_Redo"));
    }
  gtk_stack_set_visible_child_name (self->stack, "list");
  fit_height (self);
  update_apply (self, NULL);
  /* The button was insensitive until the rows were known, so it could not take the focus before. */
  if (gtk_widget_get_sensitive (self->apply_button))
    gtk_widget_grab_focus (self->apply_button);
  if (self->only == NULL)
    gadget_turn_changes_read_async (self->service, self->turn_id, effects_read_cb,
                                    g_object_ref (self));
}

static void
show_missing (GadgetUndoDialog *self, const char *folder)
{
  g_autofree char *shown = gadget_effect_labels_dup_path (folder, NULL);
  /* Translators: %s is a folder */
  g_autofree char *text = g_strdup_printf (
      _ ("\u2068%s\u2069 was moved or deleted, or its drive is not there. What can be undone shows "
         "when it is back."),
      shown);

  show_nothing (self, _ ("Folder Not Found"), text);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUndoDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetUndoList) list = gadget_undo_list_finish (result, &error);

  if (self->disposed || self->rows != NULL)
    return;
  if (list == NULL)
    show_nothing (self, _ ("The Changes Could Not Be Read"),
                  gadget_error_labels_get_reason (error));
  else if (list->recording == GADGET_RECORDING_PENDING)
    /* recorded_cb () reads the list again when the changes are recorded. */
    gtk_widget_set_visible (self->recording_label, TRUE);
  else if (list->missing != NULL)
    show_missing (self, list->missing);
  else
    show_rows (self, list);
}

static void
recorded_cb (GadgetUndoDialog *self, const char *turn_id)
{
  if (self->rows == NULL && g_str_equal (turn_id, self->turn_id))
    gadget_undo_list_async (self->service, self->turn_id, listed_cb, g_object_ref (self));
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_undo_dialog_dispose (GObject *object)
{
  GadgetUndoDialog *self = GADGET_UNDO_DIALOG (object);

  self->disposed = TRUE;
  g_clear_pointer (&self->rows, _gadget_undo_rows_free);
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_UNDO_DIALOG);
  g_clear_object (&self->service);

  G_OBJECT_CLASS (gadget_undo_dialog_parent_class)->dispose (object);
}

static void
gadget_undo_dialog_finalize (GObject *object)
{
  GadgetUndoDialog *self = GADGET_UNDO_DIALOG (object);

  g_free (self->turn_id);
  g_free (self->workspace);
  g_strfreev (self->only);

  G_OBJECT_CLASS (gadget_undo_dialog_parent_class)->finalize (object);
}

static gboolean
gadget_undo_dialog_grab_focus (GtkWidget *widget)
{
  GadgetUndoDialog *self = GADGET_UNDO_DIALOG (widget);

  return gtk_widget_grab_focus (
      gtk_widget_get_sensitive (self->apply_button) ? self->apply_button : self->cancel_button);
}

static void
gadget_undo_dialog_class_init (GadgetUndoDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_undo_dialog_dispose;
  widget_class->grab_focus = gadget_undo_dialog_grab_focus;
  G_OBJECT_CLASS (klass)->finalize = gadget_undo_dialog_finalize;

  /**
   * GadgetUndoDialog::chosen:
   * @redo: whether the changes are to be redone
   * @paths: (nullable): absolute paths of the chosen files, %NULL for all of the turn
   * @anyway: (nullable): files to overwrite although they have changed since
   */
  signals[CHOSEN] =
      g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_STRV, G_TYPE_STRV);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/undo/gadget-undo-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, apply_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, banner);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, recording_label);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, empty_page);
  gtk_widget_class_bind_template_child (widget_class, GadgetUndoDialog, page);
  gtk_widget_class_bind_template_callback (widget_class, apply_cb);
}

static void
gadget_undo_dialog_init (GadgetUndoDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gadget_ui_focus_when_open (GTK_WIDGET (self));
}

/**
 * gadget_undo_dialog_new:
 * @turn_id: the turn whose changes are listed; they are read at once
 * @workspace: (nullable): the folder to which paths are shown relative
 * @only: (nullable): absolute paths of the only files to list
 *
 * Returns: (transfer floating): a dialog, to be presented by the caller
 */
AdwDialog *
gadget_undo_dialog_new (GadgetSnapshotService *service, const char *turn_id, const char *workspace,
                        const char *const *only)
{
  GadgetUndoDialog *self;

  g_return_val_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && turn_id != NULL, NULL);

  self = g_object_new (GADGET_TYPE_UNDO_DIALOG, NULL);
  self->service = g_object_ref (service);
  self->turn_id = g_strdup (turn_id);
  self->workspace = g_strdup (workspace);
  self->only = g_strdupv ((char **) only);
  g_signal_connect_object (service, "recorded", G_CALLBACK (recorded_cb), self, G_CONNECT_SWAPPED);
  gadget_undo_list_async (service, turn_id, listed_cb, g_object_ref (self));
  return ADW_DIALOG (self);
}

void
gadget_undo_dialog_set_obstacle (GadgetUndoDialog *self, const char *text)
{
  g_return_if_fail (GADGET_IS_UNDO_DIALOG (self));

  self->has_obstacle = text != NULL;
  if (text != NULL)
    adw_banner_set_title (self->banner, text);
  adw_banner_set_revealed (self->banner, text != NULL);
  update_apply (self, NULL);
}
