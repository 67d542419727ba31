/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session-list.h"
#include "common/gadget-clock.h"
#include "session/gadget-attachment.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetUnsavedDrafts:
 *
 * Saves the drafts of chats, which are messages that are written and not sent, and keeps those that
 * could not be saved. See gadget-unsaved-drafts.c. Emits "changed" when a draft could not be saved,
 * and when it could be saved after all.
 */
#define GADGET_TYPE_UNSAVED_DRAFTS (gadget_unsaved_drafts_get_type ())
G_DECLARE_FINAL_TYPE (GadgetUnsavedDrafts, gadget_unsaved_drafts, GADGET, UNSAVED_DRAFTS, GObject)

/* STORE, CHATS and CLOCK are referenced. */
GadgetUnsavedDrafts *gadget_unsaved_drafts_new            (GadgetStore         *store,
                                                           GadgetSessionList   *chats,
                                                           GadgetClock         *clock);

/* The search for recovery files begins, and has ended with DRAFTS (nullable)
 * (element-type GadgetRecoveredDraft), NULL if it failed. Between the two, load_async () waits. Only
 * the first search that succeeds counts. */
void                 gadget_unsaved_drafts_begin_recovery (GadgetUnsavedDrafts *self);
void                 gadget_unsaved_drafts_end_recovery   (GadgetUnsavedDrafts *self,
                                                           GPtrArray           *drafts);

/* Save and read the draft of a chat. SESSION is NULL for the new chat, which is not stored. */
void                 gadget_unsaved_drafts_save           (GadgetUnsavedDrafts *self,
                                                           GadgetSession       *session,
                                                           const char          *text,
                                                           GPtrArray           *attachments);
void                 gadget_unsaved_drafts_load_async     (GadgetUnsavedDrafts *self,
                                                           GadgetSession       *session,
                                                           GAsyncReadyCallback  callback,
                                                           gpointer             user_data);
char                *gadget_unsaved_drafts_load_finish    (GadgetUnsavedDrafts *self,
                                                           GAsyncResult        *result,
                                                           GPtrArray          **attachments,
                                                           GError             **error);

/* Returns whether the last draft of the chat could not be saved until now, and why. */
gboolean             gadget_unsaved_drafts_get_problem    (GadgetUnsavedDrafts *self,
                                                           GadgetSession       *session,
                                                           GadgetSaveProblem   *problem);

/* The texts of drafts that the end of the program would lose. */
GPtrArray           *gadget_unsaved_drafts_list_lost      (GadgetUnsavedDrafts *self);

/* Writes all drafts once more and waits for the answers of the store, for at most so many
 * milliseconds. Drafts that are not saved then are in recovery files, if these can be written
 * within one more second. */
void                 gadget_unsaved_drafts_settle_async   (GadgetUnsavedDrafts *self,
                                                           guint                milliseconds,
                                                           GAsyncReadyCallback  callback,
                                                           gpointer             user_data);
void                 gadget_unsaved_drafts_settle_finish  (GadgetUnsavedDrafts *self,
                                                           GAsyncResult        *result);

G_END_DECLS
