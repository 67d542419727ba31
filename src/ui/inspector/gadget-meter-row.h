/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_METER_ROW (gadget_meter_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMeterRow, gadget_meter_row, GADGET, METER_ROW, GtkListBoxRow)

/* A row for how much of something is used: a name, the amount as text, and a bar. @fraction is from
 * 0 to 1, or negative when there is no limit and no bar. */
GtkWidget *_gadget_meter_row_new (const char     *name);
void       _gadget_meter_row_set (GadgetMeterRow *self,
                                  const char     *value,
                                  double          fraction);

G_END_DECLS
