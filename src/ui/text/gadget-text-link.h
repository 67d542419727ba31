/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TEXT_LINK (gadget_text_link_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTextLink, gadget_text_link, GADGET, TEXT_LINK, GtkWidget)

/**
 * GadgetTextLink:
 *
 * A link in a #GadgetSelectableText, and a child of it. The piece draws the text of the link; this
 * widget gets the pointer and the focus, and is what a screen reader finds. Its address can be seen
 * before it is opened, as a tooltip and as its description. It is opened by the action
 * "transcript.open-link".
 *
 * A link to a file looks like the text around it until the pointer is over it, and cannot be
 * focused: there may be one in each row, and the menu of the row has the same action. It is opened
 * by the action "transcript.open-file".
 */
GtkWidget      *gadget_text_link_new         (void);

/* Sets the range of the piece's text in bytes, the address, and the accessible label. */
void            gadget_text_link_set         (GadgetTextLink *self,
                                              guint           start,
                                              guint           end,
                                              const char     *address,
                                              gboolean        is_file,
                                              const char     *label);

/* Opens the link, for a widget around it that gets the click first. The getters return the values
 * that were set. (transfer none) */
void            gadget_text_link_open        (GadgetTextLink *self);
gboolean        gadget_text_link_is_file     (GadgetTextLink *self);
const char     *gadget_text_link_get_address (GadgetTextLink *self);

/* Allocates the link where @layout, the layout of the piece, has its text; the pointer reaches it
 * only there. */
void            gadget_text_link_place       (GadgetTextLink *self,
                                              PangoLayout    *layout);

/* Returns the link that @widget (nullable) is or is inside of, or NULL. (transfer none) */
GadgetTextLink *gadget_text_link_find        (GtkWidget      *widget);

G_END_DECLS
