/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder and its tests: the files in a zip archive. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GadgetImportZip GadgetImportZip;

/**
 * GadgetImportZipKind:
 * @GADGET_IMPORT_ZIP_CHATS: a file that may have chats, in the order of the names
 * @GADGET_IMPORT_ZIP_ARCHIVE: another archive
 *
 * What a file in an archive is, by its name.
 */
typedef enum
{
  GADGET_IMPORT_ZIP_CHATS,
  GADGET_IMPORT_ZIP_ARCHIVE,
} GadgetImportZipKind;

/* Tells whether a file that begins so is a zip archive. */
gboolean         _gadget_import_zip_check      (const guint8         *bytes,
                                                gsize                 length);
/* Reads the list of files of the archive, which is a #GSeekable of @size bytes. Fails with an error
 * of the stream, or a #GadgetImportError. */
GadgetImportZip *_gadget_import_zip_new        (GInputStream         *archive,
                                                goffset               size,
                                                GCancellable         *cancellable,
                                                GError              **error);
void             _gadget_import_zip_free       (GadgetImportZip      *self);
/* Returns the numbers of the files of a kind (element-type guint) (transfer container). */
GArray          *_gadget_import_zip_list       (GadgetImportZip      *self,
                                                GadgetImportZipKind   kind);
/* Finds a file whose name, without folders, begins with @id and goes on with neither a letter nor a
 * digit. Returns its number, -1 if there is none. */
int              _gadget_import_zip_find       (GadgetImportZip      *self,
                                                const char           *id);
/* The name of a file without folders (transfer none), and how many bytes it is said to have. */
const char      *_gadget_import_zip_get_name   (GadgetImportZip      *self,
                                                guint                 index);
guint64          _gadget_import_zip_get_size   (GadgetImportZip      *self,
                                                guint                 index);
/* Returns the contents of a file (transfer full), for as long as the archive. Reading them fails if
 * there are more than is said, and those of all files are limited in proportion to the archive. */
GInputStream    *_gadget_import_zip_read_file  (GadgetImportZip      *self,
                                                guint                 index,
                                                GCancellable         *cancellable,
                                                GError              **error);

/* Counts a file that could not be read since it is damaged, while others in the archive may not be.
 * Returns FALSE with the error if it is another one. @read_error is (transfer full). */
gboolean         _gadget_import_zip_pass_damage (GError              *read_error,
                                                 guint               *n_damaged,
                                                 GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportZip, _gadget_import_zip_free)

G_END_DECLS
