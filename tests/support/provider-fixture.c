/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "provider-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
sink (const GadgetChatEvent *event, gpointer user_data)
{
  ProviderFixture *f = user_data;
  const char *replay = event->replay != NULL ? event->replay : "-";

  if (g_cancellable_is_cancelled (f->cancellable))
    f->n_late++;
  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (f->text, event->text);
      if (f->abort_at_length > 0 && f->text->len >= f->abort_at_length)
        g_cancellable_cancel (f->cancellable);
      break;
    case GADGET_CHAT_TEXT_END:
      g_string_append_printf (f->log, "text-end:%s ", replay);
      break;
    case GADGET_CHAT_REASONING:
      g_string_append_printf (f->log, "reasoning:%s ", event->text);
      break;
    case GADGET_CHAT_REASONING_END:
      g_string_append_printf (f->log, "reasoning-end:%s ", replay);
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_string_append_printf (f->log, "call:%s ", event->name);
      if (f->logs_call_ids)
        g_string_append_printf (f->log, "id:%s ", event->call_id);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append_printf (f->log, "%s ", event->text);
      break;
    case GADGET_CHAT_CALL_END:
      g_string_append_printf (f->log, "end:%s ", replay);
      break;
    case GADGET_CHAT_USAGE:
      g_string_append_printf (f->log, "usage:%d/%d ", (int) event->usage.input_tokens,
                              (int) event->usage.output_tokens);
      if (event->usage.cost > 0)
        g_string_append_printf (f->log, "cost:%" G_GINT64_FORMAT " ", event->usage.cost);
      break;
    case GADGET_CHAT_IMAGES_LEFT_OUT:
      f->n_left_out++;
      break;
    case GADGET_CHAT_LOADING:
      f->n_loading++;
      break;
    case GADGET_CHAT_RETRY:
    default:
      f->n_retries++;
      f->retry_ms = event->retry_ms;
    }
}

void
provider_fixture_use (ProviderFixture *f, const GadgetDialect *dialect, const char *url,
                      const char *model, const char *key)
{
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("fake", "Fake", dialect->kind.id, url, model);

  g_clear_object (&f->provider);
  f->provider = gadget_http_provider_new (dialect, config, f->http, key);
}

void
provider_fixture_set_up (ProviderFixture *f, const GadgetDialect *dialect, const char *path)
{
  g_autofree char *url = NULL;

  f->server = fake_server_new ();
  f->reply = fake_server_add_reply (f->server);
  f->clock = gadget_clock_new_manual (1000);
  url = fake_server_dup_url (f->server, path);
  f->http = gadget_http_new (f->clock);
  provider_fixture_use (f, dialect, url, "fake-model", PROVIDER_FIXTURE_KEY "\n");
  f->request = gadget_request_new ();
  gadget_request_add_message (f->request, GADGET_ROLE_USER, "Hi");
  f->receipt = gadget_receipt_new ();
  f->cancellable = g_cancellable_new ();
  f->text = g_string_new (NULL);
  f->log = g_string_new (NULL);
}

void
provider_fixture_drop_model (ProviderFixture *f, const GadgetDialect *dialect, const char *path)
{
  g_autofree char *url = fake_server_dup_url (f->server, path);

  provider_fixture_use (f, dialect, url, NULL, PROVIDER_FIXTURE_KEY);
}

void
provider_fixture_tear_down (ProviderFixture *f)
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
provider_fixture_start (ProviderFixture *f)
{
  gadget_provider_chat_async (f->provider, f->request, sink, f, f->receipt, f->cancellable,
                              test_result_cb, &f->result);
}

gboolean
provider_fixture_finish (ProviderFixture *f, GError **error)
{
  gboolean good;

  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  good = gadget_provider_chat_finish (f->provider, f->result, error);
  g_clear_object (&f->result);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
  return good;
}

void
provider_fixture_assert_fails (ProviderFixture *f, GadgetProviderError code, const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (provider_fixture_finish (f, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
  g_assert_null (strstr (error->message, PROVIDER_FIXTURE_KEY));
}

void
provider_fixture_assert_aborted (ProviderFixture *f)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (provider_fixture_finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static gboolean
has_ended (gpointer user_data)
{
  return fake_server_count_ends (user_data) > 0;
}

void
provider_fixture_assert_closed (ProviderFixture *f)
{
  g_assert_true (test_wait_until (has_ended, f->server, PROVIDER_FIXTURE_SOON_MS));
}

typedef struct
{
  ProviderFixture *f;
  guint n;
} Retries;

static gboolean
has_retried (gpointer user_data)
{
  const Retries *retries = user_data;

  return retries->f->n_retries >= retries->n || retries->f->result != NULL;
}

void
provider_fixture_await_retry (ProviderFixture *f, guint n)
{
  g_assert_true (test_wait_until (has_retried, &(Retries) { f, n }, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (f->result);
  g_assert_cmpuint (f->n_retries, ==, n);
}

static gboolean
has_text (gpointer user_data)
{
  return ((ProviderFixture *) user_data)->text->len > 0;
}

void
provider_fixture_abort_mid_text (ProviderFixture *f)
{
  g_autofree char *shown = NULL;

  g_assert_true (test_wait_until (has_text, f, PROVIDER_FIXTURE_SOON_MS));
  test_run_for (50);
  shown = g_strdup (f->text->str);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
  g_assert_cmpstr (f->text->str, ==, shown);
}

static GLogWriterOutput
search_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0 && strstr (fields[i].value, PROVIDER_FIXTURE_KEY) != NULL)
      {
        fprintf (stderr, "the key was logged\n");
        abort ();
      }
  return g_log_writer_default (level, fields, n_fields, user_data);
}

void
provider_fixture_watch_log (void)
{
  g_log_set_writer_func (search_log, NULL, NULL);
}

/* Errors that are worth another attempt get it, and fail again. */
static void
test_bad_answer (ProviderFixture *f, gconstpointer data)
{
  const ProviderBadAnswer *bad = data;

  fake_reply_body (f->reply, bad->status, bad->type, bad->body, NULL);
  provider_fixture_start (f);
  for (guint i = 0; i < 200 && f->result == NULL; i++)
    {
      test_run_for (5);
      if (f->n_retries > 0)
        gadget_clock_advance (f->clock, G_USEC_PER_SEC);
    }
  provider_fixture_assert_fails (f, bad->code, bad->said);
}

void
provider_fixture_add_bad_answers (const char *path, const ProviderBadAnswer *answers,
                                  ProviderFixtureFunc set_up, ProviderFixtureFunc tear_down)
{
  for (guint i = 0; answers[i].name != NULL; i++)
    {
      g_autofree char *full = g_strdup_printf ("%s/bad/%s", path, answers[i].name);

      g_test_add (full, ProviderFixture, &answers[i], set_up, test_bad_answer, tear_down);
    }
}
