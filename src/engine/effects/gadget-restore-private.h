/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to restoring: one file, in a folder that is open. */

#pragma once

#include "gadget-restore.h"

G_BEGIN_DECLS

/* Whether there is a way from the one state to the other. */
gboolean _gadget_restore_can_reach  (GadgetBlobs           *blobs,
                                     const GadgetFileState *from,
                                     const GadgetFileState *to);

/* All of these fail, with words for people, where the file is not what was seen when it was looked
 * at. NAME is in FOLDER, PATH is what it is called in an error. */

/* A file or a link gets its content, mode and time, in one step. */
gboolean _gadget_restore_put        (GadgetBlobs           *blobs,
                                     int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     const GadgetFileState *state,
                                     GError               **error);

/* Its content is right already. */
gboolean _gadget_restore_adjust     (int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     const GadgetFileState *state,
                                     GError               **error);

/* A folder must be empty. */
gboolean _gadget_restore_remove     (int                    folder,
                                     const char            *name,
                                     const GadgetUndoEntry *entry,
                                     GError               **error);

/* Mode and time of what FD, of any kind, is. */
gboolean _gadget_restore_set_data   (int                    fd,
                                     guint32                mode,
                                     gint64                 mtime);

G_END_DECLS
