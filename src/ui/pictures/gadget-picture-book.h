/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"
#include "store/gadget-store.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_BOOK (gadget_picture_book_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureBook, gadget_picture_book, GADGET, PICTURE_BOOK, GObject)

/**
 * GadgetPictureFunc:
 * @owner: what asked
 * @texture: (nullable): the picture, or %NULL with
 * @error: (nullable): a #GadgetPictureError
 */
typedef void (*GadgetPictureFunc) (gpointer      owner,
                                   GdkTexture   *texture,
                                   const GError *error);

/**
 * GadgetPictureBook:
 *
 * Reads the pictures of a chat, from memory or from the store, and decodes them in a thread: one at
 * a time, since each may take much memory for a moment, and the one last asked for first. What
 * nobody waits for any more is not read. Nothing is kept.
 */
GadgetPictureBook *gadget_picture_book_new         (GadgetStore          *store);
void               gadget_picture_book_load        (GadgetPictureBook    *self,
                                                    GadgetPicture        *picture,
                                                    guint                 max_width,
                                                    guint                 max_height,
                                                    GObject              *owner,
                                                    GadgetPictureFunc     func);

/* Whether somebody still waits for a picture. */
gboolean           gadget_picture_book_is_busy     (GadgetPictureBook    *self);

/* The bytes of its file. */
void               gadget_picture_book_read_async  (GadgetPictureBook    *self,
                                                    GadgetPicture        *picture,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
GBytes            *gadget_picture_book_read_finish (GadgetPictureBook    *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

G_END_DECLS
