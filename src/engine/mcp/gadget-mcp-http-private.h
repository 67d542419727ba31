/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what the files of GadgetMcpHttp share. */

#pragma once

#include "gadget-mcp-http.h"

#include "http/gadget-http-stream.h"
#include "http/gadget-sse.h"

G_BEGIN_DECLS

typedef struct _GadgetMcpHttpStream GadgetMcpHttpStream;

/* A message for the server, as GadgetMcpOutgoing, kept. */
typedef struct
{
  gint64 id;
  char *method;
  char *text;
  char **headers;
} GadgetMcpHttpMessage;

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
  gboolean holding;   /* until "initialized" was taken */
  GQueue held;        /* of GadgetMcpHttpMessage */
};

typedef enum
{
  STREAM_POST,
  STREAM_RESUME, /* a GET that goes on with a POST's answer */
  STREAM_LISTEN, /* a GET for what is told unasked */
} StreamKind;

/* One exchange over HTTP. It frees itself when it is over. */
struct _GadgetMcpHttpStream
{
  GadgetMcpHttp *transport;
  StreamKind kind;
  gint64 id; /* of the request, or 0 */
  GadgetMcpHttpMessage *message; /* (nullable): what is sent */
  gboolean initializes;
  gboolean releases; /* what is held */
  GCancellable *own;
  gboolean ended; /* nobody wants it any more */
  GadgetSse *sse; /* (nullable) */
  GByteArray *json;
  gboolean is_json;
  gboolean answered;
  gboolean accepted; /* the answer is to come in another stream */
  gboolean waits;    /* for that, without a connection of its own */
  guint n_moves;
  char *moved_to; /* (nullable) */
  guint n_events; /* of this connection */
  guint n_resumes;
  char *last_event;
  gint64 retry_ms;
  gboolean has_retry; /* the server named that time */
  guint timer;
  GError *refusal;               /* (nullable) */
  GadgetJsonRpcMessage *failure; /* (nullable): what a refusal says */
};

GadgetMcpHttpStream *_gadget_mcp_http_stream_new   (GadgetMcpHttp       *self,
                                                    StreamKind           kind,
                                                    gint64               id);
void                 _gadget_mcp_http_stream_start (GadgetMcpHttpStream *stream,
                                                    GadgetHttpRequest   *request);
void                 _gadget_mcp_http_stream_end   (GadgetMcpHttpStream *stream);
/* For what the server tells unasked, if nobody listens yet. */
void                 _gadget_mcp_http_listen       (GadgetMcpHttp       *self);
GadgetHttpRequest   *_gadget_mcp_http_make_request (GadgetMcpHttp       *self,
                                                    const char          *method,
                                                    gboolean             initializes);
void                 _gadget_mcp_http_post         (GadgetMcpHttpStream *stream);
void                 _gadget_mcp_http_message_free (GadgetMcpHttpMessage *message);
/* What was held back goes out. */
void                 _gadget_mcp_http_release      (GadgetMcpHttp       *self);

G_END_DECLS
