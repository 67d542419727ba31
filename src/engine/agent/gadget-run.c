/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run: one piece of work that can be stopped.
 *
 *     running ──── gadget_run_seal ────▶ sealing ──── gadget_run_end ────▶ ended
 *        │
 *        └ gadget_run_abort: cancels; the state stays "running" until the work has unwound
 *
 * The outcome of a run is fixed when its state leaves "running". A run that was aborted before that
 * ends as aborted; after that gadget_run_abort () returns FALSE. Everything happens on the main
 * context, so this needs no lock.
 *
 * Each run has a cancellable of its own, which is never reset and never shared. The cancellables of
 * children are not chained to it: gadget_run_abort () aborts the children itself, so that each of
 * them is marked as aborted, too.
 *
 * This table has every call of g_cancellable_cancel () in the sources, with its reason. A test
 * compares the two:
 *
 * | file                            | function             | reason                              |
 * |---------------------------------|----------------------|-------------------------------------|
 * | engine/agent/gadget-run.c       | gadget_run_abort     | the user's stop, or a hard limit    |
 * | engine/agent/gadget-run.c       | cancel_call          | one call: with its run, or alone    |
 * | engine/http/gadget-http-stream.c | cut                 | one request: with its run, or late  |
 * | engine/mcp/gadget-mcp-http-stream.c | _gadget_mcp_http_stream_end | an answer is not wanted |
 * | engine/mcp/gadget-mcp-stdio.c   | end_process          | a server that nobody wants any more |
 * | engine/store/import/gadget-imports.c | gadget_imports_cancel | the user cancels an import |
 * | engine/web/gadget-web-load.c    | stopped_cb           | lookups: with their download        |
 * | engine/web/gadget-web-load.c    | end_cb               | lookups: the time limit is over     |
 * | cli/cli-session-search.c        | stop_search_cb       | a signal: a search                  |
 * | engine/store/export/gadget-export.c | replace_file | a file that an export leaves as it was  |
 * | cli/cli-session-export.c        | signaled_cb          | a signal: an export                 |
 * | cli/cli-session-import.c        | stop_import_cb       | a signal: an import                 |
 * | ui/composer/gadget-attachment-list.c | stop | a file: taken out, or with everything  |
 * | ui/composer/gadget-composer-mentions.c | stop_looking | names: nobody looks for them now |
 * | ui/composer/gadget-model-menu.c | stop_asking | for models: closed, or with everything     |
 * | ui/composer/gadget-picture-note.c | stop_asking | of a model: not the question any more     |
 * | ui/window/gadget-export-dialog.c | stop                | an export: its dialog was closed    |
 * | ui/window/gadget-window-print.c | cancel_cb            | a print that is being prepared      |
 * | ui/search/gadget-search-page.c  | stop_search          | a search: other words, or left      |
 * | ui/preferences/gadget-storage-page.c | stop_clearing_cb | clearing: by its Stop           |
 * | ui/preferences/gadget-storage-page.c | gadget_storage_page_dispose | clearing: its Stop is gone |
 * | ui/preferences/gadget-provider-page.c | stop_test | of a server: another, saved, or closed  |
 * | ui/preferences/gadget-service-page.c | stop_test | of a key: another one, or with the page  |
 * | ui/preferences/gadget-service-page.c | abort_all_cb | adding: with everything, or the page |
 *
 * This table has every call of an abort function, which is gadget_run_abort () or leads to it, with
 * the reason why work is stopped. It is always the user, or a limit that the user has set; never a
 * cleanup, an error or a dispose function. A test compares this table, too:
 *
 * | file                            | caller               | reason                              |
 * |---------------------------------|----------------------|-------------------------------------|
 * | engine/agent/gadget-run.c       | gadget_run_new       | a child that begins after the stop  |
 * | engine/agent/gadget-run.c       | gadget_run_abort     | its children, with it               |
 * | engine/agent/gadget-registry.c  | abort_matching       | the runs that a caller below names  |
 * | engine/agent/gadget-registry.c  | gadget_registry_abort_all | what is no run, with everything |
 * | engine/agent/gadget-agent.c     | gadget_agent_abort   | the one way in for all below        |
 * | engine/agent/gadget-subagents.c | stopped_cb           | a subagent whose call was stopped   |
 * | engine/agent/gadget-budget.c    | _gadget_budget_abort | a hard limit, noted with the turn   |
 * | engine/agent/gadget-limiter.c   | deadline_cb          | a limit of time                     |
 * | engine/agent/gadget-limiter.c   | _gadget_limiter_halt_async | the other hard limits         |
 * | engine/agent/gadget-limiter.c   | answered_cb          | Stop, in answer to a limit          |
 * | engine/agent/gadget-attachment-loading.c | deadline_cb          | a limit of time, while files are read |
 * | engine/agent/gadget-engine-closing.c | gadget_engine_close_async | the user closes the program |
 * | engine/agent/gadget-engine-deletion.c | begin          | the user deletes the chat           |
 * | engine/agent/gadget-engine-incognito.c | gadget_engine_close_incognito | the user closes it  |
 * | engine/control/gadget-control.c | handle_call          | Abort on the bus                    |
 * | engine/control/gadget-control-abort.c | abort_request | the same, of a turn that begins      |
 * | engine/control/gadget-control-abort.c | abort_run     | the same, of a run                   |
 * | engine/control/gadget-control-abort.c | abort_here    | the same, of what is no run          |
 * | engine/control/gadget-control-abort.c | abort_peers   | the same, in other processes         |
 * | engine/control/gadget-start-request.c | start              | Abort on the bus came before its run |
 * | cli/cli-run.c                   | connected_cb         | gadget-cli run abort                |
 * | cli/cli-ask.c                   | end_before_start     | a signal, or nobody reads on        |
 * | cli/cli-ask.c                   | abort_turn           | a signal, or nobody reads on        |
 * | ui/window/gadget-chat-stop.c    | abort_run            | Cancel, Esc Esc, Shift+Esc          |
 * | ui/window/gadget-session-watch.c | gadget_session_watch_abort_remote | a run of another process |
 * | ui/window/gadget-chat-stop-all.c | stop_here            | Stop Everything                    |
 * | ui/window/gadget-chat-stop-all.c | gadget_chat_stop_all | the same, in other processes       |
 * | ui/window/gadget-chat-stop.c    | abort_undo           | Esc Esc, of an undo of another chat |
 * | ui/window/gadget-chat-undo.c    | stop_cb              | Stop of an undo that takes long     |
 * | ui/window/gadget-application-leaving.c | stop_and_close | Stop and Close                    |
 * | ui/window/gadget-window-chats.c | stop_and_delete_cb   | Stop and Delete                     |
 * | ui/library/gadget-library-menu.c | stop_action         | Stop in the menu of a chat          |
 * | ui/pictures/gadget-remote-picture.c | _gadget_remote_picture_stop | Stop, and Stop Everything |
 * | ui/pictures/gadget-remote-pictures.c | _gadget_remote_pictures_abort | that, for its run |
 */

