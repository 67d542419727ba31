/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds and reads the recovery files that earlier processes left. */

#pragma once

#include "store/gadget-journal-write.h"
#include "gadget-recovery-draft.h"
#include "gadget-recovery-file.h"

G_BEGIN_DECLS

/**
 * GadgetFoundFile:
 * @file: the file
 * @write: (nullable): its turn
 * @session: (nullable): its changes of a session
 * @draft: (nullable): its draft
 * @written_at: when the file was written, in microseconds since 1970
 * @stored: whether its content is stored now, so that the file can be removed
 * @unreported: whether its content was stored before, so that nobody is told of it
 *
 * A file that was found: of a turn, a session or a draft.
 */
typedef struct
{
  GadgetRecoveryFile *file;
  GadgetJournalWrite *write;
  GadgetSessionRow *session;
  GadgetRecoveredDraft *draft;
  gint64 written_at;
  gboolean stored;
  gboolean unreported;
} GadgetFoundFile;

void       _gadget_found_file_free        (gpointer             self);

/* Searches all folders for files that belong to the database in DATA_DIR. The finish function
 * returns them (transfer full) (element-type GadgetFoundFile) and does not fail. */
void       _gadget_recovery_search_async  (const char          *data_dir,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
GPtrArray *_gadget_recovery_search_finish (GAsyncResult        *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetFoundFile, _gadget_found_file_free)

G_END_DECLS
