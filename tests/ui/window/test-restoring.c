/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the next start shows: a new chat after the user closed the window, else the chat that was
 * shown; and which replies were cut off. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/lease/gadget-lease.h"
#include "store/recovery/gadget-recovery-write.h"
#include "store/recovery/gadget-recovery.h"
#include "store/gadget-store-providers.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-transcript.h"
#include "wait.h"

#include <sqlite3.h>

static const char *
get_id (TestWindow *self)
{
  return gadget_session_get_id (test_window_get_session (self));
}

/* Returns: (transfer full): its id */
static char *
begin_chat (TestWindow *self, const char *text)
{
  test_window_send (self, text);
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  return g_strdup (get_id (self));
}

/* As if the program had died while it worked on them. */
static void
cut_off_all (TestWindow *self)
{
  test_store_run_sql (gadget_engine_get_store (self->engine),
                      "UPDATE turn SET status = 'processing'");
}

static const char *
get_banner (TestWindow *self)
{
  AdwBanner *banner = self->window->recovered_banner;

  return adw_banner_get_revealed (banner) ? adw_banner_get_title (banner) : "";
}

static void
wait_for_chat (TestWindow *self, const char *id)
{
  wait_until (g_str_equal (get_id (self), id)
              && gadget_session_get_loaded (test_window_get_session (self)));
}

static void
test_closed (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_chat (self, "one");

  test_window_restart (self);
  test_store_run_sql (gadget_engine_get_store (self->engine), "SELECT 1");
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);
  g_assert_cmpstr (get_id (self), !=, id);
}

static void
test_not_closed (TestWindow *self, gconstpointer data)
{
  g_autofree char *first = begin_chat (self, "one");
  g_autofree char *second = NULL;
  GadgetSession *session;

  test_window_new_chat (self);
  second = begin_chat (self, "two");
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_for_chat (self, second);
  g_assert_cmpstr (get_banner (self), ==, "");

  session = gadget_engine_find_session (self->engine, first);
  gadget_window_open_session (self->window, session);
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_for_chat (self, first);

  test_window_new_chat (self);
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  test_store_run_sql (gadget_engine_get_store (self->engine), "SELECT 1");
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 0);
}

/* Nobody who has begun to write is taken elsewhere. */
static void
test_written_meanwhile (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_chat (self, "one");

  test_window_restart (self);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), "two", -1);
  gadget_store_set_setting_async (gadget_engine_get_store (self->engine), "shown-chat", id, NULL,
                                  NULL);
  _gadget_window_restore_chat (self->window);
  test_store_run_sql (gadget_engine_get_store (self->engine), "SELECT 1");
  wait_idle ();
  g_assert_cmpstr (get_id (self), !=, id);
}

static void
test_deleted (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_chat (self, "one");

  test_store_run_sql (gadget_engine_get_store (self->engine), "DELETE FROM session");
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  test_store_run_sql (gadget_engine_get_store (self->engine), "SELECT 1");
  wait_idle ();
  g_assert_cmpstr (get_id (self), !=, id);
}

static void
test_cut_off (TestWindow *self, gconstpointer data)
{
  g_autofree char *first = begin_chat (self, "one");
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;

  test_window_new_chat (self);
  second = begin_chat (self, "two");
  test_window_new_chat (self);
  third = begin_chat (self, "three");
  cut_off_all (self);
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_for_chat (self, third);
  g_assert_cmpint (
      gadget_turn_get_stop_reason (gadget_session_get_last_turn (test_window_get_session (self))),
      ==, GADGET_STOP_INTERRUPTED);
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Continue") != NULL);
  /* That one says so itself; the banner speaks of the others. */
  wait_until (
      g_str_equal (get_banner (self), "Replies in 2 chats were cut off when Gadget was closed"));

  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, first));
  g_assert_cmpstr (get_banner (self), ==, "A reply was cut off when Gadget was closed");
  g_signal_emit_by_name (self->window->recovered_banner, "button-clicked");
  wait_for_chat (self, second);
  g_assert_cmpstr (get_banner (self), ==, "");

  /* It is said once. */
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_for_chat (self, second);
  test_store_run_sql (gadget_engine_get_store (self->engine), "SELECT 1");
  wait_idle ();
  g_assert_cmpstr (get_banner (self), ==, "");
}

/* Returns: (transfer full): of a chat that is not there */
static GadgetRecoveredChat *
make_recovered (const char *path)
{
  GadgetRecoveredChat *one = g_new0 (GadgetRecoveredChat, 1);

  one->session_id = g_uuid_string_random ();
  one->turn_id = g_uuid_string_random ();
  one->path = g_strdup (path);
  return one;
}

/* What is in a file is not counted as recovered, and is told of first. */
static void
test_in_file (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "reply-1.txt", NULL);
  GadgetRecoveredChat *shown = make_recovered (NULL);

  wait_until (self->window->recovered != NULL);
  g_set_str (&shown->session_id, get_id (self));
  shown->interrupted = TRUE;
  g_ptr_array_add (self->window->recovered, make_recovered (NULL));
  g_ptr_array_add (self->window->recovered, make_recovered (path));
  g_ptr_array_add (self->window->recovered, shown);
  _gadget_window_record_chat (self->window);
  g_assert_cmpstr (get_banner (self), ==, "A reply still could not be saved and is kept in a file");
  /* It was stored by another process. */
  _gadget_window_recover (self->window);
  wait_until (g_str_equal (get_banner (self), "A reply that could not be saved was recovered"));
  g_signal_emit_by_name (self->window->recovered_banner, "button-clicked");
  g_assert_cmpstr (get_banner (self), ==, "");
}

static void
write_chat_file (TestWindow *self, GadgetStore *store)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GadgetRecoveryFile) file = NULL;
  g_autoptr (GError) error = NULL;

  gadget_session_set_title (test_window_get_session (self), "Renamed");
  g_assert_true (gadget_recovery_write_session_async (store, "one", test_window_get_session (self),
                                                      test_result_cb, &slot));
  result = test_take_result (&slot);
  file = gadget_recovery_write_finish (result, &error);
  g_assert_no_error (error);
}

/* A title that could not be saved, of a chat that another process works on. */
static void
test_chat_in_file (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_chat (self, "one");
  GadgetStore *store = gadget_engine_get_store (self->engine);
  GadgetLease *lease = NULL;

  write_chat_file (self, store);
  wait_until ((lease = gadget_lease_acquire (gadget_store_get_directory (store), id, NULL))
              != NULL);
  _gadget_window_recover (self->window);
  wait_until (g_str_equal (get_banner (self),
                           "Changes to a chat still could not be saved and are kept in a file"));
  gadget_lease_release (lease);
  gadget_store_set_setting_async (store, "another", "write", NULL, NULL);
  wait_until (g_str_equal (get_banner (self), ""));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/restoring/" path, TestWindow, NULL, test_window_set_up, function,               \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("closed", test_closed);
  add ("not-closed", test_not_closed);
  add ("written-meanwhile", test_written_meanwhile);
  add ("deleted", test_deleted);
  add ("cut-off", test_cut_off);
  add ("in-file", test_in_file);
  add ("chat-in-file", test_chat_in_file);

  return g_test_run ();
}
