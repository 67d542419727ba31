/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The limits of one turn. Two kinds of end:
 *
 * - A deadline, and a limit of time where nobody is asked, abort the run when their time has come,
 *   whatever it is doing then: exactly what was configured, by the clock.
 * - The others are looked at before each step. Where somebody is there and has not called them
 *   hard, the turn halts and asks, on a note in the turn; else the run is aborted. While the turn
 *   waits for the user, here or for an answer to a tool, its time stands still.
 *
 * The turn records which limit ended it in its error fields ("limit/steps", "20"), which an
 * aborted turn has no other use for. */

#define G_LOG_DOMAIN "gadget-limits"

#include "config.h"

#include "gadget-limits.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  LIMIT_TIME,
  LIMIT_STEPS,
  LIMIT_TOKENS,
  N_LIMITS
} Limit;

static const char *const limit_codes[N_LIMITS] = { "limit/time", "limit/steps", "limit/tokens" };

struct _GadgetLimiter
{
  GadgetClock *clock;
  GadgetRun *run;
  GadgetTurn *turn;
  gboolean hard;
  gint64 configured[N_LIMITS]; /* milliseconds, steps, tokens; 0 for none */
  gint64 limit[N_LIMITS];      /* the same, as the user raised them meanwhile */

  guint timer; /* of the deadline, or of hard time */
  gint64 deadline_ms;
  guint n_steps;
  gint64 started_us;
  gint64 paused_us;       /* how long it has waited for the user so far */
  gint64 paused_since_us; /* -1 while it does not */
};

/* --- Words ------------------------------------------------------------------------------------ */

static char *
describe_amount (Limit limit, gint64 amount)
{
  switch (limit)
    {
    case LIMIT_TIME:
      if (amount % 60000 == 0)
        return g_strdup_printf (
            g_dngettext (GETTEXT_PACKAGE, "%d minute", "%d minutes", (gulong) (amount / 60000)),
            (int) (amount / 60000));
      if (amount % 1000 == 0)
        return g_strdup_printf (
            g_dngettext (GETTEXT_PACKAGE, "%d second", "%d seconds", (gulong) (amount / 1000)),
            (int) (amount / 1000));
      /* Translators: a limit of time, shorter than a second or with a fraction of one */
      return g_strdup_printf (_ ("%d milliseconds"), (int) amount);
    case LIMIT_STEPS:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d step", "%d steps", (gulong) amount),
                              (int) amount);
    case LIMIT_TOKENS:
    default:
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%'d token", "%'d tokens", (gulong) amount), (int) amount);
    }
}

char *
gadget_limits_dup_text (GadgetTurn *turn)
{
  const char *code;
  const char *detail;

  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  code = gadget_turn_get_error_code (turn);
  detail = gadget_turn_get_error_detail (turn);
  if (gadget_turn_get_status (turn) != GADGET_TURN_ABORTED || detail == NULL)
    return NULL;
  for (guint i = 0; i < N_LIMITS; i++)
    if (g_strcmp0 (code, limit_codes[i]) == 0)
      {
        g_autofree char *amount = describe_amount ((Limit) i, g_ascii_strtoll (detail, NULL, 10));

        /* Translators: what the limit is follows: "20 steps", "10 minutes" */
        return g_strdup_printf (_ ("The turn was aborted at its limit: %s."), amount);
      }
  return NULL;
}

/* --- Aborting --------------------------------------------------------------------------------- */

static void
abort_at (GadgetLimiter *self, Limit limit, gint64 amount)
{
  g_autofree char *detail = g_strdup_printf ("%" G_GINT64_FORMAT, amount);

  /* What the user stopped was not stopped by a limit. */
  if (gadget_run_is_aborted (self->run) || gadget_run_get_state (self->run) != GADGET_RUN_RUNNING)
    return;
  gadget_turn_set_limit (self->turn, limit_codes[limit], detail);
  gadget_run_abort (self->run, limit == LIMIT_TIME ? GADGET_STOP_DEADLINE : GADGET_STOP_BUDGET);
}

static void
deadline_cb (gpointer user_data)
{
  GadgetLimiter *self = user_data;

  self->timer = 0;
  abort_at (self, LIMIT_TIME, self->deadline_ms);
}

/* --- Time ------------------------------------------------------------------------------------- */

static void
phase_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetLimiter *self)
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

static gint64
get_worked_ms (GadgetLimiter *self)
{
  return (gadget_clock_now (self->clock) - self->started_us - self->paused_us) / 1000;
}

/**
 * _gadget_limiter_new:
 * @deadline_ms: aborts the run after that long, always; 0 for none
 * @interactive: whether somebody is there to be asked
 *
 * The time begins now.
 */
