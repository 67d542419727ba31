/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "control/gadget-remote-run.h"
#include "ui/composer/gadget-stop-control.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SESSION_WATCH (gadget_session_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSessionWatch, gadget_session_watch, GADGET, SESSION_WATCH, GObject)

/* Follows a session and what works on it, in this process or another, and says what that is doing.
 * Signals: "changed"; "remote-ended": another process has ended its turn; "abort-failed" and
 * "answer-failed" (why): it was not reached; "answer-left" (GadgetSession, text): what the user had
 * typed as an answer that was not taken, perhaps in a session that is not followed any more. */
GadgetSessionWatch *gadget_session_watch_new         (void);
void                gadget_session_watch_set_bus     (GadgetSessionWatch *self,
                                                      GDBusConnection    *connection);
void                gadget_session_watch_set_session (GadgetSessionWatch *self,
                                                      GadgetSession      *session,
                                                      GadgetEngine       *engine);
GadgetStopPhase     gadget_session_watch_get_phase   (GadgetSessionWatch *self);

/* NULL unless another process works on the session. */
GadgetRemoteRun    *gadget_session_watch_get_remote  (GadgetSessionWatch *self);

/* Tells the other process to stop. FALSE when there is none. */
gboolean            gadget_session_watch_abort_remote (GadgetSessionWatch *self);

/* An abort of the active run was refused: what was believed of it is void. Reads everything
 * again, and no longer believes in a run that is nowhere to be found. */
void                gadget_session_watch_read_again  (GadgetSessionWatch *self);

G_END_DECLS
