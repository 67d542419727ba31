/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages of JSON-RPC 2.0 as the Model Context Protocol (MCP) restricts it: ids are strings or
 * integers and never null, parameters and results are objects, and a text is one message. Only MCP
 * 2025-03-26 lets a server send several messages in one text. The functions convert between texts
 * and messages and keep no state. */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GADGET_JSON_RPC_ERROR (gadget_json_rpc_error_quark ())
GQuark gadget_json_rpc_error_quark (void);

/**
 * GadgetJsonRpcError:
 *
 * The codes that JSON-RPC 2.0 (section 5.1) and MCP (2026-07-28, basic, "Error Codes") define. An
 * error of this domain may have any other code, because the server's code is passed on unchanged.
 */
typedef enum
{
  GADGET_JSON_RPC_PARSE_ERROR = -32700,
  GADGET_JSON_RPC_INVALID_REQUEST = -32600,
  GADGET_JSON_RPC_METHOD_NOT_FOUND = -32601,
  GADGET_JSON_RPC_INVALID_PARAMS = -32602,
  GADGET_JSON_RPC_INTERNAL_ERROR = -32603,
  GADGET_JSON_RPC_HEADER_MISMATCH = -32020,
  GADGET_JSON_RPC_MISSING_CAPABILITY = -32021,
  GADGET_JSON_RPC_UNSUPPORTED_VERSION = -32022,
  GADGET_JSON_RPC_URL_ELICITATION_REQUIRED = -32042, /* only in MCP 2025-11-25 */
} GadgetJsonRpcError;

/* The kinds of messages. A failure is a response with an error object. */
typedef enum
{
  GADGET_JSON_RPC_REQUEST,
  GADGET_JSON_RPC_NOTIFICATION,
  GADGET_JSON_RPC_RESULT,
  GADGET_JSON_RPC_FAILURE,
} GadgetJsonRpcKind;

/**
 * GadgetJsonRpcMessage:
 * @id: (nullable): the id of a request or response; %NULL in a notification, and in a failure that
 *   the server sent because it could not read a request
 * @method: (nullable): only in a request or notification
 * @object: (nullable): the parameters of a request or notification, or a result
 * @code: only in a failure
 * @text: (nullable): the error message of a failure
 * @data: (nullable): additional data of a failure
 *
 * A parsed message. It owns its members.
 */
typedef struct
{
  GadgetJsonRpcKind kind;
  JsonNode *id;
  char *method;
  JsonObject *object;
  int code;
  char *text;
  JsonNode *data;
} GadgetJsonRpcMessage;

GadgetJsonRpcMessage *gadget_json_rpc_parse              (const char                  *text,
                                                          gsize                        length,
                                                          GError                     **error);
GPtrArray            *gadget_json_rpc_parse_batch        (const char                  *text,
                                                          gsize                        length,
                                                          GError                     **error);
gboolean              gadget_json_rpc_salvage_id         (const char                  *text,
                                                          gsize                        length,
                                                          gint64                      *id);
void                  gadget_json_rpc_message_free       (GadgetJsonRpcMessage        *self);
gboolean              gadget_json_rpc_message_get_id     (const GadgetJsonRpcMessage  *self,
                                                          gint64                      *id);
gboolean              gadget_json_rpc_read_id            (JsonNode                    *node,
                                                          gint64                      *id);
GError               *gadget_json_rpc_message_make_error (const GadgetJsonRpcMessage  *self);

char                 *gadget_json_rpc_build_request      (gint64                       id,
                                                          const char                  *method,
                                                          JsonObject                  *params);
char                 *gadget_json_rpc_build_notification (const char                  *method,
                                                          JsonObject                  *params);
char                 *gadget_json_rpc_build_result       (JsonNode                    *id,
                                                          JsonObject                  *result);
char                 *gadget_json_rpc_build_failure      (JsonNode                    *id,
                                                          int                          code,
                                                          const char                  *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetJsonRpcMessage, gadget_json_rpc_message_free)

G_END_DECLS
