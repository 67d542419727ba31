/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows the test of a key: its state, the models, and a card that says why the key was not
 * accepted. */

#define G_LOG_DOMAIN "gadget-preferences"

#include "config.h"

#include "gadget-service-page-private.h"

#include "gadget-preferences-rows.h"
#include "secrets/gadget-secrets.h"
#include "ui/common/gadget-announcer.h"
#include "ui/common/gadget-labels.h"

#include <glib/gi18n.h>

const char *
_gadget_service_page_get_key (GadgetServicePage *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->key_row));
}

void
_gadget_service_page_show_state (GadgetServicePage *self, GtkWidget *mark, const char *text)
{
  adw_bin_set_child (self->state_mark, mark);
  gtk_label_set_text (self->state_label, text != NULL ? text : "");
  gtk_widget_set_visible (self->state_line, text != NULL);
  if (text != NULL)
    gadget_announce (GTK_WIDGET (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Keeps the focus in the form when the card that has it, with the button that was pressed, goes. */
static void
take_focus (GadgetServicePage *self)
{
  GtkRoot *root = gtk_widget_get_root (self->card);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->card))
    gtk_widget_grab_focus (self->test_button);
}

/* Shows or hides the card, and makes it the error message of the entry for screen readers too. */
void
_gadget_service_page_set_card_shown (GadgetServicePage *self, gboolean shown)
{
  GtkAccessible *text = GTK_ACCESSIBLE (gtk_editable_get_delegate (GTK_EDITABLE (self->key_row)));

  if (!shown)
    take_focus (self);
  gtk_widget_set_visible (self->card, shown);
  if (shown)
    {
      gtk_widget_add_css_class (self->key_row, "error");
      gtk_accessible_update_relation (text, GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE, self->card, NULL,
                                      -1);
      gtk_accessible_update_state (text, GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE,
                                   -1);
      return;
    }
  gtk_widget_remove_css_class (self->key_row, "error");
  gtk_accessible_reset_relation (text, GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
  gtk_accessible_reset_state (text, GTK_ACCESSIBLE_STATE_INVALID);
}

void
_gadget_service_page_show_card (GadgetServicePage *self, const GadgetServiceCard *card)
{
  /* Translators: two sentences: what failed, and why */
  g_autofree char *spoken = g_strdup_printf (_ ("%s %s"), card->title, card->text);
  const GadgetService *other =
      gadget_services_find_by_key (_gadget_service_page_get_key (self), NULL);
  g_autofree char *label = NULL;

  if (other != NULL)
    label = g_strdup_printf (_ ("Add to %s Instead"), other->name);
  gtk_label_set_text (self->card_title, card->title);
  gtk_label_set_text (self->card_text, card->text);
  gtk_label_set_text (self->details_text, card->detail != NULL ? card->detail : "");
  gtk_widget_set_visible (self->details, card->detail != NULL);
  gtk_button_set_label (GTK_BUTTON (self->other_button), label != NULL ? label : "");
  gtk_widget_set_visible (self->other_button, other != NULL && other != self->service
                                                  && !card->can_retry && !card->can_unlock);
  gtk_widget_set_visible (self->retry_button, card->can_retry);
  gtk_widget_set_visible (self->untested_button, card->can_add);
  gtk_widget_set_visible (self->unlock_button, card->can_unlock);
  gtk_widget_set_visible (self->for_now_button, card->can_unlock);
  gtk_widget_set_visible (self->get_button, !card->can_retry && !card->can_unlock);
  _gadget_service_page_show_state (self, NULL, NULL);
  _gadget_service_page_set_card_shown (self, TRUE);
  gadget_announce (GTK_WIDGET (self), spoken, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

void
_gadget_service_page_update_keyring (GadgetServicePage *self)
{
  GadgetSecrets *secrets = gadget_engine_get_secrets (self->engine);
  const GError *failure = gadget_secrets_get_failure (secrets);
  const char *text = _ ("Login keyring, locked when you log out");

  if (g_error_matches (failure, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED))
    text = _ ("Memory, until Gadget closes: the keyring is locked");
  else if (g_error_matches (failure, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_TIMED_OUT))
    text = _ ("Memory, until Gadget closes: the keyring does not answer");
  else if (!gadget_secrets_get_persistent (secrets))
    text = _ ("Memory, until Gadget closes: no keyring can be reached");
  adw_action_row_set_subtitle (self->keyring_row, text);
}

void
_gadget_service_page_update_address (GadgetServicePage *self)
{
  adw_action_row_set_subtitle (self->address_row,
                               gtk_editable_get_text (GTK_EDITABLE (self->url_row)));
}

static void
show_models (GadgetServicePage *self, GPtrArray *models)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < models->len; i++)
    gtk_string_list_append (names, gadget_model_get_name (g_ptr_array_index (models, i)));
  adw_combo_row_set_model (self->model_row, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->model_row), models->len > 0);
}

void
_gadget_service_page_show_accepted (GadgetServicePage *self, GPtrArray *models)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("Connected · %u model available", "Connected · %u models available", models->len),
      models->len);

  show_models (self, models);
  _gadget_service_page_show_state (
      self, gadget_preferences_mark ("object-select-symbolic", "success"), text);
  gtk_widget_set_sensitive (self->add_button, TRUE);
}

