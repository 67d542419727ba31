/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ARCHIVE_ROW (gadget_archive_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetArchiveRow, gadget_archive_row, GADGET, ARCHIVE_ROW, AdwBin)

/* The last row of the list of chats, which leads to the archived ones. */
GtkWidget *gadget_archive_row_new       (void);
void       gadget_archive_row_set_count (GadgetArchiveRow *self,
                                         guint             n_chats);

G_END_DECLS
