/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A card that says that a turn could not be written to disk, and why. */
#define GADGET_TYPE_UNSAVED_ROW (gadget_unsaved_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedRow, gadget_unsaved_row, GADGET, UNSAVED_ROW, GadgetRow)

G_END_DECLS
