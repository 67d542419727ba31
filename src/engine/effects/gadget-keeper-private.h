/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-keeper.h"
#include "gadget-tracker.h"
#include "gadget-turnstile.h"

G_BEGIN_DECLS

/* One file, and all contents together. */
#define GADGET_KEEP_MAX_FILE (G_GUINT64_CONSTANT (200) << 20)
#define GADGET_KEEP_MAX_TOTAL (G_GUINT64_CONSTANT (2) << 30)

/**
 * GadgetKeeping:
 * @owner: the lease of this process
 * @queue: of jobs
 * @stopping: set with g_atomic_int_set () when what nobody waits for is to stop
 * @blobs: for any thread
 * @trackers: of workspaces, by path; of the keeper's thread
 * @lock: of @unkept
 * @unkept: (element-type utf8 guint): how many files of a workspace are still to be kept
 *
 * What the jobs work with.
 */
typedef struct
{
  char *directory;
  const char *owner;
  GAsyncQueue *queue;
  int stopping;
  GadgetBlobs *blobs;
  GHashTable *trackers;
  GMutex lock;
  GHashTable *unkept;
} GadgetKeeping;

/* Runs on the keeper's thread, after all that were queued before; sees no GObject. */
typedef void (*GadgetKeepingFunc) (GadgetKeeping *keeping, gpointer data);

const char    *_gadget_keeper_get_owner    (GadgetKeeper         *self,
                                            GError              **error);
GadgetBlobs   *_gadget_keeper_get_blobs    (GadgetKeeper         *self);
GadgetTurnstile *_gadget_keeper_get_turnstile (GadgetKeeper      *self);
void           _gadget_keeper_run_async    (GadgetKeeper         *self,
                                            GadgetKeepingFunc     func,
                                            gpointer              data,
                                            GDestroyNotify        free_data,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);

/* Nobody is told of its end, and the keeper does not wait for more than the one that runs. The
 * second one is for the thread itself. */
void           _gadget_keeper_run_detached (GadgetKeeper         *self,
                                            GadgetKeepingFunc     func,
                                            gpointer              data,
                                            GDestroyNotify        free_data);
void           _gadget_keeping_run_later   (GadgetKeeping        *keeping,
                                            GadgetKeepingFunc     func,
                                            gpointer              data,
                                            GDestroyNotify        free_data);
gpointer       _gadget_keeper_get_job_data (GAsyncResult         *result);
GadgetTracker *_gadget_keeping_get_tracker (GadgetKeeping        *keeping,
                                            const char           *root);
/* Goes on with what looks at a workspace had no time for; on the thread. */
void           _gadget_keeping_go_on       (GadgetKeeping        *keeping,
                                            const char           *root);
void           _gadget_keeping_note_unkept (GadgetKeeping        *keeping,
                                            const char           *root,
                                            guint                 n_unkept);
guint          _gadget_keeper_get_n_unkept (GadgetKeeper         *self,
                                            const char           *root);
/* Folders of a workspace that the last look at it left out, separated by line ends; NULL for none. */
void           _gadget_keeper_set_skipped   (GadgetKeeper        *self,
                                             const char          *root,
                                             const char          *skipped);
const char    *_gadget_keeper_get_skipped   (GadgetKeeper        *self,
                                             const char          *root);
void           _gadget_keeper_emit_recorded (GadgetKeeper        *self,
                                             const char          *turn_id);

G_END_DECLS
