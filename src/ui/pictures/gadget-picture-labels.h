/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

G_BEGIN_DECLS

/* Texts about a picture: its name, a description, why it cannot be shown, and a name for saving it.
 * (transfer full) */
char *gadget_picture_labels_dup_name        (const GadgetPicture *picture);
char *gadget_picture_labels_dup_description (const GadgetPicture *picture);
char *gadget_picture_labels_dup_failure     (const GadgetPicture *picture,
                                             const GError        *error);
char *gadget_picture_labels_dup_file_name   (const GadgetPicture *picture);

G_END_DECLS