#define G_LOG_DOMAIN "gadget-run"

#include "config.h"

#include "gadget-run.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"

struct _GadgetRun
{
  GObject parent_instance;

  GadgetRunKind kind;
  char *id;
  char *session_id;
  char *turn_id;
  GadgetRun *parent;   /* (nullable): owned, so that a child can always name it */
  GPtrArray *children; /* (unowned): children leave the array when they end */
  GadgetReceipt *receipt;
  gint64 started_at;

  GadgetRunState state;
  GCancellable *cancellable;
  GPtrArray *calls; /* of GCancellable: the calls that were added and not removed */
  gboolean aborted;
  GadgetStopReason stop_reason;
  char *failure; /* (nullable) */
};

enum
{
  ABORTED,
  ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetRun, gadget_run, G_TYPE_OBJECT)

static void
gadget_run_finalize (GObject *object)
{
  GadgetRun *self = GADGET_RUN (object);

  if (self->parent != NULL)
    g_ptr_array_remove (self->parent->children, self);
  g_clear_object (&self->parent);
  g_free (self->id);
  g_free (self->session_id);
  g_free (self->turn_id);
  g_free (self->failure);
  g_ptr_array_unref (self->children);
  g_ptr_array_unref (self->calls);
  g_object_unref (self->receipt);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (gadget_run_parent_class)->finalize (object);
}

