/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture-book.h"
#include "session/gadget-attachment.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ATTACHMENT_CHIP (gadget_attachment_chip_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAttachmentChip, gadget_attachment_chip, GADGET, ATTACHMENT_CHIP, AdwBin)

/**
 * GadgetAttachmentChip:
 *
 * What is given with a message, small: a picture with its name, or the name of a file. Activating a
 * picture shows it large. Until it is known what it is, it says that it is being read. Signal
 * "removed", if it can be: the user wants it gone.
 */
GtkWidget        *gadget_attachment_chip_new            (const char            *name);
void              gadget_attachment_chip_set_attachment (GadgetAttachmentChip  *self,
                                                         GadgetAttachment      *attachment,
                                                         GadgetPictureBook     *book);
void              gadget_attachment_chip_fail           (GadgetAttachmentChip  *self,
                                                         const char            *reason);
void              gadget_attachment_chip_set_removable  (GadgetAttachmentChip  *self);
GadgetAttachment *gadget_attachment_chip_get_attachment (GadgetAttachmentChip  *self);

G_END_DECLS
