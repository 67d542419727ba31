/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_HTTP_ERROR (gadget_http_error_quark ())
GQuark gadget_http_error_quark (void);

/**
 * GadgetHttpError:
 * @GADGET_HTTP_ERROR_UNREACHABLE: no connection: no route, unknown host
 * @GADGET_HTTP_ERROR_REFUSED: the host is there and no server is: the connection was refused, or was
 *   closed before anything was answered
 * @GADGET_HTTP_ERROR_TIMEOUT: the server did not answer in time
 * @GADGET_HTTP_ERROR_TLS: the connection could not be made safe
 * @GADGET_HTTP_ERROR_ADDRESS: it is not an address
 * @GADGET_HTTP_ERROR_CUT: the answer stopped in the middle
 * @GADGET_HTTP_ERROR_BAD_ANSWER: the answer cannot be read
 * @GADGET_HTTP_ERROR_UNSENT: the server ended the connection before it had taken the request
 * @GADGET_HTTP_ERROR_COMPRESSED: the answer is compressed, which was not asked for
 * @GADGET_HTTP_ERROR_TOO_LARGE: the answer, or a line of it, is larger than allowed
 *
 * Whether a run was aborted is asked of the run, never read from an error.
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
 * @connect_ms: for a connection with its TLS handshake
 * @first_byte_ms: from the request's start to the status line; models take long to load
 * @idle_ms: between two pieces of an answer
 * @drain_ms: how long a connection is read on after an answer said that it is complete, so that
 *   it can be used again
 * @refusal_ms: for the body of an error
 * @max_refusal: bytes of the body of an error that are read
 * @total_ms: for all of it, whatever the others say; 0 for no such limit
 * @quiet_ms: without a byte, until the receipt says so; the exchange goes on. 0: it never does
 * @disturbed_ms: the same after gadget_http_disturb ()
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
  guint disturbed_ms;
} GadgetHttpLimits;

/* What all requests share: the pool of connections, the limits and the clock. One for a program. */
GadgetHttp             *gadget_http_new               (GadgetClock            *clock);
GadgetHttp             *gadget_http_new_pinned        (GadgetClock            *clock,
                                                       GSocketConnectable     *remote);
GadgetClock            *gadget_http_get_clock         (GadgetHttp             *self);
const GadgetHttpLimits *gadget_http_get_limits        (GadgetHttp             *self);
void                    gadget_http_set_limits        (GadgetHttp             *self,
                                                       const GadgetHttpLimits *limits);

void                    gadget_http_disturb           (GadgetHttp             *self);

gint64                  gadget_http_parse_retry_after (const char             *value,
                                                       gint64                  now_ms);

G_END_DECLS
