/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that are changed, here and by another process. */

#include "config.h"

#include "mcp-list-fixture.h"
#include "secrets/gadget-secret-values.h"
#include "test-process.h"
#include "test-wait.h"

typedef McpListFixture Fixture;

/* A new value of one leaves the other; what is named no more is forgotten. */
static void
test_merge_secrets (void)
{
  g_autoptr (GadgetMcpConfig) config =
      gadget_mcp_config_from_json ("x", "{\"command\":[\"a\"],\"secrets\":[\"A\",\"B\",\"C\"]}");
  g_autofree char *merged = gadget_secret_values_merge (
      config->secrets, "{\"A\":\"1\",\"B\":\"2\",\"OLD\":\"3\"}", "{\"B\":\"9\"}");
  g_autofree char *fresh = gadget_secret_values_merge (config->secrets, NULL, "{\"C\":\"4\"}");
  g_autofree char *damaged = gadget_secret_values_merge (config->secrets, "[", "{\"A\":\"5\"}");

  g_assert_cmpstr (merged, ==, "{\"A\":\"1\",\"B\":\"9\"}");
  g_assert_cmpstr (fresh, ==, "{\"C\":\"4\"}");
  g_assert_cmpstr (damaged, ==, "{\"A\":\"5\"}");
}

static void
moved_cb (GListModel *list, guint position, guint removed, guint added, GString *moves)
{
  g_string_append_printf (moves, "%u-%u+%u ", position, removed, added);
}

/* One that is changed keeps its place, and stays switched off. */
static void
test_change (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "a", "--era legacy");
  g_autoptr (GadgetMcpConfig) other = mcp_list_make_config (f, "b", "--era legacy");
  g_autoptr (GString) moves = g_string_new (NULL);
  GadgetMcpServer *server = mcp_list_add (f, config, NULL);

  mcp_list_add (f, other, NULL);
  gadget_mcp_list_set_enabled (f->list, server, FALSE);
  g_signal_connect (f->list, "items-changed", G_CALLBACK (moved_cb), moves);
  config->network = TRUE;
  server = mcp_list_add (f, config, NULL);
  g_assert_cmpstr (moves->str, ==, "0-1+1 ");
  g_assert_false (gadget_mcp_server_get_enabled (server));
  g_assert_true (gadget_mcp_server_get_config (server)->network);
  g_signal_handlers_disconnect_by_data (f->list, moves);
}

static gboolean
has_28_tools (gpointer toolbox)
{
  return g_list_model_get_n_items (G_LIST_MODEL (toolbox)) == 28;
}

typedef struct
{
  GadgetMcpList *list;
  guint n;
  gboolean enabled;
  gboolean network;
} Seen;

static gboolean
is_seen (gpointer user_data)
{
  const Seen *seen = user_data;
  GadgetMcpServer *server = gadget_mcp_list_find (seen->list, "mock");

  if (g_list_model_get_n_items (G_LIST_MODEL (seen->list)) != seen->n)
    return FALSE;
  return seen->n == 0
         || (gadget_mcp_server_get_enabled (server) == seen->enabled
             && gadget_mcp_server_get_config (server)->network == seen->network);
}

/* Two processes on one folder: each sees what the other one does. */
static void
test_outside (Fixture *f, gconstpointer data)
{
  Fixture other = { .folder = f->folder,
                    .log = f->log,
                    .secrets = f->secrets,
                    .clock = f->clock,
                    .store = gadget_store_new (f->folder) };
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Seen seen = { f->list, 1, TRUE, FALSE };
  GadgetMcpServer *server;

  gadget_store_open_async (other.store, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_store_open_finish (other.store, result, &error);
  g_assert_no_error (error);
  g_clear_object (&result);
  mcp_list_open (&other);

  server = mcp_list_add (&other, config, NULL);
  g_assert_true (test_wait_until (is_seen, &seen, SOON_MS));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 0);
  /* Connected there, its tools are known here; nothing is started for that. */
  g_assert_true (mcp_list_connect (server, &error));
  g_assert_true (test_wait_until (has_28_tools, f->toolbox, SOON_MS));
  g_assert_cmpint (gadget_mcp_server_get_status (gadget_mcp_list_find (f->list, "mock")), ==,
                   GADGET_MCP_OFF);
  config->network = TRUE;
  mcp_list_add (&other, config, NULL);
  seen.network = TRUE;
  g_assert_true (test_wait_until (is_seen, &seen, SOON_MS));

  /* The other way round. */
  gadget_mcp_list_set_enabled (f->list, gadget_mcp_list_find (f->list, "mock"), FALSE);
  seen.list = other.list;
  seen.enabled = FALSE;
  g_assert_true (test_wait_until (is_seen, &seen, SOON_MS));
  gadget_mcp_list_remove_async (f->list, "mock", test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_true (gadget_mcp_list_remove_finish (f->list, result, &error));
  g_clear_object (&result);
  seen.n = 0;
  g_assert_true (test_wait_until (is_seen, &seen, SOON_MS));

  test_run_for (300); /* what was asked for holds the list */
  mcp_list_close (&other);
  gadget_store_close_async (other.store, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_store_close_finish (other.store, result, NULL);
  g_clear_object (&result);
  g_clear_object (&other.store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/mcp-changes/merge-secrets", test_merge_secrets);
  g_test_add ("/engine/mcp-changes/change", Fixture, NULL, mcp_list_set_up, test_change,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-changes/outside", Fixture, NULL, mcp_list_set_up, test_outside,
              mcp_list_tear_down);

  return g_test_run ();
}
