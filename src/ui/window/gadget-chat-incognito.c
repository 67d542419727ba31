/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How an incognito chat looks: a card on top says what that means, and the composer's edge is
 * dashed. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-chat-private.h"

#include <glib/gi18n.h>

/* Returns the provider of the chat if its server is another computer. (transfer none) (nullable) */
static GadgetProviderConfig *
find_remote (GadgetChat *self)
{
  GadgetProviderList *providers = gadget_engine_get_providers (self->engine);
  const char *id = gadget_session_get_provider (self->session);
  GadgetProviderConfig *config = gadget_provider_list_find (
      providers, id != NULL ? id : gadget_provider_list_get_default_id (providers));

  return config != NULL && gadget_provider_config_is_elsewhere (config) ? config : NULL;
}

/* In a narrow window the messages need the room that the details take. */
static void
update (GadgetChat *self)
{
  const gboolean incognito = gadget_session_get_incognito (self->session);
  const gboolean whole = !self->narrow || gadget_session_get_n_turns (self->session) == 0;
  GadgetProviderConfig *remote = incognito ? find_remote (self) : NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->incognito_bin, incognito);
  gtk_widget_set_visible (self->incognito_text, whole);
  gtk_widget_set_visible (GTK_WIDGET (self->incognito_remote), remote != NULL);
  if (incognito)
    gtk_widget_add_css_class (GTK_WIDGET (self), "incognito");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "incognito");
  if (remote == NULL)
    return;
  /* Translators: the name of a service that provides models */
  text =
      g_strdup_printf (_ ("%s may keep what you send."), gadget_provider_config_get_name (remote));
  gtk_label_set_label (self->incognito_remote, text);
}

void
_gadget_chat_update_incognito (GadgetChat *self)
{
  if (self->session != NULL)
    update (self);
}

/* Called when another chat is shown. @before: (nullable) */
void
_gadget_chat_watch_incognito (GadgetChat *self, GadgetSession *before)
{
  static const char *const signals[] = { "notify::incognito", "notify::provider", "items-changed" };

  if (before != NULL)
    g_signal_handlers_disconnect_by_func (before, update, self);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (self->session, signals[i], G_CALLBACK (update), self,
                             G_CONNECT_SWAPPED);
  update (self);
}
