/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows a text of Markdown in a GadgetSelectableText: spans become Pango attributes, links and code
 * become marks. Code has a narrow space at each side, on its tint, so the text of the widget is
 * longer. */

#pragma once

#include "gadget-markdown.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

/* Makes @piece show @text. */
void     gadget_markdown_attributes_apply       (const GadgetMarkdownText *text,
                                                 GadgetSelectableText     *piece);

/* Returns the text for paper, with a narrow space at each side of code, and its attributes, in which
 * code has its tint. @monospace: the family of code. @attributes: (out) (transfer full). May be
 * called in any thread. (transfer full) */
char    *gadget_markdown_attributes_dup_for_paper
                                                (const GadgetMarkdownText *text,
                                                 const char               *monospace,
                                                 PangoAttrList           **attributes);

/* Map offsets, in bytes, from the text to that of the widget that shows it, and back; _char_to_piece
 * () returns where the byte at @offset is, which is behind the space before code. */
guint    gadget_markdown_attributes_to_piece    (const GadgetMarkdownText *text,
                                                 guint                     offset);
guint    gadget_markdown_attributes_char_to_piece (const GadgetMarkdownText *text,
                                                 guint                     offset);
guint    gadget_markdown_attributes_from_piece  (const GadgetMarkdownText *text,
                                                 guint                     offset);

/* Map offsets, in bytes, from the text to the source, and back. A part of the text that is not in
 * the source is at the end of the text before it; a part that stands for other bytes is mapped as a
 * whole. @fallback is returned when nothing of the text is in the source. */
gsize    gadget_markdown_attributes_to_source   (const GadgetMarkdownText *text,
                                                 guint                     offset,
                                                 gsize                     fallback);
guint    gadget_markdown_attributes_from_source (const GadgetMarkdownText *text,
                                                 gsize                     offset);

/* Sets @begin to the source offset of the first byte. Returns FALSE when nothing of the text is in
 * the source. */
gboolean gadget_markdown_attributes_get_begin   (const GadgetMarkdownText *text,
                                                 gsize                    *begin);

G_END_DECLS
