/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-factory.h"

#include "ui/transcript/rows/gadget-code-fold-row.h"

typedef struct
{
  GType (*get_type) (void);
  GadgetRowEstimate estimate;
  int height;
} Widget;

#define KIND(name, widget, text, flag, estimate, height)                                           \
  GType gadget_##widget##_row_get_type (void);
GADGET_ROW_KINDS (KIND)
#undef KIND

static const Widget widgets[] = {
#define KIND(name, widget, text, flag, estimate, height)                                           \
  { gadget_##widget##_row_get_type, GADGET_ROW_ESTIMATE_##estimate, height },
  GADGET_ROW_KINDS (KIND)
#undef KIND
};

GtkWidget *
gadget_row_factory_new_row (GadgetRowData *data)
{
  GType type;
  GadgetRow *self;

  g_return_val_if_fail (GADGET_IS_ROW_DATA (data), NULL);

  type = gadget_row_data_get_folded (data) ? GADGET_TYPE_CODE_FOLD_ROW
                                           : widgets[gadget_row_data_get_kind (data)].get_type ();
  self = g_object_new (type, NULL);
  gadget_row_bind (self, data);
  return GTK_WIDGET (self);
}

GadgetRowEstimate
gadget_row_factory_get_estimate (GadgetRowKind kind)
{
  return widgets[kind].estimate;
}

int
gadget_row_factory_get_height (GadgetRowKind kind)
{
  return widgets[kind].height;
}
