/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_HTTP_ERROR (gadget_http_error_quark ())
GQuark                  gadget_http_error_quark         (void);

/**
 * GadgetHttpError:
 * @GADGET_HTTP_ERROR_UNREACHABLE: no connection: no route, unknown host
 * @GADGET_HTTP_ERROR_REFUSED: the host exists but no server does: the connection was refused, or
 *   was closed before any response
 * @GADGET_HTTP_ERROR_TIMEOUT: the server did not respond in time
 * @GADGET_HTTP_ERROR_TLS: the connection could not be secured
 * @GADGET_HTTP_ERROR_ADDRESS: the URL is invalid
 * @GADGET_HTTP_ERROR_CUT: the response stopped in the middle
 * @GADGET_HTTP_ERROR_BAD_ANSWER: the response cannot be read
 * @GADGET_HTTP_ERROR_UNSENT: the server closed the connection before it had received the whole
 *   request
 * @GADGET_HTTP_ERROR_COMPRESSED: the response is compressed, although that was not asked for
 * @GADGET_HTTP_ERROR_TOO_LARGE: the response, or a line of it, is larger than allowed
 *
 * Callers check the cancellable to find out whether a run was aborted, never the error.
 */
typedef enum
{
  GADGET_HTTP_ERROR_UNREACHABLE,
  GADGET_HTTP_ERROR_REFUSED,
  GADGET_HTTP_ERROR_TIMEOUT,
  GADGET_HTTP_ERROR_TLS,
  GADGET_HTTP_ERROR_ADDRESS,
  GADGET_HTTP_ERROR_CUT,
  GADGET_HTTP_ERROR_BAD_ANSWER,
  GADGET_HTTP_ERROR_UNSENT,
  GADGET_HTTP_ERROR_COMPRESSED,
  GADGET_HTTP_ERROR_TOO_LARGE,
} GadgetHttpError;

#define GADGET_TYPE_HTTP (gadget_http_get_type ())
G_DECLARE_FINAL_TYPE (GadgetHttp, gadget_http, GADGET, HTTP, GObject)

/**
 * GadgetHttpLimits:
 * @connect_ms: for a connection including its TLS handshake
 * @first_byte_ms: from the start of the request to the status line; models take long to load
 * @idle_ms: between two parts of a response
 * @drain_ms: how long a connection is read on after a complete response, so that it can be reused
 * @refusal_ms: for the body of an error
 * @max_refusal: how much of the body of an error is read, in bytes
 * @total_ms: for the whole exchange, whatever the other limits say; 0 for no such limit
 * @quiet_ms: without a received byte, until the receipt says that the connection is quiet; the
 *   exchange goes on. 0: never
 * @suspected_ms: like @quiet_ms, after gadget_http_suspect_connections ()
 *
 * The limits of an exchange, in milliseconds unless they say otherwise.
 */
typedef struct
{
  guint connect_ms;
  guint first_byte_ms;
  guint idle_ms;
  guint drain_ms;
  guint refusal_ms;
  gsize max_refusal;
  guint total_ms;
  guint quiet_ms;
  guint suspected_ms;
} GadgetHttpLimits;

/* The state that all requests share: the pool of connections, the limits and the clock. A program
 * has one. The clock and the limits are owned by the object; the setter copies. */
GadgetHttp             *gadget_http_new                 (GadgetClock            *clock);
GadgetHttp             *gadget_http_new_pinned          (GadgetClock            *clock,
                                                         GSocketConnectable     *remote);
GadgetClock            *gadget_http_get_clock           (GadgetHttp             *self);
const GadgetHttpLimits *gadget_http_get_limits          (GadgetHttp             *self);
void                    gadget_http_set_limits          (GadgetHttp             *self,
                                                         const GadgetHttpLimits *limits);

void                    gadget_http_suspect_connections (GadgetHttp             *self);

gint64                  gadget_http_parse_retry_after   (const char             *value,
                                                         gint64                  now_ms);

G_END_DECLS
