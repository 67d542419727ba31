/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/**
 * GadgetRowEstimate:
 * @GADGET_ROW_ESTIMATE_HEIGHT: gadget_row_factory_get_height () alone
 * @GADGET_ROW_ESTIMATE_TEXT: in addition, the lines of the text
 * @GADGET_ROW_ESTIMATE_BUBBLE: the same, in a bubble that is narrower than the column
 * @GADGET_ROW_ESTIMATE_ATTACHMENTS: in addition, the attachments
 * @GADGET_ROW_ESTIMATE_PICTURE: in addition, the picture
 *
 * How the height of a row is estimated before the row is measured.
 */
typedef enum
{
  GADGET_ROW_ESTIMATE_HEIGHT,
  GADGET_ROW_ESTIMATE_TEXT,
  GADGET_ROW_ESTIMATE_BUBBLE,
  GADGET_ROW_ESTIMATE_ATTACHMENTS,
  GADGET_ROW_ESTIMATE_PICTURE,
} GadgetRowEstimate;

/* Makes the row widget for the kind of @data and binds it. (transfer floating) */
GtkWidget *gadget_row_factory_new_row (GadgetRowData *data);

/* How the height of a row of the kind is estimated, and the part of it that is always there, in
 * pixels. */
GadgetRowEstimate gadget_row_factory_get_estimate (GadgetRowKind kind);
int gadget_row_factory_get_height (GadgetRowKind kind);

G_END_DECLS
