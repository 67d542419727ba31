/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: writes chats of an import to the database. Everything runs in the thread
 * of the import. */

#pragma once

#include <gio/gio.h>

#include "gadget-import-report.h"
#include "gadget-import-value.h"

G_BEGIN_DECLS

typedef struct _GadgetImportWriter GadgetImportWriter;

/* Begins an import; @name is for people, and what becomes of chats is counted in @report, which lives
 * as long as the writer. Fails with %GADGET_STORE_ERROR_BUSY if another import goes on. Freeing a
 * writer whose import was not completed leaves what it wrote to gadget_import_clean_up (), or removes
 * it if it was not stopped. */
GadgetImportWriter *_gadget_import_writer_new        (const char              *directory,
                                                      const char              *name,
                                                      GadgetImportReport      *report,
                                                      GCancellable            *cancellable,
                                                      GError                 **error);
void                _gadget_import_writer_free       (GadgetImportWriter      *self);

/* Writes chats (transfer full) (element-type GadgetImportValue), as data/docs/export.md describes
 * them, soon: the first is a chat, and the others are branches of it. They are in @memory (transfer
 * full), of about @size bytes. Returns FALSE if the database failed. */
gboolean            _gadget_import_writer_add        (GadgetImportWriter      *self,
                                                      GPtrArray               *chats,
                                                      GadgetImportMemory      *memory,
                                                      gsize                    size,
                                                      GError                 **error);
/* Adds a folder of chats, unless there is one with its id; it is written at the end. */
void                _gadget_import_writer_add_folder (GadgetImportWriter      *self,
                                                      const GadgetImportValue *folder);
/* Writes the chats that are not written yet. */
gboolean            _gadget_import_writer_flush      (GadgetImportWriter      *self,
                                                      GError                 **error);
/* Makes everything visible at once, after a flush. The number in the report is set, to 0 if nothing
 * was added. Chats that were extended, but are in use now, are left alone. */
gboolean            _gadget_import_writer_complete   (GadgetImportWriter      *self,
                                                      GError                 **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportWriter, _gadget_import_writer_free)

G_END_DECLS
