/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The heights of all rows, in pixels, and where each row begins. Changing a height, asking for a
 * sum and finding the row at a y coordinate take O(log n); changes at the end of the list take as
 * little however long it is. Each height is stored with the width that it was measured at, 0 for an
 * estimate. */
typedef struct _GadgetHeights GadgetHeights;

/* Makes an empty list, which gadget_heights_free () frees. (transfer full) */
GadgetHeights *gadget_heights_new       (void);
void           gadget_heights_free      (GadgetHeights *self);

/* Replaces @removed rows from @position on by @added rows, whose heights and widths are 0. */
void           gadget_heights_splice    (GadgetHeights *self,
                                         guint          position,
                                         guint          removed,
                                         guint          added);

/* Sets and gets the height of the row at @position. @width is the width that it was measured at; 0
 * marks an estimate. */
void           gadget_heights_set       (GadgetHeights *self,
                                         guint          position,
                                         int            height,
                                         int            width);
int            gadget_heights_get       (GadgetHeights *self,
                                         guint          position);
int            gadget_heights_get_width (GadgetHeights *self,
                                         guint          position);
guint          gadget_heights_get_n     (GadgetHeights *self);

/* Returns the sum of the heights before @position, which may be the number of rows. */
gint64         gadget_heights_before    (GadgetHeights *self,
                                         guint          position);

/* Returns the row at @y, or the last row when @y is beyond the end. @offset (nullable) is set to
 * the distance from the top of that row to @y. There must be at least one row. */
guint          gadget_heights_find      (GadgetHeights *self,
                                         gint64         y,
                                         gint64        *offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHeights, gadget_heights_free)

G_END_DECLS
