/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-text-piece.h"

G_BEGIN_DECLS

/* The space on each side of a cell, and between two rows. */
#define GADGET_TABLE_PAD_X 12
#define GADGET_TABLE_PAD_Y 6
#define GADGET_TABLE_LINE 1

#define GADGET_TYPE_TABLE_ROWS (gadget_table_rows_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTableRows, gadget_table_rows, GADGET, TABLE_ROWS, GtkWidget)

/**
 * GadgetTableRows:
 *
 * A few rows of a table that follow each other, and the lines above them. While a table grows, only
 * its last rows are measured, allocated and drawn again: GTK keeps what it knows of the others.
 */
GtkWidget       *gadget_table_rows_new         (guint                      n_columns,
                                                gboolean                   has_header);

/**
 * gadget_table_rows_show:
 * @old: (nullable): the table that was shown before, of which equal cells are kept
 * @first: the first row of @table that is shown here
 * @n_rows: how many rows are shown here
 */
void             gadget_table_rows_show        (GadgetTableRows           *self,
                                                const GadgetMarkdownTable *old,
                                                const GadgetMarkdownTable *table,
                                                guint                      first,
                                                guint                      n_rows);

/* Also for the cells: a widget without a direction of its own has that of the window. */
void             gadget_table_rows_set_direction (GadgetTableRows         *self,
                                                  GtkTextDirection         direction);

/* Makes each of @widths, one a column, at least as large as the widest cell here. */
void             gadget_table_rows_add_widths  (GadgetTableRows           *self,
                                                int                       *widths);

/* The height of all rows when their columns have @widths. */
int              gadget_table_rows_get_height  (GadgetTableRows           *self,
                                                const int                 *widths);

/* Gives the rows their place, with columns of @widths. */
void             gadget_table_rows_allocate    (GadgetTableRows           *self,
                                                const int                 *widths,
                                                int                        y,
                                                int                        width);
GadgetTextPiece *gadget_table_rows_get_cell    (GadgetTableRows           *self,
                                                guint                      index);

G_END_DECLS
