/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-chat-list.h"
#include "session/gadget-attachment.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedDrafts:
 *
 * Saves what is written and not sent, and keeps what could not be saved. See the source. Emits
 * "changed" when a draft could not be saved, and when it is after all.
 */
#define GADGET_TYPE_UNSAVED_DRAFTS (gadget_unsaved_drafts_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedDrafts, gadget_unsaved_drafts, GADGET, UNSAVED_DRAFTS, GObject)

GadgetUnsavedDrafts *_gadget_unsaved_drafts_new  (GadgetStore          *store,
                                                GadgetChatList         *chats,
                                                GadgetClock            *clock);

/* A look for recovery files begins, and ends with what was found (nullable) (element-type
 * GadgetRecoveredDraft). */
void        _gadget_unsaved_drafts_begin_recovery (GadgetUnsavedDrafts *self);
void        _gadget_unsaved_drafts_end_recovery (GadgetUnsavedDrafts   *self,
                                                GPtrArray              *drafts);

/* SESSION is NULL for the new chat, which is not stored. */
void        gadget_unsaved_drafts_save          (GadgetUnsavedDrafts   *self,
                                                GadgetSession          *session,
                                                const char             *text,
                                                GPtrArray              *attachments);
void        gadget_unsaved_drafts_load_async    (GadgetUnsavedDrafts   *self,
                                                GadgetSession          *session,
                                                GAsyncReadyCallback     callback,
                                                gpointer                user_data);
char       *gadget_unsaved_drafts_load_finish   (GadgetUnsavedDrafts   *self,
                                                GAsyncResult           *result,
                                                GPtrArray             **attachments,
                                                GError                **error);

/* Tells whether the last draft of the chat could not be saved until now, and why. */
gboolean    gadget_unsaved_drafts_get_problem   (GadgetUnsavedDrafts   *self,
                                                GadgetSession          *session,
                                                GadgetSaveProblem      *problem);

GPtrArray  *gadget_unsaved_drafts_list_lost     (GadgetUnsavedDrafts   *self);

/* Tries all of them, and waits for the answers, but not for longer than so many milliseconds. What
 * is not saved then is in a recovery file, if one could be written. */
void        gadget_unsaved_drafts_settle_async  (GadgetUnsavedDrafts   *self,
                                                guint                   milliseconds,
                                                GAsyncReadyCallback     callback,
                                                gpointer                user_data);
void        gadget_unsaved_drafts_settle_finish (GadgetUnsavedDrafts  *self,
                                                GAsyncResult           *result);

G_END_DECLS
