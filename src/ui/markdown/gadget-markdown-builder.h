/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-document-private.h"
#include "gadget-markdown-source.h"
#include "gadget-markdown-text-private.h"

G_BEGIN_DECLS

/* Parses the view of @source and adds its leaves to @document. @first_number is the number of the
 * first list's first item, or -1 for the number in the text. */
void                _gadget_markdown_build          (GadgetMarkdownDocument     *document,
                                                     const GadgetMarkdownSource *source,
                                                     gint64                      first_number);

/* Adds the leaf of a segment that continues a block of HTML. */
void                _gadget_markdown_build_html     (GadgetMarkdownDocument     *document,
                                                     const char                 *text,
                                                     gsize                       start,
                                                     gsize                       end);

/* Adds the leaf of a segment that is a display formula on its own lines. Returns FALSE when it is
 * not. @open: the text is streaming and ends here. */
gboolean            _gadget_markdown_build_math     (GadgetMarkdownDocument     *document,
                                                     const char                 *text,
                                                     gsize                       start,
                                                     gsize                       end,
                                                     gboolean                    open);

/* Sets @code_begin of the leaves that are code in quotes or lists. */
void                _gadget_markdown_find_code      (GadgetMarkdownDocument     *document,
                                                     const GadgetMarkdownSource *source);

G_END_DECLS
