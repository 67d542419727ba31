/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_RUN (gadget_remote_run_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemoteRun, gadget_remote_run, GADGET, REMOTE_RUN, GObject)

/* The turn by which another process works on a session: it is stopped and answered here as if it
 * were ours. What it asks is on the session's items while this lives. Signals: "answer-failed" (why):
 * an answer did not reach the other process; the question is asked again. "answer-left"
 * (GadgetSession, text): it was not taken, and this is what the user typed. */
GadgetRemoteRun *gadget_remote_run_new              (GadgetEngine         *engine,
                                                     GDBusConnection      *connection,
                                                     GadgetSession        *session);
const char      *gadget_remote_run_get_id           (GadgetRemoteRun      *self);
void             gadget_remote_run_abort_async      (GadgetRemoteRun      *self,
                                                     GAsyncReadyCallback   callback,
                                                     gpointer              user_data);
gboolean         gadget_remote_run_abort_finish     (GadgetRemoteRun      *self,
                                                     GAsyncResult         *result,
                                                     GError              **error);
void             gadget_remote_run_stop_tool_async  (GadgetRemoteRun      *self,
                                                     const char           *session_id,
                                                     const char           *call_id,
                                                     GAsyncReadyCallback   callback,
                                                     gpointer              user_data);
gboolean         gadget_remote_run_stop_tool_finish (GadgetRemoteRun      *self,
                                                     GAsyncResult         *result,
                                                     GError              **error);

G_END_DECLS
