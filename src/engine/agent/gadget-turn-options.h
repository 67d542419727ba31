/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-limits.h"
#include "session/gadget-session.h"
#include "tools/policy/gadget-policy.h"

G_BEGIN_DECLS

/**
 * GadgetTurnOptions:
 * @run_id: (nullable): the id that the caller wants for the run; %NULL for a new one
 * @attachments: (nullable) (element-type GadgetAttachment): what is sent with the prompt
 * @provider: (nullable): the id of the provider that the session uses from this turn on; %NULL
 *   keeps the session's provider
 * @model: (nullable): the model that the session uses from this turn on; %NULL keeps the session's
 *   model, or uses the default model of @provider if that is given
 * @turn_provider: (nullable): the id of a provider that answers this turn only; the session keeps
 *   its provider and model
 * @workspace: (nullable): the absolute path of the folder that the session uses from this turn on;
 *   %NULL keeps the session's workspace
 * @approval: how calls that need permission are decided
 * @chat: (nullable): for the turn of a subagent, the user's chat that it works for; set by the
 *   agent
 * @interactive: whether somebody is there to answer questions
 * @deadline_ms: the turn is aborted after this many milliseconds, even if somebody is there; 0 for
 *   no limit
 * @limits: what the turn may use before the user is asked, or before it is aborted
 *
 * How a turn is started. All members may be zero, except that @interactive has to be set when
 * somebody is there. A turn that does not start changes nothing.
 */
typedef struct
{
  const char *run_id;
  GPtrArray *attachments;
  const char *provider;
  const char *model;
  const char *turn_provider;
  const char *workspace;
  GadgetApproval approval;
  GadgetSession *chat;
  gboolean interactive;
  guint deadline_ms;
  GadgetLimits limits;
} GadgetTurnOptions;

/* Sets the pointers that the caller lends for the start only, which are all but @chat, to NULL in a
 * copy of the options that is kept. */
void gadget_turn_options_drop_lent (GadgetTurnOptions *self);

G_END_DECLS
