/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_VIEW (gadget_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureView, gadget_picture_view, GADGET, PICTURE_VIEW, GtkWidget)

/* The largest size of a picture in a row, and the smallest side, in pixels. */
#define GADGET_PICTURE_VIEW_WIDTH 732
#define GADGET_PICTURE_VIEW_HEIGHT 320
#define GADGET_PICTURE_VIEW_SIDE 28

/**
 * GadgetPictureView:
 *
 * A small picture. Its size depends on the size of the whole picture, and is the same before it is
 * loaded; until then its place is tinted.
 */
GtkWidget  *gadget_picture_view_new            (guint              width,
                                                guint              height);

/* The loaded picture, NULL while there is none. (transfer none) */
void        gadget_picture_view_set_texture    (GadgetPictureView *self,
                                                GdkTexture        *texture);
GdkTexture *gadget_picture_view_get_texture    (GadgetPictureView *self);

/* Returns the height of a picture in a row that is @row_width wide, in pixels. */
int         gadget_picture_view_get_height_for (guint              width,
                                                guint              height,
                                                int                row_width);

G_END_DECLS
