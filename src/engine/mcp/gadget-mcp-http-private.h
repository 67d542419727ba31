/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpHttp share. */

#pragma once

#include "gadget-mcp-http.h"

#include "http/gadget-http-stream.h"
#include "http/gadget-sse.h"

G_BEGIN_DECLS

typedef struct _GadgetMcpHttpStream GadgetMcpHttpStream;

/* A message for the server: a copy of a GadgetMcpOutgoing. */
typedef struct
{
  gint64 id;
  char *method;
  char *text;
  char **headers;
} GadgetMcpHttpMessage;

/* The transport. It ends only after its streams, which hold references to it. */
struct _GadgetMcpHttp
{
  GObject parent_instance;

  GadgetHttp *http;
  char *name;
  char *url;
  char **headers;
  char *version; /* (nullable) */
  char *session; /* (nullable) */
  gboolean modern;
  gboolean closed;
  GPtrArray *streams; /* (element-type GadgetMcpHttpStream) (unowned) */
  gboolean holding;   /* hold messages back until the server took "notifications/initialized" */
  GQueue held;        /* of GadgetMcpHttpMessage */
};

/* The kinds of streams, by their HTTP request. */
typedef enum
{
  STREAM_POST,
  STREAM_RESUME, /* a GET that continues the response to a POST */
  STREAM_LISTEN, /* a GET for messages that are not responses */
} StreamKind;

/* One exchange over HTTP. It frees itself when it is over. */
struct _GadgetMcpHttpStream
{
  GadgetMcpHttp *transport;
  StreamKind kind;
  gint64 id;                     /* id of the JSON-RPC request, or 0 */
  GadgetMcpHttpMessage *message; /* (nullable): the message to send */
  gboolean initializes;          /* the message is "initialize" */
  gboolean releases;             /* the message is "notifications/initialized" */
  GCancellable *own;
  gboolean ended; /* cancelled by this client, so errors are ignored */
  GadgetSse *sse; /* (nullable) */
  GByteArray *json;
  gboolean is_json;
  gboolean answered; /* the response to the message has arrived */
  gboolean accepted; /* HTTP 202: the response will come in another stream */
  gboolean waits;    /* for the response in another stream; has no connection of its own */
  guint n_moves;
  char *moved_to;     /* (nullable) */
  guint n_events;     /* on the current connection */
  guint n_resumes;    /* number of attempts to continue without an event in between */
  char *last_event;   /* (nullable): id for Last-Event-ID */
  gint64 retry_ms;    /* milliseconds until the next attempt */
  gboolean has_retry; /* the server set retry_ms */
  guint timer;
  GadgetJsonRpcMessage *failure; /* (nullable): JSON-RPC error in the body of an HTTP error */
};

/* Creates a stream, which is owned by itself and listed in @self; starts it with @request (transfer
 * none); closes its connection. A stream that was ended reports nothing more. _post () starts a
 * stream for the POST of its message. */
GadgetMcpHttpStream *_gadget_mcp_http_stream_new   (GadgetMcpHttp       *self,
                                                    StreamKind           kind,
                                                    gint64               id);
void                 _gadget_mcp_http_stream_start (GadgetMcpHttpStream *stream,
                                                    GadgetHttpRequest   *request);
void                 _gadget_mcp_http_stream_end   (GadgetMcpHttpStream *stream);
GadgetHttpRequest   *_gadget_mcp_http_make_request (GadgetMcpHttp       *self,
                                                    const char          *method,
                                                    gboolean             initializes);
void                 _gadget_mcp_http_post         (GadgetMcpHttpStream *stream);
void                 _gadget_mcp_http_message_free (GadgetMcpHttpMessage *message);
/* Sends the messages that were held back. */
void                 _gadget_mcp_http_release      (GadgetMcpHttp       *self);

G_END_DECLS
