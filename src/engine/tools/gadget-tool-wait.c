/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "wait". The clock's timeout or a stop ends a call, whichever comes first. */

#define G_LOG_DOMAIN "gadget-tool-wait"

#include "config.h"

#include "gadget-tool-wait.h"

#include "common/gadget-pending.h"

#define MAX_SECONDS 86400

static void
return_elapsed (GadgetPending *pending, gboolean cut)
{
  GadgetToolResult *result;
  g_autoptr (GTask) task = gadget_pending_free_and_take (pending);
  GadgetClock *clock = gadget_tool_get_data (g_task_get_source_object (task));
  const gint64 *begun_us = g_task_get_task_data (task);
  const double seconds = (double) (gadget_clock_now (clock) - *begun_us) / 1e6;
  g_autofree char *text = g_strdup_printf ("Waited %.1f seconds.", seconds);

  result = gadget_tool_result_new (
      FALSE, text,
      gadget_call_summary_new_with_numbers (cut ? GADGET_CALL_SUMMARY_WAIT_INTERRUPTED
                                                : GADGET_CALL_SUMMARY_WAITED,
                                            "", (gint64) (seconds * 1000 + 0.5), 0));
  result->cut = cut;
  g_task_return_pointer (task, result, gadget_tool_result_free);
}

static void
elapsed_cb (GadgetPending *pending, gpointer data)
{
  return_elapsed (pending, FALSE);
}

static void
stopped_cb (GadgetPending *pending, gpointer data)
{
  return_elapsed (pending, TRUE);
}

static const char description[] =
    "Waits for a number of seconds, for something that needs time. The user can stop it.";

static const GadgetToolParameter parameters[] = {
  { "seconds", GADGET_TOOL_NUMBER, TRUE, "How long to wait", .most = MAX_SECONDS, .strict = TRUE },
  { NULL },
};

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const double seconds = json_object_get_double_member_with_default (arguments, "seconds", 0);

  return gadget_call_summary_new_with_numbers (
      GADGET_CALL_SUMMARY_WAITING, "", (gint64) (CLAMP (seconds, 0, MAX_SECONDS) * 1000), 0);
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetClock *clock = gadget_tool_get_data (tool);
  const double seconds = json_object_get_double_member_with_default (arguments, "seconds", 0);
  /* The GTask gets no cancellable: a stopped wait still returns a result: the seconds that
   * passed. */
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  GadgetPending *pending;
  gint64 *begun_us;

  g_task_set_source_tag (task, execute_async);
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not started");
      return;
    }

  begun_us = g_new (gint64, 1);
  *begun_us = gadget_clock_now (clock);
  g_task_set_task_data (task, begun_us, g_free);
  pending = gadget_pending_new (g_steal_pointer (&task), cancellable, stopped_cb, NULL);
  gadget_pending_set_timeout (pending, clock, (guint) (seconds * 1000), elapsed_cb);
}

static const GadgetToolDescriptor descriptor = {
  .name = "wait",
  .description = description,
  .parameters = parameters,
  .receipt_kind = GADGET_RECEIPT_TOOL,
  .describe = describe,
  .execute_async = execute_async,
};

GadgetTool *
gadget_tool_wait_new (GadgetClock *clock)
{
  return gadget_tool_new (&descriptor, g_object_ref (clock), g_object_unref);
}
