/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first start: nothing but the choice of who answers, and from there a chat. A key is tested
 * before it is added, what fails says what to do next, and Esc drops nothing that was entered. */

#include "config.h"

#include "fake-server.h"
#include "gadget-test-ui.h"
#include "providers/gadget-services.h"
#include "test-forms.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-settings.h"
#include "ui/preferences/gadget-service-page.h"
#include "wait.h"

#include <string.h>

typedef struct
{
  TestWindow window;
  FakeServer *server;
} Fixture;

/* One of them makes no answers, and is not offered. */
#define MODELS                                                                                     \
  "{\"data\":[{\"id\":\"text-embedding-3-small\"},{\"id\":\"alpha\"},{\"id\":\"beta\"}]}"
#define REFUSED "{\"error\":{\"message\":\"No auth credentials found\",\"code\":401}}"

static void
set_up (Fixture *self, gconstpointer data)
{
  test_window_set_up_first_run (&self->window, data);
  self->server = fake_server_new ();
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_window_tear_down (&self->window, data);
  fake_server_free (self->server);
}

static GtkWidget *
get_root (Fixture *self)
{
  return GTK_WIDGET (self->window.window);
}

static AdwDialog *
get_dialog (Fixture *self)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window.window));
}

static const char *
get_provider (Fixture *self)
{
  return gadget_session_get_provider (gadget_window_get_session (self->window.window));
}

static void
assert_chat (Fixture *self, const char *provider)
{
  wait_until (gtk_widget_get_mapped (self->window.text));
  wait_until (gtk_widget_has_focus (self->window.text));
  g_assert_cmpstr (get_provider (self), ==, provider);
  g_assert_null (test_find_button (get_root (self), "OpenRouter"));
}

/* That of a service is the address of the server here. */
static void
change_address (Fixture *self)
{
  g_autofree char *url = fake_server_dup_url (self->server, "/v1");

  test_press (get_root (self), "Change Address");
  wait_until (test_find_row (get_root (self), "Address") != NULL);
  test_enter (get_root (self), "Address", url);
}

static void
open_service (Fixture *self, const char *name)
{
  test_press (get_root (self), name);
  change_address (self);
}

static void
refuse_all (Fixture *self)
{
  fake_reply_body (fake_server_set_get_reply (self->server), 401, "application/json", REFUSED,
                   NULL);
}

/* --- Tests ------------------------------------------------------------------------------------- */

static void
test_guide (Fixture *self, gconstpointer data)
{
  g_assert_false (gtk_widget_get_mapped (self->window.text));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (self->window.window->library)));
  /* What belongs to chats does nothing out of sight. */
  test_key ("ctrl+shift+k");
  test_key ("ctrl+n");
  g_assert_false (gtk_widget_get_mapped (self->window.text));
  test_press (get_root (self), "Use Guide");
  assert_chat (self, GADGET_GUIDE_ID);
  /* It is asked once. */
  test_window_restart (&self->window);
  g_assert_true (gtk_widget_get_mapped (self->window.text));
}

/* A provider that another program adds ends it too. */
static void
test_added_elsewhere (Fixture *self, gconstpointer data)
{
  GadgetProviderList *providers = gadget_engine_get_providers (self->window.engine);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("here", "Here", "openai-chat", "http://127.0.0.1:9/v1", "model");

  g_assert_false (gtk_widget_get_mapped (self->window.text));
  gadget_provider_list_add_async (providers, config, NULL, NULL, NULL, NULL, NULL);
  wait_until (gtk_widget_get_mapped (self->window.text));
}

