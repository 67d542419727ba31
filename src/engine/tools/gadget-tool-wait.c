/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tool "wait". The clock's timeout or a stop ends a call, whichever comes first. */

#define G_LOG_DOMAIN "gadget-tool-wait"

#include "config.h"

#include "gadget-tool-wait.h"

#include "common/gadget-stop-source.h"

#define MAX_SECONDS 86400

struct _GadgetToolWait
{
  GObject parent_instance;

  GadgetClock *clock;
};

/* The data of the GTask. */
typedef struct
{
  GadgetClock *clock;
  gint64 begun_us;
  guint timeout;
  GSource *cancelled; /* (nullable) */
} Wait;

static void
wait_free (gpointer data)
{
  Wait *wait = data;

  if (wait->timeout != 0)
    gadget_clock_remove (wait->clock, wait->timeout);
  gadget_stop_source_end (&wait->cancelled);
  g_object_unref (wait->clock);
  g_free (wait);
}

static void
return_elapsed (GTask *task, gboolean cut)
{
  GadgetToolResult *result;
  const Wait *wait = g_task_get_task_data (task);
  const double seconds = (double) (gadget_clock_now (wait->clock) - wait->begun_us) / 1e6;
  g_autofree char *text = g_strdup_printf ("Waited %.1f seconds.", seconds);

  /* Freeing the data removes the source that did not fire. */
  g_task_set_task_data (task, NULL, NULL);
  result = gadget_tool_result_new (
      FALSE, text,
      gadget_call_summary_new_with_numbers (cut ? GADGET_CALL_SUMMARY_WAIT_INTERRUPTED
                                                : GADGET_CALL_SUMMARY_WAITED,
                                            "", (gint64) (seconds * 1000 + 0.5), 0));
  result->cut = cut;
  g_task_return_pointer (task, result, gadget_tool_result_free);
}

static void
elapsed_cb (gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Wait *wait = g_task_get_task_data (task);

  wait->timeout = 0;
  return_elapsed (task, FALSE);
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  return_elapsed (task, TRUE);
  return G_SOURCE_REMOVE;
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
  GadgetToolWait *self = GADGET_TOOL_WAIT (tool);
  const double seconds = json_object_get_double_member_with_default (arguments, "seconds", 0);
  /* The GTask gets no cancellable: a stopped wait still returns a result: the seconds that
   * passed. */
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  Wait *wait;

  g_task_set_source_tag (task, execute_async);
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not started");
      return;
    }

  wait = g_new0 (Wait, 1);
  wait->clock = g_object_ref (self->clock);
  wait->begun_us = gadget_clock_now (self->clock);
  g_task_set_task_data (task, wait, wait_free);
  wait->cancelled =
      gadget_stop_source_new (cancellable, "[gadget] wait stopped", cancelled_cb, task);
  /* The source that fires takes over the reference to the task; freeing the data removes the
   * other. */
  wait->timeout = gadget_clock_add_timeout (self->clock, (guint) (seconds * 1000), "[gadget] wait",
                                            elapsed_cb, g_steal_pointer (&task));
}

static void
tool_init (GadgetToolInterface *iface)
{
  iface->name = "wait";
  iface->description = description;
  iface->parameters = parameters;
  iface->describe = describe;
  iface->execute_async = execute_async;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetToolWait, gadget_tool_wait, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_TOOL, tool_init))

static void
gadget_tool_wait_finalize (GObject *object)
{
  g_clear_object (&GADGET_TOOL_WAIT (object)->clock);

  G_OBJECT_CLASS (gadget_tool_wait_parent_class)->finalize (object);
}

static void
gadget_tool_wait_class_init (GadgetToolWaitClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_tool_wait_finalize;
}

static void
gadget_tool_wait_init (GadgetToolWait *self)
{
}

GadgetTool *
gadget_tool_wait_new (GadgetClock *clock)
{
  GadgetToolWait *self = g_object_new (GADGET_TYPE_TOOL_WAIT, NULL);

  self->clock = g_object_ref (clock);
  return GADGET_TOOL (self);
}
