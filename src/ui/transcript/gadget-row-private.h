/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* Of GadgetTextPiece, in the order of the row's text. */
GPtrArray *_gadget_row_get_pieces (GadgetRow *self);

G_END_DECLS
