/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the content of recovery files. */

#pragma once

#include "gadget-journal-write.h"

G_BEGIN_DECLS

/* Formats a turn (transfer full). TEXT is the readable part, DATA_DIR the folder of the database
 * that WRITE was meant for. */
char               *_gadget_recovery_turn_format    (const GadgetJournalWrite *write,
                                                     const char               *text,
                                                     const char               *data_dir);

/* Parses a turn for _gadget_journal_write_end () (transfer full). Returns NULL with
 * %GADGET_STORE_ERROR_CORRUPT if the contents are not valid, and NULL without an error if they
 * belong to another database. */
GadgetJournalWrite *_gadget_recovery_turn_parse     (const char               *contents,
                                                     gsize                     length,
                                                     const char               *data_dir,
                                                     GError                  **error);

/* Returns the last line (transfer none), which is not terminated, and its length in bytes. */
const char         *_gadget_recovery_find_line      (const char               *contents,
                                                     gsize                     length,
                                                     gsize                    *line_length);

/* Format and parse the settings and the queue of a session, without its turns; errors as above. */
char               *_gadget_recovery_session_format (const GadgetSessionRow   *session,
                                                     const char               *data_dir);
GadgetSessionRow   *_gadget_recovery_session_parse  (const char               *contents,
                                                     gsize                     length,
                                                     const char               *data_dir,
                                                     GError                  **error);

G_END_DECLS
