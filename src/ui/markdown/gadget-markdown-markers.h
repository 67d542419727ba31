/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands before the first leaf of items: bullets, numbers, check boxes. Several items can begin
 * with one leaf ("- 1. x"); then each has its marker, beside each other. */

#pragma once

#include "gadget-markdown.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_ITEM_GAP 6

typedef struct _GadgetMarkdownMarkers GadgetMarkdownMarkers;

GadgetMarkdownMarkers *_gadget_markdown_markers_new        (void);
void                   _gadget_markdown_markers_free       (GadgetMarkdownMarkers   *self);

/* Makes them those of @leaf: children of @parent, before @body. */
void                   _gadget_markdown_markers_show       (GadgetMarkdownMarkers   *self,
                                                            const GadgetMarkdownLeaf *leaf,
                                                            GtkWidget               *parent,
                                                            GtkWidget               *body);

/* The width that the marker of an item of @list takes; 0 if none is here. */
int                    _gadget_markdown_markers_measure    (GadgetMarkdownMarkers   *self,
                                                            guint                    list);

/* How far the contents of the item at @depth are from the side. */
void                   _gadget_markdown_markers_set_indent (GadgetMarkdownMarkers   *self,
                                                            guint                    depth,
                                                            int                      indent);

/* At the first line of @body, which begins at @y. @shift is what that lacks of the indent that it
 * asks for. */
void                   _gadget_markdown_markers_allocate   (GadgetMarkdownMarkers   *self,
                                                            GtkWidget               *body,
                                                            int                      y,
                                                            int                      width,
                                                            int                      shift,
                                                            gboolean                 mirrored);

G_END_DECLS
