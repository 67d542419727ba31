/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-request.h"
#include "gadget-session.h"

G_BEGIN_DECLS

/* The recorded turns as a request that every provider accepts, whatever was aborted in them. The
 * one place where that is done; see the source for the rules. (transfer full) */
GadgetRequest *gadget_history_build (GadgetSession *session,
                                     const char    *replay_source);

G_END_DECLS
