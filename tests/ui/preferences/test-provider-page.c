/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of one provider: what of the form is tested, sent and stored, and what the page shows
 * meanwhile. */

#include "config.h"

#include "page-fixture.h"
#include "providers/gadget-provider-kinds.h"
#include "secrets/gadget-secrets.h"
#include "ui/preferences/gadget-provider-page.h"

#include <string.h>

#define KEY "sk-of-another-server-77"
#define MODELS "{\"data\":[{\"id\":\"Q4_K_M\"},{\"id\":\"b\"}]}"

static gboolean
is_dirty (Fixture *self)
{
  gboolean dirty;

  g_object_get (self->page, "dirty", &dirty, NULL);
  return dirty;
}

static void
saved_cb (GadgetProviderPage *page, const char *id, Fixture *self)
{
  self->n_saved++;
  self->stored = gadget_provider_list_find (page_get_providers (self), id) != NULL;
  adw_dialog_force_close (self->dialog);
}

static void
removed_cb (GadgetProviderPage *page, Fixture *self)
{
  self->n_removed++;
  self->removable =
      gtk_widget_is_sensitive (test_find_row (page_get_root (self), "Remove Provider"));
  adw_dialog_force_close (self->dialog);
}

static void
open_page (Fixture *self, GadgetProviderConfig *config)
{
  GtkWidget *page = gadget_provider_page_new (self->window.engine, config);

  g_signal_connect (page, "saved", G_CALLBACK (saved_cb), self);
  g_signal_connect (page, "removed", G_CALLBACK (removed_cb), self);
  page_present (self, page);
  wait_until (test_find_row (page_get_root (self), "Connection") != NULL);
}

/* Chooses a type by its title. */
static void
choose_kind (Fixture *self, const char *title)
{
  for (guint i = 0; i < gadget_provider_kinds_get_n (); i++)
    if (g_str_equal (gadget_provider_kinds_get (i)->title, title))
      {
        adw_combo_row_set_selected (ADW_COMBO_ROW (test_find_row (page_get_root (self), "Type")),
                                    i);
        return;
      }
  g_assert_not_reached ();
}

/* A key that was entered for one type is neither sent nor stored when the type has none. */
static void
test_hidden_key (Fixture *self, gconstpointer data)
{
  const FakeRequest *request;

  fake_server_set_models (self->server, "{\"models\":[{\"name\":\"a\"}]}");
  open_page (self, NULL);
  choose_kind (self, "OpenAI (Responses)");
  test_enter (page_get_root (self), "API Key", KEY);
  choose_kind (self, "Ollama");
  test_enter (page_get_root (self), "Address", self->url);
  wait_until (test_find_row (page_get_root (self), "API Key (Optional)") == NULL
              && test_find_row (page_get_root (self), "API Key") == NULL);
  test_press (page_get_root (self), "Test");
  wait_until (test_says (page_get_root (self), "Connected"));
  request = fake_server_get_request (self->server, 0);
  g_assert_null (strstr (request->head, KEY));
  test_press (page_get_root (self), "_Add");
  wait_until (self->n_saved == 1);
  g_assert_true (self->stored);
  g_assert_null (page_dup_stored_key (self, "ollama"));
}

/* A test that goes on when the form is saved is stopped, and the form cannot be saved again by what
 * the test, or anybody, enters. */
static void
test_saved_once (Fixture *self, gconstpointer data)
{
  FakeReply *reply = fake_server_set_get_reply (self->server);
  GtkWidget *button;

  fake_reply_stall (reply);
  open_page (self, NULL);
  test_enter (page_get_root (self), "Name", "Mine");
  test_enter (page_get_root (self), "Address", self->url);
  g_assert_true (is_dirty (self));
  test_press (page_get_root (self), "Test");
  wait_until (fake_server_get_n_requests (self->server) == 1);
  test_press (page_get_root (self), "_Add");
  button = test_find_button (page_get_root (self), "_Add");
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_false (gtk_widget_is_sensitive (test_find_row (page_get_root (self), "Name")));
  g_assert_false (is_dirty (self));
  g_assert_false (test_says (page_get_root (self), "Asking the server…"));
  test_enter (page_get_root (self), "Model", "m");
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_false (is_dirty (self));
  wait_until (self->n_saved == 1);
  g_assert_true (self->stored);
  wait_until (fake_server_have_all_ended (self->server));
}

