/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats with messages in their queues, on a disk that takes nothing. */

#pragma once

#include "engine-fixture.h"

G_BEGIN_DECLS

void unsaved_queue_enqueue_picture (GadgetSession *session, const char *text);
void unsaved_queue_assert_queued (GadgetSession *session, guint index, const char *text);
gboolean unsaved_queue_file_has (const char *path, const char *text);
void unsaved_queue_make_first (EngineFixture *fixture);
/* The chat as it is after another start, read from the store. */
GadgetSession *unsaved_queue_start_again_loaded (EngineFixture *fixture);
gboolean unsaved_queue_chat_file_has (EngineFixture *fixture, const char *text);
guint unsaved_queue_count_lost (EngineFixture *fixture);
/* An idle chat gets a title and a queue when the disk is full. */
void unsaved_queue_change_idle (EngineFixture *fixture);

G_END_DECLS
