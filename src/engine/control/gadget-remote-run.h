/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"

G_BEGIN_DECLS

#define GADGET_TYPE_REMOTE_RUN (gadget_remote_run_get_type ())
G_DECLARE_FINAL_TYPE (GadgetRemoteRun, gadget_remote_run, GADGET, REMOTE_RUN, GObject)

/* The turn of another process in a session. It can be stopped and answered from here as if this
 * process owned it. Its prompts are on the session's items as long as the object exists. Signals:
 *
 *   answer-failed (message)       an answer did not reach the other process; the prompt
 *                                 is shown again
 *   answer-left (session, text)   an answer was not taken; the text is what the user typed */
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
