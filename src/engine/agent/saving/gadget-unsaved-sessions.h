/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedSessions:
 *
 * Saves what has changed in stored chats besides their turns: title, folder, model and queue. What
 * could not be saved is written again automatically, and is in a recovery file meanwhile. Emits
 * "changed" when a chat could not be saved, and when it could be saved after all.
 */
#define GADGET_TYPE_UNSAVED_SESSIONS (gadget_unsaved_sessions_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedSessions, gadget_unsaved_sessions, GADGET, UNSAVED_SESSIONS,
                      GObject)

GadgetUnsavedSessions *gadget_unsaved_sessions_new           (GadgetStore           *store,
                                                              GadgetClock           *clock);
/* Writes the row and the queue of a chat, now or as soon as possible. */
void                   gadget_unsaved_sessions_save          (GadgetUnsavedSessions *self,
                                                              GadgetSession         *session);

/* Returns the chats with changes that are neither saved nor in a recovery file. (transfer full)
 * (element-type GadgetSession) */
GPtrArray             *gadget_unsaved_sessions_list_lost     (GadgetUnsavedSessions *self);

/* Writes all unsaved chats once more and waits for the answers of the store, for at most so many
 * milliseconds. Chats that are not saved then are in recovery files, if these can be written within
 * one more second. */
void                   gadget_unsaved_sessions_settle_async  (GadgetUnsavedSessions *self,
                                                              guint                  milliseconds,
                                                              GAsyncReadyCallback    callback,
                                                              gpointer               user_data);
void                   gadget_unsaved_sessions_settle_finish (GadgetUnsavedSessions *self,
                                                              GAsyncResult          *result);

G_END_DECLS
