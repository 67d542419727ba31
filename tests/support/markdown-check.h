/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every text keeps, whatever it is: segments are bounded and tile it, what is shown is valid,
 * where it comes from is known, and links lead where links may lead. */

#pragma once

#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

void  markdown_check_document (const GadgetMarkdownDocument *document,
                               gsize                         start,
                               gsize                         end);

/* Cuts and reads all of a text; returns how many segments it has. */
guint markdown_check_all      (const char                   *text,
                               gsize                         length);

G_END_DECLS
