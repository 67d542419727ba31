/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-import-error.h"

G_DEFINE_QUARK (gadget-import-error-quark, gadget_import_error)
