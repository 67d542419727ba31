/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the files with chats in a zip archive. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GadgetImportZip GadgetImportZip;

/* Tells whether a file that begins so is a zip archive. */
gboolean         _gadget_import_zip_check     (const guint8     *bytes,
                                               gsize             length);
/* Reads the list of files of the archive, which is a #GSeekable of @size bytes. Fails with an error of the stream,
 * or a #GadgetImportError. */
GadgetImportZip *_gadget_import_zip_new       (GInputStream     *archive,
                                               goffset           size,
                                               GCancellable     *cancellable,
                                               GError          **error);
void             _gadget_import_zip_free      (GadgetImportZip  *self);
/* The number of files that may have chats. */
guint            _gadget_import_zip_get_size  (GadgetImportZip  *self);
/* Returns the contents of one of them (transfer full), to be read before the next one is. Reading it
 * fails if it is out of proportion to the archive. */
GInputStream    *_gadget_import_zip_read_file (GadgetImportZip  *self,
                                               guint             index,
                                               GCancellable     *cancellable,
                                               GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportZip, _gadget_import_zip_free)

G_END_DECLS
