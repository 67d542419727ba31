/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-pending-request.h"
#include "agent/gadget-engine.h"
#include "attach/gadget-attachment-reader.h"

G_BEGIN_DECLS

/**
 * GadgetStartResult:
 * @session: the id of the chat
 * @turn: the id of the turn that replies; "" for a message that is queued
 * @run: the id of its run; "" for a message that is queued
 *
 * The result of a request that was accepted.
 */
typedef struct
{
  char *session;
  char *turn;
  char *run;
} GadgetStartResult;

/* Frees a result. Does nothing for NULL. */
void               gadget_start_result_free    (GadgetStartResult    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetStartResult, gadget_start_result_free)

/* Start work that another program asks for. */
void               gadget_start_request_async  (GadgetEngine         *engine,
                                                const char           *session_id,
                                                const char           *text,
                                                GVariant             *options,
                                                gboolean              trusted,
                                                GadgetPictureFileFunc shrink,
                                                GadgetPendingRequest *request,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
GadgetStartResult *gadget_start_request_finish (GAsyncResult         *result,
                                                GError              **error);

G_END_DECLS
