/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_VIEW (gadget_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureView, gadget_picture_view, GADGET, PICTURE_VIEW, GtkWidget)

/* The room for a picture of a row, at most, and at least. */
#define GADGET_PICTURE_VIEW_WIDTH 732
#define GADGET_PICTURE_VIEW_HEIGHT 320
#define GADGET_PICTURE_VIEW_SIDE 28

/**
 * GadgetPictureView:
 *
 * A small picture. How large it is follows from the size of the whole one, whether it is there yet
 * or not: until then its place is tinted.
 */
GtkWidget *gadget_picture_view_new         (guint              width,
                                            guint              height);
void       gadget_picture_view_set_texture (GadgetPictureView *self,
                                            GdkTexture        *texture);
GdkTexture *gadget_picture_view_get_texture (GadgetPictureView *self);

/* How high a picture of that size is in a row that is so wide. */
int        gadget_picture_view_get_height_for (guint           width,
                                            guint              height,
                                            int                row_width);

G_END_DECLS
