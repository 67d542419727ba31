/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-keeper.h"
#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

#define GADGET_UNDO_ERROR (gadget_undo_error_quark ())
GQuark gadget_undo_error_quark (void);

/**
 * GadgetUndoError:
 * @GADGET_UNDO_ERROR_PENDING: it is not yet known what the turn changed
 * @GADGET_UNDO_ERROR_BUSY: a command is running in the folder
 * @GADGET_UNDO_ERROR_CHANGED: files have changed since; the caller may choose to skip or overwrite
 * @GADGET_UNDO_ERROR_MISSING: the folder, which the message names, is not there
 * @GADGET_UNDO_ERROR_LOST: nothing is on record of what the turn changed, though it may have
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
 * @GADGET_UNDO_STATE_DONE: the file is as the turn left it: the change can be taken back
 * @GADGET_UNDO_STATE_UNDONE: it is as it was before the turn: the change can be made again
 * @GADGET_UNDO_STATE_CHANGED: it is neither: somebody changed it since
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
 * @GADGET_UNDO_OVERWRITE: take their contents away; they are kept
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
 * @state: how it is now
 * @interleaved: between two changes of the turn somebody else changed it, which undoing would lose,
 *   or another turn was at work there at that time; treated as %GADGET_UNDO_STATE_CHANGED
 * @can_undo: what it was is kept
 * @can_redo: what it became is kept
 * @quiet: only times, or a folder's own data: not worth a line for people
 * @n_added: lines, or -1 where they are not counted (no text, or a long one)
 *
 * What one turn did to one file, all its effects together.
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
  gboolean chosen; /* of the functions here, as the next */
  guint64 inode;   /* of what is there now, or 0 */
} GadgetUndoEntry;

/**
 * GadgetUndoList:
 * @recording: how far all of it is on record; while it is %GADGET_RECORDING_PENDING nothing can be
 *   undone
 * @skipped: (nullable): folders in which nothing was recorded, separated by line ends
 * @missing: (nullable): a folder of these that is not there now: what is said of how its files are
 *   means nothing
 * @entries: (element-type GadgetUndoEntry): sorted by path
 */
typedef struct
{
  GadgetRecording recording;
  char *skipped;
  char *missing;
  GPtrArray *entries;
} GadgetUndoList;

void            gadget_undo_list_free    (GadgetUndoList       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoList, gadget_undo_list_free)

/**
 * GadgetUndoReport:
 * @n_done: files that were changed
 * @n_skipped: files that were left alone, since they had changed
 * @n_left: files that it did not come to, since it was stopped
 * @is_partial: the turn also made changes that could not be recorded, which stay as they are
 * @problems: (element-type utf8): what could not be done, in words
 */
typedef struct
{
  guint n_done;
  guint n_skipped;
  guint n_left;
  gboolean is_partial;
  GPtrArray *problems;
} GadgetUndoReport;

void              gadget_undo_report_free  (GadgetUndoReport     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoReport, gadget_undo_report_free)

void              gadget_undo_list_async   (GadgetKeeper         *keeper,
                                            const char           *turn_id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GadgetUndoList   *gadget_undo_list_finish  (GAsyncResult         *result,
                                            GError              **error);
void              gadget_undo_apply_async  (GadgetKeeper         *keeper,
                                            const char           *turn_id,
                                            gboolean              redo,
                                            const char *const    *paths,
                                            GadgetUndoPolicy      policy,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GadgetUndoReport *gadget_undo_apply_finish (GAsyncResult         *result,
                                            GError              **error);

G_END_DECLS
