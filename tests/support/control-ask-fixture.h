/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A program that takes work, and who gives it: the user's own program on the bus, or one that cannot
 * be told, since there is no bus between. */

#pragma once

#include "control-fixture.h"

G_BEGIN_DECLS

/* What Ask answered. */
typedef struct
{
  char *session;
  char *turn;
  char *run;
} ControlAsked;

/* Who cannot be told. */
typedef struct
{
  GDBusServer *server;
  GDBusConnection *here;
  GDBusConnection *there;
  GadgetControl *control;
} ControlPeer;

void      control_ask_set_up     (ControlFixture     *fixture,
                                  gconstpointer       data);

/* @options: a variant in its text form, or NULL */
GVariant *control_make_ask       (const char         *session,
                                  const char         *text,
                                  const char         *options);
void      control_ask            (ControlFixture     *fixture,
                                  const char         *session,
                                  const char         *options,
                                  ControlAsked       *asked);
void      control_asked_clear    (ControlAsked       *asked);
void      control_assert_refused (ControlFixture     *fixture,
                                  const char         *method,
                                  GVariant           *parameters,
                                  const char         *error);

void      control_peer_open      (ControlPeer        *peer,
                                  ControlFixture     *fixture);
void      control_peer_close     (ControlPeer        *peer);
void      control_assert_peer_refused (ControlPeer   *peer,
                                  const char         *method,
                                  GVariant           *parameters);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ControlAsked, control_asked_clear)

G_END_DECLS
