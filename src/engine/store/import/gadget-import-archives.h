/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the archives of an import, in which the files that its chats refer to are
 * found. */

#pragma once

#include "gadget-import-zip.h"

G_BEGIN_DECLS

typedef struct _GadgetImportArchives GadgetImportArchives;

/* @directory is where archives in archives are copied to, and what is damaged is added to
 * @n_damaged; both, and @cancellable, live as long as the archives. */
GadgetImportArchives *_gadget_import_archives_new       (const char            *directory,
                                                         guint                 *n_damaged,
                                                         GCancellable          *cancellable);
void                  _gadget_import_archives_free      (GadgetImportArchives  *self);
/* Opens an archive, which is the file with the number @path, and those in it. */
gboolean              _gadget_import_archives_add       (GadgetImportArchives  *self,
                                                         guint                  path,
                                                         GInputStream          *stream,
                                                         goffset                size,
                                                         GError               **error);
/* Returns an archive (transfer none) and sets @path to the number of its file; NULL behind the last
 * one. */
GadgetImportZip      *_gadget_import_archives_get       (GadgetImportArchives  *self,
                                                         guint                  index,
                                                         guint                 *path);
/* Finds a file in any of them; a #GadgetImportFindFile. */
GBytes               *_gadget_import_archives_find_file (const char            *id,
                                                         const char           **name,
                                                         gpointer               archives);

G_END_DECLS
