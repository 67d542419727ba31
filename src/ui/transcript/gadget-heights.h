/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The heights of all rows, and where each of them begins. Changing one, asking for a sum and
 * finding a row by its place take O(log n); changes at the end of the list take as little however
 * long it is. Each height remembers the width that it was measured at, 0 for an estimate. */
typedef struct _GadgetHeights GadgetHeights;

GadgetHeights *gadget_heights_new       (void);
void           gadget_heights_free      (GadgetHeights *self);
void           gadget_heights_splice    (GadgetHeights *self,
                                         guint          position,
                                         guint          removed,
                                         guint          added);
void           gadget_heights_set       (GadgetHeights *self,
                                         guint          position,
                                         int            height,
                                         int            width);
int            gadget_heights_get       (GadgetHeights *self,
                                         guint          position);
int            gadget_heights_get_width (GadgetHeights *self,
                                         guint          position);
guint          gadget_heights_get_n     (GadgetHeights *self);

/* The sum of the heights before @position, which may be the number of rows. */
gint64         gadget_heights_before    (GadgetHeights *self,
                                         guint          position);

/* The row at @y, the last one if it is beyond the end; @offset is how far into it. */
guint          gadget_heights_find      (GadgetHeights *self,
                                         gint64         y,
                                         gint64        *offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHeights, gadget_heights_free)

G_END_DECLS
