/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Applies states to files. Undo and redo are the same operation: each file has a state to leave and
 * a state to reach. The steps:
 *
 *   1. Folders that cannot be written to or entered are made accessible when they are met.
 *   2. What must not exist is removed, the deepest paths first; folders only when they are empty.
 *   3. What must exist is made, the uppermost paths first: folders, then files. Contents are
 *      written for a batch of files. A thread waits until all of the batch is on the disk, while
 *      the next batch is written; then the files are renamed into place.
 *   4. Folders get their modes and times, the deepest first. Folders that were only written into
 *      get back the modes and times that they had.
 *
 * When the process is killed in between, each file is in one of its two states, and the next
 * attempt does the rest; only times of folders may then be those of the attempt. After a stop no
 * further file is begun: what was removed to make room for something is replaced, files that are
 * written are renamed into place, and folders get their modes and times.
 *
 * Before all of this each file was inspected and its content kept. So nothing that is overwritten
 * is lost, and a file that has changed in the moments since is left alone. Folders are opened below
 * the workspace's own descriptor without following any symbolic link. gadget-apply-state-file.c
 * handles one file. Everything runs on the snapshot thread. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-apply-state.h"

#include "gadget-apply-folders.h"
#include "gadget-apply-state-file.h"
#include "gadget-file-state.h"
#include "gadget-snapshot-service-private.h"
#include "common/gadget-fd-limit.h"
#include "workspace/gadget-replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A sync waits for the disk once per batch, however much other programs write, so batches are
 * large. Two batches exist at a time. Each file and each folder of a batch needs a descriptor;
 * OPEN_ELSEWHERE descriptors are left to the rest of the program. */
#define MAX_OPEN 5000
#define MIN_OPEN 100
#define OPEN_ELSEWHERE 500
#define MAX_BATCH_SIZE (G_GUINT64_CONSTANT (512) * 1024 * 1024)

/* Files that are written, but not renamed into place yet. */
typedef struct
{
  GPtrArray *written;      /* of GadgetUndoEntry */
  GPtrArray *replacements; /* of GadgetReplacement, in the same order */
  GArray *folders;         /* of int: descriptors of the folders that the files are in */
  char *path;              /* (nullable): of the last of @folders */
  guint64 size;            /* of the files, in bytes */
} Batch;

/* One run of _gadget_apply_state_run (). */
typedef struct
{
  GadgetBlobs *blobs;
  int root;
  gboolean redo;
  gboolean overwrite;
  GCancellable *cancellable; /* (nullable) */
  GPtrArray *entries;        /* the chosen ones, sorted by path */
  GPtrArray *done;
  GPtrArray *problems;
  GadgetApplyFolders *folders;
  Batch *batch;       /* the batch that is being written */
  Batch *waiting;     /* (nullable): the batch before it, until it is on the disk */
  GThread *thread;    /* (nullable): waits for the disk */
  guint max_open;     /* descriptors per batch */
  GHashTable *failed; /* of GadgetUndoEntry: entries that were not applied */
} ApplyState;

/* --- Parts -------------------------------------------------------------------------------------
 */

static const GadgetFileState *
get_target (const ApplyState *self, const GadgetUndoEntry *entry)
{
  return self->redo ? &entry->after : &entry->before;
}

static void
add_problem (ApplyState *self, const char *path, const char *what)
{
  g_autofree char *shown = g_filename_display_name (*path != '\0' ? path : ".");
  g_autofree char *prefix = g_strconcat (shown, ": ", NULL);

  /* Some messages begin with the file's name already. */
  if (g_str_has_prefix (what, prefix))
    what += strlen (prefix);
  g_ptr_array_add (self->problems, g_strconcat (prefix, what, NULL));
}

/* A folder's own mode or time is not worth a line where something in it failed as well. */
static gboolean
has_problem (const ApplyState *self, const char *path)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *prefix = g_strconcat (shown, ": ", NULL);

  for (guint i = 0; i < self->problems->len; i++)
    if (*path == '\0' || g_str_has_prefix (g_ptr_array_index (self->problems, i), prefix))
      return TRUE;
  return FALSE;
}

static void
add_errno (ApplyState *self, const char *path)
{
  add_problem (self, path, g_strerror (errno));
}

/* --- Batches -----------------------------------------------------------------------------------
 */

static void
replacement_free (gpointer replacement)
{
  gadget_replacement_free (replacement);
}

