/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The MCP client as the product has it, for tests in other languages:
 *
 *   mcp-driver [--folder DIR]… (URL | COMMAND ARG…)
 *
 * connects, says so in a line of JSON, and then does what the lines of its input say, one after the
 * other, with a line for each:
 *
 *   {"call":TOOL,"arguments":{…}}   with "stop_after":N it is stopped at the Nth notice of progress
 *   {"list":true}                   the tools again
 *   {"close":true}                  ends the connection; the process goes on
 *
 * A question of the server's is answered with the next of "answers":[…] of the call; when there is
 * none, with its first choice, "Send" or the proposed value. */

#include "config.h"

#include "common/gadget-json.h"
#include "mcp/gadget-mcp-server.h"
#include "process/gadget-sandbox-probe.h"

#include <gio/gunixinputstream.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *loop;
  GadgetMcpServer *server;
  GDataInputStream *input;
  GAsyncResult *result;

  GadgetItem *item; /* of the call that is going */
  GCancellable *cancellable;
  gint64 stop_after; /* 0 for not */
  gint64 stopped_at;
  guint n_progress;
  JsonArray *asked;
  JsonArray *answers; /* (nullable) */
} Driver;

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Driver *self = user_data;

  self->result = g_object_ref (result);
  g_main_loop_quit (self->loop);
}

static GAsyncResult *
wait_for_result (Driver *self)
{
  g_main_loop_run (self->loop);
  return g_steal_pointer (&self->result);
}

/* @object: (transfer full) */
static void
say (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;

  json_node_take_object (node, object);
  text = json_to_string (node, FALSE);
  puts (text);
  fflush (stdout);
}

static void
say_tools (Driver *self)
{
  GPtrArray *tools = gadget_mcp_server_get_tools (self->server);
  JsonObject *object = json_object_new ();
  JsonObject *schemas = json_object_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      GadgetMcpToolInfo *tool = g_ptr_array_index (tools, i);
      const char *schema = gadget_mcp_tool_info_get_schema (tool);

      json_object_set_member (schemas, gadget_mcp_tool_info_get_name (tool),
                              gadget_json_parse (schema, strlen (schema), NULL));
    }
  json_object_set_string_member (object, "version", gadget_mcp_server_get_version (self->server));
  json_object_set_object_member (object, "tools", schemas);
  say (object);
}

/* --- A call ----------------------------------------------------------------------------------- */

static void
answer (gpointer data)
{
  Driver *self = data;
  GadgetPrompt *prompt = self->item != NULL ? gadget_item_get_prompt (self->item) : NULL;
  const guint index = json_array_get_length (self->asked) - 1;

  if (prompt == NULL)
    return;
  if (self->answers != NULL && index < json_array_get_length (self->answers))
    gadget_prompt_answer (prompt, json_array_get_string_element (self->answers, index));
  else
    gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[0]);
}

static void
asked_cb (GadgetItem *item, GParamSpec *pspec, Driver *self)
{
  GadgetPrompt *prompt = gadget_item_get_prompt (item);

  if (prompt == NULL)
    return;
  json_array_add_string_element (self->asked, gadget_prompt_get_title (prompt));
  g_idle_add_once (answer, self);
}

static void
progress_cb (double progress, double total, const char *message, gpointer user_data)
{
  Driver *self = user_data;

  if (++self->n_progress != self->stop_after)
    return;
  self->stopped_at = g_get_monotonic_time ();
  g_cancellable_cancel (self->cancellable);
}

static JsonArray *
list_pictures (GPtrArray *pictures)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < pictures->len; i++)
    {
      const GadgetPicture *picture = g_ptr_array_index (pictures, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "type", gadget_picture_get_mime_type (picture));
      json_object_set_int_member (object, "width", gadget_picture_get_width (picture));
      json_object_set_int_member (object, "height", gadget_picture_get_height (picture));
      json_array_add_object_element (array, object);
    }
  return array;
}

static void
say_result (Driver *self, GadgetMcpResult *result, const GError *error)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "progress", self->n_progress);
  json_object_set_array_member (object, "asked", g_steal_pointer (&self->asked));
  if (result != NULL)
    {
      json_object_set_string_member (object, "text", result->text);
      json_object_set_boolean_member (object, "failed", result->failed);
      json_object_set_array_member (object, "pictures", list_pictures (result->pictures));
    }
  else
    {
      json_object_set_string_member (object, "error", error->message);
      json_object_set_boolean_member (object, "aborted",
                                      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
      if (self->stopped_at != 0)
        json_object_set_double_member (
            object, "ms", (double) (g_get_monotonic_time () - self->stopped_at) / 1000);
    }
  say (object);
}