static void
gadget_run_class_init (GadgetRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_run_finalize;

  signals[ABORTED] = g_signal_new ("aborted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_run_init (GadgetRun *self)
{
  self->cancellable = g_cancellable_new ();
  self->children = g_ptr_array_new ();
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
  self->started_at = gadget_clock_wall_ms ();
}

/**
 * gadget_run_new:
 * @id: (nullable): %NULL for a new one
 * @session_id: the session that the run works for; "" for none
 * @turn_id: (nullable): the turn, if the run has one
 * @parent: (nullable): the run that waits for this one, and is aborted together with it
 * @receipt: (nullable): where the run notes what is in flight; %NULL for a new receipt
 *
 * Returns: (transfer full): a run, which is aborted already if @parent is
 */
GadgetRun *
gadget_run_new (GadgetRunKind kind, const char *id, const char *session_id, const char *turn_id,
                GadgetRun *parent, GadgetReceipt *receipt)
{
  GadgetRun *self;

  g_return_val_if_fail (session_id != NULL, NULL);
  g_return_val_if_fail (parent == NULL || parent->state == GADGET_RUN_RUNNING, NULL);

  self = g_object_new (GADGET_TYPE_RUN, NULL);
  self->kind = kind;
  self->id = id != NULL ? g_strdup (id) : gadget_id_new ();
  self->session_id = g_strdup (session_id);
  self->turn_id = g_strdup (turn_id);
  self->receipt = receipt != NULL ? g_object_ref (receipt) : gadget_receipt_new ();
  if (parent != NULL)
    {
      self->parent = g_object_ref (parent);
      g_ptr_array_add (parent->children, self);
      /* A child that is made after the abort must not begin to work. */
      if (parent->aborted)
        gadget_run_abort (self, parent->stop_reason);
    }
  return self;
}

/* gadget_run_get_id: returns the id that the run was given, or its own new one; never %NULL.
 * (transfer none) */
const char *
gadget_run_get_id (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->id;
}

/* gadget_run_get_kind: returns the kind that the run was made with. */
GadgetRunKind
gadget_run_get_kind (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), GADGET_RUN_TURN);
  return self->kind;
}

/* gadget_run_get_session_id: returns the id of the session that the run works for; "" if it works
 * for none. (transfer none) */
const char *
gadget_run_get_session_id (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->session_id;
}

/* gadget_run_get_turn_id: returns the id of the turn of the run; %NULL if it has none.
 * (transfer none) */
const char *
gadget_run_get_turn_id (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->turn_id;
}

/* gadget_run_get_parent: returns the run that waits for this one; %NULL if none does.
 * (transfer none) */
GadgetRun *
gadget_run_get_parent (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->parent;
}

GadgetRun *
gadget_run_get_uppermost (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  while (self->parent != NULL)
    self = self->parent;
  return self;
}

/* gadget_run_get_receipt: returns the receipt in which the run notes what is in flight; never
 * %NULL. (transfer none) */
GadgetReceipt *
gadget_run_get_receipt (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->receipt;
}

/* gadget_run_get_started_at: returns when the run was made, in milliseconds since 1970. */
gint64
gadget_run_get_started_at (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), 0);
  return self->started_at;
}

/* gadget_run_get_state: returns the state, which only moves forward; see #GadgetRunState. */
GadgetRunState
gadget_run_get_state (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), GADGET_RUN_ENDED);
  return self->state;
}

/**
 * gadget_run_get_cancellable:
 *
 * Returns: (transfer none): the cancellable for everything that the run does. It may be cancelled
 *   only by gadget_run_abort ().
 */
GCancellable *
gadget_run_get_cancellable (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->cancellable;
}

/**
 * gadget_run_is_aborted:
 *
 * Returns: whether the run was aborted. This is the only way to find out; errors do not tell it.
 */
gboolean
gadget_run_is_aborted (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), FALSE);
  return self->aborted;
}

/* gadget_run_get_stop_reason: returns why the run was aborted; %GADGET_STOP_NONE if it was not. */
GadgetStopReason
gadget_run_get_stop_reason (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), GADGET_STOP_NONE);
  return self->stop_reason;
}

static void
cancel_call (GCancellable *call)
{
  g_cancellable_cancel (call);
}

