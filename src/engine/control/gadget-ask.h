/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "attach/gadget-attachment-reader.h"
#include "gadget-asking.h"

G_BEGIN_DECLS

/**
 * GadgetAsked:
 * @session: the chat
 * @turn: the turn that answers; "" for a message that is queued
 * @run: its run; "" for a message that is queued
 */
typedef struct
{
  char *session;
  char *turn;
  char *run;
} GadgetAsked;

void         gadget_asked_free (GadgetAsked *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetAsked, gadget_asked_free)

/* What another program asks of the agent. */
void         gadget_ask_async  (GadgetEngine         *engine,
                                const char           *session_id,
                                const char           *text,
                                GVariant             *options,
                                gboolean              trusted,
                                GadgetShrinkFunc      shrink,
                                GadgetAsking         *asking,
                                GAsyncReadyCallback   callback,
                                gpointer              user_data);
GadgetAsked *gadget_ask_finish (GAsyncResult         *result,
                                GError              **error);

G_END_DECLS
