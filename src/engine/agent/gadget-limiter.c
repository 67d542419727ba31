/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Applies the limits to one turn, or to one subagent, which shares the turn's budget. There are two
 * kinds of limits:
 *
 * Deadlines, and limits of time if the user is not asked, abort the run when the time is over,
 * whatever it is doing, exactly as configured.
 *
 * All limits are checked before each step. If somebody is there and the limits are not hard, the
 * turn halts and asks the user in a note of the turn; if not, the run is aborted. Time does not
 * count while the turn waits for the user, be it here or for the answer to a tool.
 *
 * The turn records which limit ended it in its error fields ("limit/steps", "20"), which an aborted
 * turn does not need otherwise. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-limiter"

#include "config.h"

#include "gadget-limiter.h"

#include <glib/gi18n-lib.h>

struct _GadgetLimiter
{
  GadgetClock *clock;
  GadgetBudget *budget;
  GadgetRun *run;
  GadgetTurn *turn;
  guint timer; /* of the deadline, or of a hard limit of time; or 0 */
  gint64 deadline_ms;
  guint n_steps;
};

/* --- Time ------------------------------------------------------------------------------------- */

static void
deadline_cb (gpointer user_data)
{
  GadgetLimiter *self = user_data;

  self->timer = 0;
  _gadget_budget_abort (self->budget, GADGET_LIMIT_TIME, self->deadline_ms);
}

/**
 * _gadget_limiter_new:
 * @budget: the budget of the turn
 * @run: the run that is aborted at the deadline: the turn's, or that of a subagent
 * @turn: the turn that gets the note; that of the subagent, for a subagent
 * @deadline_ms: always aborts the turn after this many milliseconds; 0 for no deadline
 *
 * Returns: (transfer full): a limiter
 */
GadgetLimiter *
_gadget_limiter_new (GadgetClock *clock, GadgetBudget *budget, GadgetRun *run, GadgetTurn *turn,
                     guint deadline_ms)
{
  GadgetLimiter *self = g_new0 (GadgetLimiter, 1);
  const gint64 time_ms = _gadget_budget_get_configured (budget, GADGET_LIMIT_TIME);

  self->clock = g_object_ref (clock);
  self->budget = _gadget_budget_ref (budget);
  self->run = g_object_ref (run);
  self->turn = g_object_ref (turn);

  self->deadline_ms = deadline_ms;
  /* A hard limit of time aborts the turn, and so its subagents, which need no timer of their
   * own. */
  if (_gadget_budget_get_run (budget) == run && _gadget_budget_get_hard (budget) && time_ms > 0)
    self->deadline_ms = deadline_ms > 0 ? MIN (deadline_ms, time_ms) : time_ms;
  if (self->deadline_ms > 0)
    self->timer = gadget_clock_add_timeout (clock, (guint) self->deadline_ms, "[gadget] deadline",
                                            deadline_cb, self);
  return self;
}

/* Ends the deadline: nothing is aborted from now on. */
void
_gadget_limiter_stop (GadgetLimiter *self)
{
  if (self->timer != 0)
    gadget_clock_remove (self->clock, self->timer);
  self->timer = 0;
}

void
_gadget_limiter_free (GadgetLimiter *self)
{
  if (self == NULL)
    return;
  _gadget_limiter_stop (self);
  _gadget_budget_unref (self->budget);
  g_object_unref (self->clock);
  g_object_unref (self->run);
  g_object_unref (self->turn);
  g_free (self);
}

/* --- Before a step ---------------------------------------------------------------------------- */

void
_gadget_limiter_count_step (GadgetLimiter *self)
{
  self->n_steps++;
  _gadget_budget_count_step (self->budget);
}

