/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folders of chats.
 *
 * The store keeps for each folder the id of the one that it is in, and checks nothing: the other
 * folder may have been removed by another process, or have been put into a third one. So an id
 * counts only if it is that of a folder which is in none, as far as is stored; else the folder
 * itself is in none. In the same way the id of a folder that does not exist is no folder of a chat.
 * Therefore to remove a folder is to remove one row, whatever other processes do meanwhile.
 *
 * The store runs jobs in order. Folders that were read after a change was written include it; those
 * that were read before are older than the model, and are read again.
 *
 * The changes of a folder are written one after the other. One that the store does not take is
 * written again as gadget-unsaved-table.c says; until then the model keeps it, and what is read is
 * not looked at. No recovery file has it. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-chat-folders.h"

#include "gadget-unsaved-table.h"
#include "common/gadget-array-model.h"
#include "common/gadget-bidi.h"
#include "common/gadget-id.h"
#include "store/gadget-store-folders.h"

#include <string.h>

struct _GadgetChatFolders
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetUnsavedTable *unsaved; /* id → Unsaved */
  GPtrArray *folders;          /* of GadgetChatFolder, sorted */
  GHashTable *by_id;           /* id → GadgetChatFolder */
  GHashTable *parents;         /* id → the id of the parent, as it is stored; none for a NULL */
  guint n_changes;             /* changes of this process */
  gboolean reading;
  guint n_changes_read; /* n_changes when the reading began */
  gboolean read_again;
};

/* One change that is to be written. */
typedef struct
{
  GadgetChatFolderChange change;
  char *name;      /* (nullable) */
  char *parent_id; /* (nullable) */
} Change;

/* A folder with changes that are not written. */
typedef struct
{
  GadgetUnsavedEntry entry;
  char *id;
  GQueue changes; /* of Change, the first one first */
} Unsaved;

enum
{
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

GADGET_DEFINE_ARRAY_MODEL (GadgetChatFolders, gadget_chat_folders, GADGET_TYPE_CHAT_FOLDER, folders)

static void
gadget_chat_folders_finalize (GObject *object)
{
  GadgetChatFolders *self = GADGET_CHAT_FOLDERS (object);

  _gadget_unsaved_table_free (self->unsaved);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->parents);
  g_ptr_array_unref (self->folders);
  g_object_unref (self->store);

  G_OBJECT_CLASS (gadget_chat_folders_parent_class)->finalize (object);
}

static void
gadget_chat_folders_class_init (GadgetChatFoldersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_chat_folders_finalize;

  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  /* What gadget-unsaved-table.c emits. */
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
gadget_chat_folders_init (GadgetChatFolders *self)
{
  self->folders = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->parents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

GadgetChatFolder *
gadget_chat_folders_find (GadgetChatFolders *self, const char *id)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self), NULL);
  return id != NULL ? g_hash_table_lookup (self->by_id, id) : NULL;
}

GadgetChatFolder *
gadget_chat_folders_find_for (GadgetChatFolders *self, GadgetSession *session)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_SESSION (session), NULL);
  return gadget_chat_folders_find (self, gadget_session_get_chat_folder (session));
}

/* --- The model -------------------------------------------------------------------------------- */

static gint
compare_folders (gconstpointer a, gconstpointer b)
{
  GadgetChatFolder *first = *(GadgetChatFolder *const *) a;
  GadgetChatFolder *second = *(GadgetChatFolder *const *) b;
  const int order =
      g_utf8_collate (gadget_chat_folder_get_name (first), gadget_chat_folder_get_name (second));

  return order != 0
             ? order
             : strcmp (gadget_chat_folder_get_id (first), gadget_chat_folder_get_id (second));
}

static void
insert (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  guint position;

  for (position = 0; position < self->folders->len; position++)
    if (compare_folders (&folder, &g_ptr_array_index (self->folders, position)) < 0)
      break;
  g_ptr_array_insert (self->folders, (gint) position, g_object_ref (folder));
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
}

