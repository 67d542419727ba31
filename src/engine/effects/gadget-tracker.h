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

/**
 * GadgetLookTerms:
 * @phase: see #GadgetLookPhase
 * @known: the workspace was looked at before, by this process or another
 * @wanted_at: (nullable): of _gadget_moment_next (): a look that was over since then is not made again
 * @until: monotonic time: what did not change since the last look is kept until then, if it is not yet
 * @since: when a command began without waiting for it; see _gadget_look_terms_begin ()
 * @partly: set at the end: not all is known of how the workspace was at @since
 * @n_unkept: set at the end: files of which something is still to be kept
 *
 * What a look is for. The first two are read by other threads with g_atomic_int_get ().
 */
typedef struct
{
  int phase;
  int known;
  gint64 wanted_at;
  gint64 until;
  gint64 since;
  gboolean partly;
  guint n_unkept;
} GadgetLookTerms;

/* A command begins now. Returns whether it is not known yet how the workspace is. */
gboolean       _gadget_look_terms_begin  (GadgetLookTerms     *terms);

/* So much is kept before anybody changes it: of one file, and of one workspace. */
#define GADGET_KEEP_AHEAD_FILE (G_GUINT64_CONSTANT (10) << 20)
#define GADGET_KEEP_AHEAD_WORKSPACE (G_GUINT64_CONSTANT (1) << 30)

GadgetTracker *_gadget_tracker_new       (const char          *directory,
                                          const char          *root,
                                          GadgetBlobs         *blobs);
void           _gadget_tracker_free      (GadgetTracker       *self);

/* Looks at the workspace. Returns what differs from the last look, or NULL with an error. */
GPtrArray     *_gadget_tracker_look      (GadgetTracker       *self,
                                          GadgetLookTerms     *terms,
                                          GCancellable        *cancellable,
                                          GError             **error);
/* The same for a command of another process, which began at that moment (in microseconds since
 * 1970): what it left on disk is newer than what was known here before that. */
GPtrArray     *_gadget_tracker_look_since (GadgetTracker      *self,
                                           gint64              begun);
/* The same beforehand, a little at a time, and what looks had no time for. Returns whether there is
 * more to do. Ends as soon as STOPPING is set, or something waits in QUEUE. */
gboolean       _gadget_tracker_keep_ahead (GadgetTracker      *self,
                                           const int          *stopping,
                                           GAsyncQueue        *queue);
gboolean       _gadget_tracker_is_ahead   (GadgetTracker      *self);
/* What goes on begins with a new look, unless a command runs. */
void           _gadget_tracker_look_again (GadgetTracker      *self);

/* Gadget itself has changed files of the workspace since the last look. */
void           _gadget_tracker_set_stale (GadgetTracker       *self);

/* Whether a slice of it waits in the queue. */
gboolean       _gadget_tracker_is_queued  (GadgetTracker      *self);
void           _gadget_tracker_set_queued (GadgetTracker      *self,
                                           gboolean            queued);
guint          _gadget_tracker_get_n_unkept (GadgetTracker    *self);

/* How many files were not kept for want of room, though none of them is too large. */
guint          _gadget_tracker_get_n_without_room (GadgetTracker *self);
gboolean       _gadget_tracker_has_looked (GadgetTracker      *self);

/* The commands that run in it now, by their rows in the ledger. */
void           _gadget_tracker_set_running (GadgetTracker     *self,
                                            gint64             effect,
                                            gboolean           running);
/* Not all is known of how the workspace was when the command began. */
void           _gadget_tracker_set_partly  (GadgetTracker     *self,
                                            gint64             effect);
gboolean       _gadget_tracker_is_partly   (GadgetTracker     *self,
                                            gint64             effect);
gint64         _gadget_tracker_get_running (GadgetTracker     *self);
char          *_gadget_tracker_dup_skipped (GadgetTracker     *self);

/* For tests: called on the keeper's thread in each look, when it is known how the workspace is and
 * nothing of that was kept yet. */
void           _gadget_tracker_set_scanned_func (void        (*func) (gpointer),
                                                 gpointer      data);

G_END_DECLS
