/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

/* The rows of a table, and how wide their columns are. */
#define GADGET_TYPE_TABLE_GRID (gadget_table_grid_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTableGrid, gadget_table_grid, GADGET, TABLE_GRID, GtkWidget)

GtkWidget       *gadget_table_grid_new      (void);
GtkTextDirection gadget_table_grid_show     (GadgetTableGrid           *self,
                                             const GadgetMarkdownTable *old,
                                             const GadgetMarkdownTable *table);
GadgetTextPiece *gadget_table_grid_get_cell (GadgetTableGrid           *self,
                                             guint                      index);

G_END_DECLS
