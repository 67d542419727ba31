/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Subagents: a call of the tool "task" becomes a child run on a chat of its own.
 *
 * The child is a turn loop like any other, on an ordinary session that names its parent, with a new
 * run whose parent is the run of the call. So everything that holds for a turn holds for it: it is
 * journaled, it is sealed once, and it makes no request after an abort. It lacks what belongs to a
 * turn of the user's chat: a lease (that of the uppermost session is held as long as the child
 * works), the signal "completed", a queue, and a deadline.
 *
 * When a call gets its result depends on how its child ends:
 *
 *   it finished, or it failed       when the child's loop has returned: the turn is on disk
 *   it was stopped alone            the same
 *   together with the parent's run  when the child's turn is sealed: the parent has waited for all
 *                                   that the child had in flight, but two commits in a row (or
 *                                   more, at a greater depth) would take too long. The store writes
 *                                   them in order, under the one lease.
 *
 * With the result the child is over: its run has ended and left the registry, and its chat is idle
 * and can be continued. The parent ends later in any case.
 *
 * The usage of the child is counted as that of its parent while it works. If a child does not stop,
 * and not because of a tool, the user can end the wait for it: it is given up, its turn ends at
 * once with what it has, and nothing that returns later reaches it or its parent.
 *
 * Cancelling the cancellable of the call stops the child run with the user as the reason. The
 * cancellable is cancelled by an abort of the parent's run, too, but that has aborted its children
 * by then, and the first reason stays.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-subagents"

#include "config.h"

#include "gadget-subagents.h"

#include "common/gadget-id.h"
#include "common/gadget-stop-source.h"
#include "session/gadget-session-children.h"
#include "tools/gadget-tool-task.h"

/* Subagents at this depth have no subagents of their own; the user's turn is at depth 0. */
#define MAX_DEPTH 3
#define MAX_PARALLEL 8

struct _GadgetSubagents
{
  GObject parent_instance;

  GadgetTurnEnvironment *environment;
  GadgetRun *run; /* of the turn */
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetTurnOptions options;
  GadgetBudget *budget; /* shared by the uppermost turn and all of its subagents */
  GPtrArray *children;  /* of Child (unowned): those without a result yet */
  guint n_running;
};

/* A subagent that works. It lives until its loop has returned. */
typedef struct
{
  GadgetSubagents *host;
  GadgetItem *item; /* the item of the call */
  GadgetTurnLoop *loop;
  GTask *task;         /* returns the result; NULL once it has */
  GSource *stop;       /* (nullable): watches for a stop of the call */
  guint answer_id;     /* the source that returns the result in the next iteration; or 0 */
  GadgetUsage counted; /* the usage that the parent has counted */
} Child;

static void task_host_init (GadgetTaskHostInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetSubagents, gadget_subagents, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_TASK_HOST, task_host_init))

static void
gadget_subagents_dispose (GObject *object)
{
  GadgetSubagents *self = GADGET_SUBAGENTS (object);

  g_clear_object (&self->environment);
  g_clear_object (&self->run);
  g_clear_object (&self->options.chat);
  g_clear_object (&self->session);
  g_clear_object (&self->turn);
  g_clear_pointer (&self->budget, _gadget_budget_unref);

  G_OBJECT_CLASS (gadget_subagents_parent_class)->dispose (object);
}

static void
gadget_subagents_finalize (GObject *object)
{
  g_ptr_array_unref (GADGET_SUBAGENTS (object)->children);

  G_OBJECT_CLASS (gadget_subagents_parent_class)->finalize (object);
}

static void
gadget_subagents_class_init (GadgetSubagentsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_subagents_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_subagents_finalize;
}

static void
gadget_subagents_init (GadgetSubagents *self)
{
  self->children = g_ptr_array_new ();
}

static GadgetSubagents *
subagents_new (GadgetTurnEnvironment *environment, GadgetTurnLoop *loop)
{
  GadgetSubagents *self = g_object_new (GADGET_TYPE_SUBAGENTS, NULL);

  self->environment = g_object_ref (environment);
  self->run = g_object_ref (_gadget_turn_loop_get_run (loop));
  self->session = g_object_ref (_gadget_turn_loop_get_session (loop));
  self->turn = g_object_ref (_gadget_turn_loop_get_turn (loop));
  self->budget = _gadget_budget_ref (_gadget_turn_loop_get_budget (loop));
  self->options = *_gadget_turn_loop_get_options (loop);
  /* The deadline of the parent's run aborts its children, too. */
  self->options.deadline_ms = 0;
  g_object_ref (self->options.chat);
  return self;
}

