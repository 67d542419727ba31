/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

/* A position in a block of code: a segment of the text that has a part of the block. */
typedef struct
{
  gsize begin;     /* identifies the block: the offset of its segment, or of its first line if it is
                    * nested */
  gboolean nested; /* the block is in a quote or a list */
  gsize segment;
  gsize context;
} GadgetCodePosition;

/* Moves to the segment with the first part of a block in a list or a quote. @segment is the offset
 * of a segment that has some part of it, and @context that segment's context, see
 * gadget_markdown_segment_end (). */
void                    gadget_code_position_set_nested (GadgetCodePosition        *self,
                                                         GadgetItem                *item,
                                                         gsize                      segment,
                                                         gsize                      context);

/* Parses the segment. @leaf: (out) (nullable): the part of the block in it; it belongs to the
 * result. @last: (out): whether it is the last segment of the text. (transfer full) */
GadgetMarkdownDocument *gadget_code_position_read       (const GadgetCodePosition  *self,
                                                         GadgetItem                *item,
                                                         const GadgetMarkdownLeaf **leaf,
                                                         gboolean                  *last);

/* Goes to the next segment. Returns FALSE when the block ends in this one. */
gboolean                gadget_code_position_next       (GadgetCodePosition        *self,
                                                         GadgetItem                *item);

/* Returns the text of the block from the segment of @self on. (transfer full) */
char                   *gadget_code_position_dup_text   (const GadgetCodePosition  *self,
                                                         GadgetItem                *item);

G_END_DECLS
