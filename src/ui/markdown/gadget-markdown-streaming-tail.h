/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-scanner.h"

G_BEGIN_DECLS

/* Returns the offset up to which a streaming segment is shown: @end, or the beginning of a last
 * line that can still become several things. @begin is the state at @start. */
gsize _gadget_markdown_streaming_tail_hold (const GadgetMarkdownScanner *begin,
                                            gsize                        start,
                                            gsize                        end);

G_END_DECLS
