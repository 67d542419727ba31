/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widgets that show the leaves of Markdown. */

#pragma once

#include "gadget-markdown-view.h"
#include "ui/code/gadget-code.h"

G_BEGIN_DECLS

/* A widget for leaves like @leaf. (transfer floating) */
GtkWidget *_gadget_markdown_body_new        (const GadgetMarkdownLeaf *leaf);

/* Whether the widget for @old can show @leaf. */
gboolean   _gadget_markdown_body_fits       (const GadgetMarkdownLeaf *old,
                                             const GadgetMarkdownLeaf *leaf);

/* @old is what the widget shows, or NULL if that must be shown anew; @code is the block of a leaf
 * that is code, @item whose text it is. */
void       _gadget_markdown_body_show       (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *old,
                                             const GadgetMarkdownLeaf *leaf,
                                             GadgetItem               *item,
                                             GadgetCode               *code);

/* It goes on with @leaf, which looks like the one that it shows. */
void       _gadget_markdown_body_keep       (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *leaf);
void       _gadget_markdown_body_add_places (GtkWidget                *body,
                                             const GadgetMarkdownLeaf *leaf,
                                             GArray                   *places);

G_END_DECLS
