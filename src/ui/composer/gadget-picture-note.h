/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_NOTE (gadget_picture_note_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureNote, gadget_picture_note, GADGET, PICTURE_NOTE, AdwBin)

/**
 * GadgetPictureNote:
 *
 * A note that the model does not take pictures, shown while some are to be sent: with the message
 * that is being written, or with a queued one. It is visible only then, and only when the provider
 * says so.
 *
 * @engine and @session are (nullable).
 */
void gadget_picture_note_set_session  (GadgetPictureNote *self,
                                       GadgetEngine      *engine,
                                       GadgetSession     *session);
/* Tells whether the message that is being written has pictures. */
void gadget_picture_note_set_attached (GadgetPictureNote *self,
                                       gboolean           attached);

G_END_DECLS
