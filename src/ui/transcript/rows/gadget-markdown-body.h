/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widgets that show the leaves of a Markdown document. */

#pragma once

#include "gadget-text-mapping.h"
#include "session/gadget-item.h"
#include "ui/code/gadget-code.h"

G_BEGIN_DECLS

/* Makes a widget for leaves like @leaf. (transfer floating) */
GtkWidget *_gadget_markdown_body_new        (const GadgetMarkdownLeaf *leaf);

/* Returns whether the widget of @old can show @leaf. */
gboolean   _gadget_markdown_body_fits       (const GadgetMarkdownLeaf *old,
                                             const GadgetMarkdownLeaf *leaf);

/* Shows @leaf. @old is the leaf that the widget shows, or NULL when everything must be drawn anew.
 * @item is the item with the text, @code (nullable) the block that a leaf of code belongs to. */
void       _gadget_markdown_body_show       (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *old,
                                             const GadgetMarkdownLeaf *leaf,
                                             GadgetItem               *item,
                                             GadgetCode               *code);

/* Tells the widget that @leaf replaces the equal leaf that it shows. */
void       _gadget_markdown_body_keep       (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *leaf);

/* Appends a GadgetTextMapping for each selectable text of the widget to @places. */
void       _gadget_markdown_body_add_places (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *leaf,
                                             GArray                   *places);

G_END_DECLS
