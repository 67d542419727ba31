/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what is known of the workspaces, on the keeper's thread alone. */

#pragma once

#include "gadget-scan.h"

G_BEGIN_DECLS

typedef struct _GadgetTracker GadgetTracker;

/**
 * GadgetLookPhase:
 * @GADGET_LOOK_WAITING: others come first
 * @GADGET_LOOK_SCANNING: it is not known yet how the workspace is
 * @GADGET_LOOK_KEEPING: that is known, and contents are being kept
 *
 * How far a look at a workspace has come; read by other threads.
 */
typedef enum
{
  GADGET_LOOK_WAITING,
  GADGET_LOOK_SCANNING,
  GADGET_LOOK_KEEPING,
} GadgetLookPhase;

/* So much is kept before anybody changes it: of one file, and of one workspace. */
#define GADGET_KEEP_AHEAD_FILE (G_GUINT64_CONSTANT (10) << 20)
#define GADGET_KEEP_AHEAD_WORKSPACE (G_GUINT64_CONSTANT (1) << 30)

GadgetTracker *_gadget_tracker_new       (const char          *directory,
                                          const char          *root,
                                          GadgetBlobs         *blobs);
void           _gadget_tracker_free      (GadgetTracker       *self);

/* Looks at the workspace. Returns what differs from the last look, or NULL with an error. PHASE is
 * set with g_atomic_int_set (). */
GPtrArray     *_gadget_tracker_look      (GadgetTracker       *self,
                                          int                 *phase,
                                          GCancellable        *cancellable,
                                          GError             **error);
/* The same for a command of another process, which began at that moment (in microseconds since
 * 1970): what it left on disk is newer than what was known here before that. */
GPtrArray     *_gadget_tracker_look_since (GadgetTracker      *self,
                                           gint64              begun,
                                           int                *phase);
/* The same beforehand, a little at a time: until a command begins it may be gone on with. Returns
 * whether there is more to do. Ends as soon as STOPPING is set. */
gboolean       _gadget_tracker_keep_ahead (GadgetTracker      *self,
                                           const int          *stopping);
gboolean       _gadget_tracker_is_ahead   (GadgetTracker      *self);

/* How many files were not kept for want of room, though none of them is too large. */
guint          _gadget_tracker_get_n_without_room (GadgetTracker *self);
gboolean       _gadget_tracker_has_looked (GadgetTracker      *self);

/* The commands that run in it now, by their rows in the ledger. */
void           _gadget_tracker_set_running (GadgetTracker     *self,
                                            gint64             effect,
                                            gboolean           running);
gint64         _gadget_tracker_get_running (GadgetTracker     *self);
char          *_gadget_tracker_dup_skipped (GadgetTracker     *self);

/* For tests: called on the keeper's thread in each look, when it is known how the workspace is and
 * nothing of that was kept yet. */
void           _gadget_tracker_set_scanned_func (void        (*func) (gpointer),
                                                 gpointer      data);

G_END_DECLS
