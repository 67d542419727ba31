/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: writes chats of an import to the database. Everything runs in the thread
 * of the import. */

#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _GadgetImportWriter GadgetImportWriter;

/**
 * GadgetImportResult:
 * @GADGET_IMPORT_ADDED: the chat is new
 * @GADGET_IMPORT_EXTENDED: turns were added to a chat
 * @GADGET_IMPORT_UNCHANGED: all of the chat is there
 * @GADGET_IMPORT_KEPT: the chat that is there went on otherwise, so it was left as it is
 * @GADGET_IMPORT_BROKEN: the chat cannot be stored
 *
 * What became of a chat.
 */
typedef enum
{
  GADGET_IMPORT_ADDED,
  GADGET_IMPORT_EXTENDED,
  GADGET_IMPORT_UNCHANGED,
  GADGET_IMPORT_KEPT,
  GADGET_IMPORT_BROKEN,
} GadgetImportResult;

/* Begins an import; @name is for people. Fails with %GADGET_STORE_ERROR_BUSY if another import goes
 * on. Freeing a writer whose import was not completed removes what it wrote. */
GadgetImportWriter *_gadget_import_writer_new        (const char          *directory,
                                                      const char          *name,
                                                      GCancellable        *cancellable,
                                                      GError             **error);
void                _gadget_import_writer_free       (GadgetImportWriter  *self);

/* Writes a chat, as data/docs/export.md describes it. Returns FALSE if the database failed. */
gboolean            _gadget_import_writer_add_chat   (GadgetImportWriter  *self,
                                                      JsonObject          *chat,
                                                      GadgetImportResult  *result,
                                                      GError             **error);
/* Adds a folder of chats, unless there is one with its id; it is written at the end. */
void                _gadget_import_writer_add_folder (GadgetImportWriter  *self,
                                                      JsonObject          *folder);
/* Makes everything visible at once. @number is set to the number of the import, 0 if it added
 * nothing; @n_kept to the number of chats that were extended, but are in use now and left alone. */
gboolean            _gadget_import_writer_complete   (GadgetImportWriter  *self,
                                                      gint64              *number,
                                                      guint               *n_kept,
                                                      GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetImportWriter, _gadget_import_writer_free)

G_END_DECLS
