/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http-socket.h"
#include "gadget-http-stream.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

SoupSession        *_gadget_http_get_session  (GadgetHttp              *self);
GadgetHttpSockets  *_gadget_http_get_sockets  (GadgetHttp              *self);

/* (transfer full) (nullable): NULL when its address is none */
SoupMessage        *_gadget_http_make_message (const GadgetHttpRequest *request);
GadgetHttpResponse *_gadget_http_read_head    (SoupMessage             *message,
                                               const char              *keep_header);

G_END_DECLS
