/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The card of a failed turn: what happened, what the user can do, and folded details. */
#define GADGET_TYPE_ERROR_ROW (gadget_error_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetErrorRow, gadget_error_row, GADGET, ERROR_ROW, GadgetRow)

G_END_DECLS
