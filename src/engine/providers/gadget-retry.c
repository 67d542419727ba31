/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The only retry layer. A request is sent again only if nothing of its response was shown and its
 * error suggests that the same request may succeed later: no connection, 408, 429, 5xx. An abort
 * ends the wait at once, and an aborted request is never sent again: the cancellable is checked
 * before anything else. */

#define G_LOG_DOMAIN "gadget-retry"

#include "config.h"

#include "gadget-retry.h"

#include "common/gadget-stop-source.h"
#include "gadget-provider.h"

#define FIRST_DELAY_MS 500
#define LOADING_DELAY_MS 1000

typedef struct
{
  GadgetHttpRequest *request; /* owned by the caller until the callback */
  const GadgetRetryHandler *handler;
  gpointer handler_data;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  guint attempt;
  gint64 loading_since_us;
  guint timer;
  guint wait_line; /* the line of the receipt, or 0 */
  GSource *abort_source;
} Retry;

static void send_attempt (GTask *task);

static void
free_retry (gpointer data)
{
  Retry *self = data;

  g_assert (self->timer == 0 && self->abort_source == NULL);
  g_clear_object (&self->receipt);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/**
 * gadget_retry_get_delay:
 * @attempt: the number of earlier attempts, from 0
 * @random: from 0 to 1
 *
 * Returns: how long to wait, in milliseconds: doubled for each attempt, and spread so that many
 *   clients do not retry at the same time
 */
guint
gadget_retry_get_delay (guint attempt, double random)
{
  double longest = FIRST_DELAY_MS * (double) (1u << MIN (attempt, 10));

  return (guint) (longest * (0.5 + 0.5 * CLAMP (random, 0.0, 1.0)));
}

static gboolean
is_worth_another (const GError *error)
{
  return g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_UNREACHABLE)
         || g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_RATE_LIMITED)
         || g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED);
}

/* How long to wait before the next attempt, in milliseconds; -1 for no other attempt. */
static gint64
plan (GadgetHttp *http, Retry *self, const GadgetHttpResponse *response, const GError *error)
{
  gint64 now_us = gadget_clock_now (gadget_http_get_clock (http));
  gboolean timed_out = response != NULL && response->status == 408;
  gint64 asked;

  if (g_cancellable_is_cancelled (self->cancellable)
      || self->handler->has_output (self->handler_data) || !(timed_out || is_worth_another (error)))
    return -1;

  if (response != NULL && response->loading)
    {
      if (self->loading_since_us == 0)
        self->loading_since_us = now_us;
      if (now_us - self->loading_since_us
          > (gint64) gadget_http_get_limits (http)->first_byte_ms * 1000)
        return -1;
      return LOADING_DELAY_MS;
    }

  if (self->attempt >= GADGET_RETRY_MAX)
    return -1;
  asked = gadget_http_parse_retry_after (response != NULL ? response->retry_after : NULL,
                                         gadget_clock_wall_ms ());
  if (asked > GADGET_RETRY_LONGEST_MS)
    return -1;
  return asked >= 0 ? asked : gadget_retry_get_delay (self->attempt, g_random_double ());
}

/* Returns the error. If the server asks for a wait that is too long, the message says when to try
 * again. @task and @error: (transfer full). */
static void
fail (GTask *task, const GadgetHttpResponse *response, GError *error)
{
  gint64 now_ms = gadget_clock_wall_ms ();
  gint64 asked =
      gadget_http_parse_retry_after (response != NULL ? response->retry_after : NULL, now_ms);

  if (asked > GADGET_RETRY_LONGEST_MS && is_worth_another (error))
    {
      g_autoptr (GDateTime) then = g_date_time_new_from_unix_local ((now_ms + asked) / 1000);
      g_autofree char *when = then != NULL ? g_date_time_format (then, "%F %R") : NULL;
      g_autofree char *said = g_strdup (error->message);

      g_clear_error (&error);
      error = g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_RATE_LIMITED,
                           "%s (the server asks to wait until %s)", said,
                           when != NULL ? when : "much later");
    }
  g_task_return_error (task, error);
  g_object_unref (task);
}

