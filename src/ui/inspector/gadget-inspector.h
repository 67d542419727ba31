/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-agent.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_INSPECTOR (gadget_inspector_get_type ())
G_DECLARE_FINAL_TYPE (GadgetInspector, gadget_inspector, GADGET, INSPECTOR, AdwBin)

/* Shows what a chat's reply is doing: every operation in flight, which Stop would stop, the queued
 * messages, and how much of the limits is used. It does nothing while it is unmapped. */
void gadget_inspector_set_session (GadgetInspector *self,
                                   GadgetAgent     *agent,
                                   GadgetSession   *session);

G_END_DECLS
