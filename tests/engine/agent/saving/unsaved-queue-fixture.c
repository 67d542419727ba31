/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "session/gadget-attachment.h"
#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "wait.h"
#include "unsaved-queue-fixture.h"

#include <string.h>

void
unsaved_queue_enqueue_picture (GadgetSession *session, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new (text);
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  g_autoptr (GadgetPicture) picture = unsaved_make_picture ();

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (session, message);
}

void
unsaved_queue_assert_queued (GadgetSession *session, guint index, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message =
      g_list_model_get_item (gadget_session_get_queue (session), index);

  g_assert_nonnull (message);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, text);
}

gboolean
unsaved_queue_file_has (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

void
unsaved_queue_make_first (EngineFixture *fixture)
{
  engine_fixture_start (fixture, "first", "whole");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
}

GadgetSession *
unsaved_queue_start_again_loaded (EngineFixture *fixture)
{
  GadgetSession *session;

  unsaved_start_again (fixture);
  session = gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session));
  unsaved_load (fixture, session);
  return session;
}

/* The recovery file of a chat; NULL as long as none is there. */
static char *
find_chat_file (EngineFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "chat-"))
      return g_build_filename (folder, name, NULL);
  return NULL;
}

gboolean
unsaved_queue_chat_file_has (EngineFixture *fixture, const char *text)
{
  g_autofree char *path = find_chat_file (fixture);

  return path != NULL && unsaved_queue_file_has (path, text);
}

guint
unsaved_queue_count_lost (EngineFixture *fixture)
{
  g_autoptr (GPtrArray) lost = gadget_unsaved_sessions_list_lost (
      gadget_agent_get_unsaved_sessions (gadget_engine_get_agent (fixture->engine)));

  return lost->len;
}

void
unsaved_queue_change_idle (EngineFixture *fixture)
{
  unsaved_queue_make_first (fixture);
  gadget_session_set_queue_paused (fixture->session, TRUE);
  test_run_for (300);
  test_faults_set (TEST_FAULT_FULL);
  unsaved_queue_enqueue_picture (fixture->session, "idle");
  gadget_session_set_title (fixture->session, "Renamed");
  gadget_engine_save (fixture->engine, fixture->session);
  wait_until (unsaved_queue_chat_file_has (fixture, "Renamed"));
  gadget_session_enqueue (fixture->session, "idle, too");
  wait_until (unsaved_queue_chat_file_has (fixture, "idle, too"));
  g_assert_cmpuint (unsaved_queue_count_lost (fixture), ==, 0);
}