gboolean
_gadget_limiter_is_reached (GadgetLimiter *self)
{
  return _gadget_budget_find_reached (self->budget) != GADGET_N_LIMITS;
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* A question to the user at a limit. */
typedef struct
{
  GadgetLimiter *limiter; /* (unowned): the turn's loop keeps it */
  GadgetLimit limit;
  GadgetItem *item;
  char *go_on;
  char *raise;
  guint in_flight;
} Halt;

static void
halt_free (gpointer data)
{
  Halt *halt = data;

  g_clear_object (&halt->item);
  g_free (halt->go_on);
  g_free (halt->raise);
  g_free (halt);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Halt *halt = g_task_get_task_data (task);
  GadgetLimiter *self = halt->limiter;
  g_autofree char *answer = gadget_prompt_wait_finish (GADGET_PROMPT (source), result, NULL);

  gadget_receipt_end (gadget_run_get_receipt (self->run), halt->in_flight,
                      answer != NULL ? "answered" : "dismissed", 0);
  gadget_item_set_prompt (halt->item, NULL);
  gadget_item_set_ended_at (halt->item, gadget_item_get_now (halt->item));
  gadget_item_set_status (halt->item, GADGET_ITEM_FINISHED);
  if (!gadget_run_is_aborted (self->run))
    gadget_turn_set_phase (self->turn, GADGET_PHASE_WAITING);
  if (g_strcmp0 (answer, halt->go_on) == 0)
    _gadget_budget_lift (self->budget, halt->limit);
  else if (g_strcmp0 (answer, halt->raise) == 0)
    _gadget_budget_raise (self->budget, halt->limit);
  else if (!gadget_run_is_aborted (self->run))
    gadget_run_abort (_gadget_budget_get_run (self->budget), GADGET_STOP_USER);
  /* If only this subagent was stopped, nothing was answered, and one of those that wait asks
   * again. */
  _gadget_budget_end_asking (self->budget);
  g_task_return_boolean (task, TRUE);
}

/* Returns the label of a button, so its words begin with capitals. */
static char *
make_raise_label (GadgetLimit limit, gint64 amount)
{
  g_autofree char *number = NULL;

  switch (limit)
    {
    case GADGET_LIMIT_TIME:
      if (amount % 60000 == 0)
        return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Raise the Limit by %d Minute",
                                             "Raise the Limit by %d Minutes",
                                             (gulong) (amount / 60000)),
                                (int) (amount / 60000));
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Raise the Limit by %d Second",
                                           "Raise the Limit by %d Seconds",
                                           (gulong) ((amount + 999) / 1000)),
                              (int) ((amount + 999) / 1000));
    case GADGET_LIMIT_STEPS:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Raise the Limit by %d Step",
                                           "Raise the Limit by %d Steps", (gulong) amount),
                              (int) amount);
    case GADGET_LIMIT_COST:
    case GADGET_LIMIT_DAY_COST:
      number = gadget_cost_dup_text (amount);
      /* Translators: %s is a sum of money, "$2.00" */
      return g_strdup_printf (_ ("Raise the Limit by %s"), number);
    case GADGET_LIMIT_TOKENS:
    case GADGET_N_LIMITS:
    default:
      number = g_strdup_printf ("%'" G_GINT64_FORMAT, amount);
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Raise the Limit by %s Token",
                                           "Raise the Limit by %s Tokens", (gulong) amount),
                              number);
    }
}

static void
ask (GTask *task)
{
  Halt *halt = g_task_get_task_data (task);
  GadgetLimiter *self = halt->limiter;
  g_autoptr (GadgetCallSummary) summary = gadget_call_summary_new_with_numbers (
      (GadgetCallSummaryKind) (GADGET_CALL_SUMMARY_LIMIT_TIME + halt->limit), "",
      _gadget_budget_get_limit (self->budget, halt->limit), 0);
  g_autofree char *title = gadget_call_summary_dup_text (summary);
  g_autoptr (GadgetPrompt) prompt = NULL;

  halt->go_on = g_strdup (_ ("Continue Without This Limit"));
  halt->raise =
      make_raise_label (halt->limit, _gadget_budget_get_configured (self->budget, halt->limit));
  prompt = gadget_prompt_new_question (
      title, (const char *const[]) { halt->go_on, halt->raise, _ ("Stop"), NULL }, FALSE);

  halt->item = gadget_item_new (GADGET_ITEM_NOTE);
  gadget_item_set_step (halt->item, self->n_steps > 0 ? self->n_steps - 1 : 0);
  gadget_item_set_started_at (halt->item, gadget_turn_get_now (self->turn));
  gadget_item_append_text (halt->item, title, -1);
  gadget_item_take_call_summary (halt->item, gadget_call_summary_copy (summary));
  gadget_item_set_prompt (halt->item, prompt);
  gadget_turn_append (self->turn, halt->item);
  gadget_turn_set_phase (self->turn, GADGET_PHASE_ASKING);
  halt->in_flight = gadget_receipt_begin_summary (gadget_run_get_receipt (self->run),
                                                  GADGET_RECEIPT_QUESTION, summary);
  gadget_prompt_wait_async (prompt, gadget_run_get_cancellable (self->run), answered_cb,
                            g_object_ref (task));
}

/**
 * _gadget_limiter_halt_async:
 *
 * Called when a limit is reached: aborts the run, or asks the user what to do. Afterwards the
 * caller has to check whether the run was aborted, and whether another limit is reached.
 */
void
_gadget_limiter_halt_async (GadgetLimiter *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Halt *halt = g_new0 (Halt, 1);

  g_task_set_source_tag (task, _gadget_limiter_halt_async);
  g_task_set_task_data (task, halt, halt_free);
  halt->limiter = self;
  halt->limit = _gadget_budget_find_reached (self->budget);
  if (halt->limit != GADGET_N_LIMITS && !_gadget_budget_get_hard (self->budget))
    {
      if (_gadget_budget_begin_asking (self->budget, task, gadget_run_get_cancellable (self->run)))
        ask (task);
      return;
    }
  if (halt->limit != GADGET_N_LIMITS)
    _gadget_budget_abort (self->budget, halt->limit,
                          _gadget_budget_get_configured (self->budget, halt->limit));
  g_task_return_boolean (task, TRUE);
}

void
_gadget_limiter_halt_finish (GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, NULL));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
