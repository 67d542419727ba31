/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http-message.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* The libsoup message of a request. (transfer full) (nullable): NULL when its URL is invalid */
SoupMessage        *_gadget_http_make_message (const GadgetHttpRequest *request);
/* The head of the response. KEEP_HEADER (nullable) is a header to keep. (transfer full) */
GadgetHttpResponse *_gadget_http_read_head    (SoupMessage             *message,
                                               const char              *keep_header);

G_END_DECLS