static void
take_out (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  guint position;

  if (!g_ptr_array_find (self->folders, folder, &position))
    return;
  g_ptr_array_remove_index (self->folders, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

/* Returns the stored parent of the folder, if there is such a folder. */
static GadgetChatFolder *
find_stored_parent (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  return gadget_chat_folders_find (
      self, g_hash_table_lookup (self->parents, gadget_chat_folder_get_id (folder)));
}

/* To be called when folders have come, gone or moved. */
static void
update_parents (GadgetChatFolders *self)
{
  GHashTableIter iter;
  gpointer folder;

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    {
      GadgetChatFolder *parent = find_stored_parent (self, folder);

      if (parent != NULL && find_stored_parent (self, parent) != NULL)
        parent = NULL;
      _gadget_chat_folder_set_parent_id (folder, parent != NULL ? gadget_chat_folder_get_id (parent)
                                                                : NULL);
    }
}

static void
set_parent (GadgetChatFolders *self, const char *id, const char *parent_id)
{
  if (parent_id != NULL)
    g_hash_table_insert (self->parents, g_strdup (id), g_strdup (parent_id));
  else
    g_hash_table_remove (self->parents, id);
}

static void
set_name (GadgetChatFolders *self, GadgetChatFolder *folder, const char *name)
{
  g_autoptr (GadgetChatFolder) hold = g_object_ref (folder);

  if (g_str_equal (gadget_chat_folder_get_name (folder), name))
    return;
  take_out (self, folder);
  _gadget_chat_folder_set_name (folder, name);
  insert (self, folder);
}

/* Makes a folder known that insert () is to put into the model. */
static void
know (GadgetChatFolders *self, GadgetChatFolder *folder, const char *parent_id)
{
  g_hash_table_insert (self->by_id, (gpointer) gadget_chat_folder_get_id (folder), folder);
  set_parent (self, gadget_chat_folder_get_id (folder), parent_id);
}

static void
forget (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  g_hash_table_remove (self->by_id, gadget_chat_folder_get_id (folder));
  g_hash_table_remove (self->parents, gadget_chat_folder_get_id (folder));
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Makes the model show the folders in @rows, and no others. */
static void
merge (GadgetChatFolders *self, GPtrArray *rows)
{
  g_autoptr (GHashTable) gone = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer folder;

  for (guint i = 0; i < self->folders->len; i++)
    g_hash_table_add (gone, g_object_ref (g_ptr_array_index (self->folders, i)));
  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetStoreChatFolder *row = g_ptr_array_index (rows, i);
      GadgetChatFolder *known = gadget_chat_folders_find (self, row->id);

      if (known != NULL)
        {
          g_hash_table_remove (gone, known);
          set_name (self, known, row->name);
          set_parent (self, row->id, row->parent);
          continue;
        }
      g_ptr_array_add (fresh, gadget_chat_folder_new (row->id, row->name));
      know (self, g_ptr_array_index (fresh, fresh->len - 1), row->parent);
    }
  g_hash_table_iter_init (&iter, gone);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    forget (self, folder);
  update_parents (self);
  for (guint i = 0; i < fresh->len; i++)
    insert (self, g_ptr_array_index (fresh, i));
  g_hash_table_iter_init (&iter, gone);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    take_out (self, folder);
}

/* What is read then does not include all changes. */
static gboolean
has_unsaved (GadgetChatFolders *self)
{
  return g_hash_table_size (self->unsaved->entries) > 0;
}

static void read_folders (GadgetChatFolders *self); /* calls itself again if called meanwhile */

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetChatFolders) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows =
      gadget_store_list_chat_folders_finish (GADGET_STORE (source), result, &error);

  self->reading = FALSE;
  if (rows == NULL)
    g_message ("the folders of chats could not be read again: %s", error->message);
  else if (self->n_changes != self->n_changes_read || has_unsaved (self))
    self->read_again = TRUE;
  else
    merge (self, rows);
  if (self->read_again && !has_unsaved (self))
    read_folders (self);
}

static void
read_folders (GadgetChatFolders *self)
{
  if (self->reading)
    {
      self->read_again = TRUE;
      return;
    }
  self->reading = TRUE;
  self->read_again = FALSE;
  self->n_changes_read = self->n_changes;
  gadget_store_list_chat_folders_async (self->store, listed_cb, g_object_ref (self));
}

void
gadget_chat_folders_open (GadgetChatFolders *self, GPtrArray *rows)
{
  g_return_if_fail (GADGET_IS_CHAT_FOLDERS (self) && rows != NULL);

  merge (self, rows);
  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (read_folders), self,
                           G_CONNECT_SWAPPED);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->name);
  g_free (change->parent_id);
  g_free (change);
}

static void
free_unsaved (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;

  g_queue_clear_full (&unsaved->changes, change_free);
  g_free (unsaved->id);
}

