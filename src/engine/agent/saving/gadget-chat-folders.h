/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-chat-folder.h"
#include "common/gadget-clock.h"
#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetChatFolders:
 *
 * The folders of chats: a #GListModel of #GadgetChatFolder, sorted by name as the locale sorts.
 * Subfolders are in it like the others. It follows the changes of other processes.
 *
 * Folders are nested once: a folder that is in another one has no subfolders. Names need not be
 * unique.
 *
 * A change is seen in the model at once, and stored in the background. If it cannot be stored, "failed"
 * is emitted, and it is tried again later; if another process has removed the folder, the model goes
 * back to what is stored.
 */
#define GADGET_TYPE_CHAT_FOLDERS (gadget_chat_folders_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatFolders, gadget_chat_folders, GADGET, CHAT_FOLDERS, GObject)

/**
 * GadgetChatFolders::failed:
 * @error: a #GadgetStoreError; %GADGET_STORE_ERROR_NOT_FOUND when another process has removed the
 *   folder that was to be changed
 *
 * Emitted when a change could not be stored; once until it is.
 */

/* Makes an empty list. STORE need not be open yet; CLOCK is for the pauses between attempts. */
GadgetChatFolders *gadget_chat_folders_new      (GadgetStore         *store,
                                                 GadgetClock         *clock);

/* Adds the folders in ROWS, which were read from the open store, and from then on follows what
 * other processes write to the store. (element-type GadgetStoreChatFolder) */
void               gadget_chat_folders_open     (GadgetChatFolders   *self,
                                                 GPtrArray           *rows);

/* (transfer none) (nullable): the folder with that id; ID may be NULL */
GadgetChatFolder  *gadget_chat_folders_find     (GadgetChatFolders   *self,
                                                 const char          *id);

/* (transfer none) (nullable): the folder that the chat is in. A folder that does not exist any more
 * counts as none. */
GadgetChatFolder  *gadget_chat_folders_find_for (GadgetChatFolders   *self,
                                                 GadgetSession       *session);

/* Makes a folder in PARENT, or in none if that is NULL. (transfer none) (nullable): NULL if NAME is
 * empty, or PARENT is in a folder itself or was removed */
GadgetChatFolder  *gadget_chat_folders_create   (GadgetChatFolders   *self,
                                                 const char          *name,
                                                 GadgetChatFolder    *parent);

/* Returns FALSE, and changes nothing, if NAME is empty or FOLDER was removed. */
gboolean           gadget_chat_folders_rename   (GadgetChatFolders   *self,
                                                 GadgetChatFolder    *folder,
                                                 const char          *name);

/* Puts FOLDER into PARENT, or into none if that is NULL. Returns FALSE, and changes nothing, if
 * may_move () does. */
gboolean           gadget_chat_folders_move     (GadgetChatFolders   *self,
                                                 GadgetChatFolder    *folder,
                                                 GadgetChatFolder    *parent);

/* Returns whether FOLDER can be put into PARENT: that is NULL, or another folder that is in none,
 * and FOLDER has no subfolders. A folder that was removed cannot be moved or be PARENT. */
gboolean           gadget_chat_folders_may_move (GadgetChatFolders   *self,
                                                 GadgetChatFolder    *folder,
                                                 GadgetChatFolder    *parent);

/* Removes a folder. Its chats and its subfolders are then in none; the subfolders keep their
 * chats. */
void               gadget_chat_folders_remove   (GadgetChatFolders   *self,
                                                 GadgetChatFolder    *folder);

/* Undoes remove (): FOLDER is where it was, and the chats and subfolders that have not been moved
 * meanwhile are in it again. Does nothing if FOLDER was not removed. */
void               gadget_chat_folders_restore  (GadgetChatFolders   *self,
                                                 GadgetChatFolder    *folder);

/* Writes what is not stored once more, and waits for the answers for at most MILLISECONDS and a
 * second. */
void               gadget_chat_folders_settle_async (GadgetChatFolders *self,
                                                 guint                milliseconds,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
void               gadget_chat_folders_settle_finish (GadgetChatFolders *self,
                                                 GAsyncResult        *result);

G_END_DECLS
