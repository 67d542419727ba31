/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http-socket.h"
#include "gadget-http.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* (transfer none) */
SoupSession       *_gadget_http_get_session (GadgetHttp *self);
GadgetHttpSockets *_gadget_http_get_sockets (GadgetHttp *self);
/* Returns whether unused connections may have died unnoticed. */
gboolean           _gadget_http_is_suspect  (GadgetHttp *self);

G_END_DECLS