static void
close_folder (gpointer fd)
{
  close (*(int *) fd);
}

static Batch *
batch_new (void)
{
  Batch *batch = g_new0 (Batch, 1);

  batch->written = g_ptr_array_new ();
  batch->replacements = g_ptr_array_new_with_free_func (replacement_free);
  batch->folders = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_clear_func (batch->folders, close_folder);
  return batch;
}

static void
batch_free (Batch *batch)
{
  g_ptr_array_unref (batch->replacements);
  g_ptr_array_unref (batch->written);
  g_array_unref (batch->folders);
  g_free (batch->path);
  g_free (batch);
}

static void
end_file (ApplyState *self, GadgetUndoEntry *entry, gboolean done, const GError *error)
{
  _gadget_apply_folders_note_written (self->folders, entry->path);
  if (done)
    return;
  add_problem (self, entry->path, error->message);
  g_hash_table_add (self->failed, entry);
}

/* Waits until the batch before the current one is on the disk, and renames its files into place. */
static void
put_waiting (ApplyState *self)
{
  Batch *batch = g_steal_pointer (&self->waiting);

  g_clear_pointer (&self->thread, g_thread_join);
  for (guint i = 0; batch != NULL && i < batch->written->len; i++)
    {
      g_autoptr (GError) error = NULL;
      const gboolean done = gadget_replacement_commit (g_ptr_array_index (batch->replacements, i),
                                                       NULL, NULL, &error);

      end_file (self, g_ptr_array_index (batch->written, i), done, error);
    }
  g_clear_pointer (&batch, batch_free);
}

static gpointer
sync_in_thread (gpointer replacements)
{
  gadget_replacement_sync (replacements);
  return NULL;
}

/* Sends the current batch to the disk, and begins the next one. */
static void
end_batch (ApplyState *self)
{
  put_waiting (self);
  self->waiting = g_steal_pointer (&self->batch);
  self->batch = batch_new ();
  if (self->waiting->replacements->len == 0)
    return;
  self->thread =
      g_thread_try_new ("gadget-sync", sync_in_thread, self->waiting->replacements, NULL);
  if (self->thread == NULL)
    gadget_replacement_sync (self->waiting->replacements);
}

/* Renames all files that are written into place. */
static void
put_written (ApplyState *self)
{
  end_batch (self);
  put_waiting (self);
}

/* Returns the folder that @path is in, open until its batch ends, or -1 with errno. */
static int
open_parent (ApplyState *self, const char *path)
{
  g_autofree char *parent = _gadget_tree_dup_parent (path);
  int fd;

  if (self->batch->folders->len + self->batch->written->len >= self->max_open
      || self->batch->size >= MAX_BATCH_SIZE)
    end_batch (self);
  if (g_strcmp0 (self->batch->path, parent) == 0)
    return g_array_index (self->batch->folders, int, self->batch->folders->len - 1);
  fd = _gadget_apply_folders_open (self->folders, parent);
  if (fd < 0)
    return -1;
  g_array_append_val (self->batch->folders, fd);
  g_set_str (&self->batch->path, parent);
  return fd;
}

static void
folder_failed (const char *path, const char *message, gpointer user_data)
{
  ApplyState *self = user_data;

  if (!has_problem (self, path))
    add_problem (self, path, message);
}

static void
finish_folders (ApplyState *self, GPtrArray *due)
{
  for (guint i = 0; i < due->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (due, i);
      const GadgetFileState *target = get_target (self, entry);

      if (target->type == GADGET_FILE_FOLDER
          && !_gadget_apply_folders_set_state (self->folders, entry->path, target))
        add_errno (self, entry->path);
    }
  _gadget_apply_folders_finish (self->folders, folder_failed, self);
}

/* --- Steps -------------------------------------------------------------------------------------
 */

/* Returns whether the existing file must be removed first. Otherwise it stays, or a rename replaces
 * it. */
static gboolean
must_go (const ApplyState *self, const GadgetUndoEntry *entry)
{
  const GadgetFileState *target = get_target (self, entry);

  if (entry->now.type == GADGET_FILE_NONE)
    return FALSE;
  return target->type == GADGET_FILE_NONE
         || (entry->now.type != target->type
             && (entry->now.type == GADGET_FILE_FOLDER || target->type == GADGET_FILE_FOLDER));
}

