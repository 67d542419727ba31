/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/usage/gadget-prices.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Makes a dialog with the prices of the models that were ever used, where the user can set them.
 * (transfer floating) */
AdwDialog *_gadget_usage_prices_new (GadgetStore  *store,
                                     GadgetPrices *prices);

G_END_DECLS
