/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One HTTP exchange with the fake server: what the handler was told, and the end seen from both
 * sides. The times asserted are wide: tests/bench measures. */

#pragma once

#include "fake-server.h"

#include "http/gadget-http-stream.h"
#include "providers/gadget-provider.h"

G_BEGIN_DECLS

#define TEST_EXCHANGE_SOON_MS 5000
/* Far above what the benchmark measures, for a sanitized build on a busy machine, and far below every
 * time limit of the transport. */
#define TEST_EXCHANGE_END_MS 1000

typedef struct
{
  FakeServer *server;
  FakeReply *reply; /* the first of the server's */
  GadgetHttp *http;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GadgetHttpRequest *request;
  GAsyncResult *result;
  GString *body;
  guint n_heads;
  guint n_calls_after_abort;
  const char *enough; /* the handler says that it is complete when the body ends so */
} TestExchange;

extern const GadgetHttpHandler test_exchange_handler;

/* With a plain server at first. */
void     test_exchange_set_up        (TestExchange        *f,
                                      gconstpointer        data);
void     test_exchange_tear_down     (TestExchange        *f,
                                      gconstpointer        data);
void     test_exchange_use           (TestExchange        *f,
                                      FakeServerKind       kind);

void     test_exchange_start         (TestExchange        *f);
gboolean test_exchange_finish        (TestExchange        *f,
                                      GError             **error);
void     test_exchange_assert_finish (TestExchange        *f,
                                      GadgetHttpError      code);
void     test_exchange_assert_refused (TestExchange       *f);

/* Returns the time of the abort, after asserting that the exchange ended at once. */
gint64   test_exchange_abort         (TestExchange        *f);
void     test_exchange_assert_ended  (TestExchange        *f,
                                      gint64               since);

/* Conditions for test_wait_until (): of the server, and of the exchange. */
gboolean test_exchange_has_accepted  (gpointer             server);
gboolean test_exchange_has_request   (gpointer             server);
gboolean test_exchange_has_ended     (gpointer             server);
gboolean test_exchange_has_body      (gpointer             exchange);

G_END_DECLS
