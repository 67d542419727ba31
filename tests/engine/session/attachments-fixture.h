/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages with a picture and a text, and a store for them. */

#pragma once

#include "agent-fixture.h"
#include "store/gadget-sql.h"
#include "strict-body.h"

G_BEGIN_DECLS

#define HEAD "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

typedef struct
{
  AgentFixture agent;
  char *directory;
} Fixture;

/* A picture and a text. */
GPtrArray *attachments_make (const char *picture_name, const char *text);
void attachments_assert (gpointer message, const char *picture_name, const char *text);
GadgetTurn *attachments_append_turn (GadgetSession *session, const char *id, const char *prompt,
                                     GPtrArray *attachments);
void attachments_set_up (Fixture *fixture, gconstpointer data);
void attachments_tear_down (Fixture *fixture, gconstpointer data);

G_END_DECLS
