/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/transcript/model/gadget-transcript-model.h"
#include "ui/transcript/rows/gadget-row.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A row that is a widget. Its slot is the gap above it and its own height; all values are
 * pixels. */
typedef struct
{
  GadgetRow *widget; /* a child of the host */
  guint position;
  int y; /* top of the slot, from the top of the viewport */
  int gap;
  int height;
  int growth; /* change of the height that a part reported and that is not allocated yet */
  guint n_found;     /* how many matches of a search are drawn in it, */
  int current_found; /* and which one of them is the current one; -1 for none */
} GadgetRealizedRow;

#define GADGET_TYPE_SELECTION_HOST (gadget_selection_host_get_type ())
G_DECLARE_INTERFACE (GadgetSelectionHost, gadget_selection_host, GADGET, SELECTION_HOST, GtkWidget)

/**
 * GadgetSelectionHostInterface:
 * @get_model: returns the rows of the chat; %NULL without a chat
 * @get_realized_rows: returns the rows that are widgets, an array of #GadgetRealizedRow sorted by
 *   position
 * @get_realized: returns the row at a position, %NULL when it is not a widget
 * @place: places the rows at once instead of in the next frame
 * @reach_row: returns the row at a position as a widget, after scrolling to it when it is out of
 *   sight; %NULL when it cannot be one
 * @scroll_by: scrolls down by a distance in pixels, as far as the chat goes
 * @selection_changed: some text is selected now, or nothing is
 *
 * The functions of the transcript around the rows that selecting needs: their places, and
 * scrolling. Selecting does not depend on the transcript itself. The widget is the viewport.
 */
struct _GadgetSelectionHostInterface
{
  GTypeInterface parent_iface;

  GadgetTranscriptModel *(*get_model)         (GadgetSelectionHost *self);
  GArray                *(*get_realized_rows) (GadgetSelectionHost *self);
  GadgetRealizedRow     *(*get_realized)      (GadgetSelectionHost *self,
                                               guint                position);
  void                   (*place)             (GadgetSelectionHost *self);
  GadgetRow             *(*reach_row)         (GadgetSelectionHost *self,
                                               guint                position);
  void                   (*scroll_by)         (GadgetSelectionHost *self,
                                               double               distance);
  void                   (*selection_changed) (GadgetSelectionHost *self,
                                               gboolean             selected);
};

/* The functions of the interface, and _get_page (): how far a page step scrolls, in pixels. What
 * they return belongs to the host. */
GadgetTranscriptModel *gadget_selection_host_get_model         (GadgetSelectionHost *self);
GArray                *gadget_selection_host_get_realized_rows (GadgetSelectionHost *self);
GadgetRealizedRow     *gadget_selection_host_get_realized      (GadgetSelectionHost *self,
                                                                guint                position);
void                   gadget_selection_host_place             (GadgetSelectionHost *self);
GadgetRow             *gadget_selection_host_reach_row         (GadgetSelectionHost *self,
                                                                guint                position);
void                   gadget_selection_host_scroll_by         (GadgetSelectionHost *self,
                                                                double               distance);
double                 gadget_selection_host_get_page          (GadgetSelectionHost *self);
void                   gadget_selection_host_selection_changed (GadgetSelectionHost *self,
                                                                gboolean             selected);

G_END_DECLS
