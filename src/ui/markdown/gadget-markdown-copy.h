/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown as it is copied: read from the source, without widgets. */

#pragma once

#include "session/gadget-item.h"

G_BEGIN_DECLS

/* A segment of an item's text, and the part of it that is copied. */
typedef struct
{
  gsize start;
  gsize end;
  gsize context;
  gsize from; /* in the source, as all of these */
  gsize to;
} GadgetMarkdownPart;

/* Adds the part as it is shown, with the markers of its items. */
void  gadget_markdown_copy_text   (GadgetItem               *item,
                                   const GadgetMarkdownPart *part,
                                   GString                  *out);

/* Moves the ends of the part to where it is whole as Markdown: to before the asterisks, say, when
 * what is between them is in it. */
void  gadget_markdown_widen       (GadgetItem               *item,
                                   GadgetMarkdownPart       *part);

G_END_DECLS
