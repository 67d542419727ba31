/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "session/gadget-receipt.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FLIGHT_LIST (gadget_flight_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFlightList, gadget_flight_list, GADGET, FLIGHT_LIST, AdwBin)

/* What is in flight, a row each with the time it takes so far. A row stays the same widget for as
 * long as its thing goes on. */
void _gadget_flight_list_show (GadgetFlightList *self,
                               GadgetReceipt    *receipt);

G_END_DECLS
