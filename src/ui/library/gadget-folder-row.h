/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-library-model.h"

#include "agent/gadget-engine.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FOLDER_ROW (gadget_folder_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFolderRow, gadget_folder_row, GADGET, FOLDER_ROW, AdwBin)

/* A folder in the list of chats: an arrow, its name, and while it is closed how many of its chats
 * are unread. */
GtkWidget        *gadget_folder_row_new        (void);

/* Shows what ENTRY says of its folder. */
void              gadget_folder_row_set_entry  (GadgetFolderRow          *self,
                                                const GadgetLibraryEntry *entry);

/* Returns the words of a screen reader for the row, without its being open. (transfer full) */
char             *gadget_folder_row_describe   (const GadgetLibraryEntry *entry);

/* The label with the name. (transfer none) */
GtkWidget *gadget_folder_row_get_title (GadgetFolderRow *self);

G_END_DECLS
