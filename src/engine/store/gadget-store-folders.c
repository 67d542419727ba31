/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-folders.h"

/* The job that changes a folder. */
typedef struct
{
  GadgetChatFolderChange change;
  GadgetStoreChatFolder folder;
} Changing;

static void
folder_clear (GadgetStoreChatFolder *folder)
{
  g_free (folder->id);
  g_free (folder->name);
  g_free (folder->parent);
}

static void
folder_free (gpointer data)
{
  folder_clear (data);
  g_free (data);
}

static void
changing_free (gpointer data)
{
  Changing *changing = data;

  folder_clear (&changing->folder);
  g_free (changing);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gpointer
read_folder (sqlite3_stmt *stmt)
{
  GadgetStoreChatFolder *folder = g_new0 (GadgetStoreChatFolder, 1);

  folder->id = _gadget_sql_dup_text (stmt, 0);
  folder->name = _gadget_sql_dup_text (stmt, 1);
  folder->parent = _gadget_sql_dup_text (stmt, 2);
  return folder;
}

static gboolean
list_folders (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_read_rows (db, "SELECT id, name, parent FROM chat_folder", read_folder, data,
                                error);
}

static gboolean
change_folder (sqlite3 *db, gpointer data, GError **error)
{
  static const char *const statements[] = {
    [GADGET_CHAT_FOLDER_ADD] = "INSERT INTO chat_folder (id, name, parent) VALUES (?1, ?2, ?3)",
    [GADGET_CHAT_FOLDER_RENAME] = "UPDATE chat_folder SET name = ?2 WHERE id = ?1",
    [GADGET_CHAT_FOLDER_MOVE] = "UPDATE chat_folder SET parent = ?3 WHERE id = ?1",
    [GADGET_CHAT_FOLDER_REMOVE] = "DELETE FROM chat_folder WHERE id = ?1",
  };
  const Changing *changing = data;
  const GadgetStoreChatFolder *folder = &changing->folder;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, statements[changing->change], error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, folder->id);
  if (changing->change == GADGET_CHAT_FOLDER_ADD || changing->change == GADGET_CHAT_FOLDER_RENAME)
    _gadget_sql_bind_text (stmt, 2, folder->name);
  if (changing->change == GADGET_CHAT_FOLDER_ADD || changing->change == GADGET_CHAT_FOLDER_MOVE)
    _gadget_sql_bind_text (stmt, 3, folder->parent);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  if (sqlite3_changes (db) > 0 || changing->change == GADGET_CHAT_FOLDER_REMOVE)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
               "there is no folder of chats %s", folder->id);
  return FALSE;
}

/* --- On the main context ---------------------------------------------------------------------- */

void
gadget_store_list_chat_folders_async (GadgetStore *self, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, list_folders, g_ptr_array_new_with_free_func (folder_free),
                          _gadget_sql_unref_rows, callback, user_data);
}

/**
 * gadget_store_list_chat_folders_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetStoreChatFolder): the folders; %NULL with
 *   @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_list_chat_folders_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_ptr_array_ref (gadget_store_get_job_data (result));
}

/**
 * gadget_store_change_chat_folder_async:
 * @id: the folder
 * @name: (nullable): its name, if it is added or renamed
 * @parent: (nullable): the id of the folder that it is in, if it is added or moved; %NULL for none
 *
 * Changes the row of a folder. The sessions and folders in a folder that is removed keep its id,
 * which is that of no folder any more: nothing is written that another process may be writing.
 */
void
gadget_store_change_chat_folder_async (GadgetStore *self, GadgetChatFolderChange change,
                                       const char *id, const char *name, const char *parent,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  Changing *changing;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL);

  changing = g_new0 (Changing, 1);
  changing->change = change;
  changing->folder.id = g_strdup (id);
  changing->folder.name = g_strdup (name);
  changing->folder.parent = g_strdup (parent);
  gadget_store_run_async (self, change_folder, changing, changing_free, callback, user_data);
}

/**
 * gadget_store_change_chat_folder_finish:
 *
 * Returns: whether the change is stored; else @error is %GADGET_STORE_ERROR_NOT_FOUND, if the
 * folder does not exist, or another #GadgetStoreError
 */
gboolean
gadget_store_change_chat_folder_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
