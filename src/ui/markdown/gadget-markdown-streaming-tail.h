/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-source.h"

G_BEGIN_DECLS

/* Returns the offset up to which a streaming segment is shown: @end, or the beginning of a last
 * line that can still become several things. */
gsize    _gadget_markdown_streaming_tail_hold  (const GadgetMarkdownScanner *begin,
                                                const char                  *text,
                                                gsize                        start,
                                                gsize                        end);

/* Closes the open elements in the last paragraph of the view: cuts it where it is undecided, and
 * appends what closes the rest. */
void     _gadget_markdown_streaming_tail_close (GadgetMarkdownSource        *source);

/* gadget-markdown-emphasis.c: closes the open elements of the paragraph [begin, end) of @view.
 * Returns the offset where the paragraph is cut; what closes it there is appended to @closing. Text
 * that may become an address or a tag is masked in @view. */
gsize    _gadget_markdown_close_inlines        (char                        *view,
                                                gsize                        begin,
                                                gsize                        end,
                                                GString                     *closing);

/* Tells whether an inline element of the paragraph that begins at @begin is open at @at, or may
 * be. */
gboolean _gadget_markdown_is_open_at           (const char                  *text,
                                                gsize                        begin,
                                                gsize                        at);

G_END_DECLS
