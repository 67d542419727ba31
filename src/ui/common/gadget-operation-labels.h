/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels of operations in flight, or of a receipt's past ones. */

#pragma once

#include "session/gadget-receipt.h"

G_BEGIN_DECLS

/* The name of an icon, and one or two words such as "Connection". (transfer none) */
const char *gadget_operation_labels_get_icon (GadgetReceiptKind kind);
const char *gadget_operation_labels_get_kind (GadgetReceiptKind kind);

G_END_DECLS
