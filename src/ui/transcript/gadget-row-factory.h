/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/rows/gadget-row.h"

G_BEGIN_DECLS

/* Makes the row widget for the kind of @data and binds it. (transfer floating) */
GtkWidget *gadget_row_new (GadgetRowData *data);

G_END_DECLS
