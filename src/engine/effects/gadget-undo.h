/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-snapshot-service.h"
#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

#define GADGET_UNDO_ERROR (gadget_undo_error_quark ())
GQuark            gadget_undo_error_quark  (void);

/**
 * GadgetUndoError:
 * @GADGET_UNDO_ERROR_PENDING: the changes of the turn are not fully recorded yet
 * @GADGET_UNDO_ERROR_BUSY: a command is running in the folder
 * @GADGET_UNDO_ERROR_CHANGED: files have changed since; the caller may choose to skip or overwrite
 * @GADGET_UNDO_ERROR_MISSING: the folder, which the message names, does not exist
 * @GADGET_UNDO_ERROR_LOST: no changes of the turn are recorded, though it may have made some
 *
 * Errors of gadget_undo_apply_async ().
 */
typedef enum
{
  GADGET_UNDO_ERROR_PENDING,
  GADGET_UNDO_ERROR_BUSY,
  GADGET_UNDO_ERROR_CHANGED,
  GADGET_UNDO_ERROR_MISSING,
  GADGET_UNDO_ERROR_LOST,
} GadgetUndoError;

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
 * GadgetUndoPolicy:
 * @GADGET_UNDO_REFUSE: do nothing at all if a file has changed since
 * @GADGET_UNDO_SKIP: leave those files alone
 * @GADGET_UNDO_OVERWRITE: replace their contents, which are kept
 *
 * What to do about files in %GADGET_UNDO_STATE_CHANGED.
 */
typedef enum
{
  GADGET_UNDO_REFUSE,
  GADGET_UNDO_SKIP,
  GADGET_UNDO_OVERWRITE,
} GadgetUndoPolicy;

/**
 * GadgetUndoEntry:
 * @root: the folder that @path is relative to
 * @path: in the encoding of the file system
 * @before: how the file was before the turn
 * @after: how the turn left it
 * @now: how it was when it was inspected
 * @state: what @now means
 * @interleaved: somebody else changed the file between two changes of the turn, which undoing would
 *   lose, or another turn was at work there at that time; such a file is never
 *   %GADGET_UNDO_STATE_DONE but %GADGET_UNDO_STATE_CHANGED
 * @can_undo: the content of @before is kept
 * @can_redo: the content of @after is kept
 * @quiet: only times differ, or data of a folder; not worth a line for the user
 * @n_added: lines, or -1 where they are not counted: not a text, or a long one
 * @n_removed: the same
 *
 * What all effects of one turn together did to one file.
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
  gboolean chosen; /* private, like inode: the caller asked for this entry */
  guint64 inode;   /* of the file as it is now; 0 when there is none */
} GadgetUndoEntry;

/**
 * GadgetUndoList:
 * @recording: how far the turn is recorded; while it is %GADGET_RECORDING_PENDING nothing can be
 *   undone
 * @skipped: (nullable): folders in which nothing was recorded, separated by newlines
 * @missing: (nullable): one of the entries' folders that does not exist now: then the states of its
 *   files mean nothing
 * @entries: (element-type GadgetUndoEntry): sorted by folder, then by path
 *
 * What one turn did to files.
 */
typedef struct
{
  GadgetRecording recording;
  char *skipped;
  char *missing;
  GPtrArray *entries;
} GadgetUndoList;

void              gadget_undo_list_free    (GadgetUndoList        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoList, gadget_undo_list_free)

/**
 * GadgetUndoReport:
 * @n_done: files that were changed
 * @n_skipped: files that were left alone because they had changed
 * @n_left: files that were not begun because of a stop
 * @is_partial: the turn also made changes that could not be recorded, which stay as they are
 * @problems: (element-type utf8): what could not be done, one message each, for the user
 *
 * What undoing or redoing a turn did.
 */
typedef struct
{
  guint n_done;
  guint n_skipped;
  guint n_left;
  gboolean is_partial;
  GPtrArray *problems;
} GadgetUndoReport;

void              gadget_undo_report_free  (GadgetUndoReport      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoReport, gadget_undo_report_free)

void              gadget_undo_list_async   (GadgetSnapshotService *service,
                                            const char            *turn_id,
                                            GAsyncReadyCallback    callback,
                                            gpointer               user_data);
GadgetUndoList   *gadget_undo_list_finish  (GAsyncResult          *result,
                                            GError               **error);
void              gadget_undo_apply_async  (GadgetSnapshotService *service,
                                            const char            *turn_id,
                                            gboolean               redo,
                                            const char     *const *paths,
                                            GadgetUndoPolicy       policy,
                                            GCancellable          *cancellable,
                                            GAsyncReadyCallback    callback,
                                            gpointer               user_data);
GadgetUndoReport *gadget_undo_apply_finish (GAsyncResult          *result,
                                            GError               **error);

G_END_DECLS
