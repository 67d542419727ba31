/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-remote-picture.h"

G_BEGIN_DECLS

/* What happened and what can be done, of one that failed. (transfer full) */
char *gadget_remote_picture_words_dup_failure (GadgetRemotePicture *picture);

/* What is pressed to have it, or to have it no longer. (transfer full) */
char *gadget_remote_picture_words_dup_button  (GadgetRemotePicture *picture);

G_END_DECLS
