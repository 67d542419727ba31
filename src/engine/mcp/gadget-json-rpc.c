/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads and writes JSON-RPC 2.0 messages. Reading is lenient where servers are known to be sloppy
 * (ids given back as strings, text that is nearly UTF-8) and bounds what it keeps; writing puts
 * each message on one line. The functions have no state and can be called from any thread. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-json-rpc.h"

#include "common/gadget-json.h"

#include <string.h>

G_DEFINE_QUARK (gadget-json-rpc-error-quark, gadget_json_rpc_error)

/* The text of an error object is shown in cards and sent to the model, so it is bounded (in
 * characters). */
#define MAX_TEXT 2000

/**
 * gadget_json_rpc_message_free:
 *
 * Frees a message and everything in it. Does nothing for %NULL.
 */
void
gadget_json_rpc_message_free (GadgetJsonRpcMessage *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->id, json_node_unref);
  g_clear_pointer (&self->object, json_object_unref);
  g_clear_pointer (&self->data, json_node_unref);
  g_free (self->method);
  g_free (self->text);
  g_free (self);
}

static gboolean
fail (const char *what, GError **error)
{
  g_set_error_literal (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_REQUEST, what);
  return FALSE;
}

/* --- Reading ----------------------------------------------------------------------------------
 */

static gboolean
parse_id (GadgetJsonRpcMessage *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, "id");
  GType type = G_TYPE_INVALID;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (JSON_NODE_HOLDS_VALUE (node))
    type = json_node_get_value_type (node);
  if (type != G_TYPE_STRING && type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return fail ("The message's id is neither a string nor a number", error);
  self->id = json_node_copy (node);
  return TRUE;
}

static gboolean
parse_object (GadgetJsonRpcMessage *self, JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fail ("The message's content is not an object", error);
  self->object = json_node_dup_object (node);
  return TRUE;
}

static gboolean
parse_failure (GadgetJsonRpcMessage *self, JsonObject *object, GError **error)
{
  JsonObject *failure = gadget_json_get_object (object, "error");
  const char *text = gadget_json_get_string (failure, "message");
  JsonNode *data = failure != NULL ? json_object_get_member (failure, "data") : NULL;
  gint64 code = GADGET_JSON_RPC_INTERNAL_ERROR;

  if (failure == NULL)
    return fail ("The message's error is not an object", error);
  gadget_json_get_int (failure, "code", &code);
  self->kind = GADGET_JSON_RPC_FAILURE;
  self->code = (int) CLAMP (code, G_MININT, G_MAXINT);
  self->text = g_utf8_substring (text != NULL ? text : "", 0,
                                 MIN (g_utf8_strlen (text != NULL ? text : "", -1), MAX_TEXT));
  self->data = data != NULL ? json_node_copy (data) : NULL;
  return TRUE;
}

static gboolean
parse_message (GadgetJsonRpcMessage *self, JsonObject *object, GError **error)
{
  const char *method = gadget_json_get_string (object, "method");

  if (g_strcmp0 (gadget_json_get_string (object, "jsonrpc"), "2.0") != 0)
    return fail ("The message is not of JSON-RPC 2.0", error);
  if (!parse_id (self, object, error))
    return FALSE;
  if (method != NULL)
    {
      self->kind = self->id != NULL ? GADGET_JSON_RPC_REQUEST : GADGET_JSON_RPC_NOTIFICATION;
      self->method = g_strdup (method);
      return parse_object (self, object, "params", error);
    }
  if (json_object_has_member (object, "error"))
    return parse_failure (self, object, error);
  if (self->id == NULL || !json_object_has_member (object, "result"))
    return fail ("The message is neither a request nor an answer", error);
  self->kind = GADGET_JSON_RPC_RESULT;
  return parse_object (self, object, "result", error);
}

static GadgetJsonRpcMessage *
read_message (JsonNode *node, GError **error)
{
  g_autoptr (GadgetJsonRpcMessage) self = g_new0 (GadgetJsonRpcMessage, 1);

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fail ("The message is not an object", error);
      return NULL;
    }
  if (!parse_message (self, json_node_get_object (node), error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * gadget_json_rpc_parse:
 * @text: UTF-8, or nearly; need not be terminated
 * @length: in bytes
 *
 * Parses one message. Invalid UTF-8 is repaired first.
 *
 * Returns: (transfer full): the message, or %NULL with a #JsonParserError, or with
 *   %GADGET_JSON_RPC_INVALID_REQUEST for valid JSON that is not a message
 */
GadgetJsonRpcMessage *
gadget_json_rpc_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonNode) node = gadget_json_parse_repaired (text, length, error);

  return node != NULL ? read_message (node, error) : NULL;
}

