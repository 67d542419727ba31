/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The budget of a turn counts what the turn and its subagents have used, and what they may use. A
 * limit is meant for all the work that a message causes, however it is divided, so the turn and all
 * subagents below it share one budget, and check it before each of their steps. Time is measured
 * from the start of the turn, while subagents work, too; tokens and money are the turn's, which
 * counts those of its subagents as they are used. Time does not count while the turn, or a
 * subagent, waits for the user.
 *
 * The first of them that comes to a limit asks the user, or aborts the turn. Others that come to a
 * limit meanwhile wait for the same answer. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-budget"

#include "config.h"

#include "gadget-budget.h"

#include "common/gadget-pending.h"

struct _GadgetBudget
{
  GadgetClock *clock;
  GadgetRun *run; /* of the turn */
  GadgetTurn *turn;
  gboolean hard;
  gint64 configured[GADGET_N_LIMITS]; /* as set at first, in the units of GadgetLimit; 0 for none */
  gint64 limit[GADGET_N_LIMITS];      /* the same, as the user has raised or removed it since */

  guint n_steps;
  gint64 day_cost; /* of all turns of this day, as it was last read */
  gint64 started_us;
  gint64 paused_us;       /* how long it has waited for the user until now */
  gint64 paused_since_us; /* -1 while it does not wait for the user */

  gboolean asking;
  GPtrArray *waiting; /* of GadgetPending: tasks that wait for the answer to another's question */
};

static void
phase_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetBudget *self)
{
  const gboolean asking = gadget_turn_get_phase (turn) == GADGET_PHASE_ASKING;
  const gint64 now = gadget_clock_now (self->clock);

  if (asking && self->paused_since_us < 0)
    self->paused_since_us = now;
  if (asking || self->paused_since_us < 0)
    return;
  self->paused_us += now - self->paused_since_us;
  self->paused_since_us = -1;
}

/**
 * _gadget_budget_new:
 * @run: the run of the turn
 * @limits: what the turn may use
 * @interactive: whether somebody is there to be asked; if not, all limits are hard
 *
 * The time starts now.
 *
 * Returns: (transfer full): a budget
 */
GadgetBudget *
_gadget_budget_new (GadgetClock *clock, GadgetRun *run, GadgetTurn *turn,
                    const GadgetLimits *limits, gboolean interactive)
{
  GadgetBudget *self = g_rc_box_new0 (GadgetBudget);

  self->clock = g_object_ref (clock);
  self->run = g_object_ref (run);
  self->turn = g_object_ref (turn);
  self->hard = limits->hard || !interactive;
  self->limit[GADGET_LIMIT_TIME] = limits->time_ms;
  self->limit[GADGET_LIMIT_STEPS] = limits->steps;
  self->limit[GADGET_LIMIT_TOKENS] = limits->tokens;
  self->limit[GADGET_LIMIT_COST] = limits->cost;
  self->limit[GADGET_LIMIT_DAY_COST] = limits->day_cost;
  for (guint i = 0; i < GADGET_N_LIMITS; i++)
    self->configured[i] = self->limit[i];
  self->started_us = gadget_clock_now (clock);
  self->paused_since_us = -1;
  self->waiting = g_ptr_array_new ();
  g_signal_connect (turn, "notify::phase", G_CALLBACK (phase_cb), self);
  return self;
}

static void
budget_clear (gpointer data)
{
  GadgetBudget *self = data;

  g_assert (self->waiting->len == 0);
  g_signal_handlers_disconnect_by_data (self->turn, self);
  g_object_unref (self->clock);
  g_object_unref (self->run);
  g_object_unref (self->turn);
  g_ptr_array_unref (self->waiting);
}

GadgetBudget *
_gadget_budget_ref (GadgetBudget *self)
{
  return g_rc_box_acquire (self);
}

void
_gadget_budget_unref (GadgetBudget *self)
{
  g_rc_box_release_full (self, budget_clear);
}

GadgetRun *
_gadget_budget_get_run (GadgetBudget *self)
{
  return self->run;
}

gboolean
_gadget_budget_get_hard (GadgetBudget *self)
{
  return self->hard;
}

gint64
_gadget_budget_get_configured (GadgetBudget *self, GadgetLimit limit)
{
  return self->configured[limit];
}

gint64
_gadget_budget_get_limit (GadgetBudget *self, GadgetLimit limit)
{
  return self->limit[limit];
}

void
_gadget_budget_count_step (GadgetBudget *self)
{
  self->n_steps++;
}

void
_gadget_budget_set_day_cost (GadgetBudget *self, gint64 cost)
{
  self->day_cost = cost;
}

