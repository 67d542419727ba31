/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-agent.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_INSPECTOR (gadget_inspector_get_type ())
G_DECLARE_FINAL_TYPE (GadgetInspector, gadget_inspector, GADGET, INSPECTOR, AdwBin)

/* What a chat's reply is doing: everything that Cancel would stop now, the messages that wait, and
 * what is used of the limits. It costs nothing while it is out of sight. */
void gadget_inspector_set_session (GadgetInspector *self,
                                   GadgetAgent     *agent,
                                   GadgetSession   *session);

G_END_DECLS
