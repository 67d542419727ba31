/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: makes files what they were. */

#pragma once

#include "gadget-undo.h"
#include "gadget-blobs.h"

G_BEGIN_DECLS

/* Puts into the entries how the files are now, and whether what they were is kept. For people
 * (SHOWN) lines are counted, and files are read only where size and time do not tell; else what is
 * there now is kept, since it is about to be replaced. FALSE when it was stopped before all were. */
gboolean _gadget_restore_look (GadgetBlobs     *blobs,
                           GPtrArray       *entries,
                           gboolean         shown,
                           GCancellable    *cancellable);

/* Takes back the chosen changes, or (REDO) makes them again. What is not as it was left is left
 * alone unless OVERWRITE. What was really changed is added to DONE as GadgetChange, what could not
 * be to PROBLEMS, in words. They are relative to ROOT. Returns how many files were not begun with,
 * since it was stopped. */
guint _gadget_restore_run  (GadgetBlobs     *blobs,
                           const char      *root,
                           GPtrArray       *entries,
                           gboolean         redo,
                           gboolean         overwrite,
                           GCancellable    *cancellable,
                           GPtrArray       *done,
                           GPtrArray       *problems);

G_END_DECLS
