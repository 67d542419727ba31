/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an abort is compared with: bare libsoup that is closed the same way (cancel, the read
 * returns, close, drop), and a bare socket that is closed. */

#pragma once

#include "fake-server.h"

G_BEGIN_DECLS

/* Asks, waits WAIT_MS into the answer (or the handshake), closes. Milliseconds until the server saw
 * the connection end. */
typedef double (*BenchFloor) (FakeServer *server, guint wait_ms);

double bench_floor_libsoup (FakeServer *server,
                            guint       wait_ms);
double bench_floor_gsocket (FakeServer *server,
                            guint       wait_ms);

/* Milliseconds from BEGAN_US to the end of the last connection, which is waited for. */
double bench_await_end     (FakeServer *server,
                            gint64      began_us);

G_END_DECLS
