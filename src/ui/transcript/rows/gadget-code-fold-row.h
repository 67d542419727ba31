/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A button that stands for the folded lines of a block of code and unfolds them. */
#define GADGET_TYPE_CODE_FOLD_ROW (gadget_code_fold_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetCodeFoldRow, gadget_code_fold_row, GADGET, CODE_FOLD_ROW, GadgetRow)

G_END_DECLS
