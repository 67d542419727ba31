/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetStoreChatFolder:
 * @parent: (nullable): the id of the folder that it is in, which may not exist any more
 *
 * A row of the table of folders of chats.
 */
typedef struct
{
  char *id;
  char *name;
  char *parent;
} GadgetStoreChatFolder;

/* The ways in which the row of a folder is changed. To rename and to move write one column each, so
 * that what another process changes of the folder at the same time stays. */
typedef enum
{
  GADGET_CHAT_FOLDER_ADD,
  GADGET_CHAT_FOLDER_RENAME,
  GADGET_CHAT_FOLDER_MOVE,
  GADGET_CHAT_FOLDER_REMOVE,
} GadgetChatFolderChange;

/* The folders of chats, in no order. */
void       gadget_store_list_chat_folders_async   (GadgetStore            *self,
                                                   GAsyncReadyCallback     callback,
                                                   gpointer                user_data);
GPtrArray *gadget_store_list_chat_folders_finish  (GadgetStore            *self,
                                                   GAsyncResult           *result,
                                                   GError                **error);
void       gadget_store_change_chat_folder_async  (GadgetStore            *self,
                                                   GadgetChatFolderChange  change,
                                                   const char             *id,
                                                   const char             *name,
                                                   const char             *parent,
                                                   GAsyncReadyCallback     callback,
                                                   gpointer                user_data);
gboolean   gadget_store_change_chat_folder_finish (GadgetStore            *self,
                                                   GAsyncResult           *result,
                                                   GError                **error);

G_END_DECLS
