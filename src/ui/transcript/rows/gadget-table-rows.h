/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/markdown/gadget-markdown.h"
#include "ui/text/gadget-selectable-text.h"

G_BEGIN_DECLS

/* The padding on each side of a cell and the height of the line between two rows, in pixels. */
#define GADGET_TABLE_PAD_X 12
#define GADGET_TABLE_PAD_Y 6
#define GADGET_TABLE_LINE 1

#define GADGET_TYPE_TABLE_ROWS (gadget_table_rows_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTableRows, gadget_table_rows, GADGET, TABLE_ROWS, GtkWidget)

/**
 * GadgetTableRows:
 *
 * Some consecutive rows of a table, and the lines above them. While a table grows, only its last
 * group is measured, allocated and drawn again; GTK keeps the results of the others.
 */
GtkWidget            *gadget_table_rows_new           (guint                      n_columns,
                                                       gboolean                   has_header);

/**
 * gadget_table_rows_show:
 * @old: (nullable): the table that was shown before; its equal cells are kept
 * @first: the first row of @table that this widget shows
 * @n_rows: how many rows this widget shows
 */
void                  gadget_table_rows_show          (GadgetTableRows           *self,
                                                       const GadgetMarkdownTable *old,
                                                       const GadgetMarkdownTable *table,
                                                       guint                      first,
                                                       guint                      n_rows);

/* Sets the direction of the widget and its cells, since a widget without a direction of its own has
 * that of the window. */
void                  gadget_table_rows_set_direction (GadgetTableRows           *self,
                                                       GtkTextDirection           direction);

/* Increases each of @widths, one for each column, to at least the widest cell of this widget. */
void                  gadget_table_rows_add_widths    (GadgetTableRows           *self,
                                                       int                       *widths);

/* Returns the height of all rows when the columns have @widths. */
int                   gadget_table_rows_get_height    (GadgetTableRows           *self,
                                                       const int                 *widths);

/* Allocates the widget at @y, with columns of @widths and the total @width. */
void                  gadget_table_rows_allocate      (GadgetTableRows           *self,
                                                       const int                 *widths,
                                                       int                        y,
                                                       int                        width);

/* Returns a cell; @index counts row by row. (transfer none) */
GadgetSelectableText *gadget_table_rows_get_cell      (GadgetTableRows           *self,
                                                       guint                      index);

G_END_DECLS
