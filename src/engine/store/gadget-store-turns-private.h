/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: removed turns, for loading and for journals. */

#pragma once

#include "gadget-sql.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* The number of removals and restorations of turns of the stored session, as far as this process
 * knows: the count that was read last, plus the edits made here since.
 * _gadget_session_note_edits () notes a count that was read. */
gint64   _gadget_session_get_known_edits (GadgetSession      *session);
void     _gadget_session_note_edits      (GadgetSession      *session,
                                          gint64              edits);

/* Makes every process that has loaded the session's turns read all of them again. UPDATED_AT, in
 * milliseconds, becomes the time of the session unless that is later. */
gboolean _gadget_turns_count_edit        (sqlite3            *db,
                                          const char         *session_id,
                                          gint64              updated_at,
                                          GError            **error);

/* Removes the turns IDS from the session, which the stored turn BY replaces. To be called in a
 * transaction; repeating it changes nothing. */
gboolean _gadget_turns_replace           (sqlite3            *db,
                                          const char         *session_id,
                                          const char         *by,
                                          const char *const  *ids,
                                          GError            **error);

G_END_DECLS
