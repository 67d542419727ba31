/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "mcp-fixture.h"

#include "common/gadget-json.h"
#include "mcp/gadget-mcp-http.h"
#include "mcp/gadget-mcp-stdio.h"
#include "test-wait.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define SOON_MS 10000

/* A copy of a file of this folder in the one that the server is given. */
static char *
copy_script (McpFixture *f, const char *name)
{
  g_autofree char *source =
      g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), "tests", "support", name, NULL);
  g_autofree char *copy = g_build_filename (f->folder, name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (source, &text, &length, NULL));
  g_assert_true (g_file_set_contents (copy, text, (gssize) length, NULL));
  return g_steal_pointer (&copy);
}

/* In a sandbox it is a copy: the source may be hidden. */
static char *
dup_script (McpFixture *f)
{
  if (f->sandbox == NULL)
    return g_build_filename (g_getenv ("GADGET_SOURCE_ROOT"), "tests", "support", "mcp_server.py",
                             NULL);
  f->script = copy_script (f, "mcp_server.py");
  f->tools = copy_script (f, "mcp_tools.py");
  return g_strdup (f->script);
}

static void
changed_cb (GadgetMcpClient *client, McpFixture *f)
{
  f->n_tools_changed++;
}

static void
closed_cb (GadgetMcpClient *client, const GError *error, McpFixture *f)
{
  f->n_closed++;
  g_clear_error (&f->closed);
  f->closed = error != NULL ? g_error_copy (error) : NULL;
}

static GadgetMcpTransport *
make_transport (McpFixture *f, const char *options)
{
  g_autofree char *script = dup_script (f);
  g_autofree char *command =
      g_strdup_printf ("python3 %s --log %s %s", script, f->log, options != NULL ? options : "");
  g_auto (GStrv) argv = g_strsplit (command, " ", -1);
  const char *environment[] = { "TOKEN=s3cret-of-the-mock", "PYTHONDONTWRITEBYTECODE=1", NULL };

  const char *folders[] = { f->folder, NULL };
  const GadgetMcpStdioSpec spec = { .argv = (const char *const *) argv,
                                    .environment = environment,
                                    .folders = folders,
                                    .sandbox = f->sandbox };

  return gadget_mcp_stdio_new (&spec);
}

/* Starts it, and reads the port that it prints. */
static GadgetMcpTransport *
make_http_transport (McpFixture *f, const char *options)
{
  g_autofree char *script = dup_script (f);
  g_autofree char *command = g_strdup_printf ("python3 %s --log %s %s", script, f->log, options);
  g_auto (GStrv) argv = g_strsplit (command, " ", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GIOChannel) channel = NULL;
  g_autofree char *line = NULL;
  int output;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL,
                            NULL, &f->process, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  channel = g_io_channel_unix_new (output);
  g_io_channel_set_close_on_unref (channel, TRUE);
  g_io_channel_read_line (channel, &line, NULL, NULL, &error);
  g_assert_no_error (error);
  f->url = g_strdup_printf ("http://127.0.0.1:%s/mcp", g_strstrip (line));
  f->http = gadget_http_new (NULL);
  return gadget_mcp_http_new (f->http, "mock", f->url, f->headers);
}

void
mcp_set_up (McpFixture *f, gconstpointer options)
{
  f->folder = g_dir_make_tmp ("gadget-mcp-XXXXXX", NULL);
  f->log = g_build_filename (f->folder, "log", NULL);
  f->item = gadget_item_new (GADGET_ITEM_TOOL_CALL);
  f->progress = g_string_new (NULL);
  if (f->transport == NULL && options != NULL && strstr (options, "--http") != NULL)
    f->transport = make_http_transport (f, options);
  else if (f->transport == NULL)
    f->transport = make_transport (f, options);
  if (f->clock == NULL)
    f->clock = g_object_ref (gadget_clock_get_default ());
  f->client = gadget_mcp_client_new (f->transport, f->clock);
  g_signal_connect (f->client, "tools-changed", G_CALLBACK (changed_cb), f);
  g_signal_connect (f->client, "closed", G_CALLBACK (closed_cb), f);
}

static gboolean
is_closed (gpointer user_data)
{
  return ((McpFixture *) user_data)->n_closed > 0;
}

static gboolean
is_gone (gpointer user_data)
{
  return ((McpFixture *) user_data)->transport == NULL;
}

void
mcp_tear_down (McpFixture *f, gconstpointer options)
{
  gadget_mcp_client_close (f->client);
  g_assert_true (test_wait_until (is_closed, f, SOON_MS));
  g_assert_cmpuint (f->n_closed, ==, 1);
  g_assert_cmpuint (gadget_mcp_client_get_n_pending (f->client), ==, 0);
  test_run_for (1);
  g_assert_null (gadget_item_get_prompt (f->item));
  g_assert_finalize_object (f->client);
  /* Its connections hold it until they are really closed. */
  g_object_add_weak_pointer (G_OBJECT (f->transport), (gpointer *) &f->transport);
  g_object_unref (f->transport);
  g_assert_true (test_wait_until (is_gone, f, SOON_MS));
  if (f->process != 0)
    {
      kill (f->process, SIGKILL);
      waitpid (f->process, NULL, 0);
      g_assert_finalize_object (f->http);
    }
  g_free (f->url);
  g_clear_object (&f->sandbox);
  g_clear_object (&f->clock);
  g_clear_object (&f->item);
  g_clear_object (&f->cancellable);
  g_clear_error (&f->closed);
  g_string_free (f->progress, TRUE);
  g_remove (f->log);
  if (f->script != NULL)
    {
      g_remove (f->script);
      g_remove (f->tools);
    }
  g_rmdir (f->folder);
  g_free (f->script);
  g_free (f->tools);
  g_free (f->log);
  g_free (f->folder);
}

