/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Incognito chats in the window: how they look, and what the user does with them. Keys are really
 * pressed. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/library/gadget-chat-row.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static GListModel *
get_incognito (TestWindow *self)
{
  return gadget_engine_get_incognito (self->engine);
}

static guint
count_listed (TestWindow *self)
{
  return g_list_model_get_n_items (gadget_engine_get_sessions (self->engine));
}

static void
press_action (TestWindow *self, const char *name)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), name, NULL));
}

/* A button that has the action is sensitive while the action is enabled. */
static gboolean
is_enabled (GtkWidget *widget, const char *action, const char *target)
{
  GtkWidget *button = gtk_button_new ();
  gboolean enabled;

  gtk_widget_insert_before (button, widget, NULL);
  if (target != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  enabled = gtk_widget_get_sensitive (button);
  gtk_widget_unparent (button);
  return enabled;
}

static gboolean
has_action (TestWindow *self, const char *name)
{
  return is_enabled (GTK_WIDGET (self->chat), name, NULL);
}

/* Returns the chat. (transfer none) */
static GadgetSession *
begin (TestWindow *self)
{
  GadgetSession *before = test_window_get_session (self);
  GadgetSession *session;

  test_key ("ctrl+shift+p");
  wait_until (test_window_get_session (self) != before);
  session = test_window_get_session (self);
  gadget_session_set_model (session, "fake", "model");
  return session;
}

static void
answer (TestWindow *self)
{
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

static GadgetSession *
say (TestWindow *self, const char *prompt)
{
  GadgetSession *session = begin (self);

  test_window_send (self, prompt);
  answer (self);
  return session;
}

static gboolean
has_card (TestWindow *self)
{
  return gtk_widget_get_mapped (self->chat->incognito_bin);
}

static gboolean
has_dialog (TestWindow *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)) != NULL;
}

/* --- How it looks ------------------------------------------------------------------------------ */

static void
test_look (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = begin (self);

  g_assert_true (gadget_session_get_incognito (session));
  wait_until (has_card (self));
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (self->chat), "incognito"));
  g_assert_cmpstr (adw_window_title_get_title (self->window->title), ==, "Incognito Chat");
  g_assert_cmpstr (adw_window_title_get_subtitle (self->window->title), ==, "Not stored · model");
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Not Stored") != NULL);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->window->library), "Gone when you close it"));
  /* The provider is no server, so nothing else keeps what is sent. */
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (self->chat->incognito_remote)));
  g_assert_true (gtk_widget_has_focus (self->text));
  /* One that is empty is enough; another new chat is an ordinary one. */
  test_key ("ctrl+shift+p");
  test_run_for (50);
  g_assert_cmpuint (g_list_model_get_n_items (get_incognito (self)), ==, 1);
  test_key ("ctrl+n");
  wait_until (test_window_get_session (self) != session);
  wait_until (!has_card (self));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (self->chat), "incognito"));
}

static void
test_remote (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "far", "Far Away", "openai-chat", "https://models.example.com/v1", "model");
  GadgetSession *session = begin (self);

  test_engine_add_provider (self->engine, config);
  gadget_session_set_model (session, "far", "model");
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (self->chat->incognito_remote)));
  g_assert_cmpstr (gtk_label_get_label (self->chat->incognito_remote), ==,
                   "Far Away may keep what you send.");
  gadget_session_set_model (session, "fake", "model");
  wait_until (!gtk_widget_get_mapped (GTK_WIDGET (self->chat->incognito_remote)));
}

/* --- What is done with it ---------------------------------------------------------------------- */