GadgetTurnLoop *
_gadget_subagents_new_loop (GadgetTurnEnvironment *environment, GadgetRun *run,
                            GadgetSession *session, GadgetTurn *turn, GadgetJournal *journal,
                            const GadgetTurnOptions *options, GadgetBudget *budget)
{
  GadgetTurnLoop *loop =
      _gadget_turn_loop_new (environment, run, session, turn, journal, options, budget);
  g_autoptr (GadgetSubagents) subagents = subagents_new (environment, loop);

  _gadget_turn_loop_set_task_host (loop, GADGET_TASK_HOST (subagents));
  return loop;
}

static guint
get_depth (GadgetSubagents *self)
{
  guint depth = 0;

  for (GadgetRun *run = gadget_run_get_parent (self->run); run != NULL;
       run = gadget_run_get_parent (run))
    depth++;
  return depth;
}

static gboolean
may_offer (GadgetTaskHost *host, const char *tool_name)
{
  GadgetSubagents *self = GADGET_SUBAGENTS (host);
  const guint depth = get_depth (self);

  if (g_str_equal (tool_name, GADGET_TOOL_TASK_NAME))
    return depth < MAX_DEPTH;
  /* If no user is there, the subagent has to leave its questions to its parent. */
  if (g_str_equal (tool_name, "ask_user"))
    return depth == 0 || self->options.interactive;
  return TRUE;
}

/* --- The answer ------------------------------------------------------------------------------- */

static void
append_paragraph (GString *text, const char *paragraph)
{
  if (text->len > 0)
    g_string_append (text, "\n\n");
  g_string_append (text, paragraph);
}

/* Returns the text that the subagent wrote. If @report, only the text after its last call. */
static char *
dup_words (GadgetTurn *turn, gboolean report)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      if (gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL && report)
        g_string_truncate (text, 0);
      else if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT && gadget_item_get_length (item) > 0)
        append_paragraph (text, gadget_item_get_text (item));
    }
  return g_string_free_and_steal (text);
}

static const char *
describe_stop (GadgetStopReason reason)
{
  switch (reason)
    {
    case GADGET_STOP_DEADLINE:
    case GADGET_STOP_BUDGET:
      return "The subagent reached a limit before it was done.";
    case GADGET_STOP_SIGNAL:
    case GADGET_STOP_CLOSED:
    case GADGET_STOP_INTERRUPTED:
      return "The subagent was interrupted before it was done.";
    case GADGET_STOP_LENGTH:
    case GADGET_STOP_NONE:
    case GADGET_STOP_USER:
    case GADGET_STOP_API:
    default:
      return "The subagent was stopped by the user before it was done.";
    }
}

static void
append_partial (GString *text, GadgetTurn *turn)
{
  g_autofree char *words = dup_words (turn, FALSE);

  if (*words == '\0')
    return;
  append_paragraph (text, "It had written:");
  append_paragraph (text, words);
}

static GadgetToolResult *
make_result (GadgetTurnLoop *loop)
{
  GadgetSession *session = _gadget_turn_loop_get_session (loop);
  GadgetTurn *turn = _gadget_turn_loop_get_turn (loop);
  const GadgetTurnStatus status = gadget_turn_get_status (turn);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *report = NULL;
  GadgetToolResult *result;

  switch (status)
    {
    case GADGET_TURN_FINISHED:
      report = dup_words (turn, TRUE);
      g_string_append (text, *report != '\0' ? report : "The subagent ended without a report.");
      break;
    case GADGET_TURN_ABORTED:
      g_string_append (text, describe_stop (gadget_turn_get_stop_reason (turn)));
      append_partial (text, turn);
      break;
    case GADGET_TURN_ERROR:
    case GADGET_TURN_PROCESSING:
    default:
      g_string_append_printf (text, "The subagent failed: %s",
                              gadget_turn_get_error_detail (turn) != NULL
                                  ? gadget_turn_get_error_detail (turn)
                                  : gadget_turn_get_error_code (turn));
      append_partial (text, turn);
      break;
    }
  g_string_append_printf (text,
                          "\n\n(Subagent ID: %s. To go on with it, give this id as \"continue\".)",
                          gadget_session_get_id (session));
  result = gadget_tool_result_new (status == GADGET_TURN_ERROR, text->str, NULL);
  result->cut = result->stopped = status == GADGET_TURN_ABORTED;
  if (_gadget_turn_loop_is_given_up (loop))
    result->outcome = g_strdup ("stopped-waiting");
  return result;
}

/* Counts the usage of the child as the turn's. The turns above count it in the same way. */
static void
usage_cb (GadgetTurn *turn, GParamSpec *pspec, Child *child)
{
  const GadgetUsage *used = gadget_turn_get_usage (turn);
  GadgetUsage usage = *gadget_turn_get_usage (child->host->turn);

  usage.input_tokens += used->input_tokens - child->counted.input_tokens;
  usage.output_tokens += used->output_tokens - child->counted.output_tokens;
  usage.cost += used->cost - child->counted.cost;
  usage.estimated = usage.estimated || used->estimated;
  child->counted = *used;
  gadget_turn_set_usage (child->host->turn, &usage);
}

