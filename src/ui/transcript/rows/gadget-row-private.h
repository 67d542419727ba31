/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* Returns the row's GadgetSelectableText objects in the order of its text. (transfer none) */
GPtrArray            *_gadget_row_get_pieces (GadgetRow *self);

/* Returns the piece that @offset is in or at the end of, and sets @begin to where the piece begins
 * in the row's text; NULL for a row without text. (transfer none) */
GadgetSelectableText *_gadget_row_find_piece (GadgetRow *self,
                                              guint      offset,
                                              guint     *begin);

G_END_DECLS
