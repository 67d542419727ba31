/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-remote-pictures.h"

G_BEGIN_DECLS

GadgetRemotePicture *_gadget_remote_picture_new      (GadgetRemotePictures *pictures,
                                                      const char           *address);

/* They are gone; nothing more can be loaded. */
void                 _gadget_remote_picture_detach   (GadgetRemotePicture  *self);
void                 _gadget_remote_picture_stop     (GadgetRemotePicture  *self,
                                                      GadgetStopReason      reason);

GadgetRun           *_gadget_remote_pictures_start   (GadgetRemotePictures *self,
                                                      const char           *address,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
void                 _gadget_remote_pictures_abort   (GadgetRemotePictures *self,
                                                      GadgetRun            *run,
                                                      GadgetStopReason      reason);
void                 _gadget_remote_pictures_count   (GadgetRemotePictures *self,
                                                      int                   change);

G_END_DECLS