/* Returns what may be wrong with a key that was refused, for people. (transfer full) */
static char *
describe_refusal (GadgetServicePage *self)
{
  const char *prefix = NULL;
  const GadgetService *other =
      gadget_services_find_by_key (_gadget_service_page_get_key (self), &prefix);

  if (other == NULL || other == self->service)
    return g_strdup (
        _ ("Copy the whole key from the service, or make a new one. Nothing was saved."));
  if (self->service->key_prefix == NULL)
    return g_strdup_printf (
        /* Translators: the beginning of a key, a service */
        _ ("It begins with “%s”, as keys of %s do. Nothing was saved."), prefix, other->name);
  return g_strdup_printf (
      /* Translators: the beginning of a key, a service; another service, the beginning of its keys
       */
      _ ("It begins with “%s”, as keys of %s do; those of %s begin with “%s”. Nothing was saved."),
      prefix, other->name, self->service->name, self->service->key_prefix);
}

static void
show_refused (GadgetServicePage *self, const GError *error)
{
  g_autofree char *title = g_strdup_printf (_ ("%s refused this key."), self->service->name);
  g_autofree char *text = describe_refusal (self);

  _gadget_service_page_show_card (
      self, &(GadgetServiceCard) { .title = title, .text = text, .detail = error->message });
}

static void
show_unanswered (GadgetServicePage *self, GadgetProviderConfig *config, const GError *error)
{
  g_autoptr (GUri) uri =
      g_uri_parse (gadget_provider_config_get_base_url (config), G_URI_FLAGS_NONE, NULL);
  g_autofree char *title =
      /* Translators: %s is the name of a computer: openrouter.ai */
      g_strdup_printf (_ ("No answer from %s."), uri != NULL ? g_uri_get_host (uri) : "");

  _gadget_service_page_show_card (
      self, &(GadgetServiceCard) { .title = title,
                                   .text = _ ("Check the network. Nothing was saved."),
                                   .detail = error->message,
                                   .can_retry = TRUE,
                                   .can_add = TRUE });
}

void
_gadget_service_page_show_failure (GadgetServicePage *self, GadgetProviderConfig *config,
                                   const GError *error)
{
  g_autofree char *text = NULL;

  if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_AUTH))
    show_refused (self, error);
  else if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_UNREACHABLE)
           || g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TIMEOUT))
    show_unanswered (self, config, error);
  else
    {
      const gboolean passes =
          g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED)
          || g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_RATE_LIMITED);

      text = gadget_labels_error (error, self->service->name);
      _gadget_service_page_show_card (
          self, &(GadgetServiceCard) { .title = _ ("The key could not be tested."),
                                       .text = text,
                                       .detail = error->message,
                                       .can_retry = TRUE,
                                       .can_add = passes });
    }
}

void
_gadget_service_page_show_no_credit (GadgetServicePage *self)
{
  _gadget_service_page_show_state (self,
                                   gadget_preferences_mark ("dialog-warning-symbolic", "warning"),
                                   _ ("The key works, but has no credit left."));
  gtk_widget_set_sensitive (self->add_button, TRUE);
}

/* Called when the provider was added, but its key is not in the keyring. */
void
_gadget_service_page_show_locked (GadgetServicePage *self)
{
  _gadget_service_page_show_card (
      self,
      &(GadgetServiceCard) { .title = _ ("The keyring is locked."),
                             .text = _ ("The provider was added. Its key is kept only until Gadget "
                                        "closes, unless you unlock the keyring."),
                             .can_unlock = TRUE });
}