static void
stop_waiting (GTask *task)
{
  Retry *self = g_task_get_task_data (task);

  if (self->timer != 0)
    gadget_clock_remove (gadget_http_get_clock (g_task_get_source_object (task)), self->timer);
  self->timer = 0;
  if (self->wait_line != 0)
    gadget_receipt_end (self->receipt, self->wait_line, "ended", 0);
  self->wait_line = 0;
  gadget_stop_source_end (&self->abort_source);
}

static void
fail_aborted (GTask *task)
{
  fail (task, NULL,
        g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The request was aborted"));
}

static void
waited_cb (gpointer user_data)
{
  GTask *task = user_data;
  Retry *self = g_task_get_task_data (task);

  self->timer = 0;
  stop_waiting (task);
  send_attempt (task);
}

static gboolean
aborted_cb (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;

  stop_waiting (task);
  fail_aborted (task);
  return G_SOURCE_REMOVE;
}

static void
wait_for_next (GTask *task, guint milliseconds)
{
  Retry *self = g_task_get_task_data (task);
  GadgetClock *clock = gadget_http_get_clock (g_task_get_source_object (task));

  self->timer = gadget_clock_add_timeout (clock, milliseconds, "retry", waited_cb, task);
  if (self->receipt != NULL)
    self->wait_line =
        gadget_receipt_begin (self->receipt, GADGET_RECEIPT_RETRY, self->request->name);
  self->abort_source = gadget_stop_source_new (self->cancellable, "retry abort", aborted_cb, task);
}

static void
attempted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Retry *self = g_task_get_task_data (task);
  g_autoptr (GadgetHttpResponse) response = NULL;
  GError *error = NULL;
  gint64 delay;

  if (gadget_http_stream_finish (GADGET_HTTP (source), result, &response, &error))
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  gadget_provider_adopt_error (error);
  delay = plan (GADGET_HTTP (source), self, response, error);
  if (delay < 0)
    {
      fail (task, response, error);
      return;
    }

  g_debug ("attempt %u: %s; the next in %" G_GINT64_FORMAT " ms", self->attempt, error->message,
           delay);
  g_error_free (error);
  if (response != NULL && response->loading)
    self->handler->loading (self->handler_data);
  else
    {
      self->attempt++;
      self->handler->retrying ((guint) delay, self->handler_data);
    }
  /* The handler may have aborted during the call. */
  if (g_cancellable_is_cancelled (self->cancellable))
    fail_aborted (task);
  else
    wait_for_next (task, (guint) delay);
}

static void
send_attempt (GTask *task)
{
  Retry *self = g_task_get_task_data (task);

  gadget_http_stream_async (g_task_get_source_object (task), self->request, &self->handler->http,
                            self->handler_data, self->receipt, self->cancellable, attempted_cb,
                            task);
}

/**
 * gadget_retry_send_async:
 * @request: has to stay valid until @callback is called
 * @handler: static
 *
 * Like gadget_http_stream_async (), with up to %GADGET_RETRY_MAX more attempts.
 */
void
gadget_retry_send_async (GadgetHttp *http, GadgetHttpRequest *request,
                         const GadgetRetryHandler *handler, gpointer handler_data,
                         GadgetReceipt *receipt, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Retry *self;

  g_return_if_fail (GADGET_IS_HTTP (http));
  g_return_if_fail (request != NULL && handler != NULL);

  task = g_task_new (http, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_retry_send_async);
  g_task_set_check_cancellable (task, FALSE);
  self = g_new0 (Retry, 1);
  g_task_set_task_data (task, self, free_retry);
  self->request = request;
  self->handler = handler;
  self->handler_data = handler_data;
  g_set_object (&self->receipt, receipt);
  g_set_object (&self->cancellable, cancellable);
  send_attempt (task);
}

/**
 * gadget_retry_send_finish:
 *
 * Returns: %TRUE when the response was complete; otherwise %FALSE with a #GadgetProviderError, an
 *   error of the handler, or %G_IO_ERROR_CANCELLED after a cancel
 */
gboolean
gadget_retry_send_finish (GadgetHttp *http, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, http), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
