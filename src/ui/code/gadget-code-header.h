/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-code.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CODE_HEADER (gadget_code_header_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCodeHeader, gadget_code_header, GADGET, CODE_HEADER, GtkWidget)

/**
 * GadgetCodeHeader:
 *
 * The line above a block of code: its language, and buttons to fold, wrap, save and copy it.
 *
 * When many blocks appear at once, as in a long answer that is scrolled fast, most get their
 * buttons a moment later, and only if they are still mapped then.
 */
GtkWidget *gadget_code_header_new      (void);

/* Shows the header of @code. To be called again when the language of the same @code has changed. */
void       gadget_code_header_set_code (GadgetCodeHeader *self,
                                        GadgetCode       *code);

G_END_DECLS