static gboolean
need_no_file (GadgetUnsavedEntry *entry, GAsyncReadyCallback callback, gpointer user_data)
{
  return FALSE;
}

static void
forget_entry (GadgetChatFolders *self, GadgetUnsavedEntry *entry)
{
  _gadget_unsaved_entry_forget (entry);
  if (self->read_again && !self->reading && !has_unsaved (self))
    read_folders (self);
}

static void write_change (GadgetUnsavedEntry *entry); /* called for the next one after each */

static void
changed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  GadgetUnsavedEntry *entry = attempt->entry;
  Unsaved *unsaved = (Unsaved *) entry;
  GadgetChatFolders *self = entry->table->owner;
  g_autoptr (GError) error = NULL;

  gadget_store_change_chat_folder_finish (GADGET_STORE (source), result, &error);
  if (!_gadget_unsaved_attempt_end (attempt))
    return;
  if (error == NULL)
    {
      change_free (g_queue_pop_head (&unsaved->changes));
      if (g_queue_is_empty (&unsaved->changes))
        forget_entry (self, entry);
      else
        write_change (entry);
      return;
    }
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
    {
      self->read_again = TRUE;
      forget_entry (self, entry);
      g_signal_emit (self, signals[FAILED], 0, error);
      return;
    }
  if (!entry->failed)
    g_signal_emit (self, signals[FAILED], 0, error);
  _gadget_unsaved_entry_fail (entry, error);
}

static void
write_change (GadgetUnsavedEntry *entry)
{
  const Unsaved *unsaved = (const Unsaved *) entry;
  const Change *change = g_queue_peek_head ((GQueue *) &unsaved->changes);

  _gadget_unsaved_entry_begin_write (entry);
  gadget_store_change_chat_folder_async (entry->table->store, change->change, unsaved->id,
                                         change->name, change->parent_id, changed_cb,
                                         _gadget_unsaved_attempt_new (entry));
}

static Unsaved *
ensure (GadgetChatFolders *self, const char *id)
{
  Unsaved *unsaved = g_hash_table_lookup (self->unsaved->entries, id);
  char *key;

  if (unsaved != NULL)
    return unsaved;
  key = g_strdup (id);
  unsaved = _gadget_unsaved_table_add (self->unsaved, sizeof (Unsaved), key,
                                       g_strdup ("a folder of chats"));
  unsaved->id = key;
  g_queue_init (&unsaved->changes);
  return unsaved;
}

static void
save (GadgetChatFolders *self, GadgetChatFolderChange change, const char *id, const char *name,
      const char *parent_id)
{
  Unsaved *unsaved = ensure (self, id);
  Change *last = g_new0 (Change, 1);

  self->n_changes++;
  last->change = change;
  last->name = g_strdup (name);
  last->parent_id = g_strdup (parent_id);
  g_queue_push_tail (&unsaved->changes, last);
  if (!unsaved->entry.writing)
    write_change (&unsaved->entry);
}

GadgetChatFolders *
gadget_chat_folders_new (GadgetStore *store, GadgetClock *clock)
{
  static const GadgetUnsavedFuncs funcs = {
    .hash = g_str_hash,
    .equal = g_str_equal,
    .timeout_name = "[gadget] save a folder of chats again",
    .write = write_change,
    .write_file = need_no_file,
    .free = free_unsaved,
  };
  GadgetChatFolders *self = g_object_new (GADGET_TYPE_CHAT_FOLDERS, NULL);

  self->store = g_object_ref (store);
  self->unsaved = _gadget_unsaved_table_new (self, store, clock, &funcs);
  return self;
}

void
gadget_chat_folders_settle_async (GadgetChatFolders *self, guint milliseconds,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_CHAT_FOLDERS (self));
  _gadget_unsaved_table_settle_async (self->unsaved, milliseconds, callback, user_data);
}

