/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A provider and a server whose answers are written down, and what came of them. */

#pragma once

#include "fake-server.h"
#include "test-wait.h"
#include "providers/gadget-http-provider.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-retry.h"

G_BEGIN_DECLS

#define SOON_MS 8000
#define KEY "sk-very-secret"

typedef struct
{
  FakeServer *server;
  FakeReply *reply;
  GadgetClock *clock; /* manual */
  GadgetHttp *http;
  GadgetProvider *provider;
  GadgetRequest *request;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GAsyncResult *result;
  GString *text;
  GString *log;
  guint abort_at_length; /* of the text: aborts from within the sink */
  guint n_retries;
  guint retry_ms;
  guint n_loading;
  guint n_late;
} Fixture;

void openai_chat_sink (const GadgetChatEvent *event, gpointer user_data);
void openai_chat_use_address (Fixture *f, const char *url, GadgetClock *clock);
void openai_chat_set_up (Fixture *f, gconstpointer data);
void openai_chat_tear_down (Fixture *f, gconstpointer data);
void openai_chat_start (Fixture *f);
gboolean openai_chat_finish (Fixture *f, GError **error);
void openai_chat_assert_fails (Fixture *f, GadgetProviderError code, const char *said);
void openai_chat_assert_aborted (Fixture *f);
gboolean openai_chat_has_ended (gpointer user_data);
GLogWriterOutput openai_chat_search_log (GLogLevelFlags level, const GLogField *fields,
                                         gsize n_fields, gpointer user_data);

G_END_DECLS
