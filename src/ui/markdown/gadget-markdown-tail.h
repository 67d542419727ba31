/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-source.h"

G_BEGIN_DECLS

/* Where a segment that grows ends as far as it is shown: at @end, or before a last line of which it
 * cannot be said yet what it is. */
gsize _gadget_markdown_tail_hold   (const GadgetMarkdownScanner *begin,
                                    const char                  *text,
                                    gsize                        start,
                                    gsize                        end);

/* Ends what is open in the last paragraph of the view: cuts it where it is not decided, and appends
 * what closes the rest. */
void  _gadget_markdown_tail_close  (GadgetMarkdownSource        *source);

/* gadget-markdown-emphasis.c: the same for one paragraph. Returns where it is cut; what closes it
 * there is appended to @closing. In the view, what may become an address or a tag is hidden from
 * the parser. */
gsize _gadget_markdown_close_inlines (char                      *view,
                                      gsize                      begin,
                                      gsize                      end,
                                      GString                   *closing);

/* Whether something in the text of a paragraph that begins at @begin is open at @at, or may be. */
gboolean _gadget_markdown_is_open_at  (const char                *text,
                                       gsize                      begin,
                                       gsize                      at);

G_END_DECLS
