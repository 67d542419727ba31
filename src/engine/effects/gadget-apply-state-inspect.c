/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the current states of files, which tell whether a change is done, undone, or neither. Runs
 * on the snapshot thread. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-apply-state.h"

#include "gadget-file-state.h"
#include "gadget-snapshot-service-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_COUNTED (512 * 1024)

/* A file that undo has made again has no access list. */
static gboolean
has_mode (const GadgetFileState *now, const GadgetFileState *state)
{
  return ((now->mode ^ state->mode) & GADGET_MODE_PERMISSIONS) == 0
         || ((now->mode & GADGET_MODE_HAS_LIST) == 0
             && now->mode == gadget_file_state_get_plain_mode (state));
}

/* Returns whether the file is in @state, where @other is the state on the other side of the change.
 * Times decide only for a change of times alone. */
static gboolean
is_at (const GadgetFileState *now, const GadgetFileState *state, const GadgetFileState *other)
{
  if (!gadget_file_state_same_content (now, state))
    return FALSE;
  if (now->type == GADGET_FILE_NONE)
    return TRUE;
  if (now->type != GADGET_FILE_LINK && !has_mode (now, state))
    return FALSE;
  return !gadget_file_state_same (state, other) || now->mtime == state->mtime;
}

gboolean
_gadget_apply_state_is_kept (GadgetBlobs *blobs, const GadgetFileState *state)
{
  switch (state->type)
    {
    case GADGET_FILE_NONE:
    case GADGET_FILE_FOLDER:
      return TRUE;
    case GADGET_FILE_REGULAR:
    case GADGET_FILE_LINK:
      return state->has_hash && _gadget_blobs_has (blobs, (const GadgetHash *) state->hash);
    case GADGET_FILE_SPECIAL:
    default:
      return FALSE;
    }
}

/* A change of times or mode alone needs no kept content. */
gboolean
_gadget_apply_state_can_reach (GadgetBlobs *blobs, const GadgetFileState *from,
                               const GadgetFileState *to)
{
  return gadget_file_state_same_content (from, to) || _gadget_apply_state_is_kept (blobs, to);
}

static void
set_state (GadgetUndoEntry *entry)
{
  if (is_at (&entry->now, &entry->after, &entry->before))
    entry->state = GADGET_UNDO_STATE_DONE;
  else if (is_at (&entry->now, &entry->before, &entry->after))
    entry->state = GADGET_UNDO_STATE_UNDONE;
  else
    entry->state = GADGET_UNDO_STATE_CHANGED;
  if (entry->interleaved && entry->state == GADGET_UNDO_STATE_DONE)
    entry->state = GADGET_UNDO_STATE_CHANGED;
}

/* Counts lines that only one of the texts has. A line that moved does not count. */
static void
count_lines (GadgetUndoEntry *entry, GBytes *before, GBytes *after)
{
  g_autoptr (GHashTable) lines =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  GBytes *const texts[] = { before, after };
  int counts[] = { 0, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      gsize length = 0;
      const char *bytes = texts[i] != NULL ? g_bytes_get_data (texts[i], &length) : NULL;
      const char *at = bytes != NULL ? bytes : "";
      const char *end = at + length;

      if (length > 0 && memchr (at, '\0', length) != NULL)
        return;
      while (at < end)
        {
          const char *newline = memchr (at, '\n', (gsize) (end - at));
          const char *next = newline != NULL ? newline + 1 : end;
          GBytes *line = g_bytes_new_with_free_func (at, (gsize) (next - at), NULL, NULL);
          const int n = GPOINTER_TO_INT (g_hash_table_lookup (lines, line));

          counts[i] += i == 0 || n <= 0;
          counts[0] -= i == 1 && n > 0;
          g_hash_table_insert (lines, line, GINT_TO_POINTER (i == 0 ? n + 1 : n - 1));
          at = next;
        }
    }
  entry->n_removed = counts[0];
  entry->n_added = counts[1];
}

static gboolean
read_text (GadgetBlobs *blobs, const GadgetFileState *state, GBytes **text)
{
  if (state->type == GADGET_FILE_NONE)
    return TRUE;
  if (state->type == GADGET_FILE_REGULAR && state->has_hash && state->size <= MAX_COUNTED)
    *text = _gadget_blobs_read (blobs, (const GadgetHash *) state->hash, MAX_COUNTED, NULL);
  return *text != NULL;
}

/* A file that cannot be read is GADGET_UNDO_STATE_CHANGED: neither done nor undone. */
static void
read_now (GadgetBlobs *blobs, GadgetParentFolder *parents, GadgetUndoEntry *entry, guint64 max_size)
{
  g_autoptr (GError) error = NULL;

  entry->now = (GadgetFileState) { GADGET_FILE_NONE };
  entry->inode = 0;
  if (parents->root >= 0)
    _gadget_file_state_read (parents, entry->path, blobs, max_size, &entry->now, &entry->inode,
                             &error);
  set_state (entry);
  if (error != NULL && entry->now.type == GADGET_FILE_NONE)
    entry->state = GADGET_UNDO_STATE_CHANGED;
}

gboolean
_gadget_apply_state_inspect (GadgetBlobs *blobs, GPtrArray *entries, gboolean shown,
                             GCancellable *cancellable)
{
  const char *opened = NULL;
  g_autofd int root = -1;
  g_auto (GadgetParentFolder) parents = { -1, NULL, -1 };

  for (guint i = 0; i < entries->len; i++)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (entries, i);
      g_autoptr (GBytes) before = NULL;
      g_autoptr (GBytes) after = NULL;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      /* The entries are sorted by root. */
      if (g_strcmp0 (entry->root, opened) != 0)
        {
          g_clear_fd (&root, NULL);
          root = _gadget_scan_open_root (entry->root);
          opened = entry->root;
          _gadget_parent_folder_clear (&parents);
          parents.root = root;
        }
      read_now (blobs, &parents, entry, shown ? 0 : GADGET_SNAPSHOT_MAX_FILE);
      if (shown && entry->state == GADGET_UNDO_STATE_CHANGED)
        read_now (blobs, &parents, entry, GADGET_SNAPSHOT_MAX_FILE);
      if (!shown)
        continue;
      entry->can_undo = _gadget_apply_state_can_reach (blobs, &entry->after, &entry->before);
      entry->can_redo = _gadget_apply_state_can_reach (blobs, &entry->before, &entry->after);
      entry->n_added = entry->n_removed = -1;
      if (read_text (blobs, &entry->before, &before) && read_text (blobs, &entry->after, &after)
          && (before != NULL || after != NULL))
        count_lines (entry, before, after);
    }
  return TRUE;
}
