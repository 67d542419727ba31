/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "mcp-list-fixture.h"

#include "common/gadget-json.h"
#include "test-process.h"
#include "test-wait.h"

#include <glib/gstdio.h>
#include <string.h>

void
mcp_list_open (McpListFixture *f)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  f->toolbox = gadget_toolbox_new ();
  f->list = gadget_mcp_list_new (f->store, f->secrets, f->clock, f->toolbox);
  gadget_mcp_list_load_async (f->list, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_mcp_list_load_finish (f->list, result, &error);
  g_assert_no_error (error);
}

void
mcp_list_close (McpListFixture *f)
{
  gadget_mcp_list_close (f->list);
  test_wait_alive (f->log, 0);
  test_run_for (20);
  g_assert_finalize_object (f->list);
  g_assert_finalize_object (f->toolbox);
}

void
mcp_list_set_up (McpListFixture *f, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("gadget-mcp-XXXXXX", NULL);
  f->log = g_build_filename (f->folder, "log", NULL);
  f->store = gadget_store_new (f->folder);
  gadget_store_open_async (f->store, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_store_open_finish (f->store, result, &error);
  g_assert_no_error (error);
  f->secrets = gadget_secrets_new_in_memory ();
  f->clock = g_object_ref (gadget_clock_get_default ());
  f->item = gadget_item_new (GADGET_ITEM_TOOL_CALL);
  f->cancellable = g_cancellable_new ();
  mcp_list_open (f);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_file_test (file, G_FILE_TEST_IS_DIR))
        remove_folder (file);
      else
        g_remove (file);
    }
  g_rmdir (path);
}

void
mcp_list_tear_down (McpListFixture *f, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  mcp_list_close (f);
  gadget_store_close_async (f->store, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_store_close_finish (f->store, result, NULL);
  g_clear_object (&result);
  g_clear_object (&f->store);
  g_clear_object (&f->secrets);
  g_clear_object (&f->clock);
  g_clear_object (&f->item);
  g_clear_object (&f->cancellable);
  remove_folder (f->folder);
  g_free (f->folder);
  g_free (f->log);
}

GadgetMcpConfig *
mcp_list_make_config (McpListFixture *f, const char *id, const char *options)
{
  GadgetMcpConfig *config = gadget_mcp_config_new (id);
  g_autofree char *script =
      g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), "tests", "support", "mcp_server.py", NULL);
  g_autofree char *command = g_strdup_printf ("python3 %s --log %s %s", script, f->log, options);

  config->command = g_strsplit (command, " ", -1);
  config->confined = FALSE;
  return config;
}

GadgetMcpServer *
mcp_list_add (McpListFixture *f, const GadgetMcpConfig *config, const char *secrets)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_mcp_list_add_async (f->list, config, secrets, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_mcp_list_add_finish (f->list, result, &error);
  g_assert_no_error (error);
  return gadget_mcp_list_find (f->list, config->id);
}

typedef struct
{
  GAsyncResult *result;
  guint n_tools; /* that were known when it was connected */
} Connected;

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Connected *connected = user_data;

  connected->n_tools = gadget_mcp_server_get_tools (GADGET_MCP_SERVER (source))->len;
  connected->result = g_object_ref (result);
}

gboolean
mcp_list_connect (GadgetMcpServer *server, GError **error)
{
  Connected connected = { NULL, 0 };
  g_autoptr (GAsyncResult) result = NULL;

  gadget_mcp_server_connect_async (server, TRUE, NULL, connected_cb, &connected);
  g_assert_true (test_wait_result (&connected.result, SOON_MS));
  result = connected.result;
  if (!gadget_mcp_server_connect_finish (server, result, error))
    return FALSE;
  g_assert_cmpuint (connected.n_tools, ==, 28);
  return TRUE;
}

GadgetMcpServer *
mcp_list_add_and_connect (McpListFixture *f, const char *id, const char *options)
{
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, id, options);
  g_autoptr (GError) error = NULL;
  GadgetMcpServer *server = mcp_list_add (f, config, NULL);

  mcp_list_connect (server, &error);
  g_assert_no_error (error);
  return server;
}

void
mcp_list_start_call (McpListFixture *f, const char *name, const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  GadgetTool *tool = gadget_toolbox_find (f->toolbox, name);
  const GadgetToolContext context = { .item = f->item, .interactive = TRUE };

  g_assert_nonnull (tool);
  gadget_tool_execute_async (tool, json_node_get_object (node), &context, f->cancellable,
                             test_result_cb, &f->result);
}

GadgetToolResult *
mcp_list_finish_call (McpListFixture *f, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GObject) tool = NULL;

  g_assert_true (test_wait_result (&f->result, SOON_MS));
  result = g_steal_pointer (&f->result);
  tool = g_async_result_get_source_object (result);
  return gadget_tool_execute_finish (GADGET_TOOL (tool), result, error);
}

char *
mcp_list_call (McpListFixture *f, const char *name, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetToolResult) result = NULL;

  mcp_list_start_call (f, name, arguments);
  result = mcp_list_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_false (result->failed);
  return g_strdup (result->text);
}
