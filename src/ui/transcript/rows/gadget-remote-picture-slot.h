/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-selectable-text.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_PICTURE_SLOT (gadget_remote_picture_slot_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemotePictureSlot, gadget_remote_picture_slot, GADGET,
                      REMOTE_PICTURE_SLOT, AdwBin)

/**
 * GadgetRemotePictureSlot:
 *
 * The place of a picture on a web server that a response refers to: its name, its server, and a
 * button. Nothing is requested before the user presses the button. The state of the picture comes
 * from the #GadgetRemotePictures of the row host around the widget.
 */
GtkWidget            *gadget_remote_picture_slot_new       (void);

/* Shows the picture of @leaf in the text of @item. */
void                  gadget_remote_picture_slot_show      (GadgetRemotePictureSlot  *self,
                                                            const GadgetMarkdownLeaf *leaf,
                                                            GadgetItem               *item);

/* Returns the text with the picture's name: the beginning of the leaf's text, without the address.
 * (transfer none) */
GadgetSelectableText *gadget_remote_picture_slot_get_piece (GadgetRemotePictureSlot  *self);

G_END_DECLS