/* Returns the offset just after the string literal that begins at @start. */
static gsize
skip_string (const char *text, gsize length, gsize start)
{
  gsize i = start + 1;

  while (i < length && text[i] != '"')
    i += text[i] == '\\' ? 2 : 1;
  return MIN (i + 1, length);
}

static gsize
skip_space (const char *text, gsize length, gsize i)
{
  while (i < length && g_ascii_isspace (text[i]))
    i++;
  return i;
}

/* Reads a number, perhaps in quotes, by the same rules as gadget_json_rpc_read_id (). */
static gboolean
read_number (const char *text, gsize length, gsize start, gint64 *id)
{
  char digits[24] = "";
  char *end;
  gsize i = start + (start < length && text[start] == '"' ? 1 : 0);

  if (i >= length || !g_ascii_isdigit (text[i]))
    return FALSE;
  memcpy (digits, text + i, MIN (length - i, sizeof digits - 1));
  *id = g_ascii_strtoll (digits, &end, 10);
  return end < digits + sizeof digits - 1;
}

/**
 * gadget_json_rpc_salvage_id:
 * @text: a text that gadget_json_rpc_parse () could not read
 * @length: in bytes
 * @id: (out): the id of the request that the text responds to; set if the function returns %TRUE
 *
 * Looks for the id in a response that is damaged or nested too deeply to be parsed, so that its
 * request can fail at once instead of running into its time limit.
 *
 * Returns: whether the text looks like a response with a number as its id
 */
gboolean
gadget_json_rpc_salvage_id (const char *text, gsize length, gint64 *id)
{
  gsize i = skip_space (text, length, 0);
  gsize depth = 0;
  gboolean found = FALSE;

  if (i >= length || text[i] != '{')
    return FALSE;
  while (i < length)
    {
      const gsize start = i;

      if (text[i] == '{' || text[i] == '[')
        depth++;
      else if (text[i] == '}' || text[i] == ']')
        depth -= MIN (depth, 1);
      i = text[i] == '"' ? skip_string (text, length, i) : i + 1;
      if (depth != 1 || text[start] != '"' || i >= length)
        continue;

      const gsize colon = skip_space (text, length, i);

      if (colon >= length || text[colon] != ':')
        continue;
      if (i - start == strlen ("\"method\"")
          && strncmp (text + start, "\"method\"", i - start) == 0)
        return FALSE;
      if (i - start == strlen ("\"id\"") && strncmp (text + start, "\"id\"", i - start) == 0)
        found = read_number (text, length, skip_space (text, length, colon + 1), id);
    }
  return found;
}

/**
 * gadget_json_rpc_parse_batch:
 * @length: in bytes
 *
 * Does the same as gadget_json_rpc_parse () for a text that may also be a list of messages.
 * Elements of the list that are not valid messages are skipped.
 *
 * Returns: (transfer full) (element-type GadgetJsonRpcMessage): at least one message, or %NULL with
 *   the errors of gadget_json_rpc_parse (), also for a list without any valid message
 */
GPtrArray *
gadget_json_rpc_parse_batch (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonNode) node = gadget_json_parse_repaired (text, length, error);
  g_autoptr (GPtrArray) messages =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_json_rpc_message_free);
  GadgetJsonRpcMessage *message;
  JsonArray *list;

  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    {
      message = read_message (node, error);
      if (message == NULL)
        return NULL;
      g_ptr_array_add (messages, message);
      return g_steal_pointer (&messages);
    }
  list = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      message = read_message (json_array_get_element (list, i), NULL);
      if (message != NULL)
        g_ptr_array_add (messages, message);
    }
  if (messages->len > 0)
    return g_steal_pointer (&messages);
  fail ("The list has no message in it", error);
  return NULL;
}

