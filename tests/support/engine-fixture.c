/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine-fixture.h"

#include "test-engine.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

GadgetEngine *
engine_fixture_open (const char *directory, FakeProvider *provider)
{
  GadgetEngine *engine = gadget_engine_new (directory);

  test_engine_open (engine);
  gadget_provider_list_override (gadget_engine_get_providers (engine), "fake",
                                 GADGET_PROVIDER (provider));
  return engine;
}

void
engine_fixture_close (GadgetEngine *engine)
{
  test_engine_close (engine, GADGET_STOP_CLOSED);
  g_object_add_weak_pointer (G_OBJECT (engine), (gpointer *) &engine);
  wait_idle ();
  g_object_unref (engine);
  wait_until (engine == NULL);
}

void
engine_fixture_set_up (EngineFixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->provider = fake_provider_new ();
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  fixture->session = gadget_engine_new_session (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
  test_count_completed (gadget_engine_get_agent (fixture->engine), &fixture->n_completed);
}

void
engine_fixture_tear_down (EngineFixture *fixture, gconstpointer data)
{
  test_faults_set (TEST_FAULT_NONE);
  g_clear_object (&fixture->session);
  if (fixture->engine != NULL)
    engine_fixture_close (fixture->engine);
  g_clear_object (&fixture->provider);
  test_dir_free (fixture->directory);
}

GadgetTurn *
engine_fixture_start (EngineFixture *fixture, const char *prompt, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (fixture->engine),
                                                  fixture->session, prompt, NULL, &error);

  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, text);
  return gadget_session_get_last_turn (fixture->session);
}

void
engine_fixture_abort (EngineFixture *fixture)
{
  g_autoptr (GadgetAbortAck) ack =
      gadget_agent_abort (gadget_engine_get_agent (fixture->engine),
                          gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);

  g_assert_true (ack->aborted);
}

/* The chat as another process would find it. */
GadgetSession *
engine_fixture_reload (EngineFixture *fixture)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));
  GadgetSession *session;
  GadgetStore *store;

  g_clear_object (&fixture->session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  store = test_store_open (fixture->directory);
  session = test_store_load (store, id);
  test_store_close (store);
  return session;
}

GadgetSession *
engine_fixture_chat (GadgetEngine *engine, FakeProvider *provider, const char *prompt)
{
  GadgetSession *session = gadget_engine_new_session (engine);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = NULL;

  gadget_session_set_model (session, "fake", "model");
  run = gadget_agent_start (gadget_engine_get_agent (engine), session, prompt, NULL, &error);
  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (provider));
  fake_provider_text (provider, "An answer");
  fake_provider_end (provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  return session;
}

gboolean
engine_fixture_delete (GadgetEngine *engine, GadgetSession *session, GadgetDeleteFlags flags,
                       GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_delete_async (engine, session, flags, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_engine_delete_finish (engine, result, error);
}

void
engine_fixture_delete_now (EngineFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
}
