/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PICTURE (gadget_remote_picture_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePicture, gadget_remote_picture, GADGET, REMOTE_PICTURE, GObject)

/**
 * GadgetRemotePictureState:
 * @GADGET_REMOTE_PICTURE_OFFERED: nothing was requested, or the loading was stopped
 * @GADGET_REMOTE_PICTURE_LOADING: a run is loading it
 * @GADGET_REMOTE_PICTURE_LOADED: it is in memory and can be shown
 * @GADGET_REMOTE_PICTURE_FAILED: it could not be loaded, or cannot be shown now; see the failure
 *
 * The state of a #GadgetRemotePicture.
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
 * A picture on a web server that a response refers to. It is made by #GadgetRemotePictures, and
 * loads nothing before it is told to. Signal "changed": emitted after the state changed.
 */

/* The state, and the address that is loaded (next). (transfer none) */
GadgetRemotePictureState gadget_remote_picture_get_state     (GadgetRemotePicture *self);
const char              *gadget_remote_picture_get_address   (GadgetRemotePicture *self);

/* Returns the server of the address as "host" or "host:port"; NULL if nothing can be loaded from
 * this address. (transfer none) */
const char              *gadget_remote_picture_get_server    (GadgetRemotePicture *self);

/* Returns the other server that the server redirects to, and that the user has not agreed to yet;
 * NULL when there is none. (transfer none) */
const char              *gadget_remote_picture_get_elsewhere (GadgetRemotePicture *self);

/* The loaded picture, and why the last attempt failed. (transfer none) (nullable) */
GadgetPicture           *gadget_remote_picture_get_picture   (GadgetRemotePicture *self);
const GError            *gadget_remote_picture_get_failure   (GadgetRemotePicture *self);

/* The actions of the button. load () requests the picture; after a redirection to another server,
 * it requests it from there. A picture that was loaded and could not be shown is only shown again.
 * stop () aborts the loading. */
void                     gadget_remote_picture_load          (GadgetRemotePicture *self);
void                     gadget_remote_picture_stop          (GadgetRemotePicture *self);

/* Reports that the loaded picture cannot be shown. It is kept, unless @error is a
 * GadgetPictureError, which means that it never can be shown. */
void                     gadget_remote_picture_fail          (GadgetRemotePicture *self,
                                                              const GError        *error);

G_END_DECLS
