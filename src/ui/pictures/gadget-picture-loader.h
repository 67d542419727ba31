/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"
#include "store/gadget-store.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_LOADER (gadget_picture_loader_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureLoader, gadget_picture_loader, GADGET, PICTURE_LOADER, GObject)

/**
 * GadgetPictureFunc:
 * @owner: the object that requested the picture
 * @texture: (nullable): the picture, or %NULL when it cannot be shown
 * @error: (nullable): the error then, usually a #GadgetPictureError
 */
typedef void (*GadgetPictureFunc) (gpointer      owner,
                                   GdkTexture   *texture,
                                   const GError *error);

/**
 * GadgetPictureLoader:
 *
 * Reads the pictures of a chat, from memory or from the store, and decodes them in a thread: one at
 * a time, since each may take much memory for a moment, and the latest request first. Requests
 * whose owner is gone are dropped. Nothing is cached.
 */
GadgetPictureLoader *gadget_picture_loader_new         (GadgetStore         *store);
void                 gadget_picture_loader_load        (GadgetPictureLoader *self,
                                                        GadgetPicture       *picture,
                                                        guint                max_width,
                                                        guint                max_height,
                                                        GObject             *owner,
                                                        GadgetPictureFunc    func);

/* Returns whether a picture is being read or decoded. */
gboolean             gadget_picture_loader_is_busy     (GadgetPictureLoader *self);

/* Reads the bytes of the picture's file. */
void                 gadget_picture_loader_read_async  (GadgetPictureLoader *self,
                                                        GadgetPicture       *picture,
                                                        GAsyncReadyCallback  callback,
                                                        gpointer             user_data);
GBytes              *gadget_picture_loader_read_finish (GadgetPictureLoader *self,
                                                        GAsyncResult        *result,
                                                        GError             **error);

G_END_DECLS
