/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

/* The rows of a table, with columns that share its width. */
#define GADGET_TYPE_TABLE_GRID (gadget_table_grid_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTableGrid, gadget_table_grid, GADGET, TABLE_GRID, GtkWidget)

/* show () replaces the table; equal cells of @old (nullable), the table shown before, are kept. It
 * returns the direction of the table's texts, or GTK_TEXT_DIR_NONE. get_cell () counts row by row.
 * (transfer none) */
GtkWidget            *gadget_table_grid_new      (void);
GtkTextDirection      gadget_table_grid_show     (GadgetTableGrid           *self,
                                                  const GadgetMarkdownTable *old,
                                                  const GadgetMarkdownTable *table);
GadgetSelectableText *gadget_table_grid_get_cell (GadgetTableGrid           *self,
                                                  guint                      index);

G_END_DECLS
