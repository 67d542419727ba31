/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-attachment-error.h"

G_DEFINE_QUARK (gadget-attachment-error-quark, gadget_attachment_error)