void
mcp_begin_connect (McpFixture *f)
{
  g_assert_null (f->result);
  gadget_mcp_client_connect_async (f->client, test_result_cb, &f->result);
}

gboolean
mcp_end_connect (McpFixture *f, GError **error)
{
  gboolean connected;

  g_assert_true (test_wait_result (&f->result, SOON_MS));
  connected = gadget_mcp_client_connect_finish (f->client, f->result, error);
  g_clear_object (&f->result);
  return connected;
}

void
mcp_connect (McpFixture *f)
{
  g_autoptr (GError) error = NULL;

  mcp_begin_connect (f);
  mcp_end_connect (f, &error);
  g_assert_no_error (error);
}

static void
progress_cb (double progress, double total, const char *message, gpointer user_data)
{
  McpFixture *f = user_data;

  g_string_append_printf (f->progress, "%g/%g %s\n", progress, total, message);
}

static void
task_cb (const char *task_id, gpointer user_data)
{
  g_string_append_printf (((McpFixture *) user_data)->progress, "task %s\n", task_id);
}

void
mcp_start_call (McpFixture *f, const char *tool, const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  GadgetMcpCallSpec spec = { .server = "mock",
                             .tool = tool,
                             .arguments = json_node_get_object (node),
                             .item = f->item,
                             .progress = progress_cb,
                             .task_begun = task_cb,
                             .user_data = f };
  GPtrArray *tools = gadget_mcp_client_get_tools (f->client);

  for (guint i = 0; i < tools->len; i++)
    if (g_str_equal (gadget_mcp_tool_info_get_name (g_ptr_array_index (tools, i)), tool))
      spec.as_task = gadget_mcp_tool_info_get_as_task (g_ptr_array_index (tools, i));
  g_assert_null (f->result);
  g_clear_object (&f->cancellable);
  f->cancellable = g_cancellable_new ();
  gadget_mcp_client_call_async (f->client, &spec, f->cancellable, test_result_cb, &f->result);
}

GadgetMcpResult *
mcp_finish_call (McpFixture *f, GError **error)
{
  GadgetMcpResult *result;

  g_assert_true (test_wait_result (&f->result, SOON_MS));
  result = gadget_mcp_client_call_finish (f->client, f->result, error);
  g_clear_object (&f->result);
  return result;
}

char *
mcp_call (McpFixture *f, const char *tool, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_start_call (f, tool, arguments);
  result = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_false (result->failed);
  return g_strdup (result->text);
}

double
mcp_abort (McpFixture *f)
{
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();
  double ms;

  g_cancellable_cancel (f->cancellable);
  g_assert_null (mcp_finish_call (f, &error));
  ms = (double) (g_get_monotonic_time () - began) / 1000;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (ms, <, 750);
  g_assert_null (gadget_item_get_prompt (f->item));
  return ms;
}

guint
mcp_count_log (McpFixture *f, const char *text)
{
  g_autofree char *log = NULL;
  guint n = 0;

  if (!g_file_get_contents (f->log, &log, NULL, NULL))
    return 0;
  for (const char *found = strstr (log, text); found != NULL; found = strstr (found + 1, text))
    n++;
  return n;
}

typedef struct
{
  McpFixture *f;
  const char *text;
  guint times;
} LogWait;

static gboolean
is_logged (gpointer user_data)
{
  const LogWait *wait = user_data;

  return mcp_count_log (wait->f, wait->text) >= wait->times;
}

void
mcp_wait_log (McpFixture *f, const char *text, guint times)
{
  LogWait wait = { f, text, times };

  if (test_wait_until (is_logged, &wait, SOON_MS))
    return;

  g_autofree char *log = NULL;

  g_file_get_contents (f->log, &log, NULL, NULL);
  g_error ("the server never heard %s:\n%s", text, log);
}

gboolean
mcp_has_prompt (gpointer fixture)
{
  McpFixture *f = fixture;

  return gadget_item_get_prompt (f->item) != NULL;
}

void
mcp_answer (McpFixture *f, const char *answer)
{
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  g_assert_true (gadget_prompt_answer (gadget_item_get_prompt (f->item), answer));
  test_run_for (5);
}

/* The server has nothing more to say: the call fails at once rather than after an hour. */
void
mcp_test_unreadable (McpFixture *f, gconstpointer data)
{
  static const char *const kinds[] = { "deep", "behind", "damaged", "number" };

  mcp_connect (f);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"text\":\"%s\"}", kinds[i]);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", kinds[i]);
      mcp_start_call (f, "unreadable", arguments);
      g_assert_null (mcp_finish_call (f, &error));
      g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL);
      text = mcp_call (f, "echo", "{\"text\":\"next\"}");
      g_assert_cmpstr (text, ==, "next");
    }
}

void
mcp_test_task (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "task", "{\"seconds\":0.3}");
  g_assert_cmpstr (text, ==, "task done");
  g_assert_true (g_str_has_prefix (f->progress->str, "task task-"));
  g_assert_cmpuint (mcp_count_log (f, "tasks/get"), >=, 2);
}

/* X22: a task is stopped in its own way, and its end is nobody's concern. */
void
mcp_test_abort_task (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_start_call (f, "task", "{\"seconds\":60}");
  mcp_wait_log (f, "tasks/get", 1);
  mcp_abort (f);
  mcp_wait_log (f, "tasks/cancel", 1);
  test_run_for (200);
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"tasks/cancel\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "notifications/cancelled"), ==, 0);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
}
