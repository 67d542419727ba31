/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-registry.h"
#include "session/gadget-session.h"
#include "ui/composer/gadget-stop-control.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SESSION_WATCH (gadget_session_watch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSessionWatch, gadget_session_watch, GADGET, SESSION_WATCH, GObject)

/* Follows a session and its run, and says what its work is doing. Signal: "changed". */
GadgetSessionWatch *gadget_session_watch_new         (void);
void                gadget_session_watch_set_session (GadgetSessionWatch *self,
                                                      GadgetSession      *session,
                                                      GadgetRegistry     *registry);
GadgetStopPhase     gadget_session_watch_get_phase   (GadgetSessionWatch *self);

/* An abort of the active run was refused: what was believed of it is void. Reads everything
 * again, and no longer believes in a run that is nowhere to be found. */
void                gadget_session_watch_read_again  (GadgetSessionWatch *self);

G_END_DECLS
