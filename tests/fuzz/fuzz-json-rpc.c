/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an MCP server says: a message is of one of four kinds and has what belongs to that kind;
 * built again it is read as the same. What is in it, tools and results and forms, is read into
 * something that holds its limits, or refused. */

#include "config.h"

#include "fuzz.h"

#include "common/gadget-json.h"
#include "mcp/gadget-json-rpc.h"
#include "mcp/gadget-mcp-content.h"
#include "mcp/gadget-mcp-form.h"
#include "mcp/gadget-mcp-tool-info.h"

#include <string.h>

static void
check_kind (const GadgetJsonRpcMessage *message)
{
  gint64 id;

  gadget_json_rpc_message_get_id (message, &id);
  switch (message->kind)
    {
    case GADGET_JSON_RPC_REQUEST:
      g_assert (message->id != NULL && message->method != NULL);
      break;
    case GADGET_JSON_RPC_NOTIFICATION:
      g_assert (message->id == NULL && message->method != NULL);
      break;
    case GADGET_JSON_RPC_RESULT:
      g_assert (message->id != NULL && message->method == NULL);
      break;
    case GADGET_JSON_RPC_FAILURE:
    default:
      {
        g_autoptr (GError) error = gadget_json_rpc_message_make_error (message);

        g_assert (message->method == NULL && error->message != NULL);
        g_assert (g_utf8_validate (error->message, -1, NULL));
      }
    }
}

static char *
build (const GadgetJsonRpcMessage *message)
{
  gint64 id;

  switch (message->kind)
    {
    case GADGET_JSON_RPC_REQUEST:
      if (!gadget_json_rpc_message_get_id (message, &id))
        return NULL;
      return gadget_json_rpc_build_request (id, message->method, message->object);
    case GADGET_JSON_RPC_NOTIFICATION:
      return gadget_json_rpc_build_notification (message->method, message->object);
    case GADGET_JSON_RPC_RESULT:
      return gadget_json_rpc_build_result (message->id, message->object);
    case GADGET_JSON_RPC_FAILURE:
    default:
      return message->id != NULL && message->text != NULL
                 ? gadget_json_rpc_build_failure (message->id, message->code, message->text)
                 : NULL;
    }
}

static void
check_again (const GadgetJsonRpcMessage *message)
{
  g_autofree char *text = build (message);
  g_autoptr (GadgetJsonRpcMessage) again = NULL;
  g_autofree char *same = NULL;

  if (text == NULL)
    return;
  g_assert (strchr (text, '\n') == NULL);
  again = gadget_json_rpc_parse (text, strlen (text), NULL);
  g_assert (again != NULL && again->kind == message->kind);
  g_assert (g_strcmp0 (again->method, message->method) == 0);
  same = build (again);
  g_assert (g_strcmp0 (text, same) == 0);
}

static void
check_result (JsonObject *object)
{
  g_autoptr (GadgetMcpResult) result = gadget_mcp_result_parse (object);

  g_assert (result->text != NULL && g_utf8_validate (result->text, -1, NULL));
  g_assert (strlen (result->text) < GADGET_MCP_MAX_TEXT + 200);
  for (guint i = 0; i < result->pictures->len; i++)
    g_assert (gadget_picture_get_size (g_ptr_array_index (result->pictures, i))
              <= GADGET_PICTURE_MAX_BYTES);
}

static void
check_tools (JsonArray *tools)
{
  for (guint i = 0; tools != NULL && i < json_array_get_length (tools); i++)
    {
      JsonObject *object = gadget_json_get_element (tools, i);
      g_autoptr (GadgetMcpToolInfo) tool =
          object != NULL ? gadget_mcp_tool_info_parse (object, TRUE, NULL) : NULL;
      g_auto (GStrv) headers = NULL;

      if (tool == NULL)
        continue;
      g_assert (*gadget_mcp_tool_info_get_name (tool) != '\0');
      headers = gadget_mcp_tool_info_make_headers (tool, object);
      for (guint h = 0; headers != NULL && headers[h] != NULL; h++)
        g_assert (strpbrk (headers[h], "\r\n") == NULL);
    }
}

static void
check_form (JsonObject *schema)
{
  g_autoptr (GPtrArray) fields = schema != NULL ? gadget_mcp_form_parse (schema, NULL) : NULL;
  static const char *const answers[] = { "", "1", "Yes", "a@b", "S, M" };

  for (guint i = 0; fields != NULL && i < fields->len; i++)
    for (guint a = 0; a < G_N_ELEMENTS (answers); a++)
      {
        g_autofree char *problem = NULL;
        g_autoptr (JsonNode) value =
            gadget_mcp_field_parse_answer (g_ptr_array_index (fields, i), answers[a], &problem);

        g_assert ((value == NULL) == (problem != NULL));
      }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetJsonRpcMessage) message =
      gadget_json_rpc_parse ((const char *) data, size, &error);

  g_assert ((message == NULL) == (error != NULL));
  if (message == NULL)
    return 0;
  check_kind (message);
  check_again (message);
  if (message->object == NULL)
    return 0;
  check_form (gadget_json_get_object (message->object, "requestedSchema"));
  check_tools (gadget_json_get_array (message->object, "tools"));
  check_result (message->object);
  return 0;
}
