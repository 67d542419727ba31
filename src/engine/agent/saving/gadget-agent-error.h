/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_AGENT_ERROR (gadget_agent_error_quark ())
GQuark gadget_agent_error_quark (void);

/**
 * GadgetAgentError:
 * @GADGET_AGENT_ERROR_BUSY: the session has an unsettled turn in this process
 * @GADGET_AGENT_ERROR_BUSY_ELSEWHERE: another process works on the session
 * @GADGET_AGENT_ERROR_DELETED: the session was deleted, or is about to be
 * @GADGET_AGENT_ERROR_FAILED: no turn can be started or changed; the message says why
 *
 * The errors of the agent.
 */
typedef enum
{
  GADGET_AGENT_ERROR_BUSY,
  GADGET_AGENT_ERROR_BUSY_ELSEWHERE,
  GADGET_AGENT_ERROR_DELETED,
  GADGET_AGENT_ERROR_FAILED,
} GadgetAgentError;

G_END_DECLS
