/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat is found where it was left, also after the program was away. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/gadget-store-providers.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static GadgetTranscript *
get_transcript (TestWindow *self)
{
  return _gadget_chat_get_transcript (self->chat);
}

static void
say (TestWindow *self, const char *prompt, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree char *words = gadget_test_words (random, 4000);

  test_window_send (self, prompt);
  fake_provider_text (self->provider, words);
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  test_window_advance (self, 1000);
}

static void
make_chat (TestWindow *self)
{
  say (self, "one", 1);
  say (self, "two", 2);
  say (self, "three", 3);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
}

/* As the application leaves. @stored: (nullable): what is in the store instead, then */
static void
restart_with (TestWindow *self, const char *stored)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  g_autofree char *key = g_strconcat ("position:", id, NULL);

  gadget_window_save_state (self->window, GADGET_STOP_CLOSED);
  if (stored != NULL)
    gadget_store_set_setting_async (gadget_engine_get_store (self->engine), key, stored, NULL,
                                    NULL);
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_transcript_get_session (get_transcript (self))
              == test_window_get_session (self));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
}

static void
restart (TestWindow *self)
{
  restart_with (self, NULL);
}

static char *
dup_position (TestWindow *self)
{
  return gadget_transcript_dup_position (get_transcript (self));
}

static char *
dup_stored (TestWindow *self)
{
  g_autofree char *key =
      g_strconcat ("position:", gadget_session_get_id (test_window_get_session (self)), NULL);
  GadgetStore *store = gadget_engine_get_store (self->engine);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  char *value = NULL;

  gadget_store_get_setting_async (store, key, test_result_cb, &slot);
  wait_until (slot != NULL);
  result = slot;
  g_assert_true (gadget_store_get_setting_finish (store, result, &value, NULL));
  return value;
}

/* In the middle of a text, not at the top of it. */
static void
test_in_the_middle (TestWindow *self, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *stored = NULL;
  g_autofree char *gone = NULL;

  make_chat (self);
  gtk_widget_grab_focus (GTK_WIDGET (get_transcript (self)));
  test_key ("Prior");
  test_run_for (600);
  test_key ("Prior");
  test_run_for (600);
  g_assert_false (gadget_transcript_get_following (get_transcript (self)));
  before = dup_position (self);
  g_assert_nonnull (before);

  restart (self);
  g_assert_false (gadget_transcript_get_following (get_transcript (self)));
  after = dup_position (self);
  g_assert_cmpstr (after, ==, before);

  /* At the end nothing of it is left. */
  stored = dup_stored (self);
  g_assert_cmpstr (stored, ==, before);
  gadget_transcript_follow (get_transcript (self));
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  restart (self);
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
  gone = dup_stored (self);
  g_assert_cmpstr (gone, ==, NULL);
}

static void
test_at_the_end (TestWindow *self, gconstpointer data)
{
  g_autofree char *position = NULL;

  make_chat (self);
  restart (self);
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
  position = dup_position (self);
  g_assert_null (position);
  say (self, "four", 4);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
}

/* One that was in memory before it was shown, as one that was asked from outside: what is stored of
 * it was never read. */
static void
test_loaded_before (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *stored = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *slot = NULL;
  GadgetSession *session;

  make_chat (self);
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  gadget_window_save_state (self->window, GADGET_STOP_CLOSED);
  {
    g_autofree char *key = g_strconcat ("position:", id, NULL);

    gadget_store_set_setting_async (gadget_engine_get_store (self->engine), key, "0 0 0", NULL,
                                    NULL);
  }
  test_window_restart (self);
  session = gadget_engine_find_session (self->engine, id);
  gadget_engine_load_async (self->engine, session, test_result_cb, &slot);
  wait_until (slot != NULL);
  result = slot;
  g_assert_true (gadget_engine_load_finish (self->engine, result, NULL));
  gadget_window_open_session (self->window, session);
  wait_until (gadget_transcript_get_session (get_transcript (self)) == session);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
  gadget_window_save_state (self->window, GADGET_STOP_CLOSED);
  stored = dup_stored (self);
  g_assert_cmpstr (stored, ==, NULL);
}

/* What is stored may be of another version, or of a turn that is gone: the end is shown. */
static void
test_nonsense (TestWindow *self, gconstpointer data)
{
  static const char *const texts[] = { "",
                                       "1",
                                       "2 x 1 1 1 0.0",
                                       "1 x 1 1 1 0.0",
                                       "1 x -1 1 1 0.0",
                                       "1 x 99999999999 1 1 0.0",
                                       "1 x 4294967295 4294967295 4294967295 1e300" };

  g_autofree char *stored = NULL;

  make_chat (self);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      restart_with (self, texts[i]);
      g_assert_true (gadget_transcript_get_following (get_transcript (self)));
    }
  /* It was really there. */
  stored = dup_stored (self);
  g_assert_cmpstr (stored, ==, texts[G_N_ELEMENTS (texts) - 1]);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/position/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("in-the-middle", test_in_the_middle);
  add ("at-the-end", test_at_the_end);
  add ("loaded-before", test_loaded_before);
  add ("nonsense", test_nonsense);

  return g_test_run ();
}
