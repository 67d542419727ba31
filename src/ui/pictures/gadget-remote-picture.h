/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PICTURE (gadget_remote_picture_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePicture, gadget_remote_picture, GADGET, REMOTE_PICTURE, GObject)

/**
 * GadgetRemotePictureState:
 * @GADGET_REMOTE_PICTURE_OFFERED: nothing was asked for, or it was stopped
 * @GADGET_REMOTE_PICTURE_LOADING: a run is going on
 * @GADGET_REMOTE_PICTURE_LOADED: it is here, and can be shown
 * @GADGET_REMOTE_PICTURE_FAILED: it is not, or cannot be shown now; see the failure
 */
typedef enum
{
  GADGET_REMOTE_PICTURE_OFFERED,
  GADGET_REMOTE_PICTURE_LOADING,
  GADGET_REMOTE_PICTURE_LOADED,
  GADGET_REMOTE_PICTURE_FAILED,
} GadgetRemotePictureState;

/**
 * GadgetRemotePicture:
 *
 * A picture that an answer names and that is somewhere in the web. It is made by
 * #GadgetRemotePictures and does nothing by itself. Signals: "changed" (after the state did).
 */
GadgetRemotePictureState gadget_remote_picture_get_state (GadgetRemotePicture *self);
const char    *gadget_remote_picture_get_address  (GadgetRemotePicture *self);

/* Where it is loaded from, "host" or "host:port"; NULL if it cannot be loaded from there at all. */
const char    *gadget_remote_picture_get_server   (GadgetRemotePicture *self);

/* Where that server sends to, which nobody asked for yet; NULL for nowhere. */
const char    *gadget_remote_picture_get_elsewhere (GadgetRemotePicture *self);
GadgetPicture *gadget_remote_picture_get_picture  (GadgetRemotePicture *self);
const GError  *gadget_remote_picture_get_failure  (GadgetRemotePicture *self);

/* What the user presses: it is loaded, from where the server sends to if it failed for that; and
 * that is stopped. What is here already and could not be shown is only tried again. */
void           gadget_remote_picture_load         (GadgetRemotePicture *self);
void           gadget_remote_picture_stop         (GadgetRemotePicture *self);

/* It is here and could not be shown after all; it is kept unless a #GadgetPictureError says that it
 * never can be. */
void           gadget_remote_picture_fail         (GadgetRemotePicture *self,
                                                   const GError        *error);

G_END_DECLS
