/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to restoring: one file, in a folder that is open. */

#pragma once

#include "gadget-restore.h"
#include "workspace/gadget-replace.h"

G_BEGIN_DECLS

/* Whether there is a way from the one state to the other. */
gboolean _gadget_restore_can_reach  (GadgetBlobs           *blobs,
                                     const GadgetFileState *from,
                                     const GadgetFileState *to);

/* All of these fail, with words for people, where the file is not what was seen when it was looked
 * at. NAME is in FOLDER, PATH is what it is called in an error. */

/* The content, mode and time of a file, to be put into its place. NULL with an error. */
GadgetReplacement *
         _gadget_restore_write      (GadgetBlobs           *blobs,
                                     int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     const GadgetFileState *state,
                                     GError               **error);

/* A link gets its target and time, in one step. */
gboolean _gadget_restore_put_link   (GadgetBlobs           *blobs,
                                     int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     const GadgetFileState *state,
                                     GError               **error);

/* Its content is right already. */
gboolean _gadget_restore_adjust     (GadgetBlobs           *blobs,
                                     int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     const GadgetFileState *state,
                                     GError               **error);

/* A folder must be empty. */
gboolean _gadget_restore_remove     (int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     GError               **error);

/* Owner (where that is allowed) and attributes, as far as they are known, of what FD, of any kind
 * but a link, is; then its mode and time. */
gboolean _gadget_restore_set_data   (GadgetBlobs           *blobs,
                                     int                    fd,
                                     const GadgetFileState *state,
                                     GError               **error);

/* NAME is what was seen. */
gboolean _gadget_restore_check_seen (const GadgetUndoEntry *entry,
                                     int                    folder,
                                     const char            *name,
                                     GError               **error);

G_END_DECLS
