/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ledger for tools. The order makes it complete: a row is committed, then the effect happens,
 * then the row is closed. So a killed process leaves a row for everything that it may have done,
 * and the row tells when the end is not known.
 *
 * When the row cannot be written (the disk is full), the call fails before it has done anything. A
 * stop before the effect begins returns at once, whatever is going on, which ends by itself; the
 * row is closed as one of an effect that never happened.
 *
 * An effect that changes files waits, after its row, until what is needed to undo it is kept; see
 * gadget-effect-watch.c. The workspace is recorded by its real path, which is looked up once per
 * turn, so that a folder has one name whatever symbolic links lead to it; the tools use paths below
 * the workspace as it was given. Everything here runs on the main context. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-effects.h"

#include "common/gadget-blocking.h"
#include "common/gadget-clock.h"
#include "common/gadget-pending.h"
#include "gadget-effect-watch.h"
#include "gadget-crash-recovery.h"

#include <stdlib.h>

/* The outcome of a row whose call was stopped before the effect began. */
#define NOT_STARTED "not-started"

struct _GadgetEffects
{
  GObject parent_instance;

  GadgetSnapshotService *service;
  char *turn_id;
  char *call_turn_id;
  char *workspace;     /* (nullable): without "." and ".." components */
  char *root;          /* (nullable): the real path of @workspace, once it is known */
  GHashTable *watches; /* id → GadgetEffectWatch of the effects that go on */
};

/* One begin operation. */
typedef struct
{
  GadgetEffects *effects;
  GadgetPending *pending; /* over once it has returned */
  GCancellable *cancellable;
  GadgetEffectRow row;
  GadgetEffectWatch *watch; /* (nullable) */
  gint64 id;
} Begin;

G_DEFINE_FINAL_TYPE (GadgetEffects, gadget_effects, G_TYPE_OBJECT)

static void
gadget_effects_finalize (GObject *object)
{
  GadgetEffects *self = GADGET_EFFECTS (object);

  g_clear_pointer (&self->watches, g_hash_table_unref);
  g_clear_object (&self->service);
  g_free (self->turn_id);
  g_free (self->call_turn_id);
  g_free (self->workspace);
  g_free (self->root);

  G_OBJECT_CLASS (gadget_effects_parent_class)->finalize (object);
}

static void
gadget_effects_class_init (GadgetEffectsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_effects_finalize;
}

static void
gadget_effects_init (GadgetEffects *self)
{
  self->watches = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                         (GDestroyNotify) _gadget_effect_watch_end);
}

/**
 * gadget_effects_new:
 * @turn_id: the turn that the user sees, under which everything is recorded
 * @call_turn_id: the turn whose calls use this object: the same turn, or a subagent's
 * @workspace: (nullable): the folder in which changes of files are recorded
 *
 * Returns: (transfer full): the ledger for one turn
 */
GadgetEffects *
gadget_effects_new (GadgetSnapshotService *service, const char *turn_id, const char *call_turn_id,
                    const char *workspace)
{
  GadgetEffects *self;

  g_return_val_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service), NULL);
  g_return_val_if_fail (turn_id != NULL && call_turn_id != NULL, NULL);

  self = g_object_new (GADGET_TYPE_EFFECTS, NULL);
  self->service = g_object_ref (service);
  self->turn_id = g_strdup (turn_id);
  self->call_turn_id = g_strdup (call_turn_id);
  if (workspace != NULL)
    self->workspace = g_canonicalize_filename (workspace, "/");
  return self;
}

/* --- Beginning ---------------------------------------------------------------------------------
 */

static void
begin_free (Begin *begin)
{
  if (begin->watch != NULL)
    _gadget_effect_watch_drop (begin->watch);
  gadget_pending_free (begin->pending);
  g_clear_object (&begin->cancellable);
  g_object_unref (begin->effects);
  g_free (begin->row.call_id);
  g_free (begin->row.subject);
  g_free (begin->row.detail);
  g_free (begin);
}

static void
return_failure (GTask *task, const GError *error)
{
  g_task_return_new_error (
      task, error->domain, error->code,
      "Gadget could not record what this call was about to do (%s), so it was not done. "
      "Tell the user; nothing was changed.",
      error->message);
}

/* The effect will not happen; it may be recorded already. */
static void
close_row (Begin *begin)
{
  if (begin->id == 0)
    return;
  gadget_store_end_effect (gadget_snapshot_service_get_store (begin->effects->service), begin->id,
                           NOT_STARTED);
  if (begin->watch != NULL)
    _gadget_effect_watch_record_nothing (begin->watch, begin->id);
}

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  close_row (data);
  gadget_pending_return_stopped (pending);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Begin *begin = user_data;
  GadgetEffects *self = begin->effects;
  g_autoptr (GTask) task = gadget_pending_take (begin->pending);
  g_autoptr (GError) error = NULL;

  if (_gadget_effect_watch_begin_finish (result, &error) && task != NULL)
    {
      g_hash_table_insert (self->watches, g_memdup2 (&begin->id, sizeof begin->id),
                           g_steal_pointer (&begin->watch));
      g_task_return_int (task, begin->id);
      begin_free (begin);
      return;
    }
  if (task != NULL)
    {
      close_row (begin);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_task_return_error (task, g_steal_pointer (&error));
      else
        return_failure (task, error);
    }
  begin_free (begin);
}