/* --- The end ---------------------------------------------------------------------------------- */

static void
clear_sources (Child *child)
{
  g_clear_handle_id (&child->answer_id, g_source_remove);
  gadget_stop_source_end (&child->stop);
}

static void
child_free (Child *child)
{
  clear_sources (child);
  g_object_unref (child->item);
  g_object_unref (child->loop);
  g_object_unref (child->host);
  g_free (child);
}

/* Ends the child. The result comes last, because the parent may go on, or end, in its callback. */
static void
answer (Child *child)
{
  g_autoptr (GTask) task = g_steal_pointer (&child->task);
  GadgetSession *session = _gadget_turn_loop_get_session (child->loop);
  GadgetTurn *turn = _gadget_turn_loop_get_turn (child->loop);

  if (task == NULL)
    return;
  clear_sources (child);
  g_signal_handlers_disconnect_by_data (turn, child);
  g_ptr_array_remove (child->host->children, child);
  gadget_item_set_asking (child->item, FALSE);
  gadget_session_set_last_status (session, gadget_turn_get_status (turn));
  _gadget_turn_loop_unregister (child->loop);
  gadget_session_set_active_run (session, NULL);
  child->host->n_running--;
  g_task_return_pointer (task, make_result (child->loop), gadget_tool_result_free);
}

static gboolean
answer_cb (gpointer user_data)
{
  Child *child = user_data;

  child->answer_id = 0;
  answer (child);
  return G_SOURCE_REMOVE;
}

/* Returns the result in the next iteration: by then the child has queued its commit, before the
 * parent's. */
static void
status_cb (GadgetTurn *turn, GParamSpec *pspec, Child *child)
{
  if (!gadget_run_is_aborted (child->host->run) || child->answer_id != 0)
    return;
  child->answer_id = g_idle_add_full (G_PRIORITY_DEFAULT, answer_cb, child, NULL);
  g_source_set_name_by_id (child->answer_id, "[gadget] answer for a subagent");
}

static void
phase_cb (GadgetTurn *turn, GParamSpec *pspec, Child *child)
{
  gadget_item_set_asking (child->item, gadget_turn_get_phase (turn) == GADGET_PHASE_ASKING);
}

static void
returned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Child *child = user_data;

  _gadget_turn_loop_run_finish (GADGET_TURN_LOOP (source), result);
  answer (child);
  child_free (child);
}

/* --- The start -------------------------------------------------------------------------------- */

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  Child *child = user_data;

  /* If the child has ended and waits for the disk, a call that was aborted with the turn does not
   * wait. */
  if (!gadget_run_abort (_gadget_turn_loop_get_run (child->loop), GADGET_STOP_USER)
      && gadget_run_is_aborted (child->host->run))
    answer (child);
  return G_SOURCE_REMOVE;
}

static GadgetTurnLoop *
make_loop (GadgetSubagents *self, GadgetSession *session, const char *prompt)
{
  const GadgetTurnStorage *storage =
      _gadget_turn_environment_get_storage (self->environment, session);
  g_autofree char *turn_id = gadget_id_new ();
  g_autoptr (GadgetTurn) turn = gadget_turn_new (turn_id, prompt);
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GadgetRun) run = NULL;

  gadget_turn_set_model (turn, gadget_turn_get_provider (self->turn),
                         gadget_turn_get_model (self->turn));
  gadget_receipt_set_parent (gadget_turn_get_receipt (turn), gadget_run_get_receipt (self->run));
  if (storage != NULL)
    journal = gadget_journal_new (storage->store, session, turn);
  run = gadget_run_new (GADGET_RUN_SUBAGENT, NULL, gadget_session_get_id (session), turn_id,
                        self->run, gadget_turn_get_receipt (turn));
  return _gadget_subagents_new_loop (self->environment, run, session, turn, journal, &self->options,
                                     self->budget);
}

