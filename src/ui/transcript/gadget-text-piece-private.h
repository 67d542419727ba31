/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-text-piece.h"

G_BEGIN_DECLS

PangoLayout *_gadget_text_piece_get_layout      (GadgetTextPiece            *self);
void         _gadget_text_piece_accessible_init (GtkAccessibleTextInterface *iface);

G_END_DECLS