static void
begun_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Begin *begin = user_data;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;

  begin->id = gadget_store_begin_effect_finish (GADGET_STORE (source), result, &error);
  if (gadget_pending_is_over (begin->pending))
    {
      close_row (begin);
      begin_free (begin);
      return;
    }
  if (begin->id > 0 && begin->watch != NULL)
    {
      _gadget_effect_watch_begin_async (begin->watch, begin->id, begin->cancellable, kept_cb,
                                        begin);
      return;
    }
  task = gadget_pending_take (begin->pending);
  if (begin->id == 0)
    return_failure (task, error);
  else
    g_task_return_int (task, begin->id);
  begin_free (begin);
}

/* A command without a workspace cannot write to any folder, so there is nothing to watch. */
static gboolean
changes_files (GadgetEffects *self, GadgetEffectKind kind)
{
  return kind == GADGET_EFFECT_CHANGE || (kind == GADGET_EFFECT_COMMAND && self->workspace != NULL);
}

static void
write_row (Begin *begin)
{
  GadgetEffects *self = begin->effects;
  GadgetEffectRow row = begin->row;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  const char *owner = _gadget_snapshot_service_get_owner (self->service, &error);

  if (owner == NULL)
    {
      task = gadget_pending_take (begin->pending);
      return_failure (task, error);
      begin_free (begin);
      return;
    }
  if (changes_files (self, row.kind))
    begin->watch = _gadget_effect_watch_new (self->service, self->turn_id, row.kind,
                                             self->workspace, self->root, row.subject);
  row.turn_id = self->turn_id;
  row.call_turn_id = self->call_turn_id;
  row.started_at = gadget_clock_wall_ms ();
  if (begin->watch != NULL)
    {
      row.root = (char *) _gadget_effect_watch_get_root (begin->watch);
      row.recording = GADGET_RECORDING_PENDING;
    }
  /* Recovery must be queued before this command's own snapshot. */
  if (row.kind == GADGET_EFFECT_COMMAND && begin->watch != NULL)
    gadget_crash_recovery_async (self->service, NULL, NULL);
  gadget_store_begin_effect_async (gadget_snapshot_service_get_store (self->service), &row, owner,
                                   begun_cb, begin);
}

static gpointer
find_root (GadgetBlocking *job, gpointer workspace, GCancellable *cancellable, GError **error)
{
  char *root = realpath (workspace, NULL);

  /* The tool that uses a missing folder reports it. */
  return root != NULL ? root : g_strdup (workspace);
}

static void
root_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Begin *begin = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *root = gadget_blocking_run_finish (result, &error);
  g_autoptr (GTask) task = NULL;

  if (root != NULL && begin->effects->root == NULL)
    begin->effects->root = g_steal_pointer (&root);
  if (error == NULL && !gadget_pending_is_over (begin->pending))
    {
      write_row (begin);
      return;
    }
  task = gadget_pending_take (begin->pending);
  if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  begin_free (begin);
}

static void
begin_row (GadgetEffects *self, const GadgetEffectRow *row, GCancellable *cancellable, GTask *task)
{
  GError *error = NULL;
  Begin *begin;

  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  begin = g_new0 (Begin, 1);
  begin->effects = g_object_ref (self);
  begin->pending = gadget_pending_new (task, cancellable, stopped_cb, begin);
  g_set_object (&begin->cancellable, cancellable);
  begin->row.kind = row->kind;
  begin->row.network = row->network;
  begin->row.call_id = g_strdup (row->call_id);
  begin->row.subject = g_strdup (row->subject);
  begin->row.detail = g_strdup (row->detail);
  if (changes_files (self, row->kind) && self->workspace != NULL && self->root == NULL)
    gadget_blocking_run_async (cancellable, find_root, g_strdup (self->workspace), g_free, g_free,
                               root_found_cb, begin);
  else
    write_row (begin);
}

/**
 * gadget_effects_begin_async:
 * @call_id: (nullable): the call that has the effect
 * @subject: the object of the effect: an absolute path, a command line, a host, "server/tool"
 * @detail: (nullable): more about it: the folder of a command, the URL
 *
 * Records an effect that is about to happen, and keeps what is needed to undo it: for a change of a
 * file its content; a command waits for a short time until there is a snapshot of its workspace.
 * The effect must not happen before this has finished, and gadget_effects_end () must follow then,
 * however the effect ends.
 */
void
gadget_effects_begin_async (GadgetEffects *self, const char *call_id, GadgetEffectKind kind,
                            const char *subject, const char *detail, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  const GadgetEffectRow row = { .call_id = (char *) call_id,
                                .kind = kind,
                                .subject = (char *) subject,
                                .detail = (char *) detail,
                                .network = -1 };
  GTask *task;

  g_return_if_fail (GADGET_IS_EFFECTS (self) && subject != NULL);

  /* The GTask gets no cancellable: a result that arrives after a stop must not turn a committed row
   * into an error. The functions above handle the cancellable. */
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_effects_begin_async);
  begin_row (self, &row, cancellable, task);
}

