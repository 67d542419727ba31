/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-engine.h"
#include "wait.h"

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  gadget_engine_open_finish (GADGET_ENGINE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

void
test_engine_open (GadgetEngine *engine)
{
  gboolean opened = FALSE;

  gadget_engine_open_async (engine, opened_cb, &opened);
  wait_until (opened);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_engine_close_finish (GADGET_ENGINE (source), result);
  *(gboolean *) user_data = TRUE;
}

void
test_engine_close (GadgetEngine *engine, GadgetStopReason reason)
{
  gboolean closed = FALSE;

  gadget_engine_close_async (engine, reason, closed_cb, &closed);
  wait_until (closed);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

void
test_engine_add_provider (GadgetEngine *engine, GadgetProviderConfig *config)
{
  gboolean added = FALSE;

  gadget_provider_list_add_async (gadget_engine_get_providers (engine), config, NULL, NULL, NULL,
                                  added_cb, &added);
  wait_until (added);
}

static void
completed_cb (guint *n_completed)
{
  ++*n_completed;
}

void
test_count_completed (GadgetAgent *agent, guint *n_completed)
{
  g_signal_connect_swapped (agent, "completed", G_CALLBACK (completed_cb), n_completed);
}