static gboolean
is_task (Driver *self, const char *name)
{
  GPtrArray *tools = gadget_mcp_server_get_tools (self->server);

  for (guint i = 0; i < tools->len; i++)
    if (g_str_equal (gadget_mcp_tool_info_get_name (g_ptr_array_index (tools, i)), name))
      return gadget_mcp_tool_info_get_as_task (g_ptr_array_index (tools, i));
  return FALSE;
}

static void
call (Driver *self, const char *tool, JsonObject *order)
{
  g_autoptr (JsonObject) none = json_object_new ();
  JsonObject *arguments = gadget_json_get_object (order, "arguments");
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) async_result = NULL;
  g_autoptr (GadgetMcpResult) result = NULL;
  const GadgetMcpCallSpec spec = { .tool = tool,
                                   .arguments = arguments != NULL ? arguments : none,
                                   .as_task = is_task (self, tool),
                                   .item = gadget_item_new_tool_call ("c", tool),
                                   .progress = progress_cb,
                                   .user_data = self };

  self->item = spec.item;
  self->cancellable = g_cancellable_new ();
  self->asked = json_array_new ();
  self->answers = gadget_json_get_array (order, "answers");
  self->n_progress = 0;
  self->stop_after = 0;
  self->stopped_at = 0;
  gadget_json_get_int (order, "stop_after", &self->stop_after);
  g_signal_connect (self->item, "notify::prompt", G_CALLBACK (asked_cb), self);
  gadget_mcp_server_call_async (self->server, &spec, self->cancellable, result_cb, self);
  async_result = wait_for_result (self);
  result = gadget_mcp_server_call_finish (self->server, async_result, &error);
  say_result (self, result, error);
  g_clear_object (&self->item);
  g_clear_object (&self->cancellable);
}

/* --- The program ------------------------------------------------------------------------------ */

static void
obey (Driver *self, const char *line)
{
  g_autoptr (JsonNode) node = gadget_json_parse (line, strlen (line), NULL);
  JsonObject *order =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *tool = gadget_json_get_string (order, "call");

  if (tool != NULL)
    call (self, tool, order);
  else if (order != NULL && json_object_has_member (order, "list"))
    say_tools (self);
  else if (order != NULL && json_object_has_member (order, "close"))
    {
      JsonObject *object = json_object_new ();

      gadget_mcp_server_close (self->server);
      json_object_set_boolean_member (object, "closed", TRUE);
      say (object);
    }
  else
    g_printerr ("mcp-driver: not understood: %s\n", line);
}

static char *
read_line (Driver *self)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, NULL, result_cb, self);
  result = wait_for_result (self);
  return g_data_input_stream_read_line_finish (self->input, result, NULL, NULL);
}

static gboolean
connect_to (Driver *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *complaints = NULL;

  gadget_mcp_server_connect_async (self->server, TRUE, NULL, result_cb, self);
  result = wait_for_result (self);
  if (gadget_mcp_server_connect_finish (self->server, result, &error))
    return TRUE;
  complaints = gadget_mcp_server_dup_complaints (self->server);
  g_printerr ("mcp-driver: %s\n%s\n", error->message, complaints != NULL ? complaints : "");
  return FALSE;
}

static GadgetMcpConfig *
read_command_line (char **argv)
{
  GadgetMcpConfig *config = gadget_mcp_config_new ("server");
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();

  for (argv++; argv[0] != NULL && argv[1] != NULL && g_str_equal (argv[0], "--folder"); argv += 2)
    g_strv_builder_add (folders, argv[1]);
  g_strfreev (config->folders);
  config->folders = g_strv_builder_end (folders);
  if (argv[0] != NULL && g_str_has_prefix (argv[0], "http"))
    config->url = g_strdup (argv[0]);
  else
    config->command = g_strdupv (argv);
  return config;
}

int
main (int argc, char **argv)
{
  Driver self = { .loop = g_main_loop_new (NULL, FALSE) };
  g_autoptr (GadgetMcpConfig) config = read_command_line (argv);
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();
  g_autoptr (GInputStream) stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GadgetSandbox) sandbox = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int status = 1;

  if (!gadget_mcp_config_check (config, &error))
    {
      g_printerr ("mcp-driver: %s\n", error->message);
      return 2;
    }
  gadget_sandbox_probe_async (NULL, NULL, result_cb, &self);
  result = wait_for_result (&self);
  sandbox = gadget_sandbox_probe_finish (result, &error);
  if (sandbox == NULL)
    g_printerr ("mcp-driver: %s\n", error->message);

  self.server = gadget_mcp_server_new (
      &(GadgetMcpHost) { sandbox, http, secrets, gadget_clock_get_default () }, config, NULL);
  self.input = g_data_input_stream_new (stream);
  if (connect_to (&self))
    {
      say_tools (&self);
      for (char *line; (line = read_line (&self)) != NULL; g_free (line))
        obey (&self, line);
      status = 0;
    }
  gadget_mcp_server_close (self.server);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&self.server);
  g_clear_object (&self.input);
  g_main_loop_unref (self.loop);
  return status;
}