static gboolean
remove_one (ApplyState *self, GadgetUndoEntry *entry)
{
  const int folder = open_parent (self, entry->path);
  g_autoptr (GError) error = NULL;

  if (folder < 0)
    {
      add_errno (self, entry->path);
      return FALSE;
    }
  if (!_gadget_apply_state_remove (folder, _gadget_tree_get_base_name (entry->path), entry, &error))
    {
      add_problem (self, entry->path, error->message);
      return FALSE;
    }
  _gadget_apply_folders_forget (self->folders, entry->path);
  entry->inode = 0;
  return TRUE;
}

static gboolean
make_folder (ApplyState *self, GadgetUndoEntry *entry)
{
  const int folder = open_parent (self, entry->path);

  if (folder >= 0 && mkdirat (folder, _gadget_tree_get_base_name (entry->path), 0700) == 0)
    return TRUE;
  add_errno (self, entry->path);
  return FALSE;
}

/* Writes a file of the current batch; it is renamed into place when the batch ends. */
static gboolean
write_file (ApplyState *self, int folder, const char *name, GadgetUndoEntry *entry,
            const GadgetFileState *target, GError **error)
{
  GadgetReplacement *replacement =
      _gadget_apply_state_write (self->blobs, folder, name, entry, target, error);

  if (replacement == NULL)
    return FALSE;
  g_ptr_array_add (self->batch->replacements, replacement);
  g_ptr_array_add (self->batch->written, entry);
  self->batch->size += target->size;
  return TRUE;
}

/* Returns whether the error is about space on the disk or about descriptors. */
static gboolean
is_lack (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_OPEN_FILES);
}

/* Files that are not renamed into place yet occupy space on the disk and descriptors. When either
 * runs out, they are put in place and the write is tried once more. */
static gboolean
write_with_room (ApplyState *self, int folder, const char *name, GadgetUndoEntry *entry,
                 const GadgetFileState *target, GError **error)
{
  g_autoptr (GError) lack = NULL;

  if (write_file (self, folder, name, entry, target, &lack))
    return TRUE;
  if (!is_lack (lack) || (self->batch->written->len == 0 && self->waiting == NULL))
    {
      g_propagate_error (error, g_steal_pointer (&lack));
      return FALSE;
    }
  put_written (self);
  folder = open_parent (self, entry->path);
  if (folder >= 0)
    return write_file (self, folder, name, entry, target, error);
  g_propagate_error (error, g_steal_pointer (&lack));
  return FALSE;
}

static void
make_file (ApplyState *self, GadgetUndoEntry *entry, const GadgetFileState *target)
{
  const char *name = _gadget_tree_get_base_name (entry->path);
  const int folder = open_parent (self, entry->path);
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  if (folder < 0)
    {
      add_errno (self, entry->path);
      g_hash_table_add (self->failed, entry);
      return;
    }
  if (gadget_file_state_same_content (&entry->now, target)
      && !_gadget_apply_state_has_other_links (folder, name))
    done = _gadget_apply_state_adjust (folder, name, entry, target, &error);
  else if (!_gadget_apply_state_is_kept (self->blobs, target))
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         "it has other names too, and its content is not kept");
  else if (target->type == GADGET_FILE_LINK)
    done = _gadget_apply_state_put_link (self->blobs, folder, name, entry, target, &error);
  else if (write_with_room (self, folder, name, entry, target, &error))
    return;
  end_file (self, entry, done, error);
}

static void
make_one (ApplyState *self, GadgetUndoEntry *entry)
{
  const GadgetFileState *target = get_target (self, entry);

  if (target->type != GADGET_FILE_FOLDER)
    make_file (self, entry, target);
  else if (entry->now.type != GADGET_FILE_FOLDER && !make_folder (self, entry))
    g_hash_table_add (self->failed, entry);
}

/* Returns whether the file is to be touched at all. */
static gboolean
is_due (ApplyState *self, GadgetUndoEntry *entry)
{
  const GadgetUndoState reached = self->redo ? GADGET_UNDO_STATE_DONE : GADGET_UNDO_STATE_UNDONE;
  const GadgetFileState *target = get_target (self, entry);

  if (entry->state == reached
      || (entry->state == GADGET_UNDO_STATE_CHANGED && (!self->overwrite || entry->quiet)))
    return FALSE;
  if (_gadget_apply_state_can_reach (self->blobs, &entry->now, target))
    return TRUE;
  add_problem (self, entry->path, "what it was is not kept");
  return FALSE;
}

