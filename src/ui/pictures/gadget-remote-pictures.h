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
 * Those of a chat as long as it is shown: what was loaded is kept until then and no longer. Signals:
 * "changed" (whether any is being loaded did).
 */
GadgetRemotePictures *gadget_remote_pictures_new        (GadgetRegistry        *registry,
                                                         const char            *session_id);

/* That of the text that begins at @begin of the item's; made when it is first asked for. */
GadgetRemotePicture  *gadget_remote_pictures_look       (GadgetRemotePictures  *self,
                                                         GadgetItem            *item,
                                                         gsize                  begin,
                                                         const char            *address);
gboolean              gadget_remote_pictures_is_loading (GadgetRemotePictures  *self);

/* Stops those that are being loaded. FALSE if none were. */
gboolean              gadget_remote_pictures_stop       (GadgetRemotePictures  *self);

/* The chat is left: the same, and nothing more is loaded. */
void                  gadget_remote_pictures_close      (GadgetRemotePictures  *self);

/* What they are loaded with; for tests, which keep it. */
void                  gadget_remote_pictures_set_setup  (GadgetRemotePictures  *self,
                                                         const GadgetWebSetup  *setup);

G_END_DECLS
