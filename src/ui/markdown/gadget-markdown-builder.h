/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-source.h"
#include "gadget-markdown-text-private.h"

G_BEGIN_DECLS

/* Reads the view of @source and adds its leaves to @document. @first_number is what the first list
 * counts from, or -1 for what it says itself. */
void _gadget_markdown_build    (GadgetMarkdownDocument     *document,
                                const GadgetMarkdownSource *source,
                                gint64                      first_number);

/* A segment that goes on with code or HTML. */
void _gadget_markdown_build_verbatim (GadgetMarkdownDocument *document,
                                      const char             *text,
                                      gsize                   start,
                                      gsize                   end,
                                      gsize                   context);

/* A segment that is a formula on lines of its own; FALSE if it is none. */
gboolean _gadget_markdown_build_math  (GadgetMarkdownDocument *document,
                                       const char             *text,
                                       gsize                   start,
                                       gsize                   end,
                                       gboolean                open);

/* Finds where the blocks of code begin that are in containers. */
void _gadget_markdown_find_code       (GadgetMarkdownDocument     *document,
                                       const GadgetMarkdownSource *source);

GadgetMarkdownLeaf *_gadget_markdown_leaf_new  (GadgetMarkdownKind  kind);
void                _gadget_markdown_leaf_free (GadgetMarkdownLeaf *self);

G_END_DECLS
