/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the TCP sockets below libsoup's connections. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GadgetHttpSockets GadgetHttpSockets;

GadgetHttpSockets *_gadget_http_sockets_new   (void);
void               _gadget_http_sockets_free  (GadgetHttpSockets *self);

/* STREAM is what the connection ID is made of: a socket connection, or TLS on one. */
void               _gadget_http_sockets_add   (GadgetHttpSockets *self,
                                               guint64            id,
                                               GIOStream         *stream);

/* (transfer full) (nullable): %NULL when it is not known, or closed */
GSocket           *_gadget_http_sockets_get   (GadgetHttpSockets *self,
                                               guint64            id);

/* Bytes that were written and that the other side has not confirmed; and those of them that have
 * not left this computer. */
gsize              _gadget_http_socket_count_unconfirmed (GSocket *socket);
gsize              _gadget_http_socket_count_unsent (GSocket  *socket);
void               _gadget_http_socket_reset  (GSocket           *socket);

G_END_DECLS