/* gadget_chat_folders_settle_finish: always succeeds. */
void
gadget_chat_folders_settle_finish (GadgetChatFolders *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Changing --------------------------------------------------------------------------------- */

/* A folder that another process has removed may still be held by a caller. */
static gboolean
knows (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  return gadget_chat_folders_find (self, gadget_chat_folder_get_id (folder)) == folder;
}

/* Returns the name as it is stored, NULL if it is empty. (transfer full) */
static char *
dup_clean_name (const char *name)
{
  g_autofree char *clean = g_strstrip (g_utf8_make_valid (name, -1));

  return *clean != '\0' ? gadget_bidi_escape (clean) : NULL;
}

static const char *
get_id (GadgetChatFolder *folder)
{
  return folder != NULL ? gadget_chat_folder_get_id (folder) : NULL;
}

GadgetChatFolder *
gadget_chat_folders_create (GadgetChatFolders *self, const char *name, GadgetChatFolder *parent)
{
  g_autoptr (GadgetChatFolder) folder = NULL;
  g_autofree char *clean = NULL;
  g_autofree char *id = gadget_id_new ();

  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self) && name != NULL, NULL);

  clean = dup_clean_name (name);
  if (clean == NULL
      || (parent != NULL
          && (!knows (self, parent) || gadget_chat_folder_get_parent_id (parent) != NULL)))
    return NULL;
  folder = gadget_chat_folder_new (id, clean);
  know (self, folder, get_id (parent));
  update_parents (self);
  insert (self, folder);
  save (self, GADGET_CHAT_FOLDER_ADD, id, clean, get_id (parent));
  return folder; /* the model holds it */
}

gboolean
gadget_chat_folders_rename (GadgetChatFolders *self, GadgetChatFolder *folder, const char *name)
{
  g_autofree char *clean = NULL;

  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_CHAT_FOLDER (folder), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  clean = dup_clean_name (name);
  if (clean == NULL || !knows (self, folder))
    return FALSE;
  if (g_str_equal (clean, gadget_chat_folder_get_name (folder)))
    return TRUE;
  set_name (self, folder, clean);
  save (self, GADGET_CHAT_FOLDER_RENAME, gadget_chat_folder_get_id (folder), clean, NULL);
  return TRUE;
}

static gboolean
has_subfolders (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  for (guint i = 0; i < self->folders->len; i++)
    if (g_strcmp0 (gadget_chat_folder_get_parent_id (g_ptr_array_index (self->folders, i)),
                   gadget_chat_folder_get_id (folder))
        == 0)
      return TRUE;
  return FALSE;
}

gboolean
gadget_chat_folders_may_move (GadgetChatFolders *self, GadgetChatFolder *folder,
                              GadgetChatFolder *parent)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_CHAT_FOLDER (folder), FALSE);

  if (!knows (self, folder))
    return FALSE;
  return parent == NULL
         || (parent != folder && knows (self, parent)
             && gadget_chat_folder_get_parent_id (parent) == NULL
             && !has_subfolders (self, folder));
}

gboolean
gadget_chat_folders_move (GadgetChatFolders *self, GadgetChatFolder *folder,
                          GadgetChatFolder *parent)
{
  g_return_val_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_CHAT_FOLDER (folder), FALSE);

  if (!gadget_chat_folders_may_move (self, folder, parent))
    return FALSE;
  if (g_strcmp0 (gadget_chat_folder_get_parent_id (folder), get_id (parent)) == 0)
    return TRUE;
  set_parent (self, gadget_chat_folder_get_id (folder), get_id (parent));
  update_parents (self);
  save (self, GADGET_CHAT_FOLDER_MOVE, gadget_chat_folder_get_id (folder), NULL, get_id (parent));
  return TRUE;
}

void
gadget_chat_folders_remove (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  g_autoptr (GadgetChatFolder) hold = NULL;

  g_return_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_CHAT_FOLDER (folder));

  if (!knows (self, folder))
    return;
  hold = g_object_ref (folder);
  forget (self, folder);
  update_parents (self);
  take_out (self, folder);
  save (self, GADGET_CHAT_FOLDER_REMOVE, gadget_chat_folder_get_id (folder), NULL, NULL);
}

/* A removed folder keeps its name and the id of its parent, and what was in it keeps its id. */
void
gadget_chat_folders_restore (GadgetChatFolders *self, GadgetChatFolder *folder)
{
  const char *id, *parent_id;

  g_return_if_fail (GADGET_IS_CHAT_FOLDERS (self) && GADGET_IS_CHAT_FOLDER (folder));

  id = gadget_chat_folder_get_id (folder);
  parent_id = gadget_chat_folder_get_parent_id (folder);
  if (gadget_chat_folders_find (self, id) != NULL)
    return;
  know (self, folder, parent_id);
  save (self, GADGET_CHAT_FOLDER_ADD, id, gadget_chat_folder_get_name (folder), parent_id);
  update_parents (self);
  insert (self, folder);
}
