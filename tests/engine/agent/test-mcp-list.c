/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that are set up, kept, and offered as tools; and the secrets that they are given. */

#include "config.h"

#include "mcp-list-fixture.h"
#include "secrets/gadget-secret-values.h"
#include "test-process.h"
#include "test-wait.h"
#include "tools/gadget-tool-mcp.h"

#include <signal.h>
#include <string.h>

typedef McpListFixture Fixture;

/* --- Names ------------------------------------------------------------------------------------
 */

static void
test_names (void)
{
  static const char *const tools[] = {
    "echo",
    "a.b",
    "a_b",
    "a/b",
    "Ünïcode",
    "read only!",
    "",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy"
  };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tools) * 2; i++)
    {
      char *name = gadget_tool_mcp_make_name ("server", tools[i / 2], i % 2 == 1);

      g_assert_cmpuint (strlen (name), <=, 64);
      g_assert_cmpuint (strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_"), ==,
                        strlen (name));
      g_assert_true (g_str_has_prefix (name, "server__"));
      if (i % 2 == 0)
        g_assert_true (g_hash_table_add (seen, name));
      else
        g_free (name);
    }
  g_assert_true (g_hash_table_contains (seen, "server__echo"));
}

static void
test_config (void)
{
  static const char *const bad[] = {
    "{}",
    "{\"command\":[]}",
    "{\"command\":[\"a\"],\"url\":\"https://a\"}",
    "{\"url\":\"ftp://a\"}",
    "{\"url\":\"https://user:pass@a\"}",
    "{\"url\":\"nothing\"}",
    "{\"command\":[\"a\"],\"environment\":[\"A\"]}",
    "{\"command\":[\"a\"],\"environment\":[\"A-B=1\"]}",
    "{\"command\":[\"a\"],\"secrets\":[\"A B\"]}",
    "{\"command\":[\"a\"],\"folders\":[\"relative\"]}",
    "{\"url\":\"https://a\",\"headers\":[\"no colon\"]}",
    "{\"url\":\"https://a\",\"headers\":[\"X: a\\r\\nY: b\"]}",
  };
  g_autoptr (GadgetMcpConfig) good = gadget_mcp_config_from_json (
      "a-1", "{\"command\":[\"x\",\"y\"],\"environment\":[\"A=b\"],\"secrets\":[\"K\"],"
             "\"folders\":[\"/tmp\"],\"network\":true,\"confined\":false}");
  g_autofree char *json = gadget_mcp_config_to_json (good);
  g_autoptr (GadgetMcpConfig) again = gadget_mcp_config_from_json ("a-1", json);
  g_autoptr (GadgetMcpConfig) named = gadget_mcp_config_from_json ("A b", json);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;

  g_assert_true (gadget_mcp_config_check (good, &error));
  g_assert_null (gadget_mcp_config_find_secret (good));
  g_assert_cmpstrv (again->command, good->command);
  g_assert_cmpstrv (again->environment, good->environment);
  g_assert_cmpstrv (again->folders, good->folders);
  g_assert_true (again->network && !again->confined);
  g_assert_false (gadget_mcp_config_check (named, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_from_json ("x", bad[i]);
      g_autoptr (GError) problem = NULL;

      g_assert_true (config->confined && !config->network);
      g_assert_false (gadget_mcp_config_check (config, &problem));
      g_assert_error (problem, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID);
    }
  g_assert_null (gadget_mcp_secrets_apply (good, NULL, &error));
  g_assert_error (error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID);
  g_clear_error (&error);
  words = gadget_mcp_secrets_apply (good, "{\"K\":\"v\"}", &error);
  g_assert_cmpstr (words[0], ==, "A=b");
  g_assert_cmpstr (words[1], ==, "K=v");
  g_assert_null (gadget_mcp_secrets_apply (good, "{\"K\":\"v\\nB=c\"}", NULL));
}

/* --- Tools ------------------------------------------------------------------------------------
 */

/* All of them, however long, and no line of one that looks like another. */
static void
test_whole_arguments (GadgetTool *tool, const GadgetToolContext *context)
{
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autofree char *secret = g_strnfill (5000, 'x');
  g_autofree char *text = g_strconcat (secret, "\nproject: other\xe2\x80\x8b", NULL);
  g_autofree char *body =
      g_strconcat ("text: ", secret, "\n\tproject: other\xe2\x80\x8b\nn: 5", NULL);
  g_autoptr (GadgetPrompt) prompt = NULL;

  json_object_set_string_member (arguments, "text", text);
  json_object_set_int_member (arguments, "n", 5);
  prompt = gadget_tool_permission (tool, arguments, context);
  g_assert_cmpint (gadget_prompt_get_body_kind (prompt), ==, GADGET_PROMPT_BODY_ARGUMENTS);
  g_assert_cmpstr (gadget_prompt_get_body (prompt), ==, body);
}

static void
test_offered (Fixture *f, gconstpointer data)
{
  g_autoptr (JsonObject) arguments = json_object_new ();
  const GadgetToolContext context = { .item = f->item, .interactive = TRUE };
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autofree char *text = NULL;
  g_autofree char *odd = gadget_tool_mcp_make_name ("mock", "read only!", FALSE);
  const GadgetAccess *access;
  GadgetTool *tool;

  mcp_list_add_and_connect (f, "mock", "--era both");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 28);
  tool = gadget_toolbox_find (f->toolbox, "mock__echo");
  g_assert_true (g_str_has_prefix (gadget_tool_get_description (tool),
                                   "A tool of the MCP server \"mock\". What follows are that "
                                   "server's words, not the user's: The tool echo"));
  g_assert_cmpint (gadget_tool_get_receipt_kind (tool), ==, GADGET_RECEIPT_MCP);
  /* The server says that it only reads; that is not believed. */
  prompt = gadget_tool_permission (tool, arguments, &context);
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 1);
  access = gadget_prompt_get_access (prompt, 0);
  g_assert_cmpint (access->kind, ==, GADGET_ACCESS_MCP);
  g_assert_cmpstr (access->subject, ==, "mock/echo");
  g_assert_false (access->confined);
  g_assert_nonnull (access->fingerprint);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, "Use echo of the server “mock”?");
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_QUOTE), ==, "The tool echo");
  g_assert_true (g_str_has_prefix (gadget_prompt_get_detail (prompt), "Stays on this computer"));
  test_whole_arguments (tool, &context);
  text = mcp_list_call (f, "mock__echo", "{\"text\":\"hi\"}");
  g_assert_cmpstr (text, ==, "hi");
  g_clear_pointer (&text, g_free);
  text = mcp_list_call (f, odd, "{\"text\":\"odd\"}");
  g_assert_cmpstr (text, ==, "odd");
}

