/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetImportReport:
 * @number: the import, for gadget_import_undo_async (); 0 if nothing was added
 * @n_added: new chats
 * @n_extended: chats to which the files had more turns, which were added
 * @n_unchanged: chats that were there already
 * @n_kept: chats that went on here, or are open now, so that nothing was added to them
 * @n_empty: chats without messages, of which none was made
 * @n_broken: chats that could not be read
 * @n_foreign: entries of the files that are no chats
 * @n_missing: attachments that the files only name
 * @n_cut: files that end in the middle
 *
 * What an import did.
 */
typedef struct
{
  gint64 number;
  guint n_added;
  guint n_extended;
  guint n_unchanged;
  guint n_kept;
  guint n_empty;
  guint n_broken;
  guint n_foreign;
  guint n_missing;
  guint n_cut;
} GadgetImportReport;

/* Called on the main context while an import goes on: @fraction of the files was read. */
typedef void (*GadgetImportProgressFunc) (double   fraction,
                                          guint    n_chats,
                                          gpointer user_data);

/* Imports chats; documented in gadget-import.c. */
void                gadget_import_async       (const char               *directory,
                                               const char *const        *paths,
                                               GCancellable             *cancellable,
                                               GadgetImportProgressFunc  progress,
                                               GAsyncReadyCallback       callback,
                                               gpointer                  user_data);
GadgetImportReport *gadget_import_finish      (GAsyncResult             *result,
                                               GError                  **error);

G_END_DECLS
