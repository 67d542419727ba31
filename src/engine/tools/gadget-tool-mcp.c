/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A tool of an MCP server. A call is recorded in the ledger, sent to the server, and answered with
 * the server's result. Progress and the id of a task on the server are shown in the item. */

#define G_LOG_DOMAIN "gadget-tool-mcp"

#include "config.h"

#include "gadget-tool-mcp.h"

#include "gadget-tool-mcp-ask.h"
#include "gadget-tool-mcp-schema.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The first four are in bytes, MAX_SHOWN is the number of lines in the item. */
#define MAX_NAME 64
#define HASH_LENGTH 8
#define MAX_DETAIL 4000
#define MAX_REST 2000
#define MAX_SHOWN 100
/* More than ten reports of progress per second could not be read. */
#define PROGRESS_PAUSE_US (100 * 1000)

typedef struct
{
  GadgetMcpServer *server;
  GadgetMcpToolInfo *info;
  char *subject; /* "server/tool" */
} McpTool;

/* The data of the GTask. */
typedef struct
{
  JsonObject *arguments;
  char *detail;
  GadgetItem *item;
  gboolean interactive;
  GCancellable *cancellable;
  GadgetEffects *effects;
  gint64 effect; /* 0 before the row is written */
  guint n_shown;
  gint64 shown_at;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  json_object_unref (call->arguments);
  g_free (call->detail);
  g_clear_object (&call->item);
  g_clear_object (&call->cancellable);
  g_clear_object (&call->effects);
  g_free (call);
}

/* --- The interface ----------------------------------------------------------------------------
 */

static void
mcp_tool_free (gpointer data)
{
  McpTool *self = data;

  g_object_unref (self->server);
  gadget_mcp_tool_info_unref (self->info);
  g_free (self->subject);
  g_free (self);
}

static GadgetCallSummary *
describe (GadgetTool *tool, JsonObject *arguments)
{
  const McpTool *self = gadget_tool_get_data (tool);

  return gadget_call_summary_new (GADGET_CALL_SUMMARY_MCP, gadget_mcp_server_get_id (self->server),
                                  gadget_mcp_tool_info_get_name (self->info));
}

/* Returns the arguments for the ledger, which needs only enough to tell calls apart. */
static char *
dup_arguments (JsonObject *arguments)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;

  json_node_set_object (node, arguments);
  text = json_to_string (node, FALSE);
  if (strlen (text) <= MAX_DETAIL)
    return g_steal_pointer (&text);
  *g_utf8_find_prev_char (text, text + MAX_DETAIL - 4) = '\0';
  return g_strconcat (text, " …", NULL);
}

static gboolean
least_access (GadgetTool *tool, GadgetAccess *access)
{
  const McpTool *self = gadget_tool_get_data (tool);

  *access = (GadgetAccess) { .kind = GADGET_ACCESS_MCP, .subject = self->subject };
  return TRUE;
}

static GadgetPrompt *
permission (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context)
{
  const McpTool *self = gadget_tool_get_data (tool);

  return _gadget_tool_mcp_ask (gadget_tool_get_name (tool), self->subject, self->server, self->info,
                               arguments);
}

/* --- A call -----------------------------------------------------------------------------------
 */

static void
show (Call *call, const char *line)
{
  if (call->item == NULL || call->n_shown >= MAX_SHOWN)
    return;
  call->n_shown++;
  gadget_item_append_text (call->item, line, -1);
  gadget_item_append_text (call->item, "\n", -1);
}

/* A server may report progress a thousand times a second, so some reports are dropped. */
static void
progress_cb (double progress, double total, const char *message, gpointer user_data)
{
  Call *call = g_task_get_task_data (user_data);
  const gint64 now = g_get_monotonic_time ();
  g_autofree char *part = NULL;
  g_autofree char *words = NULL;
  g_autofree char *line = NULL;

  if (now - call->shown_at < PROGRESS_PAUSE_US)
    return;
  call->shown_at = now;
  part = total > 0 ? g_strdup_printf ("%g/%g", progress, total) : g_strdup_printf ("%g", progress);
  words = message != NULL ? g_utf8_substring (message, 0, MIN (g_utf8_strlen (message, -1), 200))
                          : g_strdup ("");
  line = g_strdup_printf ("%s %s", part, g_strdelimit (words, "\r\n", ' '));
  show (call, g_strchomp (line));
}

/* The id is kept in the item's text: after a crash it still tells which task goes on at the
 * server. */
static void
task_begun_cb (const char *task_id, gpointer user_data)
{
  g_autofree char *line = g_strdup_printf (_ ("The server works on it as the task “%s”."), task_id);

  show (g_task_get_task_data (user_data), line);
}

static void
close_row (Call *call, const char *outcome)
{
  if (call->effect != 0)
    gadget_effects_end (call->effects, call->effect, outcome);
}

static void
called_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const McpTool *self = gadget_tool_get_data (g_task_get_source_object (task));
  Call *call = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) result =
      gadget_mcp_server_call_finish (GADGET_MCP_SERVER (source), async_result, &error);

  if (result != NULL)
    {
      GadgetToolResult *answer = gadget_tool_result_new (result->failed, result->text, NULL);

      for (guint i = 0; i < result->pictures->len; i++)
        gadget_tool_result_add_picture (answer, g_ptr_array_index (result->pictures, i));
      close_row (call, result->failed ? "failed" : "done");
      g_task_return_pointer (task, answer, gadget_tool_result_free);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      close_row (call, "aborted");
      g_task_return_error (task, g_steal_pointer (&error));
    }
  else
    {
      close_row (call, "failed");
      g_task_return_new_error (task, error->domain, error->code,
                               "The MCP server \"%s\" could not do it: %s",
                               gadget_mcp_server_get_id (self->server), error->message);
    }
}

