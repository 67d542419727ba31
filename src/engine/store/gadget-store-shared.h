/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what may be another turn's doing. */

#pragma once

#include "gadget-sql.h"
#include "gadget-store-changes.h"

G_BEGIN_DECLS

/* The columns of a change, as _gadget_change_read () reads them from that column on. */
#define GADGET_CHANGE_COLUMNS                                                                      \
  "old_type, old_mode, old_size, old_mtime, old_hash, old_seen_begin, old_seen_end, old_uid, "     \
  "old_gid, old_attributes, old_inode, old_links, new_type, new_mode, new_size, new_mtime, "       \
  "new_hash, new_seen_begin, new_seen_end, new_uid, new_gid, new_attributes, new_inode, "          \
  "new_links, shared"

/* Its path, in the column before these, and the rest of it. */
void     _gadget_change_read       (GadgetChange  *change,
                                    sqlite3_stmt  *stmt,
                                    int            column);

/* CHANGES (GadgetChange) are those of the turn of that number; or, with ROOT, a command's of it in
 * that folder. Removes those that others made, and marks those that may be theirs. */
gboolean _gadget_store_note_shared (sqlite3       *db,
                                    gint64         turn,
                                    const char    *root,
                                    GPtrArray     *changes,
                                    GError       **error);

G_END_DECLS
