/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a text of Markdown is shown by one piece: its spans as attributes of Pango, links and code as
 * marks. Code has a narrow space at each side, on its tint; so the piece's text is the longer one. */

#pragma once

#include "gadget-markdown.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

void  gadget_markdown_shape_apply       (const GadgetMarkdownText *text,
                                         GadgetTextPiece          *piece);

/* Offsets of the text and of the piece that shows it. */
guint gadget_markdown_shape_to_piece    (const GadgetMarkdownText *text,
                                         guint                     offset);
guint gadget_markdown_shape_from_piece  (const GadgetMarkdownText *text,
                                         guint                     offset);

/* Offsets of the text and of the source. What is not in the source is where the text before it
 * ends; what stands for other bytes is there as a whole. */
gsize gadget_markdown_shape_to_source   (const GadgetMarkdownText *text,
                                         guint                     offset,
                                         gsize                     fallback);
guint gadget_markdown_shape_from_source (const GadgetMarkdownText *text,
                                         gsize                     offset);

/* Where the text begins in the source; FALSE if nothing of it is there. */
gboolean gadget_markdown_shape_get_begin (const GadgetMarkdownText *text,
                                         gsize                     *begin);

G_END_DECLS