/**
 * gadget_effects_begin_command_async:
 * @command: the command line
 * @folder: (nullable): where it runs
 * @network: whether it can use the network
 *
 * Like gadget_effects_begin_async (), for a command; finish it with gadget_effects_begin_finish ().
 */
void
gadget_effects_begin_command_async (GadgetEffects *self, const char *call_id, const char *command,
                                    const char *folder, gboolean network, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  const GadgetEffectRow row = { .call_id = (char *) call_id,
                                .kind = GADGET_EFFECT_COMMAND,
                                .subject = (char *) command,
                                .detail = (char *) folder,
                                .network = network };
  GTask *task;

  g_return_if_fail (GADGET_IS_EFFECTS (self) && command != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_effects_begin_command_async);
  begin_row (self, &row, cancellable, task);
}

/**
 * gadget_effects_begin_finish:
 *
 * Returns: the id for gadget_effects_end (), or 0 with @error: %G_IO_ERROR_CANCELLED, or another
 *   error whose message is for the model (its domain and code are those of the cause, for example
 *   #GadgetStoreError). After an error the effect must not happen.
 */
gint64
gadget_effects_begin_finish (GadgetEffects *self, GAsyncResult *result, GError **error)
{
  gint64 id;

  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  id = g_task_propagate_int (G_TASK (result), error);
  return MAX (id, 0);
}

const char *
gadget_effects_get_skipped (GadgetEffects *self)
{
  const char *root;

  g_return_val_if_fail (GADGET_IS_EFFECTS (self), NULL);

  root = self->root != NULL ? self->root : self->workspace;
  return root != NULL ? _gadget_snapshot_service_get_skipped (self->service, root) : NULL;
}

static GadgetCallSummary *
make_count (GadgetCallSummaryKind kind, guint n)
{
  return gadget_call_summary_new_with_numbers (kind, "", n, 0);
}

/**
 * gadget_effects_dup_unkept:
 *
 * For the time before an effect begins: how many files a command could change that cannot be undone
 * yet.
 *
 * Returns: (transfer full) (nullable): one sentence for the user
 */
char *
gadget_effects_dup_unkept (GadgetEffects *self)
{
  g_autoptr (GadgetCallSummary) summary = NULL;
  const char *root;
  guint n_unkept;

  g_return_val_if_fail (GADGET_IS_EFFECTS (self), NULL);

  root = self->root != NULL ? self->root : self->workspace;
  n_unkept = root != NULL ? _gadget_snapshot_service_get_n_unkept (self->service, root) : 0;
  if (n_unkept == 0)
    return NULL;
  summary = make_count (GADGET_CALL_SUMMARY_NOTE_UNKEPT, n_unkept);
  return gadget_call_summary_dup_plain_text (summary);
}

/**
 * gadget_effects_dup_warning:
 *
 * Returns: (transfer full) (nullable): one sentence for the user; see the header
 */
GadgetCallSummary *
gadget_effects_dup_warning (GadgetEffects *self, gint64 id)
{
  GadgetEffectWatch *watch;
  guint n_without_room;
  guint n_unkept;

  g_return_val_if_fail (GADGET_IS_EFFECTS (self), NULL);

  watch = g_hash_table_lookup (self->watches, &id);
  if (watch == NULL)
    return NULL;
  switch (_gadget_effect_watch_get_recording (watch, &n_without_room, &n_unkept))
    {
    case GADGET_RECORDING_PARTLY:
      return gadget_call_summary_new (GADGET_CALL_SUMMARY_NOTE_PARTLY_RECORDED, "", NULL);
    case GADGET_RECORDING_LOST:
      return gadget_call_summary_new (GADGET_CALL_SUMMARY_NOTE_NOT_RECORDED, "", NULL);
    case GADGET_RECORDING_NONE:
    case GADGET_RECORDING_PENDING:
    case GADGET_RECORDING_DONE:
    default:
      break;
    }
  if (n_unkept > 0)
    return make_count (GADGET_CALL_SUMMARY_NOTE_UNKEPT, n_unkept);
  return n_without_room > 0 ? make_count (GADGET_CALL_SUMMARY_NOTE_NO_ROOM, n_without_room) : NULL;
}

/**
 * gadget_effects_end:
 * @id: of gadget_effects_begin_finish ()
 * @outcome: "done", "failed", "aborted", "exit 0", "signal 9", an HTTP status …
 *
 * Closes the row of an effect with its outcome. Returns at once.
 */
void
gadget_effects_end (GadgetEffects *self, gint64 id, const char *outcome)
{
  g_return_if_fail (GADGET_IS_EFFECTS (self) && id > 0 && outcome != NULL);
  gadget_store_end_effect (gadget_snapshot_service_get_store (self->service), id, outcome);
  /* The hash table ends the watch. */
  g_hash_table_remove (self->watches, &id);
}
