/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to applying states: operations on one file in a folder that is already open. */

#pragma once

#include "gadget-blobs.h"
#include "gadget-undo-entry.h"
#include "workspace/gadget-replace.h"

G_BEGIN_DECLS

/* Each function below takes a @name without "/" in the open directory @folder, and fails when that
 * file is not in the state that entry->now and entry->inode describe: with G_IO_ERROR_BUSY when it
 * has changed since it was inspected, else with the G_IO_ERROR of the failed call. entry->path
 * serves for messages, which the user sees. */

/* Writes the content, mode and time of @state beside @name, without replacing @name
 * yet. Returns: (transfer full) (nullable): the replacement to commit, NULL with @error. */
GadgetReplacement *
         _gadget_apply_state_write      (GadgetBlobs           *blobs,
                                         int                    folder,
                                         const char            *name,
                                         const GadgetUndoEntry *entry,
                                         const GadgetFileState *state,
                                         GError               **error);

/* Creates the symbolic link that @state describes, target and time included, in place of @name.
 * Replacing an existing file is one rename. */
gboolean _gadget_apply_state_put_link   (GadgetBlobs           *blobs,
                                         int                    folder,
                                         const char            *name,
                                         const GadgetUndoEntry *entry,
                                         const GadgetFileState *state,
                                         GError               **error);

/* Sets mode and time of a file whose content is already that of @state, and which has no other hard
 * links. */
gboolean _gadget_apply_state_adjust     (int                    folder,
                                         const char            *name,
                                         const GadgetUndoEntry *entry,
                                         const GadgetFileState *state,
                                         GError               **error);

/* Removes @name. A folder that is not empty stays: G_IO_ERROR_NOT_EMPTY. */
gboolean _gadget_apply_state_remove     (int                    folder,
                                         const char            *name,
                                         const GadgetUndoEntry *entry,
                                         GError               **error);

/* Returns whether @name is a file that has other names too, in this folder or elsewhere. */
gboolean _gadget_apply_state_has_other_links (int               folder,
                                         const char            *name);

/* Sets mode and time of @state on @fd, which may be open with O_PATH and is anything but a symbolic
 * link. */
gboolean _gadget_apply_state_set_data   (int                    fd,
                                         const GadgetFileState *state,
                                         GError               **error);

G_END_DECLS