/* The button that tests keeps the focus, and then stops the test. */
static void
test_stop (Fixture *self, gconstpointer data)
{
  GtkWidget *button;

  fake_reply_stall (fake_server_set_get_reply (self->server));
  open_page (self, NULL);
  test_enter (page_get_root (self), "Address", self->url);
  button = test_find_button (page_get_root (self), "Test");
  g_assert_true (gtk_widget_grab_focus (button));
  test_run_for (100);
  test_key ("space");
  wait_until (fake_server_get_n_requests (self->server) == 1);
  g_assert_true (test_find_button (page_get_root (self), "Stop") == button);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (page_get_root (self))) == button);
  test_key ("space");
  wait_until (test_says (page_get_root (self), "It was stopped."));
  wait_until (fake_server_have_all_ended (self->server));
  g_assert_true (test_find_button (page_get_root (self), "Test") == button);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (page_get_root (self))) == button);
}

static gboolean
is_menu_button (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Models of This Server") == 0;
}

static GtkWidget *
find_models (Fixture *self)
{
  return test_find (page_get_root (self), is_menu_button, NULL);
}

/* The result of a test is announced once. It stays while only the name and the model change, which
 * are not tested; the menu of models goes with the address. */
static void
test_result_stays (Fixture *self, gconstpointer data)
{
  fake_server_set_models (self->server, MODELS);
  open_page (self, NULL);
  test_enter (page_get_root (self), "Address", self->url);
  test_press (page_get_root (self), "Test");
  wait_until (test_says (page_get_root (self), "Connected · 2 models available"));
  wait_until (strstr (self->said->str, "Connected") != NULL);
  test_run_for (500);
  g_assert_cmpstr (strstr (self->said->str, "Connected"), ==, "Connected · 2 models available\n");
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (test_find_row (page_get_root (self), "Model"))), ==,
      "Q4_K_M");
  test_enter (page_get_root (self), "Name", "Other");
  gtk_widget_activate_action (self->page, "provider.model", "s", "b");
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (test_find_row (page_get_root (self), "Model"))), ==,
      "b");
  g_assert_true (test_says (page_get_root (self), "Connected · 2 models available"));
  g_assert_nonnull (find_models (self));
  test_enter (page_get_root (self), "Address", "http://127.0.0.1:9/v1");
  g_assert_false (test_says (page_get_root (self), "Connected"));
  g_assert_null (find_models (self));
}

/* The names of models are shown as they are: an underscore is no mnemonic. */
static void
test_model_names (Fixture *self, gconstpointer data)
{
  fake_server_set_models (self->server, MODELS);
  open_page (self, NULL);
  test_enter (page_get_root (self), "Address", self->url);
  test_press (page_get_root (self), "Test");
  wait_until (find_models (self) != NULL);
  gtk_menu_button_popup (GTK_MENU_BUTTON (find_models (self)));
  wait_until (test_says (page_get_root (self), "K_M") || test_says (page_get_root (self), "K M")
              || test_says (page_get_root (self), "Q4K"));
  g_assert_true (test_says (page_get_root (self), "Q4_K_M"));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (find_models (self)));
}

/* While the provider is being removed, its row does not remove it again. */
static void
test_removed_once (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("mine", "Mine", "openai-chat", self->url, "m");

  page_add_provider (self, config);
  open_page (self, gadget_provider_list_find (page_get_providers (self), "mine"));
  g_signal_emit_by_name (test_find_row (page_get_root (self), "Remove Provider"), "activated");
  test_press (page_get_root (self), "_Remove");
  wait_until (self->n_removed == 1);
  g_assert_false (self->removable);
  g_assert_null (gadget_provider_list_find (page_get_providers (self), "mine"));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add ("/ui/provider-page/hidden-key", Fixture, NULL, page_set_up, test_hidden_key,
              page_tear_down);
  g_test_add ("/ui/provider-page/saved-once", Fixture, NULL, page_set_up, test_saved_once,
              page_tear_down);
  g_test_add ("/ui/provider-page/stop", Fixture, NULL, page_set_up, test_stop, page_tear_down);
  g_test_add ("/ui/provider-page/result-stays", Fixture, NULL, page_set_up, test_result_stays,
              page_tear_down);
  g_test_add ("/ui/provider-page/model-names", Fixture, NULL, page_set_up, test_model_names,
              page_tear_down);
  g_test_add ("/ui/provider-page/removed-once", Fixture, NULL, page_set_up, test_removed_once,
              page_tear_down);
  return g_test_run ();
}
