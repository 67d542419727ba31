/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-view.h"

#include "gadget-picture-decode.h"
#include "ui/common/gadget-ui.h"

#define PLACE_ALPHA 0.06f

struct _GadgetPictureView
{
  GtkWidget parent_instance;

  guint width; /* of the whole picture, in pixels */
  guint height;
  GdkTexture *texture; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GadgetPictureView, gadget_picture_view, GTK_TYPE_WIDGET)

static void
fit (guint width, guint height, int room, int *fit_width, int *fit_height)
{
  guint w, h;

  gadget_picture_fit (width, height, (guint) CLAMP (room, 1, GADGET_PICTURE_VIEW_WIDTH),
                      GADGET_PICTURE_VIEW_HEIGHT, &w, &h);
  *fit_width = (int) MAX (w, GADGET_PICTURE_VIEW_SIDE);
  *fit_height = (int) MAX (h, GADGET_PICTURE_VIEW_SIDE);
}

static void
gadget_picture_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  GadgetPictureView *self = GADGET_PICTURE_VIEW (widget);
  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  int width, height;

  fit (self->width, self->height, across || for_size < 0 ? GADGET_PICTURE_VIEW_WIDTH : for_size,
       &width, &height);
  *natural = across ? width : height;
  /* Without a width the minimum is that of a very narrow row. */
  *minimum = across || for_size < 0 ? GADGET_PICTURE_VIEW_SIDE : height;
}

static void
gadget_picture_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GadgetPictureView *self = GADGET_PICTURE_VIEW (widget);
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  guint w, h;

  if (self->texture == NULL)
    {
      GdkRGBA color;

      gtk_widget_get_color (widget, &color);
      color.alpha *= PLACE_ALPHA;
      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
      return;
    }
  /* A picture that was rotated by its EXIF orientation has another size than its header says. */
  gadget_picture_fit ((guint) gdk_texture_get_width (self->texture),
                      (guint) gdk_texture_get_height (self->texture), (guint) width, (guint) height,
                      &w, &h);
  gtk_snapshot_append_scaled_texture (snapshot, self->texture, GSK_SCALING_FILTER_TRILINEAR,
                                      &GRAPHENE_RECT_INIT ((float) (width - (int) w) / 2,
                                                           (float) (height - (int) h) / 2,
                                                           (float) w, (float) h));
}

static void
gadget_picture_view_finalize (GObject *object)
{
  g_clear_object (&GADGET_PICTURE_VIEW (object)->texture);
  G_OBJECT_CLASS (gadget_picture_view_parent_class)->finalize (object);
}

static void
gadget_picture_view_class_init (GadgetPictureViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gadget_picture_view_finalize;
  widget_class->measure = gadget_picture_view_measure;
  widget_class->get_request_mode = gadget_ui_get_height_for_width;
  widget_class->snapshot = gadget_picture_view_snapshot;

  gtk_widget_class_set_css_name (widget_class, "pictureview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
gadget_picture_view_init (GadgetPictureView *self)
{
}

/**
 * gadget_picture_view_new:
 * @width: of the whole picture, in pixels
 * @height: of the whole picture, in pixels
 */
GtkWidget *
gadget_picture_view_new (guint width, guint height)
{
  GadgetPictureView *self = g_object_new (GADGET_TYPE_PICTURE_VIEW, NULL);

  self->width = width;
  self->height = height;
  return GTK_WIDGET (self);
}

void
gadget_picture_view_set_texture (GadgetPictureView *self, GdkTexture *texture)
{
  g_return_if_fail (GADGET_IS_PICTURE_VIEW (self));

  if (g_set_object (&self->texture, texture))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

int
gadget_picture_view_get_height_for (guint width, guint height, int row_width)
{
  int fit_width, fit_height;

  fit (width, height, row_width, &fit_width, &fit_height);
  return fit_height;
}

GdkTexture *
gadget_picture_view_get_texture (GadgetPictureView *self)
{
  g_return_val_if_fail (GADGET_IS_PICTURE_VIEW (self), NULL);
  return self->texture;
}