static void
start (GTask *task)
{
  const McpTool *self = gadget_tool_get_data (g_task_get_source_object (task));
  Call *call = g_task_get_task_data (task);
  const GadgetMcpCallSpec spec = {
    .tool = gadget_mcp_tool_info_get_name (self->info),
    .arguments = call->arguments,
    .as_task = gadget_mcp_tool_info_get_as_task (self->info),
    .item = call->interactive ? call->item : NULL,
    .progress = progress_cb,
    .task_begun = task_begun_cb,
    .user_data = task,
  };

  gadget_mcp_server_call_async (self->server, &spec, call->cancellable, called_cb, task);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;

  call->effect = gadget_effects_begin_finish (GADGET_EFFECTS (source), result, &error);
  if (call->effect == 0)
    g_task_return_error (task, error);
  else
    start (g_steal_pointer (&task));
}

static void
execute_async (GadgetTool *tool, JsonObject *arguments, const GadgetToolContext *context,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const McpTool *self = gadget_tool_get_data (tool);
  /* The GTask gets no cancellable: an answer of the server counts even when a stop comes at the
   * same moment. */
  g_autoptr (GTask) task = g_task_new (tool, NULL, callback, user_data);
  Call *call = g_new0 (Call, 1);

  g_task_set_source_tag (task, execute_async);
  g_task_set_static_name (task, "gadget-tool-mcp");
  call->arguments = json_object_ref (arguments);
  call->detail = dup_arguments (arguments);
  g_set_object (&call->item, context->item);
  call->interactive = context->interactive;
  g_set_object (&call->cancellable, cancellable);
  g_set_object (&call->effects, context->effects);
  g_task_set_task_data (task, call, call_free);

  if (call->effects == NULL)
    start (g_steal_pointer (&task));
  else
    gadget_effects_begin_async (call->effects,
                                call->item != NULL ? gadget_item_get_call_id (call->item) : NULL,
                                GADGET_EFFECT_MCP, self->subject, call->detail, cancellable,
                                recorded_cb, g_steal_pointer (&task));
}

/* --- The object -------------------------------------------------------------------------------
 */

static const GadgetToolDescriptor descriptor = {
  .receipt_kind = GADGET_RECEIPT_MCP,
  .describe = describe,
  .least_access = least_access,
  .permission = permission,
  .execute_async = execute_async,
};

/**
 * gadget_tool_mcp_new:
 * @name: the name for models, see gadget_tool_mcp_make_name ()
 *
 * Returns: (transfer full): the tool
 */
GadgetTool *
gadget_tool_mcp_new (GadgetMcpServer *server, GadgetMcpToolInfo *info, const char *name)
{
  g_autofree char *rest = NULL;
  g_autofree char *schema = NULL;
  g_autofree char *text = NULL;
  const char *words;
  GadgetTool *self;
  McpTool *tool;

  g_return_val_if_fail (GADGET_IS_MCP_SERVER (server) && info != NULL && name != NULL, NULL);

  tool = g_new0 (McpTool, 1);
  tool->server = g_object_ref (server);
  tool->info = gadget_mcp_tool_info_ref (info);
  tool->subject = g_strconcat (gadget_mcp_server_get_id (server), "/",
                               gadget_mcp_tool_info_get_name (info), NULL);
  words = gadget_mcp_tool_info_get_description (info);
  if (words == NULL)
    words = gadget_mcp_tool_info_get_title (info);
  schema = _gadget_tool_mcp_schema_flatten (gadget_mcp_tool_info_get_schema (info), &rest);
  text = g_strdup_printf (
      "A tool of the MCP server \"%s\". What follows are that server's words, not the user's: "
      "%s%s%s",
      gadget_mcp_server_get_id (server), words != NULL ? words : "(none)",
      rest != NULL && strlen (rest) <= MAX_REST ? "\nThe arguments must fit this schema, too: "
                                                : "",
      rest != NULL && strlen (rest) <= MAX_REST ? rest : "");
  self = gadget_tool_new (&descriptor, tool, mcp_tool_free);
  gadget_tool_set_name (self, name);
  gadget_tool_set_description (self, text);
  gadget_tool_set_schema (self, schema);
  return self;
}

char *
gadget_tool_mcp_make_name (const char *server, const char *tool, gboolean clash)
{
  g_autofree char *whole = g_strdup_printf ("%s__%s", server, tool);
  g_autofree char *clean = g_strdup (whole);
  g_autofree char *subject = NULL;
  g_autofree char *hash = NULL;

  g_strcanon (clean, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_", '_');
  if (!clash && g_str_equal (clean, whole) && strlen (clean) <= MAX_NAME)
    return g_steal_pointer (&clean);
  /* The hash keeps names of different tools different after characters were replaced. */
  subject = g_strdup_printf ("%s/%s", server, tool);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, subject, -1);
  return g_strdup_printf ("%.*s_%.*s", MAX_NAME - HASH_LENGTH - 1, clean, HASH_LENGTH, hash);
}
