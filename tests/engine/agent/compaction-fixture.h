/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat that outgrows its model. */

#pragma once

#include "agent-fixture.h"
#include "test-wait.h"

G_BEGIN_DECLS

/* 80 % of it are 13,104 bytes. */
#define CONTEXT_LENGTH 4096
#define LONG 13300

void compaction_say (AgentFixture *fixture, const char *text);
GadgetRequest *compaction_last_request (AgentFixture *fixture);
gboolean compaction_is_due (GadgetRequest *request);
gboolean compaction_is_requested (AgentFixture *fixture);
/* Two turns: the second, long enough for it to matter, asks how much the model can read, and is not
 * held up by that. */
void compaction_fill (AgentFixture *fixture);
GadgetTurn *compaction_begin (AgentFixture *fixture);
void compaction_fail_too_long (AgentFixture *fixture);

G_END_DECLS
