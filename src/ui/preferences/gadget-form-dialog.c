/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A dialog with pages of forms. Going back does not ask, because a page keeps what was entered and
 * shows it when the user comes to it again. Closing the dialog asks as long as any of its pages is
 * dirty. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-form-dialog.h"

#include "gadget-preferences-rows.h"
#include "ui/common/gadget-ui.h"

#include <glib/gi18n.h>

#define NATURAL_WIDTH 480

struct _GadgetFormDialog
{
  AdwDialog parent_instance;

  AdwNavigationView *view;
  GPtrArray *pages; /* of AdwNavigationPage, owned: those with a property "dirty" */
};

G_DEFINE_FINAL_TYPE (GadgetFormDialog, gadget_form_dialog, ADW_TYPE_DIALOG)

/* --- Size ---
 *
 * The dialog is as high as its page, which grows when it shows a message, but keeps its width. */

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

  if (page != NULL)
    adw_dialog_set_title (ADW_DIALOG (self), adw_navigation_page_get_title (page));
}

static void
update_can_close (GadgetFormDialog *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->pages->len && !any; i++)
    g_object_get (g_ptr_array_index (self->pages, i), "dirty", &any, NULL);
  adw_dialog_set_can_close (ADW_DIALOG (self), !any);
}

/* Adds a page to the view, not only to its stack, so that the view keeps it when the user goes
 * back. */
static void
add_page (GadgetFormDialog *self, AdwNavigationPage *page)
{
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (page), "dirty") != NULL)
    {
      g_ptr_array_add (self->pages, g_object_ref (page));
      g_signal_connect_object (page, "notify::dirty", G_CALLBACK (update_can_close), self,
                               G_CONNECT_SWAPPED);
    }
  adw_navigation_view_add (self->view, page);
  update_can_close (self);
}

static void
gadget_form_dialog_dispose (GObject *object)
{
  g_ptr_array_set_size (GADGET_FORM_DIALOG (object)->pages, 0);

  G_OBJECT_CLASS (gadget_form_dialog_parent_class)->dispose (object);
}

static void
gadget_form_dialog_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_FORM_DIALOG (object)->pages);

  G_OBJECT_CLASS (gadget_form_dialog_parent_class)->finalize (object);
}

static void
gadget_form_dialog_class_init (GadgetFormDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_form_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_form_dialog_finalize;
  ADW_DIALOG_CLASS (klass)->close_attempt = gadget_form_dialog_close_attempt;
}

static void
gadget_form_dialog_init (GadgetFormDialog *self)
{
  GtkWidget *bin;

  self->pages = g_ptr_array_new_with_free_func (g_object_unref);
  self->view = ADW_NAVIGATION_VIEW (adw_navigation_view_new ());
  /* Esc must close the dialog, which asks; the view would go back to the previous page. */
  adw_navigation_view_set_pop_on_escape (self->view, FALSE);
  g_signal_connect_object (self->view, "notify::visible-page", G_CALLBACK (page_changed_cb), self,
                           G_CONNECT_SWAPPED);
  bin = adw_bin_new ();
  gtk_widget_set_layout_manager (
      bin, gtk_custom_layout_new (gadget_ui_get_height_for_width, measure, allocate));
  adw_bin_set_child (ADW_BIN (bin), GTK_WIDGET (self->view));
  adw_dialog_set_child (ADW_DIALOG (self), bin);
  adw_dialog_set_follows_content_size (ADW_DIALOG (self), TRUE);
}

/**
 * gadget_form_dialog_new:
 * @page: the first page, which has no way back
 *
 * Returns: (transfer floating): a dialog, to be presented by the caller
 */
GtkWidget *
gadget_form_dialog_new (AdwNavigationPage *page)
{
  GadgetFormDialog *self;

  g_return_val_if_fail (ADW_IS_NAVIGATION_PAGE (page), NULL);

  self = g_object_new (GADGET_TYPE_FORM_DIALOG, NULL);
  add_page (self, page);
  return GTK_WIDGET (self);
}

AdwNavigationPage *
gadget_form_dialog_find (GadgetFormDialog *self, const char *tag)
{
  g_return_val_if_fail (GADGET_IS_FORM_DIALOG (self) && tag != NULL, NULL);
  return adw_navigation_view_find_page (self->view, tag);
}

/* Tells whether @page is the visible page, or one that the back button leads to. */
static gboolean
is_in_stack (GadgetFormDialog *self, AdwNavigationPage *page)
{
  AdwNavigationPage *at = adw_navigation_view_get_visible_page (self->view);

  while (at != NULL && at != page)
    at = adw_navigation_view_get_previous_page (self->view, at);
  return at != NULL;
}

void
gadget_form_dialog_push (GadgetFormDialog *self, AdwNavigationPage *page)
{
  g_return_if_fail (GADGET_IS_FORM_DIALOG (self) && ADW_IS_NAVIGATION_PAGE (page));

  if (gtk_widget_get_parent (GTK_WIDGET (page)) == NULL)
    add_page (self, page);
  if (is_in_stack (self, page))
    adw_navigation_view_pop_to_page (self->view, page);
  else
    adw_navigation_view_push (self->view, page);
}
