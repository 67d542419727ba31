/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-text-mapping.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MARKDOWN_VIEW (gadget_markdown_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMarkdownView, gadget_markdown_view, GADGET, MARKDOWN_VIEW, GtkWidget)

/**
 * GadgetMarkdownView:
 *
 * Shows the leaves of one segment of Markdown below each other, with their containers: bars beside
 * quotes, markers before list items. When the document changes, the widgets of equal leaves are
 * kept.
 */
GtkWidget *gadget_markdown_view_new          (void);

/* Sets the item, where in its text the segment begins, and the context of the segment. To be called
 * before set_document (). */
void       gadget_markdown_view_set_source   (GadgetMarkdownView     *self,
                                              GadgetItem             *item,
                                              gsize                   start,
                                              gsize                   context);

/* Shows @document (transfer full). @top_spacing is the space above the first leaf, in pixels. */
void       gadget_markdown_view_set_document (GadgetMarkdownView     *self,
                                              GadgetMarkdownDocument *document,
                                              int                     top_spacing);

/* Sets whether there is a caret at the end, which shows that more text is coming. */
void       gadget_markdown_view_set_caret    (GadgetMarkdownView     *self,
                                              gboolean                caret);

/* Sets whether code at the beginning continues the previous view (@continued), and whether code at
 * the end goes on in the next one (@continues). */
void       gadget_markdown_view_set_joined   (GadgetMarkdownView     *self,
                                              gboolean                continued,
                                              gboolean                continues);

/* Returns an array of GadgetTextMapping in the order of the text, valid until the next document.
 * (transfer none) */
GArray    *gadget_markdown_view_get_places   (GadgetMarkdownView     *self);

G_END_DECLS
