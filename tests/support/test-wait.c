/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-wait.h"

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

gboolean
test_wait_until (TestCondition condition, gpointer user_data, guint timeout_ms)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  guint tick = g_timeout_add (2, tick_cb, NULL);
  gboolean holds;

  while (!(holds = condition (user_data)) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  return holds;
}

static gboolean
never (gpointer user_data)
{
  return FALSE;
}

void
test_run_for (guint ms)
{
  test_wait_until (never, NULL, ms);
}

void
test_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **place = user_data;

  g_assert_null (*place);
  *place = g_object_ref (result);
}

static gboolean
is_set (gpointer user_data)
{
  return *(gpointer *) user_data != NULL;
}

gboolean
test_wait_result (GAsyncResult **result, guint timeout_ms)
{
  return test_wait_until (is_set, result, timeout_ms);
}
