/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that lists what a turn did, as the effects ledger has it, and copies or saves the
 * list. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-effects-dialog.h"

#include "common/gadget-clock.h"
#include "session/gadget-item.h"
#include "ui/common/gadget-effect-labels.h"
#include "ui/common/gadget-error-labels.h"
#include "ui/common/gadget-labels.h"
#include "ui/common/gadget-save.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>
#include <string.h>

/* The dialog shows no more rows than these; a copied or saved list has all of them. */
#define MAX_ROWS 200

struct _GadgetEffectsDialog
{
  AdwDialog parent_instance;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  GtkWidget *copy_button;
  GtkWidget *save_button;
  AdwStatusPage *failure_page;
  AdwPreferencesGroup *group;

  char *workspace;    /* (nullable) */
  GPtrArray *effects; /* (nullable): of GadgetEffectRow; NULL until they are read */
};

G_DEFINE_FINAL_TYPE (GadgetEffectsDialog, gadget_effects_dialog, ADW_TYPE_DIALOG)

/* --- Copying and saving --- */

static void
copy_cb (GadgetEffectsDialog *self)
{
  g_autofree char *text = gadget_effect_labels_dup_all (self->effects, self->workspace);

  gadget_save_copy (GTK_WIDGET (self), self->toasts,
                    gdk_content_provider_new_typed (G_TYPE_STRING, text));
}

/* Returns a file name with the time when the turn began, which tells apart several lists in one
 * folder. (transfer full) */
static char *
dup_file_name (GadgetEffectsDialog *self)
{
  const GadgetEffectRow *first = g_ptr_array_index (self->effects, 0);
  g_autoptr (GDateTime) begun = g_date_time_new_from_unix_local (first->started_at / 1000);
  g_autofree char *when = begun != NULL ? g_date_time_format (begun, "%F %H-%M") : NULL;

  /* Translators: the name of a file; %s is a date and a time */
  return g_strdup_printf (_ ("What Was Done %s.txt"), when != NULL ? when : "");
}

static void
save_cb (GadgetEffectsDialog *self)
{
  g_autofree char *name = dup_file_name (self);
  char *text = gadget_effect_labels_dup_all (self->effects, self->workspace);
  g_autoptr (GBytes) file = g_bytes_new_take (text, strlen (text));

  gadget_save_ask (GTK_WIDGET (self), self->toasts, _ ("Save What Was Done"), name, file,
                   _ ("The list was saved"));
}

/* --- Rows --- */

static GtkWidget *
make_row (GadgetEffectsDialog *self, const GadgetEffectRow *effect)
{
  GtkWidget *icon = gtk_image_new_from_icon_name (gadget_effect_labels_get_icon (effect));
  g_autofree char *text = gadget_effect_labels_dup_text (effect, self->workspace);
  g_autofree char *details = gadget_effect_labels_dup_details (effect);
  g_autofree char *when = gadget_labels_moment (effect->started_at, gadget_clock_wall_ms ());
  GtkWidget *time = gtk_label_new (when);
  GtkWidget *row = gadget_ui_row_new (text, details);

  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 3);
  gtk_widget_add_css_class (icon, "dimmed");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_widget_add_css_class (time, "dimmed");
  gtk_widget_add_css_class (time, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), time);
  return row;
}

static void
add_rest (GadgetEffectsDialog *self, guint n)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *text =
      g_strdup_printf (ngettext ("And %'u more, which Copy and Save have too",
                                 "And %'u more, which Copy and Save have too", n),
                       n);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), text);
  adw_preferences_group_add (self->group, row);
}

static void
fill (GadgetEffectsDialog *self)
{
  for (guint i = 0; i < MIN (self->effects->len, MAX_ROWS); i++)
    adw_preferences_group_add (self->group, make_row (self, g_ptr_array_index (self->effects, i)));
  if (self->effects->len > MAX_ROWS)
    add_rest (self, self->effects->len - MAX_ROWS);
  gtk_widget_set_visible (self->copy_button, self->effects->len > 0);
  gtk_widget_set_visible (self->save_button, self->effects->len > 0);
  gtk_stack_set_visible_child_name (self->stack, self->effects->len > 0 ? "list" : "empty");
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetEffectsDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);

  /* The dialog was closed meanwhile. */
  if (self->stack == NULL)
    return;
  if (changes == NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (gadget_error_labels_get_reason (error), -1);

      g_message ("what a turn did could not be read: %s", error->message);
      adw_status_page_set_description (self->failure_page, escaped);
      gtk_stack_set_visible_child_name (self->stack, "failure");
      return;
    }
  self->effects = g_ptr_array_ref (gadget_turn_changes_get_effects (changes));
  fill (self);
}

static void
gadget_effects_dialog_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_EFFECTS_DIALOG);

  G_OBJECT_CLASS (gadget_effects_dialog_parent_class)->dispose (object);
}

static void
gadget_effects_dialog_finalize (GObject *object)
{
  GadgetEffectsDialog *self = GADGET_EFFECTS_DIALOG (object);

  g_free (self->workspace);
  g_clear_pointer (&self->effects, g_ptr_array_unref);

  G_OBJECT_CLASS (gadget_effects_dialog_parent_class)->finalize (object);
}

static void
gadget_effects_dialog_class_init (GadgetEffectsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_effects_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_effects_dialog_finalize;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-effects-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, copy_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, save_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, failure_page);
  gtk_widget_class_bind_template_child (widget_class, GadgetEffectsDialog, group);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
}

static void
gadget_effects_dialog_init (GadgetEffectsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
gadget_effects_dialog_new (GadgetSnapshotService *service, const char *turn_id,
                           const char *workspace)
{
  GadgetEffectsDialog *self;

  g_return_val_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && turn_id != NULL, NULL);

  self = g_object_new (GADGET_TYPE_EFFECTS_DIALOG, NULL);
  self->workspace = g_strdup (workspace);
  gadget_turn_changes_read_async (service, turn_id, read_cb, g_object_ref (self));
  return ADW_DIALOG (self);
}
