/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-remote-picture.h"

G_BEGIN_DECLS

/* Returns what happened to a picture that failed, and what the user can do. (transfer full) */
char *gadget_remote_picture_labels_dup_failure (GadgetRemotePicture *picture);

/* Returns the label of the button that loads the picture or stops that. (transfer full) */
char *gadget_remote_picture_labels_dup_button  (GadgetRemotePicture *picture);

G_END_DECLS
