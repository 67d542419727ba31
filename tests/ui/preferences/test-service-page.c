/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page that adds a service with its key: what its buttons stop, what is tested and what is
 * announced. tests/ui/window/test-first-run.c has the way to it and from it. */

#include "config.h"

#include "page-fixture.h"
#include "providers/gadget-services.h"
#include "test-faults.h"
#include "ui/preferences/gadget-service-page.h"

#include <string.h>

#define MODELS "{\"data\":[{\"id\":\"alpha\"},{\"id\":\"beta\"}]}"

static guint
count_providers (Fixture *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (page_get_providers (self)));
}

static void
added_cb (GtkWidget *page, const char *id, Fixture *self)
{
  g_assert_nonnull (gadget_provider_list_find (page_get_providers (self), id));
  self->n_saved++;
}

static void
done_cb (GtkWidget *page, Fixture *self)
{
  self->n_done++;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  GtkWidget *page;

  page_set_up (self, data);
  fake_server_set_models (self->server, MODELS);
  page = gadget_service_page_new (self->window.engine, gadget_services_find_by_key ("gsk_1", NULL));
  g_signal_connect (page, "added", G_CALLBACK (added_cb), self);
  g_signal_connect (page, "done", G_CALLBACK (done_cb), self);
  page_present (self, page);
  test_press (page_get_root (self), "Change Address");
  test_enter (page_get_root (self), "Address", self->url);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_faults_set (TEST_FAULT_NONE);
  page_tear_down (self, data);
}

static gboolean
was_announced (Fixture *self, const char *text)
{
  return strstr (self->said->str, text) != NULL;
}

/* The button that tests keeps the focus, and then stops the test; each step is announced. */
static void
test_stop (Fixture *self, gconstpointer data)
{
  GtkWidget *button;

  fake_reply_stall (fake_server_set_get_reply (self->server));
  test_enter (page_get_root (self), "API Key", "gsk_1");
  button = test_find_button (page_get_root (self), "Test");
  g_assert_true (gtk_widget_grab_focus (button));
  test_run_for (100);
  test_key ("space");
  wait_until (fake_server_get_n_requests (self->server) == 1);
  g_assert_true (test_find_button (page_get_root (self), "Stop") == button);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (page_get_root (self))) == button);
  wait_until (was_announced (self, "Testing the key…"));
  test_key ("space");
  wait_until (test_says (page_get_root (self), "It was stopped."));
  wait_until (was_announced (self, "It was stopped."));
  wait_until (fake_server_have_all_ended (self->server));
  g_assert_true (test_find_button (page_get_root (self), "Test") == button);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (page_get_root (self))) == button);
}

/* The card with the button that was pressed goes, and leaves the focus to the one that stops. */
static void
test_again (Fixture *self, gconstpointer data)
{
  GtkWidget *button;

  test_enter (page_get_root (self), "Address", "http://127.0.0.1:9/v1");
  test_enter (page_get_root (self), "API Key", "gsk_1");
  test_press (page_get_root (self), "Test");
  wait_until ((button = test_find_button (page_get_root (self), "Try Again")) != NULL);
  g_assert_true (gtk_widget_grab_focus (button));
  g_signal_emit_by_name (button, "clicked");
  button = test_find_button (page_get_root (self), "Stop");
  g_assert_nonnull (button);
  test_run_for (300);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (page_get_root (self))) == button);
}

/* What comes of a test is announced, an address that is none too. */
static void
test_announced (Fixture *self, gconstpointer data)
{
  test_enter (page_get_root (self), "API Key", "gsk_1");
  test_press (page_get_root (self), "Test");
  wait_until (was_announced (self, "Connected · 2 models available"));
  test_enter (page_get_root (self), "Address", "nowhere");
  test_press (page_get_root (self), "Test");
  wait_until (was_announced (self, "The address must begin with"));
}

/* Cancel while the key is being saved: nothing is added, and no key stays. */
static void
test_cancel (Fixture *self, gconstpointer data)
{
  const guint n_before = count_providers (self);
  char *key;

  test_enter (page_get_root (self), "API Key", "gsk_1");
  test_press (page_get_root (self), "Test");
  wait_until (test_says (page_get_root (self), "Connected"));
  test_press (page_get_root (self), "_Add");
  g_assert_true (test_says (page_get_root (self), "Saving the key…"));
  test_press (page_get_root (self), "_Cancel");
  wait_until (self->dialog == NULL);
  test_run_for (500);
  g_assert_cmpuint (count_providers (self), ==, n_before);
  g_assert_cmpuint (self->n_saved, ==, 0);
  key = page_dup_stored_key (self, "groq");
  g_assert_null (key);
}

