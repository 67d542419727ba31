/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runs of this process. Everything that stops work finds the runs here. Everything happens on
 * the main context. */

#define G_LOG_DOMAIN "gadget-registry"

#include "config.h"

#include "gadget-registry.h"

struct _GadgetRegistry
{
  GObject parent_instance;

  GPtrArray *runs; /* of GadgetRun, in the order in which they were added */
};

enum
{
  ADDED,
  REMOVED,
  ABORT_ALL,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetRegistry, gadget_registry, G_TYPE_OBJECT)

static void
gadget_registry_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_REGISTRY (object)->runs);

  G_OBJECT_CLASS (gadget_registry_parent_class)->finalize (object);
}

static gboolean
any_accumulator (GSignalInvocationHint *hint, GValue *sum, const GValue *answer, gpointer data)
{
  if (g_value_get_boolean (answer))
    g_value_set_boolean (sum, TRUE);
  return TRUE;
}

static void
gadget_registry_class_init (GadgetRegistryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_registry_finalize;

  signals[ADDED] = g_signal_new ("added", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_RUN);
  signals[REMOVED] = g_signal_new ("removed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_RUN);
  signals[ABORT_ALL] = g_signal_new ("abort-all", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     any_accumulator, NULL, NULL, G_TYPE_BOOLEAN, 0);
}

static void
gadget_registry_init (GadgetRegistry *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetRegistry *
gadget_registry_new (void)
{
  return g_object_new (GADGET_TYPE_REGISTRY, NULL);
}

/**
 * gadget_registry_add:
 * @run: a run whose id no other run in the registry has
 *
 * Adds a run, which can be aborted from now on. To be called before the start of the run is
 * acknowledged to anybody.
 */
void
gadget_registry_add (GadgetRegistry *self, GadgetRun *run)
{
  g_return_if_fail (GADGET_IS_REGISTRY (self) && GADGET_IS_RUN (run));
  g_return_if_fail (gadget_registry_find (self, gadget_run_get_id (run)) == NULL);

  g_ptr_array_add (self->runs, g_object_ref (run));
  g_signal_emit (self, signals[ADDED], 0, run);
}

/**
 * gadget_registry_remove:
 *
 * Removes the run itself, not a run with the same id: a late cleanup cannot remove a newer run.
 */
void
gadget_registry_remove (GadgetRegistry *self, GadgetRun *run)
{
  g_autoptr (GadgetRun) hold = NULL;

  g_return_if_fail (GADGET_IS_REGISTRY (self) && GADGET_IS_RUN (run));

  hold = g_object_ref (run);
  if (g_ptr_array_remove (self->runs, run))
    g_signal_emit (self, signals[REMOVED], 0, run);
}

/**
 * gadget_registry_find:
 *
 * Returns: (transfer none) (nullable): the run with that id
 */
GadgetRun *
gadget_registry_find (GadgetRegistry *self, const char *run_id)
{
  g_return_val_if_fail (GADGET_IS_REGISTRY (self) && run_id != NULL, NULL);

  for (guint i = 0; i < self->runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (self->runs, i);

      if (g_str_equal (gadget_run_get_id (run), run_id))
        return run;
    }
  return NULL;
}

/**
 * gadget_registry_list:
 *
 * Returns: (transfer full) (element-type GadgetRun): a copy of the list of runs
 */
GPtrArray *
gadget_registry_list (GadgetRegistry *self)
{
  g_return_val_if_fail (GADGET_IS_REGISTRY (self), NULL);
  return g_ptr_array_copy (self->runs, (GCopyFunc) g_object_ref, NULL);
}

static gboolean
matches (GadgetRun *run, const char *session_id, const char *run_id)
{
  return (run_id == NULL || g_str_equal (gadget_run_get_id (run), run_id))
         && (session_id == NULL || g_str_equal (gadget_run_get_session_id (run), session_id));
}

/* The children of a run are aborted and reported together with it. */
static gboolean
matches_above (GadgetRun *run, const char *session_id, const char *run_id)
{
  for (; run != NULL; run = gadget_run_get_parent (run))
    if (matches (run, session_id, run_id))
      return TRUE;
  return FALSE;
}

/* Returns the session's turn that is going on. (transfer none) (nullable) */
static GadgetRun *
find_turn (GPtrArray *runs, const char *session_id)
{
  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (gadget_run_get_kind (run) == GADGET_RUN_TURN
          && gadget_run_get_state (run) == GADGET_RUN_RUNNING
          && g_str_equal (gadget_run_get_session_id (run), session_id))
        return run;
    }
  return NULL;
}

/* Stopping a chat also stops its request for a title and the reading of its attachments, so the
 * receipt of the turn gets lines for these. */
static void
share_receipt (GPtrArray *runs, const char *session_id)
{
  GadgetRun *turn = find_turn (runs, session_id);

  for (guint i = 0; turn != NULL && i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (run != turn && gadget_run_get_parent (run) == NULL && matches (run, session_id, NULL))
        gadget_receipt_adopt (gadget_run_get_receipt (turn), gadget_run_get_receipt (run));
    }
}

/* The list of runs is copied before the first run is aborted, so that a run that starts because of
 * the abort is not aborted. */
static GadgetAbortAck *
abort_matching (GadgetRegistry *self, const char *session_id, const char *run_id,
                GadgetStopReason reason)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (self);
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  GadgetAbortAck *ack = g_new0 (GadgetAbortAck, 1);

  if (session_id != NULL && run_id == NULL)
    share_receipt (runs, session_id);
  for (guint i = 0; i < runs->len; i++)
    {
      GadgetRun *run = g_ptr_array_index (runs, i);

      if (!matches_above (run, session_id, run_id) || !gadget_run_abort (run, reason))
        continue;
      ack->aborted = TRUE;
      g_strv_builder_add (ids, gadget_run_get_id (run));
    }
  ack->message = ack->aborted ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING;
  ack->runs = g_strv_builder_end (ids);
  return ack;
}