static gint64
get_used (GadgetBudget *self, GadgetLimit limit)
{
  const GadgetUsage *usage = gadget_turn_get_usage (self->turn);
  const gint64 now =
      self->paused_since_us >= 0 ? self->paused_since_us : gadget_clock_now (self->clock);

  switch (limit)
    {
    case GADGET_LIMIT_TIME:
      return (now - self->started_us - self->paused_us) / 1000;
    case GADGET_LIMIT_STEPS:
      return self->n_steps;
    case GADGET_LIMIT_COST:
      return usage->cost;
    case GADGET_LIMIT_DAY_COST:
      return self->day_cost;
    case GADGET_LIMIT_TOKENS:
    case GADGET_N_LIMITS:
    default:
      return usage->input_tokens + usage->output_tokens;
    }
}

static void
fill (GadgetLimits *limits, const gint64 *amounts)
{
  limits->time_ms = (guint) CLAMP (amounts[GADGET_LIMIT_TIME], 0, G_MAXUINT);
  limits->steps = (guint) amounts[GADGET_LIMIT_STEPS];
  limits->tokens = amounts[GADGET_LIMIT_TOKENS];
  limits->cost = amounts[GADGET_LIMIT_COST];
  limits->day_cost = amounts[GADGET_LIMIT_DAY_COST];
}

void
_gadget_budget_read (GadgetBudget *self, GadgetLimits *spent, GadgetLimits *allowed)
{
  gint64 used[GADGET_N_LIMITS];

  for (guint i = 0; i < GADGET_N_LIMITS; i++)
    used[i] = get_used (self, (GadgetLimit) i);
  fill (spent, used);
  fill (allowed, self->limit);
  spent->hard = allowed->hard = self->hard;
}

/**
 * _gadget_budget_find_reached:
 *
 * Returns: a limit that is reached, or %GADGET_N_LIMITS
 */
GadgetLimit
_gadget_budget_find_reached (GadgetBudget *self)
{
  for (guint i = 0; i < GADGET_N_LIMITS; i++)
    if (self->limit[i] > 0 && get_used (self, (GadgetLimit) i) >= self->limit[i])
      return (GadgetLimit) i;
  return GADGET_N_LIMITS;
}

void
_gadget_budget_lift (GadgetBudget *self, GadgetLimit limit)
{
  self->limit[limit] = 0;
}

void
_gadget_budget_raise (GadgetBudget *self, GadgetLimit limit)
{
  self->limit[limit] = get_used (self, limit) + self->configured[limit];
}

/**
 * _gadget_budget_abort:
 * @amount: the limit, in its unit, for the record
 *
 * Aborts the turn, unless it was aborted or has ended already, and records that this limit did so.
 */
void
_gadget_budget_abort (GadgetBudget *self, GadgetLimit limit, gint64 amount)
{
  g_autofree char *detail = g_strdup_printf ("%" G_GINT64_FORMAT, amount);

  /* A turn that the user has stopped was not stopped by a limit. */
  if (gadget_run_is_aborted (self->run) || gadget_run_get_state (self->run) != GADGET_RUN_RUNNING)
    return;
  gadget_turn_set_limit (self->turn, gadget_limit_get_code (limit), detail);
  gadget_run_abort (self->run,
                    limit == GADGET_LIMIT_TIME ? GADGET_STOP_DEADLINE : GADGET_STOP_BUDGET);
}

/* --- One question at a time ------------------------------------------------------------------- */

static void
stop_waiting (GadgetPending *waiter, gpointer waiting)
{
  g_autoptr (GTask) task = gadget_pending_take (waiter);

  g_ptr_array_remove (waiting, waiter);
  gadget_pending_free (waiter);
  g_task_return_boolean (task, TRUE);
}

gboolean
_gadget_budget_begin_asking (GadgetBudget *self, GTask *task, GCancellable *cancellable)
{
  if (!self->asking)
    {
      self->asking = TRUE;
      return TRUE;
    }
  g_ptr_array_add (self->waiting, gadget_pending_new (g_object_ref (task), cancellable,
                                                      stop_waiting, self->waiting));
  return FALSE;
}

void
_gadget_budget_end_asking (GadgetBudget *self)
{
  g_autoptr (GadgetBudget) hold = _gadget_budget_ref (self);
  guint n = self->waiting->len;

  self->asking = FALSE;
  /* The first waiter may ask again and the others wait again; each is called only once here. */
  while (n-- > 0 && self->waiting->len > 0)
    stop_waiting (g_ptr_array_index (self->waiting, 0), self->waiting);
}
