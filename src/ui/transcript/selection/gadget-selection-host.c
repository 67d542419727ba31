/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-selection-host.h"

/* This much of the page before stays in sight after a page step, in pixels. */
#define PAGE_OVERLAP 42

G_DEFINE_INTERFACE (GadgetSelectionHost, gadget_selection_host, GTK_TYPE_WIDGET)

static void
gadget_selection_host_default_init (GadgetSelectionHostInterface *iface)
{
}

GadgetTranscriptModel *
gadget_selection_host_get_model (GadgetSelectionHost *self)
{
  return GADGET_SELECTION_HOST_GET_IFACE (self)->get_model (self);
}

GArray *
gadget_selection_host_get_realized_rows (GadgetSelectionHost *self)
{
  return GADGET_SELECTION_HOST_GET_IFACE (self)->get_realized_rows (self);
}

GadgetRealizedRow *
gadget_selection_host_get_realized (GadgetSelectionHost *self, guint position)
{
  return GADGET_SELECTION_HOST_GET_IFACE (self)->get_realized (self, position);
}

void
gadget_selection_host_place (GadgetSelectionHost *self)
{
  GADGET_SELECTION_HOST_GET_IFACE (self)->place (self);
}

GadgetRow *
gadget_selection_host_reach_row (GadgetSelectionHost *self, guint position)
{
  return GADGET_SELECTION_HOST_GET_IFACE (self)->reach_row (self, position);
}

void
gadget_selection_host_scroll_by (GadgetSelectionHost *self, double distance)
{
  GADGET_SELECTION_HOST_GET_IFACE (self)->scroll_by (self, distance);
}

double
gadget_selection_host_get_page (GadgetSelectionHost *self)
{
  const int height = gtk_widget_get_height (GTK_WIDGET (self));

  return MAX (height - PAGE_OVERLAP, height / 2.0);
}

void
gadget_selection_host_selection_changed (GadgetSelectionHost *self, gboolean selected)
{
  GADGET_SELECTION_HOST_GET_IFACE (self)->selection_changed (self, selected);
}
