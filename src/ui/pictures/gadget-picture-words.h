/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-picture.h"

G_BEGIN_DECLS

/* What is said of a picture. (transfer full) */
char *gadget_picture_words_dup_name        (const GadgetPicture *picture);
char *gadget_picture_words_dup_description (const GadgetPicture *picture);
char *gadget_picture_words_dup_failure     (const GadgetPicture *picture,
                                            const GError        *error);
char *gadget_picture_words_dup_file_name   (const GadgetPicture *picture);

G_END_DECLS
