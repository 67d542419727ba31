/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-agent.h"
#include "gadget-mcp-list.h"
#include "agent/saving/gadget-chat-folders.h"
#include "agent/saving/gadget-unsaved-drafts.h"
#include "store/import/gadget-imports.h"
#include "store/recovery/gadget-recovery.h"
#include "store/search/gadget-chat-search.h"
#include "store/gadget-store-deletion.h"
#include "tools/shell/gadget-commands.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ENGINE (gadget_engine_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEngine, gadget_engine, GADGET, ENGINE, GObject)

/* Everything below the user interface and the command line: the store, the keyring, the providers,
 * the tools, the agent, and the list of chats. The engine must be opened before it is used. The
 * getters return objects that live as long as the engine. DATA_DIR is the folder of the store. */
GadgetEngine       *gadget_engine_new             (const char           *data_dir);
void                gadget_engine_open_async      (GadgetEngine         *self,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_open_finish     (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Recovers what earlier processes could not save. Called once, after the engine was opened, by a
 * program that can report the result to the user. (element-type GadgetRecoveredChat) */
void                gadget_engine_recover_async   (GadgetEngine         *self,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
GPtrArray          *gadget_engine_recover_finish  (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* The parts of the engine. (transfer none) */
GadgetAgent        *gadget_engine_get_agent       (GadgetEngine         *self);
GadgetProviderList *gadget_engine_get_providers   (GadgetEngine         *self);
GadgetMcpList      *gadget_engine_get_mcp         (GadgetEngine         *self);
GadgetSecrets      *gadget_engine_get_secrets     (GadgetEngine         *self);
GadgetStore        *gadget_engine_get_store       (GadgetEngine         *self);
GadgetChatSearch   *gadget_engine_get_search      (GadgetEngine         *self);
GadgetImports      *gadget_engine_get_imports     (GadgetEngine         *self);

/* (transfer none): the unsent messages of the chats, and the support for running commands. */
GadgetUnsavedDrafts *gadget_engine_get_drafts     (GadgetEngine         *self);
GadgetCommands     *gadget_engine_get_commands    (GadgetEngine         *self);

/* (transfer none): a GListModel of #GadgetSession, the most recently used first. It follows the
 * sessions that other processes make, change and delete. */
GListModel         *gadget_engine_get_sessions    (GadgetEngine         *self);
GadgetSession      *gadget_engine_find_session    (GadgetEngine         *self,
                                                   const char           *id);

/* (transfer none): the folders of chats. */
GadgetChatFolders  *gadget_engine_get_chat_folders (GadgetEngine        *self);

/* Says which chat is being looked at in a window: SESSION, or none if that is NULL. VIEWER tells
 * the windows apart and is not used otherwise; a window that goes away says NULL. A chat that is
 * looked at in any window is not unread. From the first call on, with NULL or not, a chat becomes
 * unread when a turn of it that this process has started asks something, or ends other than by the
 * user's own abort, while it is not looked at. */
void                gadget_engine_set_viewed      (GadgetEngine         *self,
                                                   gconstpointer         viewer,
                                                   GadgetSession        *session);

/* Makes a new chat. It enters the list, and the store, with its first turn. (transfer full) */
GadgetSession      *gadget_engine_new_session     (GadgetEngine         *self);

/* Incognito chats, see gadget-engine-incognito.c. Those of this process are a GListModel of
 * #GadgetSession, the oldest first (transfer none). They are not among gadget_engine_get_sessions (),
 * and only _find_incognito () finds them, (transfer none) (nullable). _keep_incognito () takes one
 * with turns, and makes an ordinary chat of it; _close_incognito () forgets one. Neither does
 * anything for other chats. */
GListModel         *gadget_engine_get_incognito   (GadgetEngine         *self);
GadgetSession      *gadget_engine_find_incognito  (GadgetEngine         *self,
                                                   const char           *id);
GadgetSession      *gadget_engine_new_incognito   (GadgetEngine         *self);
void                gadget_engine_keep_incognito  (GadgetEngine         *self,
                                                   GadgetSession        *session);
void                gadget_engine_close_incognito (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Reads the turns of a session. If they have been read already, only checks that the session was
 * not deleted. */
void                gadget_engine_load_async      (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_load_finish     (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Makes a new chat with copies of the turns of SESSION up to and including TURN_ID. If that is
 * NULL, all turns that have ended are copied, and the new chat is no branch. (transfer full) */
void                gadget_engine_branch_async    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   const char           *turn_id,
                                                   const char           *title,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
GadgetSession      *gadget_engine_branch_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Asks the model again for a title of SESSION, also if the user has renamed it; one that the user
 * gives meanwhile stays. The turns of SESSION are read if need be, and each stop of SESSION stops the
 * request. If no title is made, other than by a stop, the engine emits "naming-failed" (SESSION, a
 * GError). Does nothing if can_name () returns FALSE, which it does for a chat that no model has
 * worked on, and for an incognito one. */
gboolean            gadget_engine_can_name        (GadgetEngine         *self,
                                                   GadgetSession        *session);
void                gadget_engine_name_again      (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Delete a chat: either in two steps, of which the first can be undone with cancel_delete (), or at
 * once with delete_async (). */
gboolean            gadget_engine_begin_delete    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GadgetDeleteFlags     flags,
                                                   GError              **error);
gboolean            gadget_engine_cancel_delete   (GadgetEngine         *self,
                                                   GadgetSession        *session);
GStrv               gadget_engine_list_pending_deletions (GadgetEngine  *self);
void                gadget_engine_delete_async    (GadgetEngine         *self,
                                                   GadgetSession        *session,
                                                   GadgetDeleteFlags     flags,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_delete_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Deletes chats that were not used for long; see gadget-engine-clear.c. */
void                gadget_engine_clear_chats_async (GadgetEngine       *self,
                                                   gint64                before,
                                                   gboolean              also_pinned,
                                                   GCancellable         *cancellable,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_clear_chats_finish (GadgetEngine      *self,
                                                   GAsyncResult         *result,
                                                   guint                *n_deleted,
                                                   GError              **error);

/* Mark a chat as in use: other processes do not delete a chat that is held. */
void            gadget_engine_hold_session        (GadgetEngine         *self,
                                                   GadgetSession        *session);
void            gadget_engine_release_session     (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Writes the title, the workspace, the model, the queue and the place in the list of a session after
 * the caller has changed them. The place (pinned, archived, unread, folder) does not change when the
 * session was used last. */
void                gadget_engine_save            (GadgetEngine         *self,
                                                   GadgetSession        *session);

/* Writes all unsaved turns, chats and drafts once more, and waits until each is saved or is in a
 * recovery file: at most MILLISECONDS for the store, and one second more for the recovery files. */
void                gadget_engine_settle_async    (GadgetEngine         *self,
                                                   guint                 milliseconds,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
void                gadget_engine_settle_finish   (GadgetEngine         *self,
                                                   GAsyncResult         *result);

/* Deletes everything; providers, tool servers and keys only with ALSO_KEYS. See
 * gadget-engine-erase.c. */
void                gadget_engine_erase_async     (GadgetEngine         *self,
                                                   const char           *cache_directory,
                                                   gboolean              also_keys,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean            gadget_engine_erase_finish    (GadgetEngine         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

/* Aborts all runs, waits until everything is settled and written, and closes the store. No turn
 * starts any more. */
void                gadget_engine_close_async     (GadgetEngine         *self,
                                                   GadgetStopReason      reason,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
void                gadget_engine_close_finish    (GadgetEngine         *self,
                                                   GAsyncResult         *result);

G_END_DECLS
