/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the content of a recovery file. */

#pragma once

#include "gadget-journal-write.h"
#include "gadget-recovery-draft.h"

G_BEGIN_DECLS

/* TEXT is for people, DATA_DIR the folder of the database that WRITE was meant for.
 * (transfer full) */
char               *_gadget_recovery_file_format (const GadgetJournalWrite *write,
                                                  const char               *text,
                                                  const char               *data_dir);

/* What _gadget_journal_write_end () takes. NULL when it is no such file; NULL without an error when
 * it belongs to another database. */
GadgetJournalWrite *_gadget_recovery_file_parse  (const char               *contents,
                                                  gsize                     length,
                                                  const char               *data_dir,
                                                  GError                  **error);

/* Its last line, which is not terminated. */
const char         *_gadget_recovery_file_find_line (const char             *contents,
                                                  gsize                     length,
                                                  gsize                    *line_length);

/* The same for that of a chat's title and the like, and its queue. Its turns are not in it. */
char               *_gadget_recovery_session_format (const GadgetSessionRow *session,
                                                  const char               *data_dir);
GadgetSessionRow   *_gadget_recovery_session_parse (const char             *contents,
                                                  gsize                     length,
                                                  const char               *data_dir,
                                                  GError                  **error);

/* The same for that of a draft. */
GadgetRecoveredDraft *_gadget_recovery_draft_parse (const char              *contents,
                                                  gsize                     length,
                                                  const char               *data_dir,
                                                  GError                  **error);

G_END_DECLS
