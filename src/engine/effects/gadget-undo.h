/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-undo-list.h"

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
 * GadgetUndoPolicy:
 * @GADGET_UNDO_REFUSE: do nothing at all if a file has changed since
 * @GADGET_UNDO_SKIP: leave those files alone
 * @GADGET_UNDO_OVERWRITE: replace their contents, which are kept
 *
 * The treatment of files in %GADGET_UNDO_STATE_CHANGED.
 */
typedef enum
{
  GADGET_UNDO_REFUSE,
  GADGET_UNDO_SKIP,
  GADGET_UNDO_OVERWRITE,
} GadgetUndoPolicy;

/**
 * GadgetUndoReport:
 * @n_done: files and folders that were changed
 * @n_folders_done: those of @n_done that are folders
 * @n_skipped: files that were left alone because they had changed
 * @n_left: files and folders that were not begun because of a stop
 * @n_files_left: those of @n_left that are not folders, which
 *   gadget_turn_changes_get_n_files () does not count either
 * @is_partial: the turn also made changes that could not be recorded, which stay as they are
 * @problems: (element-type utf8): what could not be done, one message each, for the user
 *
 * The outcome of undoing or redoing a turn.
 */
typedef struct
{
  guint n_done;
  guint n_folders_done;
  guint n_skipped;
  guint n_left;
  guint n_files_left;
  gboolean is_partial;
  GPtrArray *problems;
} GadgetUndoReport;

void              gadget_undo_report_free  (GadgetUndoReport      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoReport, gadget_undo_report_free)

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
