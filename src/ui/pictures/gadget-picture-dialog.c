/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog asks the loader for two things: the texture to show, and the bytes of the file to save
 * and to copy. Each may come first, or after the dialog was closed. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-dialog.h"

#include "gadget-picture-decode.h"
#include "gadget-picture-labels.h"
#include "ui/common/gadget-save.h"

#include <glib/gi18n.h>

/* A larger picture is scaled down to this side, in pixels: no display shows more at once. */
#define MAX_SIDE 4096

/* Limits of the requested size of the content in pixels, and the height of the header bar above
 * it. */
#define MAX_WIDTH 960
#define MAX_HEIGHT 680
#define MIN_WIDTH 360
#define MIN_HEIGHT 240
#define HEADER 46

struct _GadgetPictureDialog
{
  AdwDialog parent_instance;

  AdwWindowTitle *window_title;
  GtkWidget *save_button;
  GtkWidget *copy_button;
  GtkToggleButton *zoom_button;
  AdwToastOverlay *toasts;
  GtkStack *stack;
  AdwStatusPage *failure_page;
  GtkPicture *view;

  GadgetPicture *picture;
  GBytes *data; /* (nullable): the bytes of the file */
};

G_DEFINE_FINAL_TYPE (GadgetPictureDialog, gadget_picture_dialog, ADW_TYPE_DIALOG)

/* --- Saving and copying --- */

static void
save_cb (GadgetPictureDialog *self)
{
  g_autofree char *name = gadget_picture_labels_dup_file_name (self->picture);

  gadget_save_ask (GTK_WIDGET (self), self->toasts, _ ("Save Image"), name, self->data,
                   _ ("The image was saved"));
}

/* Copies the file as it is, and a texture for programs that do not support its type. */
static void
copy_cb (GadgetPictureDialog *self)
{
  GdkPaintable *texture = gtk_picture_get_paintable (self->view);
  GdkContentProvider *const providers[] = {
    gdk_content_provider_new_for_bytes (gadget_picture_get_mime_type (self->picture), self->data),
    gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, texture),
  };

  gadget_save_copy (
      GTK_WIDGET (self), self->toasts,
      gdk_content_provider_new_union ((GdkContentProvider **) providers, G_N_ELEMENTS (providers)));
}

/* --- Showing --- */

static void
zoom_cb (GadgetPictureDialog *self)
{
  gtk_picture_set_can_shrink (self->view, !gtk_toggle_button_get_active (self->zoom_button));
}

static void
fail (GadgetPictureDialog *self, const GError *error)
{
  g_autofree char *text = gadget_picture_labels_dup_failure (self->picture, error);
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_title (self->failure_page, escaped);
  gtk_stack_set_visible_child_name (self->stack, "failure");
}

static void
loaded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GadgetPictureDialog *self = GADGET_PICTURE_DIALOG (owner);

  /* The dialog was closed meanwhile. */
  if (self->view == NULL)
    return;
  if (texture == NULL)
    {
      fail (self, error);
      return;
    }
  gtk_picture_set_paintable (self->view, GDK_PAINTABLE (texture));
  gtk_widget_set_sensitive (self->copy_button, self->data != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->zoom_button),
                          gdk_texture_get_width (texture) > MIN_WIDTH
                              || gdk_texture_get_height (texture) > MIN_HEIGHT);
  gtk_stack_set_visible_child_name (self->stack, "picture");
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetPictureDialog) self = user_data;

  if (self->view == NULL)
    return;
  /* The error is ignored here, since loaded_cb () shows it in the place of the picture. */
  self->data = gadget_picture_loader_read_finish (GADGET_PICTURE_LOADER (source), result, NULL);
  gtk_widget_set_sensitive (self->save_button, self->data != NULL);
  gtk_widget_set_sensitive (self->copy_button,
                            self->data != NULL && gtk_picture_get_paintable (self->view) != NULL);
}

static void
gadget_picture_dialog_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_PICTURE_DIALOG);

  G_OBJECT_CLASS (gadget_picture_dialog_parent_class)->dispose (object);
}

static void
gadget_picture_dialog_finalize (GObject *object)
{
  GadgetPictureDialog *self = GADGET_PICTURE_DIALOG (object);

  g_clear_pointer (&self->picture, gadget_picture_unref);
  g_clear_pointer (&self->data, g_bytes_unref);

  G_OBJECT_CLASS (gadget_picture_dialog_parent_class)->finalize (object);
}

static void
gadget_picture_dialog_class_init (GadgetPictureDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_picture_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_picture_dialog_finalize;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/pictures/gadget-picture-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, window_title);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, save_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, copy_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, zoom_button);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, failure_page);
  gtk_widget_class_bind_template_child (widget_class, GadgetPictureDialog, view);
  gtk_widget_class_bind_template_callback (widget_class, save_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
  gtk_widget_class_bind_template_callback (widget_class, zoom_cb);
}

static void
gadget_picture_dialog_init (GadgetPictureDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
show_names (GadgetPictureDialog *self)
{
  g_autofree char *name = gadget_picture_labels_dup_name (self->picture);
  g_autofree char *pixels = gadget_picture_dup_pixels (self->picture);
  g_autofree char *description = gadget_picture_labels_dup_description (self->picture);

  adw_dialog_set_title (ADW_DIALOG (self), name);
  adw_window_title_set_title (self->window_title, name);
  adw_window_title_set_subtitle (self->window_title, pixels != NULL ? pixels : "");
  gtk_picture_set_alternative_text (self->view, description);
}

/**
 * gadget_picture_dialog_new:
 *
 * Returns: (transfer floating): a dialog that loads @picture from @loader
 */
AdwDialog *
gadget_picture_dialog_new (GadgetPictureLoader *loader, GadgetPicture *picture)
{
  GadgetPictureDialog *self;
  guint width, height;

  g_return_val_if_fail (GADGET_IS_PICTURE_LOADER (loader) && picture != NULL, NULL);

  gadget_picture_fit (gadget_picture_get_width (picture), gadget_picture_get_height (picture),
                      MAX_WIDTH, MAX_HEIGHT, &width, &height);
  self = g_object_new (GADGET_TYPE_PICTURE_DIALOG, "content-width", MAX ((int) width, MIN_WIDTH),
                       "content-height", HEADER + MAX ((int) height, MIN_HEIGHT), NULL);
  self->picture = gadget_picture_ref (picture);
  show_names (self);
  gadget_picture_loader_read_async (loader, picture, read_cb, g_object_ref (self));
  gadget_picture_loader_load (loader, picture, MAX_SIDE, MAX_SIDE, G_OBJECT (self), loaded_cb);
  return ADW_DIALOG (self);
}
