/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "control/gadget-remote-run.h"
#include "ui/composer/gadget-stop-control.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SESSION_WATCH (gadget_session_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSessionWatch, gadget_session_watch, GADGET, SESSION_WATCH, GObject)

/* Follows a session and what works on it, in this process or another, and derives the phase of the
 * Stop button. Signals: "changed": the phase; "remote-started" and "remote-ended": another process
 * began or ended a turn; "abort-failed" and "answer-failed" (message): it could not be reached;
 * "answer-left" (GadgetSession, text): an answer of the user's was not used, perhaps in a session
 * that is not followed any more. */
GadgetSessionWatch *gadget_session_watch_new         (void);
void                gadget_session_watch_set_bus     (GadgetSessionWatch *self,
                                                      GDBusConnection    *connection);
void                gadget_session_watch_set_session (GadgetSessionWatch *self,
                                                      GadgetSession      *session,
                                                      GadgetEngine       *engine);
GadgetStopPhase     gadget_session_watch_get_phase   (GadgetSessionWatch *self);

/* Returns the run of the other process that works on the session, or NULL. (transfer none) */
GadgetRemoteRun    *gadget_session_watch_get_remote  (GadgetSessionWatch *self);

/* Tells the other process to stop; "abort-failed" follows if that fails. Returns FALSE when no
 * other process works on the session. */
gboolean            gadget_session_watch_abort_remote (GadgetSessionWatch *self);

/* To be called when an abort of the active run was refused. Derives everything anew, and no longer
 * believes in a run that is not in the registry. */
void                gadget_session_watch_read_again  (GadgetSessionWatch *self);

G_END_DECLS