static void
test_key_accepted (Fixture *self, gconstpointer data)
{
  GadgetProviderConfig *config;

  fake_server_set_models (self->server, MODELS);
  open_service (self, "Mistral");
  g_assert_false (gtk_widget_get_sensitive (test_find_button (get_root (self), "_Add")));
  test_enter (get_root (self), "API Key", "the-key");
  test_press (get_root (self), "Test");
  wait_until (test_says (get_root (self), "Connected · 2 models available"));
  test_press (get_root (self), "_Add");
  wait_until (get_dialog (self) == NULL);
  assert_chat (self, "mistral");
  config = gadget_provider_list_find (gadget_engine_get_providers (self->window.engine), "mistral");
  g_assert_cmpstr (gadget_provider_config_get_kind (config), ==, GADGET_PROVIDER_KIND_OPENAI_CHAT);
  g_assert_cmpstr (gadget_provider_config_get_model (config), ==, "alpha");
  g_assert_cmpstr (
      gadget_provider_list_get_default_id (gadget_engine_get_providers (self->window.engine)), ==,
      "mistral");
  g_assert_nonnull (strstr (fake_server_get_request (self->server, 0)->head, "Bearer the-key"));
}

/* The page of a provider that is in the list may still ask whether to unlock the keyring. Closing
 * the dialog then chooses the provider as the buttons do. */
static void
test_closed_at_question (Fixture *self, gconstpointer data)
{
  GadgetProviderList *providers = gadget_engine_get_providers (self->window.engine);
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "mistral", "Mistral", "openai-chat", "http://127.0.0.1:9/v1", "model");
  GtkWidget *page;

  open_service (self, "Mistral");
  page = gtk_widget_get_ancestor (test_find_button (get_root (self), "Test"),
                                  GADGET_TYPE_SERVICE_PAGE);
  gadget_provider_list_add_async (providers, config, NULL, NULL, NULL, NULL, NULL);
  wait_until (gadget_provider_list_find (providers, "mistral") != NULL);
  g_signal_emit_by_name (page, "added", "mistral");
  g_assert_nonnull (get_dialog (self));
  adw_dialog_force_close (get_dialog (self));
  wait_until (get_dialog (self) == NULL);
  assert_chat (self, "mistral");
  g_assert_cmpstr (gadget_provider_list_get_default_id (providers), ==, "mistral");
}

/* OpenRouter lists its models to everybody: its key is looked at first. */
static void
test_public_list (Fixture *self, gconstpointer data)
{
  fake_server_set_models (self->server, MODELS);
  open_service (self, "OpenRouter");
  test_enter (get_root (self), "API Key", "sk-or-1");
  test_press (get_root (self), "Test");
  wait_until (fake_server_get_n_requests (self->server) >= 1);
  g_assert_cmpstr (fake_server_get_request (self->server, 0)->path, ==, "/v1/key");
}

static void
test_key_refused (Fixture *self, gconstpointer data)
{
  refuse_all (self);
  open_service (self, "OpenRouter");
  test_enter (get_root (self), "API Key", "sk-proj-1234");
  test_press (get_root (self), "Test");
  wait_until (test_says (get_root (self), "OpenRouter refused this key."));
  g_assert_true (test_says (get_root (self), "It begins with “sk-proj-”, as keys of OpenAI do"));
  g_assert_false (gtk_widget_get_sensitive (test_find_button (get_root (self), "_Add")));
  g_assert_null (test_find_button (get_root (self), "Add Without Testing"));
  /* The key goes along to the service that it is of. */
  test_press (get_root (self), "Add to OpenAI Instead");
  wait_until (test_says (get_root (self), "Add OpenAI"));
}

/* A test that goes on ends with everything, and with its page. */
static void
test_stopped (Fixture *self, gconstpointer data)
{
  fake_reply_stall (fake_server_set_get_reply (self->server));
  open_service (self, "Mistral");
  test_enter (get_root (self), "API Key", "the-key");
  test_press (get_root (self), "Test");
  wait_until (fake_server_get_n_requests (self->server) == 1);
  test_key ("ctrl+shift+Escape");
  wait_until (fake_server_count_ends (self->server) == 1);
  wait_until (test_says (get_root (self), "It was stopped."));

  test_press (get_root (self), "Test");
  wait_until (fake_server_get_n_requests (self->server) == 2);
  g_assert_cmpuint (fake_server_count_ends (self->server), ==, 1);
  adw_dialog_force_close (get_dialog (self));
  wait_until (fake_server_count_ends (self->server) == 2);
}

