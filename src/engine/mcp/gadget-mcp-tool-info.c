/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The description of one tool, as a server lists it and as it is stored: names and texts are
 * bounded, and the schema is brought into the form that model providers accept. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-tool-info.h"

#include "common/gadget-json.h"
#include "common/gadget-visible.h"
#include "gadget-json-rpc.h"
#include "gadget-mcp-headers.h"

#include <string.h>

/* MAX_TITLE and MAX_DESCRIPTION are in characters, the others in bytes. */
#define MAX_NAME 512 /* four times what the specification recommends */
#define MAX_TITLE 200
#define MAX_DESCRIPTION 8000
#define MAX_SCHEMA (64 * 1024)

struct _GadgetMcpToolInfo
{
  gatomicrefcount ref_count;

  char *name;
  char *title;
  char *description;
  char *schema; /* schema_object as JSON */
  JsonObject *schema_object;
  gboolean as_task;
};

/* gadget_mcp_tool_info_ref () and gadget_mcp_tool_info_unref () may be called on any thread.
 * gadget_mcp_tool_info_unref () accepts %NULL. */
void
gadget_mcp_tool_info_unref (GadgetMcpToolInfo *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  g_free (self->schema);
  g_clear_pointer (&self->schema_object, json_object_unref);
  g_free (self);
}

GadgetMcpToolInfo *
gadget_mcp_tool_info_ref (GadgetMcpToolInfo *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static gboolean
fail (const char *text, GError **error)
{
  g_set_error_literal (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_PARAMS, text);
  return FALSE;
}

static char *
dup_cut (const char *text, glong length)
{
  return text != NULL ? g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), length)) : NULL;
}

/* Brings the schema into the form that providers accept: an object with a list of properties. */
static gboolean
parse_schema (GadgetMcpToolInfo *self, JsonObject *tool, GError **error)
{
  JsonObject *given = gadget_json_get_object (tool, "inputSchema");
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  if (given == NULL)
    return fail ("The tool has no schema of its arguments", error);
  json_node_set_object (node, given);
  self->schema = json_to_string (node, FALSE);
  if (strlen (self->schema) > MAX_SCHEMA)
    return fail ("The schema of the tool's arguments is too large", error);

  /* The server's own object must not change, because the caller still reads it. */
  g_autoptr (JsonNode) copy = gadget_json_parse (self->schema, strlen (self->schema), error);

  if (copy == NULL)
    return FALSE;
  self->schema_object = json_node_dup_object (copy);
  if (gadget_json_get_string (self->schema_object, "type") == NULL)
    json_object_set_string_member (self->schema_object, "type", "object");
  if (g_strcmp0 (gadget_json_get_string (self->schema_object, "type"), "object") != 0)
    return fail ("The tool's arguments are not an object", error);
  if (gadget_json_get_object (self->schema_object, "properties") == NULL)
    json_object_set_object_member (self->schema_object, "properties", json_object_new ());
  /* Some servers write null for an empty list. */
  if (gadget_json_get_array (self->schema_object, "required") == NULL)
    json_object_remove_member (self->schema_object, "required");
  json_object_remove_member (self->schema_object, "$schema");
  json_node_set_object (node, self->schema_object);
  g_free (self->schema);
  self->schema = json_to_string (node, FALSE);
  return TRUE;
}

/**
 * gadget_mcp_tool_info_parse:
 * @tool: an element of the list of tools; not changed
 * @with_headers: whether to check the annotations that request headers
 *
 * Returns: (transfer full): the tool, or %NULL with %GADGET_JSON_RPC_INVALID_PARAMS for a tool that
 *   cannot be used, or with a #JsonParserError
 */
