/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

/**
 * GadgetUndoState:
 * @GADGET_UNDO_STATE_DONE: the file is as the turn left it: the change can be undone
 * @GADGET_UNDO_STATE_UNDONE: the file is as it was before the turn: the change can be redone
 * @GADGET_UNDO_STATE_CHANGED: the file is in neither state: somebody changed it since
 *
 * How a file is now, compared with the turn.
 */
typedef enum
{
  GADGET_UNDO_STATE_DONE,
  GADGET_UNDO_STATE_UNDONE,
  GADGET_UNDO_STATE_CHANGED,
} GadgetUndoState;

/**
 * GadgetUndoEntry:
 * @root: the folder that @path is relative to
 * @path: in the encoding of the file system
 * @before: how the file was before the turn
 * @after: how the turn left it
 * @now: how it was when it was inspected
 * @state: what @now means
 * @interleaved: somebody else changed the file between two changes of the turn, or may have done so
 *   during a command (a file tool of another turn, or the user), which undoing would lose; such a
 *   file is never %GADGET_UNDO_STATE_DONE but %GADGET_UNDO_STATE_CHANGED
 * @can_undo: the content of @before is kept
 * @can_redo: the content of @after is kept
 * @quiet: only times differ, or data of a folder; not worth a line for the user
 * @n_added: lines, or -1 where they are not counted: not a text, or a long one
 * @n_removed: the same
 *
 * The sum of all effects of one turn on one file.
 */
typedef struct
{
  char *root;
  char *path;
  GadgetFileState before;
  GadgetFileState after;
  GadgetFileState now;
  GadgetUndoState state;
  gboolean interleaved;
  gboolean can_undo;
  gboolean can_redo;
  gboolean quiet;
  int n_added;
  int n_removed;
  gboolean chosen; /* private, like the next two: the caller asked for this entry */
  gboolean left;   /* not begun because of a stop */
  guint64 inode;   /* of the file as it is now; 0 when there is none */
} GadgetUndoEntry;

G_END_DECLS
