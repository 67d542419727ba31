/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedSessions:
 *
 * Saves what was changed of stored chats besides their turns: title, folder, model and queue. What
 * could not be saved is tried again when another write succeeds.
 */
#define GADGET_TYPE_UNSAVED_SESSIONS (gadget_unsaved_sessions_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedSessions, gadget_unsaved_sessions, GADGET, UNSAVED_SESSIONS,
                      GObject)

GadgetUnsavedSessions *_gadget_unsaved_sessions_new      (GadgetStore           *store,
                                                          GadgetClock           *clock);
void                   _gadget_unsaved_sessions_save     (GadgetUnsavedSessions *self,
                                                          GadgetSession         *session);
/* Saves the sessions again that are not saved. */
void                   _gadget_unsaved_sessions_save_all (GadgetUnsavedSessions *self);

G_END_DECLS
