/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-item.h"
#include "ui/markdown/gadget-markdown.h"

G_BEGIN_DECLS

/* A segment that has a part of a block of code. */
typedef struct
{
  gsize begin;     /* of the block: its segment, or its first line if that is in a container */
  gboolean nested; /* in a quote or a list */
  gsize segment;
  gsize context;
} GadgetCodePlace;

void                      gadget_code_place_set_nested (GadgetCodePlace          *self,
                                                        GadgetItem               *item,
                                                        gsize                     segment,
                                                        gsize                     context);

/* Reads the segment. @leaf is the part of the block in it, or NULL; @last tells that it is the last
 * segment of the text. (transfer full) */
GadgetMarkdownDocument   *gadget_code_place_read       (const GadgetCodePlace    *self,
                                                        GadgetItem               *item,
                                                        const GadgetMarkdownLeaf **leaf,
                                                        gboolean                 *last);

/* Goes on to the next segment; FALSE if the block ends with this one. */
gboolean                  gadget_code_place_next       (GadgetCodePlace          *self,
                                                        GadgetItem               *item);

/* The block from its segment at @self on. (transfer full) */
char                     *gadget_code_place_dup_text   (const GadgetCodePlace    *self,
                                                        GadgetItem               *item);

G_END_DECLS