static void
test_no_answer (Fixture *self, gconstpointer data)
{
  test_press (get_root (self), "Groq");
  test_press (get_root (self), "Change Address");
  wait_until (test_find_row (get_root (self), "Address") != NULL);
  test_enter (get_root (self), "Address", "http://127.0.0.1:9/v1");
  test_enter (get_root (self), "API Key", "gsk_1");
  test_press (get_root (self), "Test");
  wait_until (test_says (get_root (self), "No answer from 127.0.0.1."));
  g_assert_nonnull (test_find_button (get_root (self), "Try Again"));
  test_press (get_root (self), "Add Without Testing");
  wait_until (get_dialog (self) == NULL);
  assert_chat (self, "groq");
}

/* Esc asks while there is something to lose; the question can be left with Esc. */
static void
test_escape (Fixture *self, gconstpointer data)
{
  AdwDialog *dialog;

  test_press (get_root (self), "xAI");
  wait_until (test_find_button (get_root (self), "Test") != NULL);
  dialog = get_dialog (self);
  test_enter (get_root (self), "API Key", "xai-1");
  test_run_for (300);
  test_key ("Escape");
  wait_until (test_says (get_root (self), "Discard Changes?"));
  test_key ("Escape");
  wait_until (get_dialog (self) == dialog);
  test_enter (get_root (self), "API Key", "");
  test_run_for (300);
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
}

static const char *
get_entered (Fixture *self, const char *title)
{
  GtkWidget *row = test_find_row (get_root (self), title);

  return row != NULL ? gtk_editable_get_text (GTK_EDITABLE (row)) : NULL;
}

static void
go_back (Fixture *self, const char *from)
{
  gtk_widget_activate_action (test_find_button (get_root (self), from), "navigation.pop", NULL);
  wait_until (test_find_button (get_root (self), "OpenRouter") != NULL
              && test_find_button (get_root (self), from) == NULL);
}

/* Back keeps what was entered for a service, and for a server of another kind; Esc asks about it.
 */
static void
test_back (Fixture *self, gconstpointer data)
{
  g_autofree char *url = NULL;

  test_press (get_root (self), "Use Guide");
  assert_chat (self, GADGET_GUIDE_ID);
  gtk_widget_activate_action (get_root (self), "win.add-provider", NULL);
  open_service (self, "Mistral");
  url = g_strdup (get_entered (self, "Address"));
  test_enter (get_root (self), "API Key", "the-key");
  go_back (self, "Test");
  test_press (get_root (self), "Groq");
  wait_until (test_says (get_root (self), "Add Groq"));
  g_assert_cmpstr (get_entered (self, "API Key"), ==, "");
  go_back (self, "Test");
  test_press (get_root (self), "Mistral");
  wait_until (test_says (get_root (self), "Add Mistral"));
  g_assert_cmpstr (get_entered (self, "API Key"), ==, "the-key");
  g_assert_cmpstr (get_entered (self, "Address"), ==, url);
  go_back (self, "Test");
  test_press (get_root (self), "Other…");
  wait_until (get_entered (self, "Name") != NULL);
  test_enter (get_root (self), "Name", "mine");
  go_back (self, "Test");
  test_press (get_root (self), "Other…");
  wait_until (get_entered (self, "Name") != NULL);
  g_assert_cmpstr (get_entered (self, "Name"), ==, "mine");
  go_back (self, "Test");

  test_key ("Escape");
  wait_until (test_says (get_root (self), "Discard Changes?"));
  test_press (get_root (self), "_Discard");
  wait_until (get_dialog (self) == NULL
              && test_find_button (get_root (self), "OpenRouter") == NULL);
  gtk_widget_activate_action (get_root (self), "win.add-provider", NULL);
  test_press (get_root (self), "Mistral");
  wait_until (test_says (get_root (self), "Add Mistral"));
  g_assert_cmpstr (get_entered (self, "API Key"), ==, "");
  test_run_for (300);
  test_key ("Escape");
  wait_until (get_dialog (self) == NULL);
}

