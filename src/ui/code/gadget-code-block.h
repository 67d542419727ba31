/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CODE_BLOCK (gadget_code_block_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCodeBlock, gadget_code_block, GADGET, CODE_BLOCK, GtkWidget)

/**
 * GadgetCodeBlock:
 *
 * A block of code on a card, below a line with its language and what can be done with it. A long
 * block is several of these, one for each row, which are drawn as one card.
 */
GtkWidget       *gadget_code_block_new        (void);

/* @leaf is shown until the next one is, and kept for as long. @code is the block that it is of. */
void             gadget_code_block_show       (GadgetCodeBlock          *self,
                                               const GadgetMarkdownLeaf *leaf,
                                               GadgetCode               *code);

/* @leaf, which has the same text, takes the place of the one that is shown. */
void             gadget_code_block_keep       (GadgetCodeBlock          *self,
                                               const GadgetMarkdownLeaf *leaf);
GadgetTextPiece *gadget_code_block_get_piece  (GadgetCodeBlock          *self);

/* Whether the block began in the row before, and whether it goes on in the next one. */
void             gadget_code_block_set_joined (GadgetCodeBlock          *self,
                                               gboolean                  continued,
                                               gboolean                  continues);

/* The label of the button that unfolds @n_lines lines. (transfer full) */
char            *gadget_code_block_dup_more_label (guint                 n_lines);

G_END_DECLS
