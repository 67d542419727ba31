/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-remote-picture.h"
#include "agent/gadget-picture-loading.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PICTURES (gadget_remote_pictures_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePictures, gadget_remote_pictures, GADGET, REMOTE_PICTURES, GObject)

/**
 * GadgetRemotePictures:
 *
 * The remote pictures of one chat while it is shown; loaded pictures are kept until then. Signal
 * "changed": emitted when the loading of any picture begins, and when no picture is being loaded
 * any more.
 */
GadgetRemotePictures *gadget_remote_pictures_new         (GadgetRegistry       *registry,
                                                          const char           *session_id);

/* Returns the picture for the text that begins at @begin in the item's text; it is made when it is
 * first asked for. */
GadgetRemotePicture  *gadget_remote_pictures_get_picture (GadgetRemotePictures *self,
                                                          GadgetItem           *item,
                                                          gsize                 begin,
                                                          const char           *address);

/* Returns whether any picture is being loaded. */
gboolean              gadget_remote_pictures_is_loading  (GadgetRemotePictures *self);

/* Stops all loading. FALSE if there was none. */
gboolean              gadget_remote_pictures_stop        (GadgetRemotePictures *self);

/* Stops all loading because the chat is not shown any more, and prevents further loading. */
void                  gadget_remote_pictures_close       (GadgetRemotePictures *self);

/* Replaces the parameters of loading, for tests. @setup must live as long as the object. */
void                  gadget_remote_pictures_set_setup   (GadgetRemotePictures *self,
                                                          const GadgetWebSetup *setup);

G_END_DECLS