static void
test_stop (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;

  begin (self);
  turn = test_window_send (self, "go");
  fake_provider_text (self->provider, "half");
  test_xdo ("key", "--delay", "5", "Escape", "Escape", NULL);
  wait_until (self->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  test_window_send (self, "again");
  answer (self);
  g_assert_cmpuint (count_listed (self), ==, 0);
}

/* It is as it was left, with its draft, as long as the window is there; and then it is gone. */
static void
test_switching (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = say (self, "hello");
  g_autofree char *draft = NULL;

  test_window_type (self, "a draft");
  test_key ("ctrl+n");
  wait_until (test_window_get_session (self) != session);
  wait_until (test_window_shows_text (self, ""));
  gadget_window_open_session (self->window, session);
  wait_until (test_window_shows_text (self, "a draft"));
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
  test_run_for (700); /* longer than a draft waits */
  draft = test_window_load_draft (self, NULL);
  g_assert_cmpstr (draft, ==, "");
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  g_assert_cmpuint (g_list_model_get_n_items (get_incognito (self)), ==, 0);
  g_assert_cmpuint (count_listed (self), ==, 0);
  g_assert_false (gadget_session_get_incognito (test_window_get_session (self)));
  test_run_for (100);
  g_assert_true (test_window_shows_text (self, ""));
}

/* What is done to stored chats is not offered. */
static void
test_actions (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;

  begin (self);
  g_assert_false (has_action (self, "win.keep-chat"));
  g_assert_false (has_action (self, "win.delete-chat"));
  g_assert_false (has_action (self, "win.export-chat"));
  turn = test_window_send (self, "hello");
  answer (self);
  g_assert_true (has_action (self, "win.keep-chat"));
  g_assert_true (has_action (self, "win.close-chat"));
  g_assert_false (
      is_enabled (GTK_WIDGET (self->chat), "session.branch", gadget_turn_get_id (turn)));
  g_assert_false (
      is_enabled (GTK_WIDGET (self->chat), "session.delete-turn", gadget_turn_get_id (turn)));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.regenerate", "s",
                                             gadget_turn_get_id (turn)));
  wait_until (fake_provider_is_waiting (self->provider));
  answer (self);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 1);
  /* There is nothing to undo it with. */
  wait_until (test_window_has_toast (self, "Reply replaced"));
  g_assert_null (test_find_label (GTK_WIDGET (self->chat), "_Undo"));
  g_assert_false (has_action (self, "win.restore-turns"));
  test_key ("ctrl+n");
  wait_until (has_action (self, "win.delete-chat"));
  g_assert_false (has_action (self, "win.keep-chat"));
  g_assert_false (has_action (self, "win.close-chat"));
}

/* Text in the composer is no reason to ask. */
static void
test_close (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = say (self, "hello");
  g_autofree char *draft = NULL;

  test_window_type (self, "a draft");
  press_action (self, "win.close-chat");
  wait_until (test_window_get_session (self) != session);
  g_assert_false (has_dialog (self));
  g_assert_cmpuint (g_list_model_get_n_items (get_incognito (self)), ==, 0);
  wait_until (test_find_label (GTK_WIDGET (self->window->library), "Not Stored") == NULL);
  g_assert_true (test_window_shows_text (self, ""));
  test_run_for (700);
  draft = test_window_load_draft (self, NULL);
  g_assert_cmpstr (draft, ==, "");
}

static void
test_close_running (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;

  begin (self);
  turn = g_object_ref (test_window_send (self, "go"));
  fake_provider_text (self->provider, "half");
  press_action (self, "win.close-chat");
  wait_until (has_dialog (self));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  g_signal_emit_by_name (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)), "response",
      "delete");
  wait_until (g_list_model_get_n_items (get_incognito (self)) == 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_object_unref (turn);
}

/* With what is being written, and for the next start. */
static void
test_keep (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = say (self, "hello");
  g_autofree char *id = g_strdup (gadget_session_get_id (session));
  g_autofree char *draft = NULL;

  test_window_type (self, "a draft");
  press_action (self, "win.keep-chat");
  wait_until (!has_card (self));
  g_assert_cmpstr (adw_window_title_get_title (self->window->title), ==, "hello");
  g_assert_cmpuint (count_listed (self), ==, 1);
  test_run_for (700);
  draft = test_window_load_draft (self, id);
  g_assert_cmpstr (draft, ==, "a draft");
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_until (g_str_equal (gadget_session_get_id (test_window_get_session (self)), id)
              && gadget_session_get_loaded (test_window_get_session (self)));
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 1);
  wait_until (test_window_shows_text (self, "a draft"));
}

/* The reply that is being written goes on, and is stored. */
static void
test_keep_running (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;

  begin (self);
  turn = test_window_send (self, "go");
  fake_provider_text (self->provider, "half");
  press_action (self, "win.keep-chat");
  wait_until (!has_card (self));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  fake_provider_text (self->provider, " and half");
  fake_provider_end (self->provider);
  wait_until (self->n_completed == 1);
  test_window_restart_after (self, GADGET_STOP_SIGNAL);
  wait_until (gadget_session_get_n_turns (test_window_get_session (self)) == 1);
  turn = gadget_session_get_last_turn (test_window_get_session (self));
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "half and half");
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/incognito/" path, TestWindow, NULL, test_window_set_up, function,               \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("look", test_look);
  add ("remote", test_remote);
  add ("stop", test_stop);
  add ("switching", test_switching);
  add ("actions", test_actions);
  add ("close", test_close);
  add ("close-running", test_close_running);
  add ("keep", test_keep);
  add ("keep-running", test_keep_running);

  return g_test_run ();
}