GadgetLimiter *
_gadget_limiter_new (GadgetClock *clock, GadgetRun *run, GadgetTurn *turn,
                     const GadgetLimits *limits, guint deadline_ms, gboolean interactive)
{
  GadgetLimiter *self = g_new0 (GadgetLimiter, 1);

  self->clock = g_object_ref (clock);
  self->run = g_object_ref (run);
  self->turn = g_object_ref (turn);
  self->hard = limits->hard || !interactive;
  self->limit[LIMIT_TIME] = limits->time_ms;
  self->limit[LIMIT_STEPS] = limits->steps;
  self->limit[LIMIT_TOKENS] = limits->tokens;
  for (guint i = 0; i < N_LIMITS; i++)
    self->configured[i] = self->limit[i];
  self->started_us = gadget_clock_now (clock);
  self->paused_since_us = -1;
  g_signal_connect (turn, "notify::phase", G_CALLBACK (phase_cb), self);

  self->deadline_ms = deadline_ms;
  if (self->hard && limits->time_ms > 0)
    self->deadline_ms = deadline_ms > 0 ? MIN (deadline_ms, limits->time_ms) : limits->time_ms;
  if (self->deadline_ms > 0)
    self->timer = gadget_clock_add_timeout (clock, (guint) self->deadline_ms, "[gadget] deadline",
                                            deadline_cb, self);
  return self;
}

/* From now on nothing is aborted. */
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
  g_signal_handlers_disconnect_by_data (self->turn, self);
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
}

static gint64
get_used (GadgetLimiter *self, Limit limit)
{
  const GadgetUsage *usage = gadget_turn_get_usage (self->turn);

  switch (limit)
    {
    case LIMIT_TIME:
      return get_worked_ms (self);
    case LIMIT_STEPS:
      return self->n_steps;
    case LIMIT_TOKENS:
    default:
      return usage->input_tokens + usage->output_tokens;
    }
}

static Limit
find_reached (GadgetLimiter *self)
{
  for (guint i = 0; i < N_LIMITS; i++)
    if (self->limit[i] > 0 && get_used (self, (Limit) i) >= self->limit[i])
      return (Limit) i;
  return N_LIMITS;
}

gboolean
_gadget_limiter_is_reached (GadgetLimiter *self)
{
  return find_reached (self) != N_LIMITS;
}

/* --- Asking ----------------------------------------------------------------------------------- */

typedef struct
{
  GadgetLimiter *limiter; /* the turn's loop keeps it */
  Limit limit;
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
  gadget_item_set_ended_at (halt->item, gadget_clock_wall_ms ());
  gadget_item_set_status (halt->item, GADGET_ITEM_FINISHED);
  if (!gadget_run_is_aborted (self->run))
    gadget_turn_set_phase (self->turn, GADGET_PHASE_WAITING);
  if (g_strcmp0 (answer, halt->go_on) == 0)
    self->limit[halt->limit] = 0;
  else if (g_strcmp0 (answer, halt->raise) == 0)
    self->limit[halt->limit] = get_used (self, halt->limit) + self->configured[halt->limit];
  else
    gadget_run_abort (self->run, GADGET_STOP_USER);
  g_task_return_boolean (task, TRUE);
}

static void
ask (GTask *task)
{
  Halt *halt = g_task_get_task_data (task);
  GadgetLimiter *self = halt->limiter;
  g_autofree char *reached = describe_amount (halt->limit, self->limit[halt->limit]);
  g_autofree char *more = describe_amount (halt->limit, self->configured[halt->limit]);
  /* Translators: what the limit is follows: "20 steps", "10 minutes" */
  g_autofree char *title = g_strdup_printf (_ ("This turn has reached its limit: %s."), reached);
  g_autoptr (GadgetPrompt) prompt = NULL;

  halt->go_on = g_strdup (_ ("Continue Without This Limit"));
  /* Translators: a choice; how much follows: "20 steps", "10 minutes" */
  halt->raise = g_strdup_printf (_ ("Raise the Limit by %s"), more);
  prompt = gadget_prompt_new_question (
      title, (const char *const[]) { halt->go_on, halt->raise, _ ("Stop"), NULL }, FALSE);

  halt->item = gadget_item_new (GADGET_ITEM_NOTE);
  gadget_item_set_step (halt->item, self->n_steps > 0 ? self->n_steps - 1 : 0);
  gadget_item_set_started_at (halt->item, gadget_clock_wall_ms ());
  gadget_item_append_text (halt->item, title, -1);
  gadget_item_set_prompt (halt->item, prompt);
  gadget_turn_append (self->turn, halt->item);
  gadget_turn_set_phase (self->turn, GADGET_PHASE_ASKING);
  halt->in_flight =
      gadget_receipt_begin (gadget_run_get_receipt (self->run), GADGET_RECEIPT_QUESTION, title);
  gadget_prompt_wait_async (prompt, gadget_run_get_cancellable (self->run), answered_cb,
                            g_object_ref (task));
}

/**
 * _gadget_limiter_halt_async:
 *
 * A limit is reached: aborts the run, or asks what is to be done. Afterwards the run is asked
 * whether it was aborted, and the limits again whether another one is reached.
 */
void
_gadget_limiter_halt_async (GadgetLimiter *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Halt *halt = g_new0 (Halt, 1);

  g_task_set_source_tag (task, _gadget_limiter_halt_async);
  g_task_set_task_data (task, halt, halt_free);
  halt->limiter = self;
  halt->limit = find_reached (self);
  if (halt->limit != N_LIMITS && !self->hard)
    {
      ask (task);
      return;
    }
  if (halt->limit != N_LIMITS)
    abort_at (self, halt->limit, self->configured[halt->limit]);
  g_task_return_boolean (task, TRUE);
}

void
_gadget_limiter_halt_finish (GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, NULL));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