/* A key that goes along to another service, and back, meets the pages that are there. */
static void
test_back_and_forth (Fixture *self, gconstpointer data)
{
  test_press (get_root (self), "Use Guide");
  assert_chat (self, GADGET_GUIDE_ID);
  refuse_all (self);
  gtk_widget_activate_action (get_root (self), "win.add-provider", NULL);
  open_service (self, "OpenAI");
  test_enter (get_root (self), "API Key", "sk-or-v1-1");
  test_press (get_root (self), "Test");
  test_press (get_root (self), "Add to OpenRouter Instead");
  wait_until (test_says (get_root (self), "Add OpenRouter")
              && !test_says (get_root (self), "Add OpenAI"));
  g_assert_cmpstr (get_entered (self, "API Key"), ==, "sk-or-v1-1");
  change_address (self);
  test_enter (get_root (self), "API Key", "sk-proj-1");
  test_press (get_root (self), "Test");
  test_press (get_root (self), "Add to OpenAI Instead");
  wait_until (test_says (get_root (self), "Add OpenAI")
              && !test_says (get_root (self), "Add OpenRouter"));
  g_assert_cmpstr (get_entered (self, "API Key"), ==, "sk-proj-1");
  go_back (self, "Test");
}

/* --- New chats begin as the preferences say --- */

static void
test_defaults (TestWindow *self, gconstpointer data)
{
  g_autoptr (GSettings) settings = gadget_settings_new ();
  AdwStyleManager *style = adw_style_manager_get_default ();
  GadgetSession *session = gadget_window_get_session (self->window);
  char *before = test_window_give_workspace (self);

  g_settings_set_string (settings, "default-mode", "accept-edits");
  g_settings_set_string (settings, "default-folder", self->folder);
  gadget_engine_save (self->engine, session);
  test_window_send (self, "hello");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  session = gadget_window_get_session (self->window);
  g_assert_cmpint (gadget_session_get_mode (session), ==, GADGET_MODE_ACCEPT_EDITS);
  g_assert_cmpstr (gadget_session_get_workspace (session), ==, self->folder);

  /* A folder that is not there is not looked for, as its drive may not answer. */
  g_settings_set_string (settings, "default-folder", "/no/such/folder");
  test_window_send (self, "hello");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  session = gadget_window_get_session (self->window);
  g_assert_cmpstr (gadget_session_get_workspace (session), ==, "/no/such/folder");

  gadget_settings_bind_style (settings);
  g_settings_set_string (settings, "color-scheme", "dark");
  g_assert_true (adw_style_manager_get_dark (style));
  g_settings_set_string (settings, "color-scheme", "light");
  g_assert_false (adw_style_manager_get_dark (style));
  test_dir_free (before);
}

/* --- The table --- */

static void
test_services (void)
{
  const char *prefix;

  for (guint i = 0; i < gadget_services_get_n (); i++)
    {
      const GadgetService *service = gadget_services_get (i);

      g_assert_true (gadget_provider_config_check ("id", service->kind, service->base_url, NULL));
      g_assert_true (g_str_has_prefix (service->base_url, "https://"));
      g_assert_true (g_str_has_prefix (service->key_url, "https://"));
      if (service->key_prefix != NULL)
        {
          g_autofree char *key = g_strconcat (service->key_prefix, "rest", NULL);

          g_assert_true (gadget_services_find_by_key (key, NULL) == service);
        }
    }
  g_assert_cmpstr (gadget_services_find_by_key ("AIzaOld", &prefix)->name, ==, "Gemini");
  g_assert_cmpstr (prefix, ==, "AIza");
  g_assert_null (gadget_services_find_by_key ("sk-", NULL));
  g_assert_null (gadget_services_find_by_key ("", NULL));
}

#define add(name, test) g_test_add ("/ui/first-run/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add_func ("/ui/first-run/services", test_services);
  add ("guide", test_guide);
  add ("added-elsewhere", test_added_elsewhere);
  add ("key-accepted", test_key_accepted);
  add ("closed-at-question", test_closed_at_question);
  add ("public-list", test_public_list);
  add ("key-refused", test_key_refused);
  add ("stopped", test_stopped);
  add ("no-answer", test_no_answer);
  add ("escape", test_escape);
  add ("back", test_back);
  add ("back-and-forth", test_back_and_forth);

  g_test_add ("/ui/first-run/defaults", TestWindow, NULL, test_window_set_up, test_defaults,
              test_window_tear_down);

  return g_test_run ();
}
