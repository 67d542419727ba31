/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The attachments of a user's message: small pictures, and chips with the names of files. */
#define GADGET_TYPE_ATTACHMENTS_ROW (gadget_attachments_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAttachmentsRow, gadget_attachments_row, GADGET, ATTACHMENTS_ROW,
                      GadgetRow)

/* Returns an estimate of the height, in pixels, of a row with @attachments (nullable) in a column
 * of @width. */
int gadget_attachments_row_estimate (GPtrArray *attachments,
                                     int        width);

G_END_DECLS