/**
 * gadget_run_abort:
 * @reason: why; not %GADGET_STOP_NONE
 *
 * Stops the run and all of its children. Returns at once, before anything has stopped. It may be
 * called repeatedly; the first reason stays.
 *
 * Returns: whether the run will end as aborted; %FALSE if its outcome is fixed already
 */
gboolean
gadget_run_abort (GadgetRun *self, GadgetStopReason reason)
{
  g_return_val_if_fail (GADGET_IS_RUN (self) && reason != GADGET_STOP_NONE, FALSE);

  if (self->state != GADGET_RUN_RUNNING)
    return FALSE;
  if (self->aborted)
    return TRUE;

  g_autoptr (GadgetRun) hold = g_object_ref (self);
  g_autoptr (GPtrArray) children =
      g_ptr_array_copy (self->children, (GCopyFunc) g_object_ref, NULL);
  g_autoptr (GPtrArray) calls = g_ptr_array_copy (self->calls, (GCopyFunc) g_object_ref, NULL);

  /* A copy has the free function of its array, and that of the children, which are not owned, has
   * none. */
  g_ptr_array_set_free_func (children, g_object_unref);
  self->aborted = TRUE;
  self->stop_reason = reason;
  gadget_receipt_mark_abort (self->receipt);

  g_cancellable_cancel (self->cancellable);
  for (guint i = 0; i < calls->len; i++)
    cancel_call (g_ptr_array_index (calls, i));
  for (guint i = 0; i < children->len; i++)
    gadget_run_abort (g_ptr_array_index (children, i), reason);
  g_signal_emit (self, signals[ABORTED], 0);
  return TRUE;
}

/**
 * gadget_run_seal:
 *
 * Fixes the outcome of the run: an abort has no effect any more. Called once.
 *
 * Returns: %GADGET_STOP_NONE if the run was not aborted, else why it was
 */
GadgetStopReason
gadget_run_seal (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self) && self->state == GADGET_RUN_RUNNING,
                        GADGET_STOP_NONE);

  self->state = GADGET_RUN_SEALING;
  return self->stop_reason;
}

void
gadget_run_set_failure (GadgetRun *self, const char *message)
{
  g_return_if_fail (GADGET_IS_RUN (self));
  g_set_str (&self->failure, message);
}

/* gadget_run_get_failure: returns the message of gadget_run_set_failure (); %NULL if the run has
 * not failed. (transfer none) */
const char *
gadget_run_get_failure (GadgetRun *self)
{
  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);
  return self->failure;
}

/**
 * gadget_run_end:
 *
 * Ends a sealed run and emits "ended".
 */
void
gadget_run_end (GadgetRun *self)
{
  g_return_if_fail (GADGET_IS_RUN (self) && self->state == GADGET_RUN_SEALING);

  self->state = GADGET_RUN_ENDED;
  if (self->parent != NULL)
    g_ptr_array_remove (self->parent->children, self);
  g_clear_object (&self->parent);
  g_signal_emit (self, signals[ENDED], 0);
}

/**
 * gadget_run_add_call:
 *
 * Returns: (transfer full): a cancellable for one call; it is cancelled already if the run was
 *   aborted
 */
GCancellable *
gadget_run_add_call (GadgetRun *self)
{
  g_autoptr (GCancellable) call = g_cancellable_new ();

  g_return_val_if_fail (GADGET_IS_RUN (self), NULL);

  g_ptr_array_add (self->calls, g_object_ref (call));
  if (self->aborted)
    cancel_call (call);
  return g_steal_pointer (&call);
}

/**
 * gadget_run_stop_call:
 * @call: a cancellable of gadget_run_add_call ()
 *
 * Stops one call; the run goes on. Does nothing if the call was removed.
 */
void
gadget_run_stop_call (GadgetRun *self, GCancellable *call)
{
  g_return_if_fail (GADGET_IS_RUN (self));

  if (g_ptr_array_find (self->calls, call, NULL))
    cancel_call (call);
}

/* gadget_run_remove_call: drops the run's reference to a @call that gadget_run_add_call ()
 * returned. An abort of the run does not cancel it any more. */
void
gadget_run_remove_call (GadgetRun *self, GCancellable *call)
{
  g_return_if_fail (GADGET_IS_RUN (self));
  g_ptr_array_remove (self->calls, call);
}
