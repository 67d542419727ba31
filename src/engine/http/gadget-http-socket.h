/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the TCP sockets of libsoup's connections. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The open sockets by the number of their connection. Holds no references to them. */
typedef struct _GadgetHttpSockets GadgetHttpSockets;

GadgetHttpSockets *_gadget_http_sockets_new   (void);
void               _gadget_http_sockets_free  (GadgetHttpSockets *self);

/* Sets the options of the socket, and remembers it. STREAM is what the connection ID uses: a socket
 * connection, or TLS on top of one. */
void               _gadget_http_sockets_add   (GadgetHttpSockets *self,
                                               guint64            id,
                                               GIOStream         *stream);

/* (transfer full) (nullable): %NULL when the connection is unknown or closed */
GSocket           *_gadget_http_sockets_get   (GadgetHttpSockets *self,
                                               guint64            id);

/* Numbers of bytes: written ones that the other side has not confirmed, and those of them that have
 * not left this computer. */
gsize              _gadget_http_socket_count_unconfirmed (GSocket *socket);
gsize              _gadget_http_socket_count_unsent (GSocket  *socket);
/* Ends the connection without sending what is still in the kernel's buffer. */
void               _gadget_http_socket_reset  (GSocket           *socket);

G_END_DECLS
