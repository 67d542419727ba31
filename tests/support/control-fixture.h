/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An engine on a private session bus, and another program that calls it: a second connection of
 * this process, which counts as the user's. */

#pragma once

#include "control/gadget-control.h"
#include "fake-provider.h"

G_BEGIN_DECLS

#define ERRORS "io.github.gadgetchat.Gadget.Error."

typedef struct
{
  char *folder;
  GTestDBus *bus;
  GDBusConnection *service;
  GDBusConnection *client;
  GadgetEngine *engine;
  GadgetControl *control;
  FakeProvider *provider;
  GadgetSession *session;
  GPtrArray *signals; /* "RunStarted ID", "Event ID name", "Completed ID message" */
  GPtrArray *events;  /* the dictionaries of Event */
} ControlFixture;

typedef struct
{
  GVariant *reply;
  char *error;
} ControlAnswer;

void             control_set_up        (ControlFixture   *fixture,
                                        gconstpointer     data);
void             control_tear_down     (ControlFixture   *fixture,
                                        gconstpointer     data);
void             control_answer_clear  (ControlAnswer    *answer);
gboolean         control_is_answered   (const ControlAnswer *answer);
void             control_call          (GDBusConnection  *connection,
                                        const char       *name,
                                        const char       *method,
                                        GVariant         *parameters,
                                        ControlAnswer    *answer);
void             control_call_bus      (ControlFixture   *fixture,
                                        const char       *method,
                                        GVariant         *parameters,
                                        ControlAnswer    *answer);
GDBusConnection *control_connect       (ControlFixture   *fixture);
void             control_subscribe     (ControlFixture   *fixture,
                                        GDBusConnection  *client,
                                        const char       *sessions);
guint            control_count_signals (ControlFixture   *fixture,
                                        const char       *text);
void             control_remove_folder (const char       *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ControlAnswer, control_answer_clear)

/* Starts a turn of the chat, which is made if there is none, and waits for its request. */
GadgetRun       *control_start_run     (ControlFixture   *fixture);
/* The answer to an abort; @run_id is what was aborted, or NULL. */
void             control_assert_aborted_answer (const ControlAnswer *answer,
                                                const char       *run_id);

G_END_DECLS
