/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the first command in a folder would have to wait for is done beforehand, from the moment at
 * which a chat has the folder: its files are looked at and their contents kept, a tenth of a second
 * at a time at the end of the keeper's queue. Nobody's life is made longer by it: when the keeper
 * goes it stops. */

#define G_LOG_DOMAIN "gadget-keeper"

#include "config.h"

#include "gadget-keeper-private.h"
#include "gadget-recover.h"

#include "common/gadget-blocking.h"

#include <stdlib.h>

typedef struct
{
  char *root;
  gboolean begun;
} Slice;

static void
slice_free (gpointer data)
{
  Slice *slice = data;

  g_free (slice->root);
  g_free (slice);
}

static void
keep_slice (GadgetKeeping *keeping, gpointer data)
{
  Slice *slice = data;
  GadgetTracker *tracker = _gadget_keeping_get_tracker (keeping, slice->root);

  if (slice->begun)
    _gadget_tracker_set_queued (tracker, FALSE);
  else
    _gadget_tracker_look_again (tracker);
  /* A command runs; or one came, whose look has done the rest. */
  if (slice->begun != _gadget_tracker_is_ahead (tracker))
    return;
  _gadget_tracker_keep_ahead (tracker, &keeping->stopping, keeping->queue);
  _gadget_keeping_note_unkept (keeping, slice->root, _gadget_tracker_get_n_unkept (tracker));
  _gadget_keeping_go_on (keeping, slice->root);
}

void
_gadget_keeping_go_on (GadgetKeeping *keeping, const char *root)
{
  GadgetTracker *tracker = _gadget_keeping_get_tracker (keeping, root);
  Slice *next;

  if (!_gadget_tracker_is_ahead (tracker) || _gadget_tracker_is_queued (tracker))
    return;
  _gadget_tracker_set_queued (tracker, TRUE);
  next = g_new0 (Slice, 1);
  next->root = g_strdup (root);
  next->begun = TRUE;
  _gadget_keeping_run_later (keeping, keep_slice, next, slice_free);
}

static void
weak_ref_free (GWeakRef *keeper)
{
  g_weak_ref_clear (keeper);
  g_free (keeper);
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Slice *slice = g_new0 (Slice, 1);

  slice->root = user_data;
  _gadget_recover_finish (result);
  _gadget_keeper_run_detached (GADGET_KEEPER (source), keep_slice, slice, slice_free);
}

static gpointer
find_root (GadgetBlocking *job, gpointer workspace, GCancellable *cancellable, GError **error)
{
  char *root = realpath (workspace, NULL);

  if (root == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no such folder");
  return root;
}

static void
root_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr (GadgetKeeper) keeper = g_weak_ref_get (weak);
  g_autofree char *root = gadget_blocking_run_finish (result, NULL);

  weak_ref_free (weak);
  /* Without what a killed command left being looked at, it would be lost here. */
  if (keeper != NULL && root != NULL)
    _gadget_recover_async (keeper, recovered_cb, g_steal_pointer (&root));
}

/**
 * gadget_keeper_prepare:
 * @workspace: absolute path
 *
 * Begins to keep what is needed to undo commands in a folder; in the background.
 */
void
gadget_keeper_prepare (GadgetKeeper *self, const char *workspace)
{
  GWeakRef *weak;

  g_return_if_fail (GADGET_IS_KEEPER (self) && workspace != NULL);

  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  gadget_blocking_run_async (NULL, find_root, g_strdup (workspace), g_free, g_free, root_found_cb,
                             weak);
}
