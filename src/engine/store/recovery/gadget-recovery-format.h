/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the content of recovery files. */

#pragma once

#include "store/gadget-journal-write.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Formats a turn (transfer full). TEXT is the readable part, DATA_DIR the folder of the database
 * that WRITE was meant for. */
char               *_gadget_recovery_turn_format    (const GadgetJournalWrite *write,
                                                     const char               *text,
                                                     const char               *data_dir);

/* Parses the last line of a file, an object (transfer full). VERSION_KEY names its member that has
 * the version of the format, NEWEST is the latest that is known. Fails with
 * %GADGET_STORE_ERROR_NEWER for a later version, and with %GADGET_STORE_ERROR_CORRUPT. */
JsonNode           *_gadget_recovery_parse          (const char               *contents,
                                                     gsize                     length,
                                                     const char               *version_key,
                                                     gint64                    newest,
                                                     GError                  **error);

/* Parses a turn for _gadget_journal_write_end () (transfer full). Returns NULL with an error as
 * above, and NULL without an error if the contents belong to another database. */
GadgetJournalWrite *_gadget_recovery_turn_parse     (const char               *contents,
                                                     gsize                     length,
                                                     const char               *data_dir,
                                                     GError                  **error);

/* Format and parse the settings and the queue of a session, without its turns; errors as above. */
char               *_gadget_recovery_session_format (const GadgetSessionRow   *session,
                                                     const char               *data_dir);
GadgetSessionRow   *_gadget_recovery_session_parse  (const char               *contents,
                                                     gsize                     length,
                                                     const char               *data_dir,
                                                     GError                  **error);

G_END_DECLS
