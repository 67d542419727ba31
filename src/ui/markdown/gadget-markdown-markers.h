/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The markers before the first leaf of list items: bullets, numbers, check boxes. When several
 * items begin with one leaf ("- 1. x"), each has its marker, beside each other. */

#pragma once

#include "gadget-markdown.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_ITEM_GAP 6

/* The markers of one leaf. */
typedef struct _GadgetMarkdownMarkers GadgetMarkdownMarkers;

/* Makes an empty set of markers for one leaf (transfer full). Freeing it removes the widgets. */
GadgetMarkdownMarkers *gadget_markdown_markers_new        (void);
void                   gadget_markdown_markers_free       (GadgetMarkdownMarkers    *self);

/* Shows the markers of @leaf, as children of @parent before @body. */
void                   gadget_markdown_markers_show       (GadgetMarkdownMarkers    *self,
                                                           const GadgetMarkdownLeaf *leaf,
                                                           GtkWidget                *parent,
                                                           GtkWidget                *body);

/* Returns the width of the marker of an item of @list, in pixels; 0 when there is none here. */
int                    gadget_markdown_markers_measure    (GadgetMarkdownMarkers    *self,
                                                           guint                     list);

/* Sets the distance of the contents of the item at @depth from the side, in pixels. */
void                   gadget_markdown_markers_set_indent (GadgetMarkdownMarkers    *self,
                                                           guint                     depth,
                                                           int                       indent);

/* Places the markers at the first line of @body, which begins at @y. @shift is how much @body is
 * closer to the side than its indent asks for. @mirrored: right-to-left. */
void                   gadget_markdown_markers_allocate   (GadgetMarkdownMarkers    *self,
                                                           GtkWidget                *body,
                                                           int                       y,
                                                           int                       width,
                                                           int                       shift,
                                                           gboolean                  mirrored);

G_END_DECLS
