/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-queued-message.h"
#include "gadget-turn.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SESSION (gadget_session_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSession, gadget_session, GADGET, SESSION, GObject)

/**
 * GadgetSession:
 *
 * One chat: a #GListModel of #GadgetTurn. Properties, all notified: "title", "workspace",
 * "provider", "model", "mode", "pinned", "archived", "unread", "chat-folder", "updated-at",
 * "last-status", "active-run", "remote-run", "loaded", "has-removed", "deletion", "incognito". Times
 * are in milliseconds since 1970.
 *
 * "active-run" is the id of the run of the turn that is going on in this process, and NULL when the
 * session is idle. It is set before the start of the run is acknowledged and cleared just before
 * `completed` is emitted.
 *
 * "remote-run" is the id of the run by which another process works on the last turn, and NULL when
 * none does. It is set as the store says, see gadget-session-list.c.
 */
GadgetSession *gadget_session_new            (const char    *id);
const char    *gadget_session_get_id         (GadgetSession *self);

/* The id of the chat whose agent created this chat for a subagent; NULL for a chat of the user. */
const char    *gadget_session_get_parent_id  (GadgetSession *self);
void           gadget_session_set_parent_id  (GadgetSession *self,
                                              const char    *parent_id);
const char    *gadget_session_get_title      (GadgetSession *self);
void           gadget_session_set_title      (GadgetSession *self,
                                              const char    *title);
const char    *gadget_session_get_workspace  (GadgetSession *self);
void           gadget_session_set_workspace  (GadgetSession *self,
                                              const char    *path);
const char    *gadget_session_get_folder_facts (GadgetSession *self);
void           gadget_session_set_folder_facts (GadgetSession *self,
                                              const char    *facts);
const char    *gadget_session_get_instructions (GadgetSession *self);
gboolean       gadget_session_set_instructions (GadgetSession *self,
                                              const char    *instructions);
const char    *gadget_session_get_denied_instructions (GadgetSession *self);
void           gadget_session_set_denied_instructions (GadgetSession *self,
                                              const char    *digest);
const char    *gadget_session_get_provider   (GadgetSession *self);
const char    *gadget_session_get_model      (GadgetSession *self);
void           gadget_session_set_model      (GadgetSession *self,
                                              const char    *provider,
                                              const char    *model);
GadgetMode     gadget_session_get_mode       (GadgetSession *self);
void           gadget_session_set_mode       (GadgetSession *self,
                                              GadgetMode     mode);

/* The place of the chat in the list: whether it is pinned to the top; whether it is archived, so
 * that only the archive lists it; whether something happened in it that the user has not seen; and
 * the id of the folder that it is in, NULL for none. The folder may not exist any more. */
gboolean       gadget_session_get_pinned     (GadgetSession *self);
void           gadget_session_set_pinned     (GadgetSession *self,
                                              gboolean       pinned);
gboolean       gadget_session_get_archived   (GadgetSession *self);
void           gadget_session_set_archived   (GadgetSession *self,
                                              gboolean       archived);
gboolean       gadget_session_get_unread     (GadgetSession *self);
void           gadget_session_set_unread     (GadgetSession *self,
                                              gboolean       unread);
const char    *gadget_session_get_chat_folder (GadgetSession *self);
void           gadget_session_set_chat_folder (GadgetSession *self,
                                              const char    *folder_id);

/* The chat and the turn that this chat is a branch of, NULL for a chat that is none. They may not
 * exist any more. The ids are set before the chat is stored for the first time. */
const char    *gadget_session_get_origin_id  (GadgetSession *self);
void           gadget_session_set_origin_id  (GadgetSession *self,
                                              const char    *session_id);
const char    *gadget_session_get_origin_turn_id (GadgetSession *self);
void           gadget_session_set_origin_turn_id (GadgetSession *self,
                                              const char    *turn_id);

gint64         gadget_session_get_created_at (GadgetSession *self);
void           gadget_session_set_created_at (GadgetSession *self,
                                              gint64         ms);
gint64         gadget_session_get_updated_at (GadgetSession *self);
void           gadget_session_set_updated_at (GadgetSession *self,
                                              gint64         ms);

/* The status of the last turn as the list of chats shows it; known before the turns are loaded. */
GadgetTurnStatus gadget_session_get_last_status (GadgetSession    *self);
void             gadget_session_set_last_status (GadgetSession    *self,
                                                 GadgetTurnStatus  status);

