/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How what is, or was, in flight is shown. */

#pragma once

#include "session/gadget-receipt.h"

G_BEGIN_DECLS

/* The name of an icon; and one or two words such as "Connection". (transfer none) */
const char *gadget_flight_words_get_icon (GadgetReceiptKind kind);
const char *gadget_flight_words_get_kind (GadgetReceiptKind kind);

G_END_DECLS
