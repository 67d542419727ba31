/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CODE_SCROLL (gadget_code_scroll_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCodeScroll, gadget_code_scroll, GADGET, CODE_SCROLL, GtkWidget)

/**
 * GadgetCodeScroll:
 *
 * The text that one row shows of a block of code. When lines are longer than the block is wide, all
 * rows of the block scroll horizontally together; the last row has the scroll bar.
 */
GtkWidget            *gadget_code_scroll_new       (void);
/* Returns the widget with the text. (transfer none) The setters are documented in the source. */
GadgetSelectableText *gadget_code_scroll_get_piece (GadgetCodeScroll *self);
void                  gadget_code_scroll_set_code  (GadgetCodeScroll *self,
                                                    GadgetCode       *code);
void                  gadget_code_scroll_set_last  (GadgetCodeScroll *self,
                                                    gboolean          last);
void                  gadget_code_scroll_by        (GadgetCodeScroll *self,
                                                    double            distance);
void                  gadget_code_scroll_reveal    (GadgetCodeScroll *self,
                                                    double            x);

G_END_DECLS
