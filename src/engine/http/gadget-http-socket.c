/* SPDX-License-Identifier: GPL-3.0-or-later */

/* libsoup exposes the streams of a connection only while it is being made, and offers no way to end
 * a connection without sending what is still in the kernel's buffer. The socket of each connection
 * is therefore remembered here, as a weak reference, under the number of the connection. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-http-socket.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The portion of a body that is given to the kernel at a time: the kernel accepts no more while
 * this much is unsent. Data in flight does not count, so that no connection becomes slower. */
#define PORTION (64 * 1024)
/* After how many idle seconds the other side is asked whether it is still there, at which interval,
 * and after how long it counts as gone. The last limit also applies to data that is not confirmed;
 * it has to be longer than a server may be busy. */
#define KEEPALIVE_IDLE_S 20
#define KEEPALIVE_INTERVAL_S 10
#define DEAD_MS (90 * 1000)

struct _GadgetHttpSockets
{
  GHashTable *by_id; /* (element-type guint64 GWeakRef) */
};

static void
free_weak (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

GadgetHttpSockets *
_gadget_http_sockets_new (void)
{
  GadgetHttpSockets *self = g_new0 (GadgetHttpSockets, 1);

  self->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_weak);
  return self;
}

void
_gadget_http_sockets_free (GadgetHttpSockets *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_id);
  g_free (self);
}

/* The socket, or NULL when it is gone or closed. (transfer full) */
static GSocket *
dup_open (GWeakRef *weak)
{
  g_autoptr (GSocket) socket = g_weak_ref_get (weak);

  return socket != NULL && !g_socket_is_closed (socket) ? g_steal_pointer (&socket) : NULL;
}

static gboolean
is_gone (gpointer key, gpointer value, gpointer user_data)
{
  g_autoptr (GSocket) socket = dup_open (value);

  return socket == NULL;
}

/* The socket below STREAM, or NULL. (transfer full) */
static GSocket *
find_socket (GIOStream *stream)
{
  g_autoptr (GIOStream) base = NULL;

  if (G_IS_SOCKET_CONNECTION (stream))
    return g_object_ref (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream)));
  if (!G_IS_TLS_CONNECTION (stream))
    return NULL;
  g_object_get (stream, "base-io-stream", &base, NULL);
  return base != NULL ? find_socket (base) : NULL;
}

/* Errors are ignored: a socket that does not support an option does not need it. */
static void
prepare (GSocket *socket)
{
  g_socket_set_keepalive (socket, TRUE);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S, NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S, NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_USER_TIMEOUT, DEAD_MS, NULL);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, PORTION, NULL);
}

void
_gadget_http_sockets_add (GadgetHttpSockets *self, guint64 id, GIOStream *stream)
{
  g_autoptr (GSocket) socket = find_socket (stream);
  GWeakRef *weak;

  if (socket == NULL)
    return;
  prepare (socket);
  g_hash_table_foreach_remove (self->by_id, is_gone, NULL);
  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, socket);
  g_hash_table_replace (self->by_id, g_memdup2 (&id, sizeof id), weak);
}

GSocket *
_gadget_http_sockets_get (GadgetHttpSockets *self, guint64 id)
{
  GWeakRef *weak = g_hash_table_lookup (self->by_id, &id);

  return weak != NULL ? dup_open (weak) : NULL;
}

static gsize
count (GSocket *socket, unsigned long request)
{
  int n = 0;

  return ioctl (g_socket_get_fd (socket), request, &n) == 0 && n > 0 ? (gsize) n : 0;
}

gsize
_gadget_http_socket_count_unconfirmed (GSocket *socket)
{
  return count (socket, SIOCOUTQ);
}

gsize
_gadget_http_socket_count_unsent (GSocket *socket)
{
  return count (socket, SIOCOUTQNSD);
}

/* Ends the connection at once and discards what the kernel still holds. libsoup keeps the socket
 * and closes it; without the reset, TLS would first wait for buffer space to send its closing
 * message. Connecting to an address of the family AF_UNSPEC disconnects: see connect (2). */
void
_gadget_http_socket_reset (GSocket *socket)
{
  const struct linger linger = { 1, 0 };
  const struct sockaddr none = { .sa_family = AF_UNSPEC };
  const int fd = g_socket_get_fd (socket);

  setsockopt (fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  if (connect (fd, &none, sizeof none) != 0)
    g_debug ("the connection is reset when it is closed");
}
