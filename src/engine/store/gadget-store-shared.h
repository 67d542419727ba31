/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: detects changes recorded for a command that edits of another turn made,
 * or may have made. */

#pragma once

#include "gadget-change.h"
#include "gadget-sql.h"

G_BEGIN_DECLS

/* The columns of a change, in the order in which _gadget_change_read () reads them. */
#define GADGET_CHANGE_COLUMNS                                                                      \
  "old_type, old_mode, old_size, old_mtime, old_hash, old_seen_begin, old_seen_end, "              \
  "new_type, new_mode, new_size, new_mtime, new_hash, new_seen_begin, new_seen_end, shared"

/* Fills CHANGE with the path in COLUMN and the other fields from the columns behind it, which are
 * GADGET_CHANGE_COLUMNS. */
void     _gadget_change_read       (GadgetChange  *change,
                                    sqlite3_stmt  *stmt,
                                    int            column);

/* CHANGES (element-type GadgetChange) belong to the turn with the number TURN; if ROOT is not NULL,
 * they are all of one command in that folder. Removes the changes that edits of other turns made,
 * and marks those that another turn may have made as shared. */
gboolean _gadget_store_note_shared (sqlite3       *db,
                                    gint64         turn,
                                    const char    *root,
                                    GPtrArray     *changes,
                                    GError       **error);

G_END_DECLS
