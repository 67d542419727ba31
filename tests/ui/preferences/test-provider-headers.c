/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The headers of a provider on its page: added, tried, saved, kept in the keyring, removed. */

#include "config.h"

#include "page-fixture.h"
#include "ui/preferences/gadget-provider-page.h"

#include <string.h>

#define SECRET "gateway-secret-55"
#define MODELS "{\"data\":[{\"id\":\"m\"}]}"

static void
saved_cb (GadgetProviderPage *page, const char *id, Fixture *self)
{
  adw_dialog_force_close (self->dialog);
}

/* The page of the provider "gate". */
static void
open_page (Fixture *self)
{
  GtkWidget *page = gadget_provider_page_new (
      self->window.engine, gadget_provider_list_find (page_get_providers (self), "gate"));

  g_signal_connect (page, "saved", G_CALLBACK (saved_cb), self);
  page_present (self, page);
  wait_until (test_find_row (page_get_root (self), "Add Header…") != NULL);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config = NULL;

  page_set_up (self, data);
  fake_server_set_models (self->server, MODELS);
  config = gadget_provider_config_new ("gate", "Gate", "openai-chat", self->url, "m");
  page_add_provider (self, config);
  open_page (self);
}

/* Until the page is gone, and not only on its way: its buttons would be found. */
static void
save (Fixture *self)
{
  test_press (page_get_root (self), "_Save");
  wait_until (self->dialog == NULL);
}

static void
begin_header (Fixture *self, const char *name)
{
  wait_until (test_find_row (page_get_root (self), "Add Header…") != NULL);
  g_signal_emit_by_name (test_find_row (page_get_root (self), "Add Header…"), "activated");
  wait_until (test_find_row (page_get_root (self), "Secret") != NULL);
  /* That of the dialog stands above the page's. */
  gtk_editable_set_text (
      GTK_EDITABLE (gtk_widget_get_prev_sibling (test_find_row (page_get_root (self), "Secret"))),
      name);
}

static void
add_header (Fixture *self, const char *name, gboolean secret, const char *value)
{
  begin_header (self, name);
  adw_switch_row_set_active (ADW_SWITCH_ROW (test_find_row (page_get_root (self), "Secret")),
                             secret);
  test_press (page_get_root (self), "_Add");
  test_enter (page_get_root (self), name, value);
  wait_until (test_find_row (page_get_root (self), "Secret") == NULL);
}

static const char *
get_head (Fixture *self, guint nth)
{
  return fake_server_get_request (self->server, nth)->head;
}

static void
assert_tried (Fixture *self, guint nth)
{
  test_press (page_get_root (self), "Test");
  wait_until (test_says (page_get_root (self), "Connected · 1 model available"));
  g_assert_cmpuint (fake_server_get_n_requests (self->server), ==, nth + 1);
  g_assert_nonnull (strstr (get_head (self, nth), "\r\nx-gateway: openai\r\n"));
  g_assert_nonnull (strstr (get_head (self, nth), "\r\nx-gateway-key: " SECRET "\r\n"));
}

