/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-engine.h"
#include "fake-provider.h"

G_BEGIN_DECLS

/* An engine with a real store in a folder of its own, and a chat whose provider the test plays. */
typedef struct
{
  char *directory;
  GadgetEngine *engine; /* NULL once the test has closed it */
  GadgetSession *session;
  FakeProvider *provider;
  guint n_completed;
} EngineFixture;

GadgetEngine  *engine_fixture_open      (const char    *directory,
                                         FakeProvider  *provider);
/* Drops the engine, and asserts that nobody else holds it. */
void           engine_fixture_close     (GadgetEngine  *engine);

void           engine_fixture_set_up    (EngineFixture *fixture,
                                         gconstpointer  data);
void           engine_fixture_tear_down (EngineFixture *fixture,
                                         gconstpointer  data);

/* Starts a turn of the chat, and has TEXT in it. */
GadgetTurn    *engine_fixture_start     (EngineFixture *fixture,
                                         const char    *prompt,
                                         const char    *text);
void           engine_fixture_abort     (EngineFixture *fixture);

/* A new chat of one turn, which has finished. (transfer full) */
GadgetSession *engine_fixture_chat      (GadgetEngine  *engine,
                                         FakeProvider  *provider,
                                         const char    *prompt);

/* Deletes a chat; ERROR is why not. */
gboolean       engine_fixture_delete    (GadgetEngine  *engine,
                                         GadgetSession *session,
                                         GadgetDeleteFlags flags,
                                         GError       **error);

/* The chat as another process would find it; the engine is closed. */
GadgetSession *engine_fixture_reload    (EngineFixture *fixture);
/* Deletes the chat, which nobody else uses. */
void           engine_fixture_delete_now (EngineFixture *fixture);

G_END_DECLS
