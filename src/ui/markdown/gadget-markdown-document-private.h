/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-document.h"

G_BEGIN_DECLS

/* Makes a document without leaves. (transfer full) */
GadgetMarkdownDocument *_gadget_markdown_document_new (void);

/* Make an empty text (transfer full), and free one. */
GadgetMarkdownText     *_gadget_markdown_text_new     (void);
void                    _gadget_markdown_text_free    (GadgetMarkdownText *self);

/* Make a leaf with an empty text (transfer full), and free one. */
GadgetMarkdownLeaf     *_gadget_markdown_leaf_new     (GadgetMarkdownKind  kind);
void                    _gadget_markdown_leaf_free    (GadgetMarkdownLeaf *self);

G_END_DECLS
