/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-source.h"

G_BEGIN_DECLS

/* Returns the offset from which the segment's paragraph must be parsed: the beginning of the
 * paragraph, or of the segment when nothing is open there. */
gsize _gadget_markdown_look_behind (const GadgetMarkdownSource *self);

/* Returns the offset up to which it must be parsed: the end of the paragraph, or of the segment. */
gsize _gadget_markdown_look_ahead  (const GadgetMarkdownSource *self,
                                    gsize                       length);

G_END_DECLS
