/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: keeps the contents of the files of a tree. */

#pragma once

#include "common/gadget-job-queue.h"
#include "gadget-tree.h"

G_BEGIN_DECLS

/* Limits in bytes for what is kept before it is changed: for one file, and for one workspace. */
#define GADGET_KEEP_MAX_FILE (G_GUINT64_CONSTANT (10) << 20)
#define GADGET_KEEP_MAX_WORKSPACE (G_GUINT64_CONSTANT (1) << 30)

/**
 * GadgetKeepLimits:
 * @until: monotonic time at which keeping ends; 0: never
 * @stopping: (nullable): keeping ends when this is set
 * @queue: (nullable): keeping ends when a job waits in it
 * @changed_only: keep only what changed since the last snapshot
 *
 * When keeping ends before all is kept.
 */
typedef struct
{
  gint64 until;
  const int *stopping;
  GadgetJobQueue *queue;
  gboolean changed_only;
} GadgetKeepLimits;

/* Returns whether it is time to end. */
gboolean _gadget_keep_is_over    (const GadgetKeepLimits *self);

/* Keeps what is not kept yet of a tree that was scanned in the folder @top, and notes it in the
 * entries. Blocks. A file that cannot be kept, for whatever reason, cannot be undone; the next
 * snapshot tries again. Sets @error to %G_IO_ERROR_NO_SPACE when nothing more should be tried.
 * Returns whether anything was kept. */
gboolean _gadget_tree_keep       (GadgetTree             *tree,
                                  int                     top,
                                  GadgetBlobs            *blobs,
                                  const GadgetKeepLimits *limits,
                                  GError                **error);

/* Sets how many bytes of the tree are kept, and how many files are not kept because there was no
 * room. */
void     _gadget_tree_count_kept (const GadgetTree       *tree,
                                  guint64                *size,
                                  guint                  *n_without_room);

G_END_DECLS