/* Why the last turn was stopped, also before the turns are loaded. */
GadgetStopReason gadget_session_get_last_stop_reason (GadgetSession    *self);
void             gadget_session_set_last_stop_reason (GadgetSession    *self,
                                                      GadgetStopReason  reason);

/* TRUE if a turn was found unfinished, with its process dead, when the list of chats was read.
 * FALSE again once the user was told: see gadget_engine_recover_async (). */
gboolean       gadget_session_get_interrupted (GadgetSession *self);
void           gadget_session_set_interrupted (GadgetSession *self,
                                              gboolean       interrupted);

/* TRUE if the turns are in memory; and the id of the run in this process, see above. */
gboolean       gadget_session_get_loaded     (GadgetSession *self);
void           gadget_session_set_loaded     (GadgetSession *self,
                                              gboolean       loaded);
const char    *gadget_session_get_active_run (GadgetSession *self);
void           gadget_session_set_active_run (GadgetSession *self,
                                              const char    *run_id);

/* The id of the run in another process, see above. */
const char    *gadget_session_get_remote_run (GadgetSession *self);
void           gadget_session_set_remote_run (GadgetSession *self,
                                              const char    *run_id);
gboolean       gadget_session_is_working     (GadgetSession *self);

/* Set by the engine. A session that was deleted stays deleted. */
GadgetDeletionState gadget_session_get_deletion (GadgetSession       *self);
void                gadget_session_set_deletion (GadgetSession       *self,
                                                 GadgetDeletionState  deletion);

/* An incognito chat is in the memory of this process only. Whoever writes chats, turns, drafts,
 * changes of files or rules asks this first, and the rows of a chat cannot be made of one: see
 * _gadget_turn_environment_get_storage (). Its subagents are incognito, too. */
gboolean       gadget_session_get_incognito  (GadgetSession *self);
void           gadget_session_set_incognito  (GadgetSession *self,
                                              gboolean       incognito);

void           gadget_session_append         (GadgetSession *self,
                                              GadgetTurn    *turn);
void           gadget_session_set_turns      (GadgetSession *self,
                                              GPtrArray     *turns);
/* Turns that the user removes. See gadget-session-turns.c. */
void           gadget_session_remove_turn    (GadgetSession *self,
                                              guint          index);
void           gadget_session_replace_turns  (GadgetSession *self,
                                              guint          index,
                                              GadgetTurn    *turn);
gboolean       gadget_session_is_removal_pending (GadgetSession *self,
                                              const char    *turn_id);
void           gadget_session_finish_removal (GadgetSession *self,
                                              const char    *turn_id);
guint          gadget_session_get_n_edits    (GadgetSession *self);
gboolean       gadget_session_get_has_removed (GadgetSession *self);
void           gadget_session_set_has_removed (GadgetSession *self,
                                              gboolean       has_removed);
int            gadget_session_find_turn      (GadgetSession *self,
                                              const char    *turn_id);
guint          gadget_session_get_n_turns    (GadgetSession *self);
GadgetTurn    *gadget_session_get_turn       (GadgetSession *self,
                                              guint          index);
GadgetTurn    *gadget_session_get_last_turn  (GadgetSession *self);

/* The messages that wait for their turn, a GListModel of #GadgetQueuedMessage, oldest first. After
 * an abort they are paused: no message is sent automatically then. */
GListModel    *gadget_session_get_queue        (GadgetSession *self);
void           gadget_session_enqueue          (GadgetSession *self,
                                                const char    *text);
void           gadget_session_enqueue_message  (GadgetSession *self,
                                                GadgetQueuedMessage *message);
void           gadget_session_insert_queued    (GadgetSession *self,
                                                guint          index,
                                                GadgetQueuedMessage *message);
GadgetQueuedMessage *gadget_session_take_queued (GadgetSession *self,
                                                guint          index);
/* Steering messages are for the turn that is going on: the model gets them before its next step.
 * Those that the turn did not take are ordinary messages once it is over. */
void           gadget_session_steer            (GadgetSession *self,
                                                const char    *text);
GadgetQueuedMessage *gadget_session_take_steering (GadgetSession *self);
void           gadget_session_end_steering     (GadgetSession *self);
char          *gadget_session_dequeue          (GadgetSession *self,
                                                guint          index);
void           gadget_session_move_queued      (GadgetSession *self,
                                                guint          from,
                                                guint          to);
guint          gadget_session_find_unpaused    (GadgetSession *self);
gboolean       gadget_session_get_queue_paused (GadgetSession *self);
void           gadget_session_set_queue_paused (GadgetSession *self,
                                                gboolean       paused);

G_END_DECLS
