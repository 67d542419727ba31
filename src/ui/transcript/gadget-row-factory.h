/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* The widget for a block, which it is bound to. (transfer floating) */
GtkWidget *gadget_row_new (GadgetBlock *block);

G_END_DECLS