GadgetMcpToolInfo *
gadget_mcp_tool_info_parse (JsonObject *tool, gboolean with_headers, GError **error)
{
  g_autoptr (GadgetMcpToolInfo) self = g_new0 (GadgetMcpToolInfo, 1);
  const char *name = gadget_json_get_string (tool, "name");
  const char *support =
      gadget_json_get_string (gadget_json_get_object (tool, "execution"), "taskSupport");

  g_atomic_ref_count_init (&self->ref_count);
  /* The user is asked for permission by the tool's name, so it must be readable. */
  if (name == NULL || *name == '\0' || strlen (name) > MAX_NAME || strpbrk (name, "\r\n\t") != NULL
      || !gadget_visible_is_plain (name))
    {
      fail ("The tool has no name that can be used", error);
      return NULL;
    }
  self->name = g_strdup (name);
  self->title = dup_cut (gadget_json_get_string (tool, "title"), MAX_TITLE);
  self->description = dup_cut (gadget_json_get_string (tool, "description"), MAX_DESCRIPTION);
  self->as_task = g_strcmp0 (support, "required") == 0;
  if (!parse_schema (self, tool, error)
      || (with_headers && !gadget_mcp_headers_check_schema (self->schema_object, error)))
    return NULL;
  return g_steal_pointer (&self);
}

/* gadget_mcp_tool_info_get_name: returns the name by which the server knows the tool; never %NULL.
 * (transfer none) */
const char *
gadget_mcp_tool_info_get_name (GadgetMcpToolInfo *self)
{
  return self->name;
}

/* Returns the title that is shown to the user (nullable). */
const char *
gadget_mcp_tool_info_get_title (GadgetMcpToolInfo *self)
{
  return self->title;
}

/* Returns the description that the server wrote for the model (nullable). */
const char *
gadget_mcp_tool_info_get_description (GadgetMcpToolInfo *self)
{
  return self->description;
}

/**
 * gadget_mcp_tool_info_get_schema:
 *
 * Returns: the schema of the arguments as JSON
 */
const char *
gadget_mcp_tool_info_get_schema (GadgetMcpToolInfo *self)
{
  return self->schema;
}

/* Returns whether the server demands that the tool is called as a task (2025-11-25). */
gboolean
gadget_mcp_tool_info_get_as_task (GadgetMcpToolInfo *self)
{
  return self->as_task;
}

/* Makes the headers of a call: names and values in turn (transfer full). */
char **
gadget_mcp_tool_info_make_headers (GadgetMcpToolInfo *self, JsonObject *arguments)
{
  return gadget_mcp_headers_make (self->name, self->schema_object, arguments);
}

static void
add_string (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
}

char *
gadget_mcp_tool_infos_to_json (GPtrArray *tools)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      GadgetMcpToolInfo *self = g_ptr_array_index (tools, i);
      JsonObject *object = json_object_new ();

      add_string (object, "name", self->name);
      add_string (object, "title", self->title);
      add_string (object, "description", self->description);
      json_object_set_object_member (object, "inputSchema", json_object_ref (self->schema_object));
      if (self->as_task)
        {
          JsonObject *execution = json_object_new ();

          json_object_set_string_member (execution, "taskSupport", "required");
          json_object_set_object_member (object, "execution", execution);
        }
      json_array_add_object_element (array, object);
    }
  json_node_take_array (node, array);
  return json_to_string (node, FALSE);
}

/**
 * gadget_mcp_tool_infos_from_json:
 * @json: (nullable): what gadget_mcp_tool_infos_to_json () returned
 *
 * Returns: (transfer full) (element-type GadgetMcpToolInfo): the tools that can be read; empty for
 *   %NULL and for a text that is not a list
 */
GPtrArray *
gadget_mcp_tool_infos_from_json (const char *json)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
  g_autoptr (JsonNode) node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;
  JsonArray *array =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);
      GadgetMcpToolInfo *tool =
          object != NULL ? gadget_mcp_tool_info_parse (object, FALSE, NULL) : NULL;

      if (tool != NULL)
        g_ptr_array_add (tools, tool);
    }
  return tools;
}
