/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CODE_BLOCK (gadget_code_block_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCodeBlock, gadget_code_block, GADGET, CODE_BLOCK, GtkWidget)

/**
 * GadgetCodeBlock:
 *
 * A block of code on a card, below a header with its language and buttons. A long block has several
 * of these, one for each row, which are drawn as one card.
 */
GtkWidget            *gadget_code_block_new            (void);

/* Shows @leaf, which must stay valid until the next call of this function or of
 * gadget_code_block_keep(). @code is the block that it is a part of. */
void                  gadget_code_block_show           (GadgetCodeBlock          *self,
                                                        const GadgetMarkdownLeaf *leaf,
                                                        GadgetCode               *code);

/* Replaces the leaf that is shown by @leaf, which has the same text; the old one can be freed
 * then. */
void                  gadget_code_block_keep           (GadgetCodeBlock          *self,
                                                        const GadgetMarkdownLeaf *leaf);

/* Returns the widget with the text. (transfer none) */
GadgetSelectableText *gadget_code_block_get_piece      (GadgetCodeBlock          *self);

/* Returns the block that it shows a part of. (transfer none) (nullable) */
GadgetCode           *gadget_code_block_get_code       (GadgetCodeBlock          *self);

/* Sets whether the block began in a row before, and whether it continues in the next row. The
 * header is shown only after this call, in the row where the block begins. */
void                  gadget_code_block_set_joined     (GadgetCodeBlock          *self,
                                                        gboolean                  continued,
                                                        gboolean                  continues);

/* Returns the label of the button that unfolds @n_lines lines. (transfer full) */
char                 *gadget_code_block_dup_more_label (guint                     n_lines);

G_END_DECLS