/* The form takes no changes while the key is being saved, and takes them again when that failed. */
static void
test_insensitive (Fixture *self, gconstpointer data)
{
  GtkWidget *address = test_find_row (page_get_root (self), "Address");
  GtkWidget *model;

  test_enter (page_get_root (self), "API Key", "gsk_1");
  test_press (page_get_root (self), "Test");
  wait_until ((model = test_find_row (page_get_root (self), "Model")) != NULL);
  test_faults_set (TEST_FAULT_FULL);
  test_press (page_get_root (self), "_Add");
  g_assert_false (gtk_widget_is_sensitive (address));
  g_assert_false (gtk_widget_is_sensitive (model));
  g_assert_false (gtk_widget_is_sensitive (test_find_row (page_get_root (self), "API Key")));
  wait_until (test_says (page_get_root (self), "The provider could not be saved."));
  g_assert_true (gtk_widget_is_sensitive (address));
  g_assert_true (gtk_widget_is_sensitive (test_find_button (page_get_root (self), "_Add")));
}

/* A provider that this page has added is changed by it, and not added beside itself. */
static void
test_added_once (Fixture *self, gconstpointer data)
{
  const guint n_before = count_providers (self);
  char *key;

  for (guint i = 0; i < 2; i++)
    {
      test_enter (page_get_root (self), "API Key", i == 0 ? "gsk_1" : "gsk_2");
      test_press (page_get_root (self), "Test");
      wait_until (test_says (page_get_root (self), "Connected"));
      test_press (page_get_root (self), "_Add");
      wait_until (self->n_done == i + 1);
      g_assert_cmpuint (self->n_saved, ==, i + 1);
    }
  g_assert_cmpuint (count_providers (self), ==, n_before + 1);
  key = page_dup_stored_key (self, "groq");
  g_assert_cmpstr (key, ==, "gsk_2");
  gadget_secrets_free_key (key);
}

/* The linker takes these two before those of GTK. */
void
gtk_uri_launcher_launch (GtkUriLauncher *self, GtkWindow *parent, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_assert_true (g_str_has_prefix (gtk_uri_launcher_get_uri (self), "https://"));
  g_task_return_new_error_literal (task, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_FAILED, "played");
}

gboolean
gtk_uri_launcher_launch_finish (GtkUriLauncher *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* A web page that cannot be opened is no silence. */
static void
test_get_key (Fixture *self, gconstpointer data)
{
  g_signal_emit_by_name (test_find_row (page_get_root (self), "Get a Key"), "activated");
  wait_until (test_says (page_get_root (self), "Could not open the link"));
  wait_until (was_announced (self, "Could not open the link"));
}

static void
paste (Fixture *self, const char *text)
{
  GtkWidget *row = test_find_row (page_get_root (self), "API Key");
  GdkContentProvider *content =
      text != NULL ? gdk_content_provider_new_typed (G_TYPE_STRING, text) : NULL;

  gdk_clipboard_set_content (gtk_widget_get_clipboard (row), content);
  g_clear_object (&content);
  g_signal_emit_by_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), "paste-clipboard");
  test_run_for (200);
}

/* A key that is pasted is tested. A letter that is typed after nothing was pasted is not. */
static void
test_pasted (Fixture *self, gconstpointer data)
{
  GtkWidget *row = test_find_row (page_get_root (self), "API Key");
  int position = 0;

  paste (self, NULL);
  gtk_editable_insert_text (gtk_editable_get_delegate (GTK_EDITABLE (row)), "g", 1, &position);
  test_run_for (500);
  g_assert_cmpuint (fake_server_get_n_requests (self->server), ==, 0);
  paste (self, "gsk_1");
  wait_until (fake_server_get_n_requests (self->server) == 1);
  wait_until (test_says (page_get_root (self), "Connected"));
  /* Another key of the same length. */
  gtk_editable_select_region (gtk_editable_get_delegate (GTK_EDITABLE (row)), 0, -1);
  paste (self, "gsk_22");
  wait_until (fake_server_get_n_requests (self->server) == 2);
}

#define ADD(name, test)                                                                            \
  g_test_add ("/ui/service-page/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  test_faults_install ();
  ADD ("stop", test_stop);
  ADD ("again", test_again);
  ADD ("announced", test_announced);
  ADD ("cancel", test_cancel);
  ADD ("insensitive", test_insensitive);
  ADD ("added-once", test_added_once);
  ADD ("get-key", test_get_key);
  ADD ("pasted", test_pasted);
  return g_test_run ();
}
