/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture-loader.h"
#include "session/gadget-attachment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ATTACHMENT_CHIP (gadget_attachment_chip_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAttachmentChip, gadget_attachment_chip, GADGET, ATTACHMENT_CHIP, AdwBin)

/**
 * GadgetAttachmentChip:
 *
 * A small view of an attachment of a message: a picture with its name, or the name of a file.
 * Activating a picture shows it large. While the file is being read, a spinner is shown. Signal
 * "removed": the user wants to remove it; only after set_removable ().
 */
GtkWidget        *gadget_attachment_chip_new            (const char           *name);
void              gadget_attachment_chip_set_attachment (GadgetAttachmentChip *self,
                                                         GadgetAttachment     *attachment,
                                                         GadgetPictureLoader  *loader);

/* Shows @reason and a warning icon instead of the attachment. */
void              gadget_attachment_chip_fail           (GadgetAttachmentChip *self,
                                                         const char           *reason);

/* Adds a button that emits "removed"; Delete and Backspace emit it, too. */
void              gadget_attachment_chip_set_removable  (GadgetAttachmentChip *self);

/* Returns the attachment; NULL while it is being read or when it cannot be used. (transfer none)
 * (nullable) */
GadgetAttachment *gadget_attachment_chip_get_attachment (GadgetAttachmentChip *self);

G_END_DECLS