/* Reads the state that the file has now. The content of a file that was written a moment ago is not
 * read again: its size and time identify it. */
static gboolean
read_done (ApplyState *self, GadgetParentFolder *parents, const GadgetUndoEntry *entry,
           GadgetFileState *now)
{
  const GadgetFileState *target = get_target (self, entry);

  if (target->type == GADGET_FILE_REGULAR && target->has_hash
      && _gadget_file_state_read (parents, entry->path, self->blobs, 0, now, NULL, NULL)
      && now->type == target->type && now->size == target->size && now->mtime == target->mtime)
    {
      memcpy (now->hash, target->hash, sizeof now->hash);
      now->has_hash = TRUE;
      return TRUE;
    }
  return _gadget_file_state_read (parents, entry->path, self->blobs, GADGET_SNAPSHOT_MAX_FILE, now,
                                  NULL, NULL);
}

static void
note_done (ApplyState *self, GadgetParentFolder *parents, const GadgetUndoEntry *entry)
{
  GadgetFileState now;

  if (!read_done (self, parents, entry, &now))
    now = *get_target (self, entry);
  g_ptr_array_add (self->done, gadget_change_new (entry->path, &entry->now, &now));
}

static GPtrArray *
find_due (ApplyState *self)
{
  GPtrArray *due = g_ptr_array_new ();

  for (guint i = 0; i < self->entries->len; i++)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (self->entries, i);

      if (is_due (self, entry))
        g_ptr_array_add (due, entry);
    }
  return due;
}

/* Returns whether the entry is not begun any more because of a stop, and marks it. */
static gboolean
leaves (ApplyState *self, GadgetUndoEntry *entry)
{
  entry->left = g_cancellable_is_cancelled (self->cancellable);
  return entry->left;
}

static void
run_steps (ApplyState *self)
{
  g_autoptr (GPtrArray) due = find_due (self);
  g_auto (GadgetParentFolder) parents = { self->root, NULL, -1 };

  for (guint i = due->len; i > 0; i--)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (due, i - 1);

      if (must_go (self, entry) && (leaves (self, entry) || !remove_one (self, entry)))
        g_ptr_array_remove_index (due, i - 1);
    }
  put_written (self); /* the folders of removed files may be removed as well */
  for (guint i = 0; i < due->len; i++)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (due, i);

      if (get_target (self, entry)->type == GADGET_FILE_NONE)
        continue;
      if (!must_go (self, entry) && leaves (self, entry))
        g_hash_table_add (self->failed, entry);
      else
        make_one (self, entry);
    }
  put_written (self);
  for (guint i = due->len; i > 0; i--)
    if (g_hash_table_contains (self->failed, g_ptr_array_index (due, i - 1)))
      g_ptr_array_remove_index (due, i - 1);
  finish_folders (self, due);
  for (guint i = 0; i < due->len; i++)
    note_done (self, &parents, g_ptr_array_index (due, i));
}

/* Raises this process's limit of descriptors for now. Returns how many a batch may have. */
static guint
raise_limit (void)
{
  const guint limit = gadget_fd_limit_raise (2 * MAX_OPEN + OPEN_ELSEWHERE);

  if (limit <= 2 * MIN_OPEN + OPEN_ELSEWHERE)
    return MIN_OPEN;
  return MIN ((limit - OPEN_ELSEWHERE) / 2, MAX_OPEN);
}

void
_gadget_apply_state_run (GadgetBlobs *blobs, const char *root, GPtrArray *entries, gboolean redo,
                         gboolean overwrite, GCancellable *cancellable, GPtrArray *done,
                         GPtrArray *problems)
{
  g_autofd int fd = _gadget_scan_open_root (root);
  ApplyState self = {
    .blobs = blobs,
    .root = fd,
    .redo = redo,
    .overwrite = overwrite,
    .cancellable = cancellable,
    .entries = entries,
    .done = done,
    .problems = problems,
  };

  if (fd < 0)
    {
      add_errno (&self, root);
      return;
    }
  self.folders = _gadget_apply_folders_new (fd);
  self.batch = batch_new ();
  self.max_open = raise_limit ();
  self.failed = g_hash_table_new (g_direct_hash, g_direct_equal);
  run_steps (&self);
  gadget_fd_limit_lower ();
  batch_free (self.batch);
  g_hash_table_unref (self.failed);
  _gadget_apply_folders_free (self.folders);
}
