/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-text-piece.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PICTURE_PLACE (gadget_remote_picture_place_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePicturePlace, gadget_remote_picture_place, GADGET,
                      REMOTE_PICTURE_PLACE, AdwBin)

/**
 * GadgetRemotePicturePlace:
 *
 * The place of a picture that an answer names: what it is called, where it would come from, and a
 * button. Nothing is asked for before that is pressed. It finds what is known of the picture by the
 * transcript that it is in.
 */
GtkWidget       *gadget_remote_picture_place_new       (void);
void             gadget_remote_picture_place_show      (GadgetRemotePicturePlace *self,
                                                        const GadgetMarkdownLeaf *leaf,
                                                        GadgetItem               *item);

/* What it is called: the beginning of the leaf's text, without the address. */
GadgetTextPiece *gadget_remote_picture_place_get_piece (GadgetRemotePicturePlace *self);

G_END_DECLS
