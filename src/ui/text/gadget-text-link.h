/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TEXT_LINK (gadget_text_link_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTextLink, gadget_text_link, GADGET, TEXT_LINK, GtkWidget)

/**
 * GadgetTextLink:
 *
 * A link in a #GadgetTextPiece, whose child it is. The piece draws its text; this is what is
 * pointed at, what has the focus, and what a screen reader finds. Its address is shown before it is
 * opened, as a tooltip and as its description. It is opened by the action "transcript.open-link".
 *
 * One that leads to a file is as quiet as the text around it until it is pointed at, and gets no
 * focus: there may be one in each row, and the row's menu has the same. It is opened by the action
 * "transcript.open-file".
 */
GtkWidget      *gadget_text_link_new     (void);

/* Bytes of the piece's text, and where they lead. */
void            gadget_text_link_set     (GadgetTextLink *self,
                                          guint           start,
                                          guint           end,
                                          const char     *address,
                                          gboolean        is_file,
                                          const char     *label);
void            gadget_text_link_open    (GadgetTextLink *self);
gboolean        gadget_text_link_is_file (GadgetTextLink *self);
const char     *gadget_text_link_get_address (GadgetTextLink *self);

/* Where the piece shows it, in the piece's coordinates; only there it can be pointed at. */
void            gadget_text_link_place   (GadgetTextLink *self,
                                          PangoLayout    *layout);

/* The link that @widget is or is in, or NULL. */
GadgetTextLink *gadget_text_link_find    (GtkWidget      *widget);

G_END_DECLS