static void
start (GadgetSubagents *self, GTask *task, GadgetItem *item, GadgetSession *session,
       const char *prompt, GCancellable *cancellable)
{
  Child *child = g_new0 (Child, 1);
  GadgetTurn *turn;
  GadgetRun *run;

  child->host = g_object_ref (self);
  child->item = g_object_ref (item);
  child->task = g_object_ref (task);
  child->loop = make_loop (self, session, prompt);
  turn = _gadget_turn_loop_get_turn (child->loop);
  run = _gadget_turn_loop_get_run (child->loop);
  self->n_running++;
  _gadget_turn_loop_register (child->loop);
  gadget_session_set_active_run (session, gadget_run_get_id (run));
  gadget_session_set_last_status (session, GADGET_TURN_PROCESSING);
  gadget_session_append (session, turn);
  gadget_item_set_child_ids (item, gadget_session_get_id (session), gadget_turn_get_id (turn));
  gadget_item_set_child (item, session);

  g_ptr_array_add (self->children, child);
  g_signal_connect (turn, "notify::status", G_CALLBACK (status_cb), child);
  g_signal_connect (turn, "notify::usage", G_CALLBACK (usage_cb), child);
  g_signal_connect (turn, "notify::phase", G_CALLBACK (phase_cb), child);
  child->stop = gadget_stop_source_new (cancellable, "[gadget] stop a subagent", stopped_cb, child);
  _gadget_turn_loop_run_async (child->loop, returned_cb, child);
}

static GadgetSession *
new_session (GadgetSubagents *self)
{
  g_autofree char *id = gadget_id_new ();
  GadgetSession *session = gadget_session_new (id);

  gadget_session_set_parent_id (session, gadget_session_get_id (self->session));
  gadget_session_set_incognito (session, gadget_session_get_incognito (self->session));
  gadget_session_set_loaded (session, TRUE);
  return session;
}

/* Returns why the work cannot be done; NULL if it can, with the session in @session. */
static const char *
find_session (GadgetSubagents *self, const char *continued, GadgetSession **session)
{
  if (get_depth (self) >= MAX_DEPTH)
    return "A subagent at this depth has no subagents. Do the work yourself.";
  if (self->n_running >= MAX_PARALLEL)
    return "Eight subagents work already. Wait for their reports before you start another.";
  if (continued == NULL || *continued == '\0')
    {
      *session = new_session (self);
      return NULL;
    }
  g_set_object (session, gadget_session_open_child (self->session, continued));
  if (*session == NULL)
    return "This chat has no subagent with that ID.";
  if (gadget_session_get_active_run (*session) != NULL)
    return "That subagent works already.";
  return NULL;
}

static void
run_async (GadgetTaskHost *host, const GadgetTask *given, GCancellable *cancellable,
           GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetSubagents *self = GADGET_SUBAGENTS (host);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GadgetSession) session = NULL;
  const char *problem = find_session (self, given->continued, &session);

  g_task_set_source_tag (task, run_async);
  if (problem != NULL)
    {
      g_task_return_pointer (task, gadget_tool_result_new (TRUE, problem, NULL),
                             gadget_tool_result_free);
      return;
    }
  gadget_session_set_title (session, given->title);
  gadget_session_set_workspace (session, gadget_session_get_workspace (self->session));
  gadget_session_set_model (session, gadget_session_get_provider (self->session),
                            gadget_session_get_model (self->session));
  start (self, task, given->item, session, given->prompt, cancellable);
}

static GadgetToolResult *
run_finish (GadgetTaskHost *host, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, host), NULL);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* --- A tool that does not stop ---------------------------------------------------------------- */

static gboolean
give_up_child (GadgetSubagents *self, GadgetItem *item)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      Child *child = g_ptr_array_index (self->children, i);

      if (child->item == item)
        return _gadget_turn_loop_give_up (child->loop);
    }
  return FALSE;
}

static gboolean
stop_waiting (GadgetTaskHost *host, GadgetItem *item)
{
  GadgetSubagents *self = GADGET_SUBAGENTS (host);
  GadgetSession *child = gadget_item_get_child (item);
  GadgetTurn *turn = gadget_item_get_child_turn (item);
  GadgetTurnLoop *loop;
  gboolean stopped = FALSE;

  if (turn == NULL || gadget_session_get_active_run (child) == NULL)
    return FALSE;
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *call = gadget_turn_get_item (turn, i);

      /* The end of a wait may end the turn. */
      loop = _gadget_turn_loop_find (self->environment, child);
      if (gadget_item_get_unresponsive (call) && loop != NULL
          && _gadget_turn_loop_stop_waiting (loop, gadget_item_get_call_id (call)))
        stopped = TRUE;
    }
  return stopped || give_up_child (self, item);
}

static void
give_up (GadgetTaskHost *host)
{
  GadgetSubagents *self = GADGET_SUBAGENTS (host);
  g_autoptr (GPtrArray) loops = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->children->len; i++)
    g_ptr_array_add (loops, g_object_ref (((Child *) g_ptr_array_index (self->children, i))->loop));
  for (guint i = 0; i < loops->len; i++)
    _gadget_turn_loop_give_up_all (g_ptr_array_index (loops, i));
}

static void
task_host_init (GadgetTaskHostInterface *iface)
{
  iface->run_async = run_async;
  iface->run_finish = run_finish;
  iface->may_offer = may_offer;
  iface->stop_waiting = stop_waiting;
  iface->give_up = give_up;
}