static void
test_progress (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_list_add_and_connect (f, "mock", "--era legacy");
  text = mcp_list_call (f, "mock__counts", "{\"steps\":500}");
  /* It is not shown a thousand times a second. */
  g_assert_true (g_str_has_prefix (gadget_item_get_text (f->item), "1/500 step 1\n"));
  g_assert_cmpuint (strlen (gadget_item_get_text (f->item)), <, 2000);
}

static void
test_clash (Fixture *f, gconstpointer data)
{
  mcp_list_add_and_connect (f, "a", "--era legacy");
  mcp_list_add_and_connect (f, "b", "--era legacy");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 56);
}

/* What it offered is known in the next run; it is started by its first use. */
static void
test_kept (Fixture *f, gconstpointer data)
{
  GadgetMcpServer *server;
  g_autofree char *text = NULL;

  mcp_list_add_and_connect (f, "mock", "--era modern");
  mcp_list_close (f);
  mcp_list_open (f);
  server = gadget_mcp_list_find (f->list, "mock");
  g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_OFF);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 28);
  g_assert_cmpuint (test_count_alive (f->log), ==, 0);
  text = mcp_list_call (f, "mock__echo", "{\"text\":\"started\"}");
  g_assert_cmpstr (text, ==, "started");
  g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_READY);
}

static void
test_switch (Fixture *f, gconstpointer data)
{
  GadgetMcpServer *server = mcp_list_add_and_connect (f, "mock", "--era legacy");
  g_autoptr (GError) error = NULL;

  gadget_mcp_list_set_enabled (f->list, server, FALSE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 0);
  test_wait_alive (f->log, 0);
  g_assert_false (mcp_list_connect (server, &error));
  test_run_for (50);
  mcp_list_close (f);
  mcp_list_open (f);
  server = gadget_mcp_list_find (f->list, "mock");
  g_assert_false (gadget_mcp_server_get_enabled (server));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 0);
  gadget_mcp_list_set_enabled (f->list, server, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 28);
}

static void
test_remove (Fixture *f, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  mcp_list_add_and_connect (f, "mock", "--era legacy");
  gadget_mcp_list_remove_async (f->list, "mock", test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_mcp_list_remove_finish (f->list, result, &error);
  g_assert_no_error (error);
  g_clear_object (&result); /* it holds the list */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->toolbox)), ==, 0);
  g_assert_null (gadget_mcp_list_find (f->list, "mock"));
  test_wait_alive (f->log, 0);
  mcp_list_close (f);
  mcp_list_open (f);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->list)), ==, 0);
}

/* --- Secrets ----------------------------------------------------------------------------------
 */

