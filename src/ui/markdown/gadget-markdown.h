/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a segment of Markdown (gadget-markdown-segment.h).
 *
 * The grammar is CommonMark 0.31.2 with GitHub's tables, task lists, strikethrough and autolinks,
 * and formulas in $…$, $$…$$, \(…\) and \[…\]. Of HTML, only tags that change the look of text are
 * read (gadget-markdown-tag.h); other HTML and footnotes are text. Nothing is loaded and nothing is
 * hidden: links are made only of http, https and mailto addresses; the addresses of other links and
 * of images are part of the text, and so are characters that would reorder it. */

#pragma once

#include "gadget-markdown-definitions.h"
#include "gadget-markdown-document.h"

G_BEGIN_DECLS

/**
 * gadget_markdown_parse_in:
 * @text: the whole text; any bytes
 * @length: the length of @text in bytes
 * @start: the offset where the segment begins
 * @end: the offset where it ends
 * @context: its context, see gadget_markdown_segment_end()
 * @definitions: (nullable): the definitions of the whole text
 * @growing: whether the text is streaming; then an incomplete end is shown in the form that it will
 *   have, see gadget-markdown-streaming-tail.c
 *
 * The result depends on the text behind the segment only if a paragraph continues there.
 *
 * Returns: (transfer full): the document
 */
GadgetMarkdownDocument *gadget_markdown_parse_in     (const char                      *text,
                                                      gsize                            length,
                                                      gsize                            start,
                                                      gsize                            end,
                                                      gsize                            context,
                                                      const GadgetMarkdownDefinitions *definitions,
                                                      gboolean                         growing);

/* Parses a segment like gadget_markdown_parse_in(), without the text behind it; @open: the text is
 * streaming and ends with the segment. (transfer full) */
GadgetMarkdownDocument *gadget_markdown_parse        (const char                      *text,
                                                      gsize                            start,
                                                      gsize                            end,
                                                      gsize                            context,
                                                      const GadgetMarkdownDefinitions *definitions,
                                                      gboolean                         open);

/* Tells whether a block of code in a container, at the end of a segment, continues in the next
 * one. */
gboolean                gadget_markdown_code_goes_on (const char                      *text,
                                                      gsize                            length,
                                                      gsize                            start,
                                                      gsize                            end,
                                                      gsize                            context);

G_END_DECLS
