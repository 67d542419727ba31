/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ATTACHMENTS_ROW (gadget_attachments_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAttachmentsRow, gadget_attachments_row, GADGET, ATTACHMENTS_ROW,
                      GadgetRow)

/* About how high a row with these is. */
int gadget_attachments_row_estimate (GPtrArray *attachments,
                                     int        width);

G_END_DECLS
