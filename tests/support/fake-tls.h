/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The server's side of TLS on one connection, for the fake server's thread alone. The handshake is
 * done by a thread that ends with it; afterwards everything is non-blocking, and is looked at when
 * the socket below is ready. The socket stays its owner's. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _FakeTls FakeTls;

/* Writes to the eventfd @wake when the handshake is over. */
FakeTls  *_fake_tls_new          (int         fd,
                                  int         wake);
void      _fake_tls_free         (FakeTls    *self);

/* Whether the handshake is over; then also whether it went well. */
gboolean  _fake_tls_is_over      (FakeTls    *self);
gboolean  _fake_tls_is_good      (FakeTls    *self);

/* Like recv () and send () on a non-blocking socket. 0 bytes received are a close_notify; an end
 * without one is ECONNABORTED. */
gssize    _fake_tls_recv         (FakeTls    *self,
                                  void       *buffer,
                                  gsize       size);
gssize    _fake_tls_send         (FakeTls    *self,
                                  const void *bytes,
                                  gsize       size);

/* A ServerHello (of TLS 1.2, which every client understands), as if a certificate were to follow. */
GBytes   *_fake_tls_dup_hello    (void);

G_END_DECLS
