/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* Of GadgetTextPiece, in the order of the row's text. */
GPtrArray *_gadget_row_get_pieces (GadgetRow *self);

/* The piece that @offset is in, or at the end of, and where in the row's text that begins; NULL for
 * a row without text. */
GadgetTextPiece *_gadget_row_find_piece (GadgetRow *self,
                                         guint      offset,
                                         guint     *begin);

G_END_DECLS
