/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "openai-chat-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
openai_chat_sink (const GadgetChatEvent *event, gpointer user_data)
{
  Fixture *f = user_data;

  if (g_cancellable_is_cancelled (f->cancellable))
    f->n_late++;
  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (f->text, event->text);
      if (f->abort_at_length > 0 && f->text->len >= f->abort_at_length)
        g_cancellable_cancel (f->cancellable);
      break;
    case GADGET_CHAT_RETRY:
      f->n_retries++;
      f->retry_ms = event->retry_ms;
      break;
    case GADGET_CHAT_LOADING:
      f->n_loading++;
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_string_append_printf (f->log, "%s:%s ", event->call_id, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append_printf (f->log, "%s ", event->text);
      break;
    case GADGET_CHAT_USAGE:
      g_string_append_printf (f->log, "usage:%d/%d ", (int) event->input_tokens,
                              (int) event->output_tokens);
      if (event->cost > 0)
        g_string_append_printf (f->log, "cost:%" G_GINT64_FORMAT " ", event->cost);
      break;
    case GADGET_CHAT_REASONING:
    case GADGET_CHAT_CALL_END:
    default:
      break;
    }
}

void
openai_chat_use_address (Fixture *f, const char *url, GadgetClock *clock)
{
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "fake-model");

  g_clear_object (&f->provider);
  g_clear_object (&f->http);
  f->http = gadget_http_new (clock);
  f->provider = gadget_http_provider_new (&gadget_openai_chat_dialect, config, f->http, KEY "\n");
}

void
openai_chat_set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *url = NULL;

  f->server = fake_server_new ();
  f->reply = fake_server_add_reply (f->server);
  f->clock = gadget_clock_new_manual (1000);
  url = fake_server_dup_url (f->server, "/v1");
  openai_chat_use_address (f, url, f->clock);
  f->request = gadget_request_new ();
  gadget_request_add_message (f->request, GADGET_ROLE_USER, "Hi");
  f->receipt = gadget_receipt_new ();
  f->cancellable = g_cancellable_new ();
  f->text = g_string_new (NULL);
  f->log = g_string_new (NULL);
}

void
openai_chat_tear_down (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (f->n_late, ==, 0);
  g_clear_object (&f->result);
  g_assert_finalize_object (f->provider);
  g_assert_finalize_object (f->http);
  g_clear_object (&f->clock);
  gadget_request_unref (f->request);
  g_clear_object (&f->receipt);
  g_clear_object (&f->cancellable);
  g_string_free (f->text, TRUE);
  g_string_free (f->log, TRUE);
  fake_server_free (f->server);
}

void
openai_chat_start (Fixture *f)
{
  gadget_provider_chat_async (f->provider, f->request, openai_chat_sink, f, f->receipt,
                              f->cancellable, test_result_cb, &f->result);
}

gboolean
openai_chat_finish (Fixture *f, GError **error)
{
  gboolean good;

  g_assert_true (test_wait_result (&f->result, SOON_MS));
  good = gadget_provider_chat_finish (f->provider, f->result, error);
  g_clear_object (&f->result);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
  return good;
}

void
openai_chat_assert_fails (Fixture *f, GadgetProviderError code, const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (openai_chat_finish (f, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
  g_assert_null (strstr (error->message, KEY));
}

void
openai_chat_assert_aborted (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (openai_chat_finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

gboolean
openai_chat_has_ended (gpointer user_data)
{
  return fake_server_count_ends (user_data) > 0;
}

/* Whatever is logged, at any level and by any library, the key is not in it. */
GLogWriterOutput
openai_chat_search_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                        gpointer user_data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0 && strstr (fields[i].value, KEY) != NULL)
      {
        fprintf (stderr, "the key was logged\n");
        abort ();
      }
  return g_log_writer_default (level, fields, n_fields, user_data);
}