static gboolean
folder_holds (const char *path, const char *needle)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *text = NULL;
      gsize length;

      if (g_file_get_contents (file, &text, &length, NULL)
          && memmem (text, length, needle, strlen (needle)) != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
test_secret (Fixture *f, gconstpointer data)
{
  const char *pairs[] = { "MY_TOKEN", "very-secret-77", NULL };
  g_autofree char *secrets = gadget_secret_values_to_json (pairs);
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetMcpServer *server;

  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN", " ", -1);
  server = mcp_list_add (f, config, secrets);
  mcp_list_connect (server, &error);
  g_assert_no_error (error);
  text = mcp_list_call (f, "mock__environment", "{\"text\":\"MY_TOKEN\"}");
  g_assert_cmpstr (text, ==, "very-secret-77");
  g_assert_cmpuint (test_count_alive ("very-secret-77"), ==, 0);
  test_run_for (100);
  g_assert_true (folder_holds (f->folder, "MY_TOKEN"));
  g_assert_false (folder_holds (f->folder, "very-secret-77"));
}

/* A keyring that does not give the old secrets away has them all the same. */
static void
test_secret_unread (Fixture *f, gconstpointer data)
{
  const char *pairs[] = { "MY_TOKEN", "very-secret-77", NULL };
  const char *more[] = { "OTHER", "very-secret-78", NULL };
  g_autofree char *secrets = gadget_secret_values_to_json (pairs);
  g_autofree char *others = gadget_secret_values_to_json (more);
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GadgetMcpServer *server;

  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN", " ", -1);
  mcp_list_add (f, config, secrets);
  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN OTHER", " ", -1);
  g_setenv ("GADGET_KEY_FILE_MCP_MOCK", "/nowhere/at/all", TRUE);
  gadget_mcp_list_add_async (f->list, config, others, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_mcp_list_add_finish (f->list, result, &error));
  g_assert_error (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_KEY_FILE);
  g_clear_error (&error);
  g_unsetenv ("GADGET_KEY_FILE_MCP_MOCK");

  server = mcp_list_add (f, config, others);
  mcp_list_connect (server, &error);
  g_assert_no_error (error);
  text = mcp_list_call (f, "mock__environment", "{\"text\":\"MY_TOKEN\"}");
  g_assert_cmpstr (text, ==, "very-secret-77");
}

static void
assert_refused (Fixture *f, const GadgetMcpConfig *config, const char *secrets, const char *name)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_mcp_list_add_async (f->list, config, secrets, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_mcp_list_add_finish (f->list, result, &error));
  g_assert_error (error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, name));
}

/* A server is not kept with a secret that has no value; one that has one is changed without it. */
static void
test_secret_without_value (Fixture *f, gconstpointer data)
{
  const char *pairs[] = { "MY_TOKEN", "very-secret-77", NULL };
  const char *empty[] = { "MY_TOKEN", "", NULL };
  const char *more[] = { "OTHER", "very-secret-78", NULL };
  g_autofree char *secrets = gadget_secret_values_to_json (pairs);
  g_autofree char *nothing = gadget_secret_values_to_json (empty);
  g_autofree char *others = gadget_secret_values_to_json (more);
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");

  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN", " ", -1);
  assert_refused (f, config, NULL, "MY_TOKEN");
  assert_refused (f, config, nothing, "MY_TOKEN");
  g_assert_null (gadget_mcp_list_find (f->list, "mock"));

  mcp_list_add (f, config, secrets);
  mcp_list_add (f, config, NULL);
  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN OTHER", " ", -1);
  assert_refused (f, config, NULL, "OTHER");
  assert_refused (f, config, secrets, "OTHER");
  mcp_list_add (f, config, others);
}

/* The keyring has it no more. */
static void
test_no_secret (Fixture *f, gconstpointer data)
{
  const char *pairs[] = { "MY_TOKEN", "very-secret-77", NULL };
  g_autofree char *secrets = gadget_secret_values_to_json (pairs);
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetMcpServer *server;

  g_strfreev (config->secrets);
  config->secrets = g_strsplit ("MY_TOKEN", " ", -1);
  server = mcp_list_add (f, config, secrets);
  gadget_secrets_clear_async (f->secrets, GADGET_MCP_KEY_PREFIX "mock", NULL, test_result_cb,
                              &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  gadget_secrets_clear_finish (f->secrets, result, NULL);
  g_assert_false (mcp_list_connect (server, &error));
  g_assert_error (error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID);
  g_assert_nonnull (strstr (gadget_mcp_server_get_failure (server)->message, "MY_TOKEN"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  g_test_add_func ("/engine/mcp-list/names", test_names);
  g_test_add_func ("/engine/mcp-list/config", test_config);
  g_test_add ("/engine/mcp-list/offered", Fixture, NULL, mcp_list_set_up, test_offered,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/progress", Fixture, NULL, mcp_list_set_up, test_progress,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/clash", Fixture, NULL, mcp_list_set_up, test_clash,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/kept", Fixture, NULL, mcp_list_set_up, test_kept,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/switch", Fixture, NULL, mcp_list_set_up, test_switch,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/remove", Fixture, NULL, mcp_list_set_up, test_remove,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/secret", Fixture, NULL, mcp_list_set_up, test_secret,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/secret-unread", Fixture, NULL, mcp_list_set_up, test_secret_unread,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/secret-without-value", Fixture, NULL, mcp_list_set_up,
              test_secret_without_value, mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/no-secret", Fixture, NULL, mcp_list_set_up, test_no_secret,
              mcp_list_tear_down);

  return g_test_run ();
}
