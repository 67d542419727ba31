/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-remote-pictures.h"

G_BEGIN_DECLS

/* Makes a picture that does not keep PICTURES alive. (transfer full) */
GadgetRemotePicture *_gadget_remote_picture_new    (GadgetRemotePictures *pictures,
                                                    const char           *address);

/* PICTURES is being freed; nothing can be loaded after this. */
void                 _gadget_remote_picture_detach (GadgetRemotePicture  *self);

/* Aborts the run of the picture, if there is one. */
void                 _gadget_remote_picture_stop   (GadgetRemotePicture  *self,
                                                    GadgetStopReason      reason);

/* Start a run that loads @address, and abort a run. NULL when the chat is closed. (transfer
 * full) */
GadgetRun           *_gadget_remote_pictures_start (GadgetRemotePictures *self,
                                                    const char           *address,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
void                 _gadget_remote_pictures_abort (GadgetRemotePictures *self,
                                                    GadgetRun            *run,
                                                    GadgetStopReason      reason);

/* Adds @change (-1, 0 or 1) to the number of pictures that are being loaded. */
void                 _gadget_remote_pictures_count (GadgetRemotePictures *self,
                                                    int                   change);

G_END_DECLS
