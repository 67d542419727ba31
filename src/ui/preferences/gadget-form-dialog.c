/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-form-dialog.h"

#include "gadget-preferences-rows.h"

#include <glib/gi18n.h>

#define NATURAL_WIDTH 480

struct _GadgetFormDialog
{
  AdwDialog parent_instance;

  AdwNavigationView *view;
  GBinding *binding; /* (nullable): of the visible page's "dirty" */
};

G_DEFINE_FINAL_TYPE (GadgetFormDialog, gadget_form_dialog, ADW_TYPE_DIALOG)

/* --- Its size: as high as the page, which grows when something is to be said, and never wider than
 * it was --- */

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = MAX (*minimum, NATURAL_WIDTH);
}

static void
allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
}

/* --- Closing --- */

static void
force_close (GtkWidget *dialog)
{
  adw_dialog_force_close (ADW_DIALOG (dialog));
}

static void
gadget_form_dialog_close_attempt (AdwDialog *dialog)
{
  gadget_preferences_confirm (GTK_WIDGET (dialog), _ ("Discard Changes?"),
                              _ ("What you entered is not saved."), _ ("_Discard"), force_close);
}

static void
page_changed_cb (GadgetFormDialog *self)
{
  AdwNavigationPage *page = adw_navigation_view_get_visible_page (self->view);

  g_clear_pointer (&self->binding, g_binding_unbind);
  adw_dialog_set_can_close (ADW_DIALOG (self), TRUE);
  if (page == NULL)
    return;
  adw_dialog_set_title (ADW_DIALOG (self), adw_navigation_page_get_title (page));
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (page), "dirty") != NULL)
    self->binding = g_object_bind_property (page, "dirty", self, "can-close",
                                            G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
}

static void
gadget_form_dialog_dispose (GObject *object)
{
  GadgetFormDialog *self = GADGET_FORM_DIALOG (object);

  g_clear_pointer (&self->binding, g_binding_unbind);

  G_OBJECT_CLASS (gadget_form_dialog_parent_class)->dispose (object);
}

static void
gadget_form_dialog_class_init (GadgetFormDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_form_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->close_attempt = gadget_form_dialog_close_attempt;
}

static void
gadget_form_dialog_init (GadgetFormDialog *self)
{
  GtkWidget *bin;

  self->view = ADW_NAVIGATION_VIEW (adw_navigation_view_new ());
  /* Esc closes the dialog, which asks; the view would drop the page. */
  adw_navigation_view_set_pop_on_escape (self->view, FALSE);
  g_signal_connect_object (self->view, "notify::visible-page", G_CALLBACK (page_changed_cb), self,
                           G_CONNECT_SWAPPED);
  bin = adw_bin_new ();
  gtk_widget_set_layout_manager (bin, gtk_custom_layout_new (get_request_mode, measure, allocate));
  adw_bin_set_child (ADW_BIN (bin), GTK_WIDGET (self->view));
  adw_dialog_set_child (ADW_DIALOG (self), bin);
  adw_dialog_set_follows_content_size (ADW_DIALOG (self), TRUE);
}

GtkWidget *
gadget_form_dialog_new (AdwNavigationPage *page)
{
  GadgetFormDialog *self;

  g_return_val_if_fail (ADW_IS_NAVIGATION_PAGE (page), NULL);

  self = g_object_new (GADGET_TYPE_FORM_DIALOG, NULL);
  adw_navigation_view_add (self->view, page);
  return GTK_WIDGET (self);
}

void
gadget_form_dialog_push (GadgetFormDialog *self, AdwNavigationPage *page)
{
  g_return_if_fail (GADGET_IS_FORM_DIALOG (self) && ADW_IS_NAVIGATION_PAGE (page));
  adw_navigation_view_push (self->view, page);
}
