/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "session/gadget-receipt.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_OPERATION_LIST (gadget_operation_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetOperationList, gadget_operation_list, GADGET, OPERATION_LIST, AdwBin)

/* A list of the operations in flight, with a row for each and the time it took so far. An operation
 * keeps its row, which is the same widget, as long as it goes on. */
void _gadget_operation_list_show (GadgetOperationList *self,
                                  GadgetReceipt       *receipt);

G_END_DECLS
