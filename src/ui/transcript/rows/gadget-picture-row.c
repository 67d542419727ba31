/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small picture that came with the result of a call. It is loaded when the row is mapped, so only
 * near the viewport, and is freed with the row. The row has the height of the picture from the
 * beginning, and keeps it when only the reason of a failure can be shown. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-row.h"

#include "gadget-row-host.h"
#include "ui/pictures/gadget-picture-decode.h"
#include "ui/pictures/gadget-picture-dialog.h"
#include "ui/pictures/gadget-picture-labels.h"
#include "ui/pictures/gadget-picture-view.h"

#include <glib/gi18n.h>

/* The indent of the details of a call in pixels; the style sheet has the same value. */
#define INSET 28

struct _GadgetPictureRow
{
  GadgetRow parent_instance;

  GadgetPicture *picture;
  GtkWidget *box;
  GtkWidget *button; /* either the button or the failure is shown */
  GtkWidget *failure;
  GadgetPictureView *view; /* the child of the button */
  gboolean asked;
};

G_DEFINE_FINAL_TYPE (GadgetPictureRow, gadget_picture_row, GADGET_TYPE_ROW)

static gboolean
can_be_shown (const GadgetPicture *picture)
{
  return gadget_picture_is_decodable (gadget_picture_get_width (picture),
                                      gadget_picture_get_height (picture));
}

int
gadget_picture_row_get_height (const GadgetPicture *picture, int width)
{
  if (!can_be_shown (picture))
    return GADGET_PICTURE_VIEW_SIDE;
  return gadget_picture_view_get_height_for (gadget_picture_get_width (picture),
                                             gadget_picture_get_height (picture), width - INSET);
}

static GadgetPictureLoader *
get_loader (GadgetPictureRow *self)
{
  return gadget_row_host_get_pictures (GTK_WIDGET (self));
}

static void
fail (GadgetPictureRow *self, const GError *error)
{
  const int height = self->button != NULL ? gtk_widget_get_height (self->button) : 0;
  g_autofree char *text = gadget_picture_labels_dup_failure (self->picture, error);
  GtkWidget *icon = gtk_image_new_from_icon_name ("image-missing-symbolic");
  GtkWidget *label = gtk_label_new (text);

  self->view = NULL;
  if (self->button != NULL)
    gtk_box_remove (GTK_BOX (self->box), self->button);
  self->button = NULL;
  self->failure = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_add_css_class (self->failure, "picture-failure");
  gtk_widget_add_css_class (self->failure, "dimmed");
  gtk_widget_set_size_request (self->failure, -1, MAX (height, GADGET_PICTURE_VIEW_SIDE));
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (label, text);
  gtk_box_append (GTK_BOX (self->failure), icon);
  gtk_box_append (GTK_BOX (self->failure), label);
  gtk_box_append (GTK_BOX (self->box), self->failure);
}

static void
loaded_cb (gpointer owner, GdkTexture *texture, const GError *error)
{
  GadgetPictureRow *self = GADGET_PICTURE_ROW (owner);

  /* The row was disposed, or shows a failure. */
  if (self->view == NULL)
    return;
  if (texture != NULL)
    gadget_picture_view_set_texture (self->view, texture);
  else
    fail (self, error);
}

static void
gadget_picture_row_map (GtkWidget *widget)
{
  GadgetPictureRow *self = GADGET_PICTURE_ROW (widget);
  const guint scale = (guint) gtk_widget_get_scale_factor (widget);
  GadgetPictureLoader *loader = get_loader (self);

  GTK_WIDGET_CLASS (gadget_picture_row_parent_class)->map (widget);
  if (self->view == NULL || self->asked || loader == NULL)
    return;
  self->asked = TRUE;
  gadget_picture_loader_load (loader, self->picture, GADGET_PICTURE_VIEW_WIDTH * scale,
                              GADGET_PICTURE_VIEW_HEIGHT * scale, G_OBJECT (self), loaded_cb);
}

static void
clicked_cb (GadgetPictureRow *self)
{
  GadgetPictureLoader *loader = get_loader (self);

  if (loader != NULL)
    adw_dialog_present (gadget_picture_dialog_new (loader, self->picture), GTK_WIDGET (self));
}

static void
make_button (GadgetPictureRow *self)
{
  g_autofree char *name = gadget_picture_labels_dup_description (self->picture);

  self->view = GADGET_PICTURE_VIEW (gadget_picture_view_new (
      gadget_picture_get_width (self->picture), gadget_picture_get_height (self->picture)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "picture");
  gtk_widget_set_overflow (self->button, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_halign (self->button, GTK_ALIGN_START);
  gtk_button_set_child (GTK_BUTTON (self->button), GTK_WIDGET (self->view));
  gtk_widget_set_tooltip_text (self->button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Shows the image large"), -1);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->button);
}

static void
gadget_picture_row_bind (GadgetRow *row)
{
  GadgetPictureRow *self = GADGET_PICTURE_ROW (row);
  GadgetRowData *data = gadget_row_get_data (row);
  GPtrArray *pictures = gadget_item_get_pictures (gadget_row_data_get_item (data));

  self->picture =
      gadget_picture_ref (g_ptr_array_index (pictures, (guint) gadget_row_data_get_start (data)));
  if (can_be_shown (self->picture))
    make_button (self);
  else
    fail (self, NULL);
}

static void
gadget_picture_row_dispose (GObject *object)
{
  GadgetPictureRow *self = GADGET_PICTURE_ROW (object);

  self->view = NULL;
  G_OBJECT_CLASS (gadget_picture_row_parent_class)->dispose (object);
}

static void
gadget_picture_row_finalize (GObject *object)
{
  g_clear_pointer (&GADGET_PICTURE_ROW (object)->picture, gadget_picture_unref);
  G_OBJECT_CLASS (gadget_picture_row_parent_class)->finalize (object);
}

static void
gadget_picture_row_class_init (GadgetPictureRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_picture_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_picture_row_finalize;
  GTK_WIDGET_CLASS (klass)->map = gadget_picture_row_map;
  GADGET_ROW_CLASS (klass)->bind = gadget_picture_row_bind;
}

static void
gadget_picture_row_init (GadgetPictureRow *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->box, "picture-place");
  gadget_row_set_child (GADGET_ROW (self), self->box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Image of the tool"), -1);
}
