/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-text-mapping.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TABLE_VIEW (gadget_table_view_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTableView, gadget_table_view, GADGET, TABLE_VIEW, GtkWidget)

/**
 * GadgetTableView:
 *
 * A table of Markdown. Its columns are as wide as their cells, within limits; a table that is wider
 * than the column of the chat scrolls horizontally.
 */
GtkWidget *gadget_table_view_new        (void);

/**
 * gadget_table_view_show:
 * @old: (nullable): the table that was shown before; its equal cells are kept
 */
void       gadget_table_view_show       (GadgetTableView           *self,
                                         const GadgetMarkdownTable *old,
                                         const GadgetMarkdownTable *table);

/* Appends a GadgetTextMapping for each cell to @places, row by row. */
void       gadget_table_view_add_places (GadgetTableView           *self,
                                         const GadgetMarkdownTable *table,
                                         GArray                    *places);

G_END_DECLS
