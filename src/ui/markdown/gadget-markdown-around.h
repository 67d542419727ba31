/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-source.h"

G_BEGIN_DECLS

/* From where on the paragraph has to be read of which the segment is a part: its beginning, or that
 * of the segment if nothing is open there. */
gsize _gadget_markdown_look_behind (const GadgetMarkdownSource *self);

/* Up to where: its end, or that of the segment. */
gsize _gadget_markdown_look_ahead  (const GadgetMarkdownSource *self,
                                    gsize                       length);

/* Reads the whole lines of the segment up to @end; returns where the line begins that is not
 * whole. */
gsize _gadget_markdown_read_on     (const GadgetMarkdownSource *self,
                                    GadgetMarkdownScanner      *scanner,
                                    gsize                       end);

G_END_DECLS
