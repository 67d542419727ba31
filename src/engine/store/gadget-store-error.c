/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-error.h"

G_DEFINE_QUARK (gadget-store-error-quark, gadget_store_error)