/**
 * gadget_registry_abort:
 * @session_id: (nullable): only runs of this session; %NULL for any session
 * @run_id: (nullable): only this run; %NULL for all runs of the session
 *
 * Aborts runs, with their children. At least one of @session_id and @run_id must be given; see
 * gadget_registry_abort_all () for everything.
 *
 * Returns: (transfer full): the acknowledgment, at once
 */
GadgetAbortAck *
gadget_registry_abort (GadgetRegistry *self, const char *session_id, const char *run_id,
                       GadgetStopReason reason)
{
  g_return_val_if_fail (GADGET_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (session_id != NULL || run_id != NULL, NULL);

  return abort_matching (self, session_id, run_id, reason);
}

/**
 * gadget_registry_abort_uploads:
 *
 * Stops the work that is not a run and belongs to no chat: the preparation of attachments for a
 * message that was not sent, and whatever else handles "abort-all".
 *
 * Returns: whether there was any
 */
gboolean
gadget_registry_abort_uploads (GadgetRegistry *self)
{
  gboolean any = FALSE;

  g_return_val_if_fail (GADGET_IS_REGISTRY (self), FALSE);

  g_signal_emit (self, signals[ABORT_ALL], 0, &any);
  return any;
}

/**
 * gadget_registry_abort_all:
 *
 * Aborts all runs, and the work that gadget_registry_abort_uploads () stops.
 *
 * Returns: (transfer full): the acknowledgment, at once
 */
GadgetAbortAck *
gadget_registry_abort_all (GadgetRegistry *self, GadgetStopReason reason)
{
  GadgetAbortAck *ack;

  g_return_val_if_fail (GADGET_IS_REGISTRY (self), NULL);

  ack = abort_matching (self, NULL, NULL, reason);
  if (gadget_registry_abort_uploads (self))
    {
      ack->aborted = TRUE;
      ack->message = GADGET_ABORT_SIGNALED;
    }
  return ack;
}

/* gadget_abort_ack_free: frees the ids of the runs, too. */
void
gadget_abort_ack_free (GadgetAbortAck *ack)
{
  g_strfreev (ack->runs);
  g_free (ack);
}
