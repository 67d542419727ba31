/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat is found as it was left, also after the program was away: where it was scrolled to, and
 * what was unfolded. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/gadget-store-providers.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/gadget-reasoning-row.h"
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
dup_view (TestWindow *self)
{
  return gadget_transcript_dup_view (get_transcript (self));
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
  before = dup_view (self);
  g_assert_nonnull (before);

  restart (self);
  g_assert_false (gadget_transcript_get_following (get_transcript (self)));
  after = dup_view (self);
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
  position = dup_view (self);
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

static gboolean
is_reasoning (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_REASONING_ROW (widget);
}

static GtkWidget *
find_reasoning (TestWindow *self)
{
  return test_find (GTK_WIDGET (self->window), is_reasoning, NULL);
}

static gboolean
is_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget);
}

static void
click_reasoning (TestWindow *self)
{
  test_click (test_find (find_reasoning (self), is_button, NULL));
}

static gboolean
is_unfolded (TestWindow *self)
{
  GtkWidget *row = find_reasoning (self);

  return row != NULL && gadget_row_data_get_expanded (gadget_row_get_data (GADGET_ROW (row)));
}

static void
make_reasoning (TestWindow *self)
{
  test_window_send (self, "one");
  fake_provider_reasoning (self->provider, "First this, then that.");
  fake_provider_text (self->provider, "So be it.");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  test_window_advance (self, 1000);
  wait_until (find_reasoning (self) != NULL);
  gadget_test_wait_frames (GTK_WIDGET (self->window), 5);
}

/* In another chat and back, and after a restart; what is folded again leaves nothing. */
static void
test_folds (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  g_autofree char *stored = NULL;
  g_autofree char *gone = NULL;

  make_reasoning (self);
  session = test_window_get_session (self);
  g_assert_false (is_unfolded (self));
  click_reasoning (self);
  wait_until (is_unfolded (self));

  test_window_new_chat (self);
  wait_until (find_reasoning (self) == NULL || !gtk_widget_get_mapped (find_reasoning (self)));
  gadget_window_open_session (self->window, session);
  wait_until (is_unfolded (self));

  restart (self);
  wait_until (is_unfolded (self));
  g_assert_true (gadget_transcript_get_following (get_transcript (self)));
  stored = dup_stored (self);
  g_assert_true (g_str_has_prefix (stored, "\ni "));

  click_reasoning (self);
  wait_until (!is_unfolded (self));
  restart (self);
  wait_until (find_reasoning (self) != NULL);
  g_assert_false (is_unfolded (self));
  gone = dup_stored (self);
  g_assert_cmpstr (gone, ==, NULL);
}

static gboolean
has_stored (TestWindow *self, const char *expected)
{
  g_autofree char *stored = dup_stored (self);

  return g_strcmp0 (stored, expected) == 0;
}

/* It is stored while the chat is open, so that a process that is killed loses nothing of it. */
static void
test_killed (TestWindow *self, gconstpointer data)
{
  g_autofree char *scrolled = NULL;
  g_autofree char *unfolded = NULL;

  make_reasoning (self);
  click_reasoning (self);
  wait_until (is_unfolded (self));
  unfolded = dup_view (self);
  g_assert_nonnull (unfolded);
  wait_until (has_stored (self, unfolded));

  make_chat (self);
  gtk_widget_grab_focus (GTK_WIDGET (get_transcript (self)));
  test_key ("Prior");
  test_run_for (600);
  g_assert_false (gadget_transcript_get_following (get_transcript (self)));
  scrolled = dup_view (self);
  g_assert_cmpstr (scrolled, !=, unfolded);
  wait_until (has_stored (self, scrolled));

  gadget_transcript_follow (get_transcript (self));
  wait_until (has_stored (self, unfolded));
}

/* The longer a chat is, the more may be unfolded in it, but only so much is remembered. */
static void
test_many_folds (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_test_session_new (600, 1);
  g_autoptr (GadgetTranscriptModel) model = gadget_transcript_model_new (session);
  g_autofree char *folds = NULL;
  g_auto (GStrv) words = NULL;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == GADGET_ROW_KIND_TOOL)
      gadget_transcript_model_set_expanded (model, i, TRUE);
    else if (gadget_transcript_model_get_row (model, i)->kind == GADGET_ROW_KIND_FOOTER)
      gadget_transcript_model_set_expanded (model, i, TRUE);
  folds = gadget_transcript_model_dup_folds (session);
  words = g_strsplit (folds, " ", -1);
  g_assert_cmpuint (g_strv_length (words), ==, 4 * 256);
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
                                       "\n",
                                       "\ni x 0",
                                       "\ni x 0 0 z",
                                       "\nq x -1 99999999999",
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
  add ("folds", test_folds);
  add ("killed", test_killed);
  add ("many-folds", test_many_folds);
  add ("nonsense", test_nonsense);

  return g_test_run ();
}