static void
test_kept (Fixture *self, gconstpointer data)
{
  g_autofree char *database = g_build_filename (self->window.folder, "gadget.db", NULL);
  g_autofree char *log = g_strconcat (database, "-wal", NULL);
  const GadgetProviderHeaders *headers;

  add_header (self, "x-gateway", FALSE, "openai");
  add_header (self, "x-gateway-key", TRUE, SECRET);
  assert_tried (self, 0);
  save (self);
  headers = gadget_provider_config_get_headers (
      gadget_provider_list_find (page_get_providers (self), "gate"));
  g_assert_cmpstrv (headers->plain, ((const char *[]) { "x-gateway: openai", NULL }));
  g_assert_cmpstrv (headers->secrets, ((const char *[]) { "x-gateway-key", NULL }));
  for (const char *const *path = (const char *const[]) { database, log, NULL }; *path; path++)
    {
      g_autofree char *bytes = NULL;
      gsize length = 0;

      if (g_file_get_contents (*path, &bytes, &length, NULL))
        g_assert_null (memmem (bytes, length, SECRET, strlen (SECRET)));
    }

  /* What is in the keyring is sent, and not shown. */
  open_page (self);
  wait_until (test_find_row (page_get_root (self), "x-gateway-key (kept in the keyring)") != NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (test_find_row (
                       page_get_root (self), "x-gateway-key (kept in the keyring)"))),
                   ==, "");
  assert_tried (self, 1);
  test_press (page_get_root (self), "Remove x-gateway-key");
  save (self);
  open_page (self);
  test_press (page_get_root (self), "Remove x-gateway");
  save (self);
  g_assert_null (gadget_provider_config_get_headers (
      gadget_provider_list_find (page_get_providers (self), "gate")));
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  begin_header (self, "Authorization");
  g_assert_true (test_says (page_get_root (self), "Gadget sets this header itself."));
  g_assert_false (gtk_widget_get_sensitive (test_find_button (page_get_root (self), "_Add")));
  gtk_editable_set_text (
      GTK_EDITABLE (gtk_widget_get_prev_sibling (test_find_row (page_get_root (self), "Secret"))),
      "a b");
  g_assert_false (gtk_widget_get_sensitive (test_find_button (page_get_root (self), "_Add")));
  test_press (page_get_root (self), "_Cancel");
  wait_until (test_find_row (page_get_root (self), "Secret") == NULL);

  add_header (self, "x-gateway-token", FALSE, SECRET);
  test_press (page_get_root (self), "_Save");
  wait_until (test_says (page_get_root (self), "“x-gateway-token” looks like a secret."));
  test_press (page_get_root (self), "Remove x-gateway-token");
  add_header (self, "x-gateway", FALSE, "gr\xc3\xbcn");
  test_press (page_get_root (self), "Test");
  wait_until (
      test_says (page_get_root (self), "The value of the header “x-gateway” cannot be sent"));
  g_assert_cmpuint (fake_server_get_n_requests (self->server), ==, 0);
  test_enter (page_get_root (self), "x-gateway", "green");
  save (self);
}

static gboolean
is_in_sight (GtkWidget *row)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (row, GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (row, viewport, &bounds));
  return bounds.origin.y >= 0
         && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (viewport);
}

/* A secret header without its value is refused by name, where it is seen and heard, and what was
 * entered stays. */
static void
test_without_value (Fixture *self, gconstpointer data)
{
  add_header (self, "x-gateway-key", TRUE, "");
  test_press (page_get_root (self), "Test");
  wait_until (test_says (page_get_root (self), "A secret header of Gate has no value"));
  g_string_truncate (self->said, 0);
  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("x-%u", i);

      add_header (self, name, FALSE, "a");
    }
  wait_until (is_in_sight (test_find_row (page_get_root (self), "x-8"))
              && !is_in_sight (test_find_row (page_get_root (self), "Connection")));
  test_press (page_get_root (self), "_Save");
  wait_until (test_says (page_get_root (self), "The secret header “x-gateway-key” has no value"));
  wait_until (is_in_sight (test_find_row (page_get_root (self), "Connection")));
  wait_until (strstr (self->said->str, "“x-gateway-key”") != NULL);
  g_assert_null (gadget_provider_config_get_headers (
      gadget_provider_list_find (page_get_providers (self), "gate")));
  test_enter (page_get_root (self), "x-gateway-key", SECRET);
  save (self);

  /* What was entered for one address is not sent to another. */
  open_page (self);
  test_enter (page_get_root (self), "Address", "http://127.0.0.1:9/v1");
  test_press (page_get_root (self), "_Save");
  wait_until (test_says (page_get_root (self),
                         "The secret header “x-gateway-key” has no value for this address."));
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add ("/ui/provider-headers/kept", Fixture, NULL, set_up, test_kept, page_tear_down);
  g_test_add ("/ui/provider-headers/refused", Fixture, NULL, set_up, test_refused, page_tear_down);
  g_test_add ("/ui/provider-headers/without-value", Fixture, NULL, set_up, test_without_value,
              page_tear_down);
  return g_test_run ();
}
