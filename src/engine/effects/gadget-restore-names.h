/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to restoring: files with several names. */

#pragma once

#include "gadget-restore-private.h"

G_BEGIN_DECLS

typedef struct _GadgetRestoreNames GadgetRestoreNames;

/* ENTRIES are those that were chosen below ROOT, whose descriptor is FD; with REDO they are to be as
 * the turn left them, else as they were before. */
GadgetRestoreNames *_gadget_restore_names_new  (GadgetBlobs           *blobs,
                                                int                    fd,
                                                const char            *root,
                                                GPtrArray             *entries,
                                                gboolean               redo);
void                _gadget_restore_names_free (GadgetRestoreNames    *self);

/* Makes NAME in FOLDER one more name of the file that TARGET is, if that is in its place under
 * another one already. FALSE without an error if it is not, or cannot be. */
gboolean            _gadget_restore_names_link (GadgetRestoreNames    *self,
                                                int                    folder,
                                                const char            *name,
                                                const GadgetUndoEntry *entry,
                                                const GadgetFileState *target,
                                                GError               **error);

/* Whether TARGET is, or was, one of several names of a file. */
gboolean            _gadget_restore_names_has  (GadgetRestoreNames    *self,
                                                const GadgetFileState *target);

/* How many names the file is to have. How many it had before the turn is known exactly; afterwards
 * only of the turn's own, since replacing a file under one name is not seen under the others. */
guint               _gadget_restore_names_count (GadgetRestoreNames   *self,
                                                const GadgetFileState *target);

/* The file is in its place, as the entry's own PATH. */
void                _gadget_restore_names_add  (GadgetRestoreNames    *self,
                                                const GadgetFileState *target,
                                                const char            *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRestoreNames, _gadget_restore_names_free)

G_END_DECLS
