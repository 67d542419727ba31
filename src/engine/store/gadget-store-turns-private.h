/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-sql.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* How often turns of the stored session were taken out or brought back, as far as is known here:
 * what was read last, and what was done here since. */
gint64   _gadget_session_get_known_edits (GadgetSession      *session);
void     _gadget_session_note_edits      (GadgetSession      *session,
                                          gint64              edits);

/* Takes turns out of the session for the one of the id BY, which is stored. To be called in a
 * transaction; repeating it changes nothing. */
gboolean _gadget_turns_replace           (sqlite3            *db,
                                          const char         *session_id,
                                          const char         *by,
                                          const char *const  *ids,
                                          GError            **error);

G_END_DECLS
