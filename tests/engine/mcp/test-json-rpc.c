/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "mcp/gadget-json-rpc.h"

#include <string.h>

static GadgetJsonRpcMessage *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GadgetJsonRpcMessage *message = gadget_json_rpc_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return message;
}

static void
test_kinds (void)
{
  g_autoptr (GadgetJsonRpcMessage) request =
      parse ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"m\",\"params\":{\"x\":1}}");
  g_autoptr (GadgetJsonRpcMessage) notification =
      parse ("{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"id\":null}");
  g_autoptr (GadgetJsonRpcMessage) result =
      parse ("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"y\":[]}}");
  g_autoptr (GadgetJsonRpcMessage) failure =
      parse ("{\"jsonrpc\":\"2.0\",\"id\":8.0,\"error\":{\"code\":-32601,\"message\":\"no\","
             "\"data\":[1]}}");
  g_autoptr (GError) error = NULL;
  gint64 id = 0;

  g_assert_cmpint (request->kind, ==, GADGET_JSON_RPC_REQUEST);
  g_assert_cmpstr (request->method, ==, "m");
  g_assert_cmpint (json_object_get_int_member (request->object, "x"), ==, 1);
  g_assert_false (gadget_json_rpc_message_get_id (request, &id));
  g_assert_cmpint (notification->kind, ==, GADGET_JSON_RPC_NOTIFICATION);
  g_assert_null (notification->object);
  g_assert_cmpint (result->kind, ==, GADGET_JSON_RPC_RESULT);
  g_assert_true (gadget_json_rpc_message_get_id (result, &id));
  g_assert_cmpint (id, ==, 7);
  g_assert_true (gadget_json_rpc_message_get_id (failure, &id));
  g_assert_cmpint (id, ==, 8);
  error = gadget_json_rpc_message_make_error (failure);
  g_assert_error (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_METHOD_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "no");
  g_assert_nonnull (failure->data);
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "",
    "x",
    "[]",
    "7",
    "null",
    "{}",
    "{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}",
    "{\"jsonrpc\":2.0,\"id\":1,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1}",
    "{\"jsonrpc\":\"2.0\",\"id\":[],\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":true,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"x\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":[1]}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gadget_json_rpc_parse (texts[i], strlen (texts[i]), &error));
      g_assert_nonnull (error);
    }
}

/* What is written is read as the same, on one line. */
static void
test_written (void)
{
  g_autoptr (JsonObject) params = json_object_new ();
  g_autofree char *request = NULL;
  g_autofree char *notification = gadget_json_rpc_build_notification ("n", NULL);
  g_autoptr (GadgetJsonRpcMessage) parsed = NULL;
  g_autofree char *result = NULL;
  g_autofree char *failure = NULL;

  json_object_set_string_member (params, "text", "one\ntwo \"three\" \xf0\x9f\x90\x88");
  request = gadget_json_rpc_build_request (12, "tools/call", params);
  g_assert_null (strchr (request, '\n'));
  parsed = parse (request);
  g_assert_cmpint (parsed->kind, ==, GADGET_JSON_RPC_REQUEST);
  g_assert_cmpstr (json_object_get_string_member (parsed->object, "text"), ==,
                   "one\ntwo \"three\" \xf0\x9f\x90\x88");
  g_assert_cmpstr (notification, ==, "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
  result = gadget_json_rpc_build_result (parsed->id, NULL);
  g_assert_cmpstr (result, ==, "{\"jsonrpc\":\"2.0\",\"id\":12,\"result\":{}}");
  failure = gadget_json_rpc_build_failure (parsed->id, -32601, "no");
  g_assert_cmpstr (
      failure, ==,
      "{\"jsonrpc\":\"2.0\",\"id\":12,\"error\":{\"code\":-32601,\"message\":\"no\"}}");
}

/* An id that is no integer is given back as it was. */
static void
test_foreign_id (void)
{
  g_autoptr (GadgetJsonRpcMessage) request =
      parse ("{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"m\"}");
  g_autofree char *result = gadget_json_rpc_build_result (request->id, NULL);

  g_assert_cmpstr (result, ==, "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"result\":{}}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/json-rpc/kinds", test_kinds);
  g_test_add_func ("/engine/json-rpc/refused", test_refused);
  g_test_add_func ("/engine/json-rpc/written", test_written);
  g_test_add_func ("/engine/json-rpc/foreign-id", test_foreign_id);

  return g_test_run ();
}
