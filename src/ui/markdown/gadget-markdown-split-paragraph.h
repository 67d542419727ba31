/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-scanner.h"

G_BEGIN_DECLS

/* In bytes: how far the marks of a formula within a paragraph may be apart. */
#define GADGET_MARKDOWN_MAX_FORMULA 2048

/* Returns the offset from which the paragraph that the segment at @start continues must be parsed:
 * its beginning, or @start when nothing is open there. */
gsize _gadget_markdown_look_behind (const char                  *text,
                                    gsize                        start,
                                    gsize                        context);

/* Returns the offset up to which the last paragraph of the segment [start, end) must be parsed: the
 * end of the paragraph, or @end. @begin is the state at @start, and the text is parsed from @behind
 * on; at most @length bytes of it. */
gsize _gadget_markdown_look_ahead  (const GadgetMarkdownScanner *begin,
                                    gsize                        behind,
                                    gsize                        start,
                                    gsize                        end,
                                    gsize                        length);

G_END_DECLS
