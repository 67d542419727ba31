/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The menu of models asks the providers while it is open, and no longer. */

#include "config.h"

#include "fake-server.h"
#include "gadget-test-ui.h"
#include "test-window.h"
#include "wait.h"

typedef struct
{
  TestWindow window;
  FakeServer *server;
} Fixture;

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *added = user_data;

  g_assert_true (gadget_provider_list_add_finish (GADGET_PROVIDER_LIST (source), result, NULL));
  *added = TRUE;
}

/* A provider that takes questions and never answers. */
static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config = NULL;
  g_autofree char *url = NULL;
  gboolean added = FALSE;

  test_window_set_up (&self->window, data);
  self->server = fake_server_new ();
  fake_reply_stall (fake_server_set_get_reply (self->server));
  url = fake_server_dup_url (self->server, "/v1");
  config = gadget_provider_config_new ("silent", "Silent", "openai-chat", url, "model");
  gadget_provider_list_add_async (gadget_engine_get_providers (self->window.engine), config, NULL,
                                  added_cb, &added);
  wait_until (added);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_window_tear_down (&self->window, data);
  fake_server_free (self->server);
}

static gboolean
is_menu (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GadgetModelMenu")
         && gtk_widget_get_mapped (widget);
}

static gboolean
is_open (Fixture *self)
{
  return test_find (GTK_WIDGET (self->window.window), is_menu, NULL) != NULL;
}

static void
open_menu (Fixture *self, guint n_asked)
{
  gtk_widget_activate_action (self->window.text, "win.choose-model", NULL);
  wait_until (is_open (self));
  wait_until (fake_server_count (self->server, FAKE_EVENT_STALL) == n_asked);
  g_assert_cmpuint (fake_server_count_ends (self->server), ==, n_asked - 1);
}

static void
test_closed (Fixture *self, gconstpointer data)
{
  open_menu (self, 1);
  test_key ("Escape");
  wait_until (!is_open (self));
  wait_until (fake_server_count_ends (self->server) == 1);
  /* And it asks again. */
  open_menu (self, 2);
}

static void
test_stop_everything (Fixture *self, gconstpointer data)
{
  open_menu (self, 1);
  gtk_widget_activate_action (self->window.text, "win.stop-all", NULL);
  wait_until (fake_server_count_ends (self->server) == 1);
  wait_until (test_window_has_toast (&self->window, "Stopping questions to the providers"));
}

#define ADD(name, function)                                                                        \
  g_test_add ("/ui/model-menu/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  ADD ("closed", test_closed);
  ADD ("stop-everything", test_stop_everything);
  return g_test_run ();
}
