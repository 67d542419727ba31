/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: one file, and the folders above it, before and after an edit. */

#pragma once

#include "gadget-keeper-private.h"

G_BEGIN_DECLS

/* How PATH, relative to ROOT, is, and each of the folders above it which an edit may make, up to
 * ROOT itself: changes (GadgetChange) to what is the same as before. Contents are kept. With BEFORE,
 * such a list, what has become of these since. In a thread. */
GPtrArray *_gadget_edit_look        (GadgetBlobs         *blobs,
                                     const char          *root,
                                     const char          *path,
                                     const GPtrArray     *before,
                                     GError             **error);

/* The same where they cannot be looked at now: the drive is not there, or the folder is locked. */
GPtrArray *_gadget_edit_assume      (const GPtrArray     *before);

/* The look for the main context. */
void       _gadget_edit_look_async  (GadgetKeeper        *keeper,
                                     const char          *root,
                                     const char          *path,
                                     GPtrArray           *before,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
GPtrArray *_gadget_edit_look_finish (GAsyncResult        *result,
                                     GError             **error);

/* Puts on record what is there before an edit; when it has finished that survives this process. A
 * stop ends the wait for it. */
void       _gadget_edit_note_async  (GadgetStore         *store,
                                     gint64               effect,
                                     GPtrArray           *before,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean   _gadget_edit_note_finish (GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
