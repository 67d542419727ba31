/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetChatFolder:
 *
 * A folder of chats. Properties: "id"; "name" and "parent-id", which are notified. It is changed
 * with the functions of #GadgetChatFolders alone.
 *
 * "parent-id" is the id of the folder that this one is in, %NULL for none. That folder exists, and
 * is in none.
 */
#define GADGET_TYPE_CHAT_FOLDER (gadget_chat_folder_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatFolder, gadget_chat_folder, GADGET, CHAT_FOLDER, GObject)

GadgetChatFolder *gadget_chat_folder_new           (const char       *id,
                                                    const char       *name);
const char       *gadget_chat_folder_get_id        (GadgetChatFolder *self);
const char       *gadget_chat_folder_get_name      (GadgetChatFolder *self);
const char       *gadget_chat_folder_get_parent_id (GadgetChatFolder *self);

/* Called by GadgetChatFolders. */
void              _gadget_chat_folder_set_name     (GadgetChatFolder *self,
                                                    const char       *name);
void              _gadget_chat_folder_set_parent_id (GadgetChatFolder *self,
                                                    const char       *parent_id);

G_END_DECLS
