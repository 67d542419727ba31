/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* The card of an aborted turn: who or what stopped it, what was stopped, and how to go on. It is
 * not styled as an error. */
#define GADGET_TYPE_ABORTED_ROW (gadget_aborted_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAbortedRow, gadget_aborted_row, GADGET, ABORTED_ROW, GadgetRow)

G_END_DECLS
