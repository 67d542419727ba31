/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scripts for the fake server as JSON:
 *
 *   { "replies": [ REPLY, … ], "models": ["fake-model", …], "get": REPLY }
 *
 * (A model may be an object instead of its name, to be listed as it is.) A REPLY is in the words of
 * a chat,
 *
 *   { "when": "text that the request's body must have in it",
 *     "reasoning": "…", "text": "…", "repeat": N, "per_second": R,
 *     "tool_calls": [ { "id": "c1", "name": "shell", "arguments": {…} } ],
 *     "finish": "stop", "stall": true | "close": true | "rst": true }
 *
 * ("text" is sent N times, R a second; with one of the last three it does not finish), or an error,
 *
 *   { "status": 401, "body": {…} or "…", "content_type": "text/html", "headers": "Name: value\r\n"
 * }
 *
 * or the bare steps of it:
 *
 *   { "steps": [ { "head": 200, "content_type": "text/event-stream", "headers": "…" },
 *     { "chunk": "…" }, { "raw": "…" }, { "delay": MS }, { "repeat": "…", "n": N, "per_second": R
 * }, { "stall": true }, { "close": true }, { "rst": true }, { "end": true } ] } */

#include "config.h"

#include "fake-server-private.h"

#include "common/gadget-json.h"

#include <string.h>

static double
get_double (JsonObject *object, const char *name, double otherwise)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : otherwise;
}

static guint
get_uint (JsonObject *object, const char *name, guint otherwise)
{
  gint64 value = otherwise;

  gadget_json_get_int (object, name, &value);
  return (guint) CLAMP (value, 0, G_MAXUINT);
}

static gboolean
has (JsonObject *object, const char *name)
{
  return json_object_has_member (object, name);
}

static void
load_end (FakeReply *reply, JsonObject *object)
{
  if (has (object, "stall"))
    fake_reply_stall (reply);
  else if (has (object, "close"))
    fake_reply_close (reply);
  else if (has (object, "rst"))
    fake_reply_rst (reply);
}

static void
load_step (FakeReply *reply, JsonObject *step)
{
  if (has (step, "head"))
    fake_reply_head (reply, get_uint (step, "head", 200),
                     gadget_json_get_string (step, "content_type"),
                     gadget_json_get_string (step, "headers"));
  else if (has (step, "chunk"))
    fake_reply_chunk (reply, gadget_json_get_string (step, "chunk"));
  else if (has (step, "raw"))
    fake_reply_raw (reply, gadget_json_get_string (step, "raw"), -1);
  else if (has (step, "delay"))
    fake_reply_delay (reply, get_uint (step, "delay", 0));
  else if (has (step, "repeat"))
    fake_reply_repeat (reply, gadget_json_get_string (step, "repeat"), get_uint (step, "n", 1),
                       get_double (step, "per_second", 0));
  else if (has (step, "end"))
    fake_reply_end (reply);
  else
    load_end (reply, step);
}

static char *
dup_as_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL)
    return g_strdup ("");
  if (gadget_json_get_string (object, name) != NULL)
    return g_strdup (gadget_json_get_string (object, name));
  return json_to_string (node, FALSE);
}

static void
load_chat (FakeReply *reply, JsonObject *object)
{
  const char *text = gadget_json_get_string (object, "text");
  JsonArray *calls = gadget_json_get_array (object, "tool_calls");
  const char *finish = gadget_json_get_string (object, "finish");

  fake_reply_chat_begin (reply);
  if (has (object, "reasoning"))
    fake_reply_chat_reasoning (reply, gadget_json_get_string (object, "reasoning"));
  if (text != NULL)
    fake_reply_chat_flow (reply, text, get_uint (object, "repeat", 1),
                          get_double (object, "per_second", 0));
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    {
      JsonObject *call = gadget_json_get_element (calls, i);
      g_autofree char *arguments = dup_as_text (call, "arguments");

      fake_reply_chat_call (reply, i, gadget_json_get_string (call, "id"),
                            gadget_json_get_string (call, "name"), arguments);
    }
  if (has (object, "stall") || has (object, "close") || has (object, "rst"))
    load_end (reply, object);
  else
    fake_reply_chat_finish (reply, finish != NULL ? finish : calls != NULL ? "tool_calls" : "stop");
}

static void
load_reply (FakeReply *reply, JsonObject *object)
{
  JsonArray *steps = gadget_json_get_array (object, "steps");

  if (has (object, "when"))
    fake_reply_when (reply, gadget_json_get_string (object, "when"));
  if (steps != NULL)
    {
      for (guint i = 0; i < json_array_get_length (steps); i++)
        load_step (reply, gadget_json_get_element (steps, i));
    }
  else if (has (object, "status"))
    {
      g_autofree char *body = dup_as_text (object, "body");
      const char *type = gadget_json_get_string (object, "content_type");

      fake_reply_body (reply, get_uint (object, "status", 200),
                       type != NULL ? type : "application/json", body,
                       gadget_json_get_string (object, "headers"));
    }
  else
    {
      load_chat (reply, object);
    }
}

static void
load_models (FakeServer *self, JsonArray *models)
{
  GString *json = g_string_new ("{\"object\":\"list\",\"data\":[");

  for (guint i = 0; i < json_array_get_length (models); i++)
    {
      JsonNode *node = json_array_get_element (models, i);
      g_autofree char *model =
          JSON_NODE_HOLDS_OBJECT (node)
              ? json_to_string (node, FALSE)
              : g_strdup_printf ("{\"id\":\"%s\"}", json_node_get_string (node));

      g_string_append_printf (json, "%s%s", i > 0 ? "," : "", model);
    }
  g_string_append (json, "]}");
  fake_server_set_models (self, json->str);
  g_string_free (json, TRUE);
}

gboolean
fake_server_load (FakeServer *self, const char *json, GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (json, strlen (json), error);
  JsonObject *script;
  JsonArray *replies;

  if (root == NULL)
    return FALSE;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, "not an object");
      return FALSE;
    }
  script = json_node_get_object (root);
  replies = gadget_json_get_array (script, "replies");
  for (guint i = 0; replies != NULL && i < json_array_get_length (replies); i++)
    load_reply (fake_server_add_reply (self), gadget_json_get_element (replies, i));
  if (gadget_json_get_array (script, "models") != NULL)
    load_models (self, gadget_json_get_array (script, "models"));
  if (gadget_json_get_object (script, "get") != NULL)
    load_reply (fake_server_set_get_reply (self), gadget_json_get_object (script, "get"));
  return TRUE;
}
