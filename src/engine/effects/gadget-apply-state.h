/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: gives files an earlier or later state, for undo and redo. */

#pragma once

#include "gadget-blobs.h"
#include "gadget-undo-entry.h"

G_BEGIN_DECLS

/* Fills in the current state, @inode and @state of each entry. With @shown, for a list that the
 * user sees, it also sets can_undo and can_redo, counts lines, and reads a file only where its size
 * and time do not tell its state. Without @shown the current content of every file is kept first,
 * since it is about to be replaced.
 *
 * @entries (GadgetUndoEntry) must be sorted by root. Blocks. Returns FALSE when @cancellable
 * stopped it before it came to the last entry. */
gboolean _gadget_apply_state_inspect   (GadgetBlobs           *blobs,
                                        GPtrArray             *entries,
                                        gboolean               shown,
                                        GCancellable          *cancellable);

/* Returns whether @state can be made from nothing: its content is kept in @blobs, or there is
 * none. */
gboolean _gadget_apply_state_is_kept   (GadgetBlobs           *blobs,
                                        const GadgetFileState *state);

/* Returns whether @to can be made from @from: their contents are the same, or the content of @to is
 * kept in @blobs. */
gboolean _gadget_apply_state_can_reach (GadgetBlobs           *blobs,
                                        const GadgetFileState *from,
                                        const GadgetFileState *to);

/* Undoes the changes of @entries, or makes them again with @redo. Files that are in neither of the
 * two states are left alone unless @overwrite. All entries lie below @root and are sorted by path.
 *
 * Appends to @done a GadgetChange for each file that was really changed, with a path relative to
 * @root, and to @problems one message (utf8) per failure. Sets @left of the entries that were not
 * begun because @cancellable was cancelled. Blocks. */
void     _gadget_apply_state_run       (GadgetBlobs           *blobs,
                                        const char            *root,
                                        GPtrArray             *entries,
                                        gboolean               redo,
                                        gboolean               overwrite,
                                        GCancellable          *cancellable,
                                        GPtrArray             *done,
                                        GPtrArray             *problems);

G_END_DECLS
