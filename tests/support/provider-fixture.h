/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A provider of some dialect against the fake server, and what it told. */

#pragma once

#include "fake-server.h"
#include "test-wait.h"

#include "providers/gadget-http-provider.h"

G_BEGIN_DECLS

#define PROVIDER_FIXTURE_SOON_MS 8000
#define PROVIDER_FIXTURE_KEY "sk-very-secret"

typedef struct
{
  FakeServer *server;
  FakeReply *reply;   /* the first of the server's */
  GadgetClock *clock; /* manual */
  GadgetHttp *http;
  GadgetProvider *provider; /* its model is "fake-model" */
  GadgetRequest *request;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GAsyncResult *result;
  GString *text;
  GString *log;          /* every event but text, loading and retries */
  gboolean logs_call_ids;
  guint abort_at_length; /* of the text: aborts from within the sink */
  guint n_retries;
  guint retry_ms;
  guint n_loading;
  guint n_left_out; /* requests without their images */
  guint n_late;
} ProviderFixture;

typedef void (*ProviderFixtureFunc) (ProviderFixture *f,
                                     gconstpointer    data);

void     provider_fixture_set_up         (ProviderFixture      *f,
                                          const GadgetDialect  *dialect,
                                          const char           *path);
/* Another provider in place of that of set_up (). @model: (nullable): its settings name none */
void     provider_fixture_use            (ProviderFixture      *f,
                                          const GadgetDialect  *dialect,
                                          const char           *url,
                                          const char           *model,
                                          const char           *key);
/* Its settings name no model. */
void     provider_fixture_drop_model     (ProviderFixture      *f,
                                          const GadgetDialect  *dialect,
                                          const char           *path);
void     provider_fixture_tear_down      (ProviderFixture      *f);
void     provider_fixture_start          (ProviderFixture      *f);
gboolean provider_fixture_finish         (ProviderFixture      *f,
                                          GError              **error);
void     provider_fixture_assert_fails   (ProviderFixture      *f,
                                          GadgetProviderError   code,
                                          const char           *said);
void     provider_fixture_assert_aborted (ProviderFixture      *f);
void     provider_fixture_assert_closed  (ProviderFixture      *f);
void     provider_fixture_await_retry    (ProviderFixture      *f,
                                          guint                 n);
/* Waits for text, aborts, and asserts that nothing is added to it and the server sees the end. */
void     provider_fixture_abort_mid_text (ProviderFixture      *f);
/* Whatever is logged from now on, at any level and by any library, the key is not in it. */
void     provider_fixture_watch_log      (void);

/* An answer, and the error that it must give, without any retry's success. */
typedef struct
{
  const char *name;
  guint status;
  const char *type;
  const char *body;
  GadgetProviderError code;
  const char *said;
} ProviderBadAnswer;

/* A test each, of a list that ends with a NULL name. */
void     provider_fixture_add_bad_answers (const char              *path,
                                           const ProviderBadAnswer *answers,
                                           ProviderFixtureFunc      set_up,
                                           ProviderFixtureFunc      tear_down);

G_END_DECLS
