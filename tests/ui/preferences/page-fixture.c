/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "page-fixture.h"

#include "secrets/gadget-secrets.h"

void
page_set_up (Fixture *self, gconstpointer data)
{
  test_window_set_up (&self->window, data);
  self->server = fake_server_new ();
  self->url = fake_server_dup_url (self->server, "/v1");
  self->said = gadget_test_listen ();
}

void
page_tear_down (Fixture *self, gconstpointer data)
{
  gadget_test_stop_listening (self->said);
  if (self->dialog != NULL)
    adw_dialog_force_close (self->dialog);
  g_clear_weak_pointer (&self->dialog);
  test_window_tear_down (&self->window, data);
  fake_server_free (self->server);
  g_free (self->url);
}

GtkWidget *
page_get_root (Fixture *self)
{
  return GTK_WIDGET (self->window.window);
}

GadgetProviderList *
page_get_providers (Fixture *self)
{
  return gadget_engine_get_providers (self->window.engine);
}

void
page_present (Fixture *self, GtkWidget *page)
{
  GtkWidget *view = adw_navigation_view_new ();

  self->page = page;
  g_set_weak_pointer (&self->dialog, adw_dialog_new ());
  adw_navigation_view_add (ADW_NAVIGATION_VIEW (view), ADW_NAVIGATION_PAGE (page));
  adw_dialog_set_child (self->dialog, view);
  adw_dialog_present (self->dialog, page_get_root (self));
}

void
page_add_provider (Fixture *self, GadgetProviderConfig *config)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_provider_list_add_async (page_get_providers (self), config, NULL, NULL, NULL,
                                  test_result_cb, &result);
  g_assert_true (test_wait_result (&result, 20000));
}

char *
page_dup_stored_key (Fixture *self, const char *id)
{
  GadgetSecrets *secrets = gadget_engine_get_secrets (self->window.engine);
  g_autoptr (GAsyncResult) result = NULL;

  gadget_secrets_lookup_async (secrets, id, NULL, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, 20000));
  return gadget_secrets_lookup_finish (secrets, result, NULL);
}