/**
 * gadget_json_rpc_read_id:
 * @node: (nullable): an id, or a progress token that was made from an id
 * @id: (out): set if the function returns %TRUE
 *
 * Reads an id as an integer, the only kind that this client gives. Some servers give an integer
 * back as a string or as a floating-point number; both are accepted.
 *
 * Returns: whether @node is an integer
 */
gboolean
gadget_json_rpc_read_id (JsonNode *node, gint64 *id)
{
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;
  double value;

  if (type == G_TYPE_STRING)
    return g_ascii_string_to_signed (json_node_get_string (node), 10, G_MININT64, G_MAXINT64, id,
                                     NULL);
  if (type == G_TYPE_INT64)
    {
      *id = json_node_get_int (node);
      return TRUE;
    }
  value = type == G_TYPE_DOUBLE ? json_node_get_double (node) : 0.5;
  if (!(value > -1e15 && value < 1e15) || value != (double) (gint64) value)
    return FALSE;
  *id = (gint64) value;
  return TRUE;
}

/**
 * gadget_json_rpc_message_get_id:
 * @id: (out): set if the function returns %TRUE
 *
 * Returns: whether the message's id is an integer; see gadget_json_rpc_read_id ()
 */
gboolean
gadget_json_rpc_message_get_id (const GadgetJsonRpcMessage *self, gint64 *id)
{
  return gadget_json_rpc_read_id (self->id, id);
}

/**
 * gadget_json_rpc_message_make_error:
 *
 * Returns: (transfer full): the text of a failure as a #GError in the domain
 *   %GADGET_JSON_RPC_ERROR, with the code that the server gave
 */
GError *
gadget_json_rpc_message_make_error (const GadgetJsonRpcMessage *self)
{
  const char *text = self->text != NULL && *self->text != '\0' ? self->text : "unknown error";

  g_return_val_if_fail (self->kind == GADGET_JSON_RPC_FAILURE, NULL);

  return g_error_new_literal (GADGET_JSON_RPC_ERROR, self->code, text);
}

/* --- Writing ----------------------------------------------------------------------------------
 */

static JsonObject *
begin (void)
{
  JsonObject *message = json_object_new ();

  json_object_set_string_member (message, "jsonrpc", "2.0");
  return message;
}

/* Consumes @message. The text is a single line: compact JSON has no newlines between tokens, and
 * newlines in strings are escaped. */
static char *
finish (JsonObject *message)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, message);
  return json_to_string (node, FALSE);
}

/**
 * gadget_json_rpc_build_request:
 * @params: (nullable):
 *
 * Returns: (transfer full): the request as one line of JSON, without the newline
 */
char *
gadget_json_rpc_build_request (gint64 id, const char *method, JsonObject *params)
{
  JsonObject *message = begin ();

  json_object_set_int_member (message, "id", id);
  json_object_set_string_member (message, "method", method);
  if (params != NULL)
    json_object_set_object_member (message, "params", json_object_ref (params));
  return finish (message);
}

/* Does the same as gadget_json_rpc_build_request () for a message without an id. */
char *
gadget_json_rpc_build_notification (const char *method, JsonObject *params)
{
  JsonObject *message = begin ();

  json_object_set_string_member (message, "method", method);
  if (params != NULL)
    json_object_set_object_member (message, "params", json_object_ref (params));
  return finish (message);
}

/**
 * gadget_json_rpc_build_result:
 * @id: the id of the server's request, given back as it was
 * @result: (nullable): %NULL for an empty object
 *
 * Returns: (transfer full): the response as one line of JSON, without the newline
 */
char *
gadget_json_rpc_build_result (JsonNode *id, JsonObject *result)
{
  JsonObject *message = begin ();

  json_object_set_member (message, "id", json_node_copy (id));
  json_object_set_object_member (message, "result",
                                 result != NULL ? json_object_ref (result) : json_object_new ());
  return finish (message);
}

/* Does the same as gadget_json_rpc_build_result () for an error object. @text goes to the
 * server. */
char *
gadget_json_rpc_build_failure (JsonNode *id, int code, const char *text)
{
  JsonObject *message = begin ();
  JsonObject *failure = json_object_new ();

  json_object_set_int_member (failure, "code", code);
  json_object_set_string_member (failure, "message", text);
  json_object_set_member (message, "id", json_node_copy (id));
  json_object_set_object_member (message, "error", failure);
  return finish (message);
}
