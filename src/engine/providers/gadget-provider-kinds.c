/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kinds of providers that people choose from: each dialect, and behind them services that speak
 * one of them at an address that has to be filled in. */

#define G_LOG_DOMAIN "gadget-provider"

#include "config.h"

#include "gadget-provider-kinds.h"

#include "gadget-dialects.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

/* The addresses of Together AI and Azure OpenAI were not checked against these pages yet:
 *   https://docs.together.ai/docs/openai-api-compatibility
 *   https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
static const GadgetProviderKind services[] = {
  { GADGET_PROVIDER_KIND_OPENAI_CHAT, "Together AI", "Together AI",
    N_ ("Open models, with a key of Together AI."), GADGET_KEY_NEEDED,
    "https://api.together.xyz/v1" },
  { GADGET_PROVIDER_KIND_OPENAI_CHAT, "Azure OpenAI", "Azure OpenAI",
    N_ ("Models that you deployed in Azure. Put the name of your resource in place of "
        "YOUR-RESOURCE in the address; the model is the name of the deployment."),
    GADGET_KEY_NEEDED, "https://YOUR-RESOURCE.openai.azure.com/openai/v1" },
};

guint
gadget_provider_kinds_get_n (void)
{
  return gadget_dialects_get_n () + G_N_ELEMENTS (services);
}

/* Returns the kind at @index. (transfer none) */
const GadgetProviderKind *
gadget_provider_kinds_get (guint index)
{
  const guint n_dialects = gadget_dialects_get_n ();

  g_return_val_if_fail (index < gadget_provider_kinds_get_n (), &services[0]);

  return index < n_dialects ? &gadget_dialects_get (index)->kind : &services[index - n_dialects];
}

/**
 * gadget_provider_kinds_find:
 *
 * Returns: the index of the dialect @id; 0, the most general one, when there is none
 */
guint
gadget_provider_kinds_find (const char *id)
{
  for (guint i = 0; i < gadget_dialects_get_n (); i++)
    if (g_strcmp0 (gadget_dialects_get (i)->kind.id, id) == 0)
      return i;
  return 0;
}

/* Returns the usual address of the kind; "" when it has none. (transfer none) */
const char *
gadget_provider_kinds_get_url (guint index)
{
  const char *url = gadget_provider_kinds_get (index)->url;

  return url != NULL ? url : "";
}

static gboolean
is_here (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  g_autoptr (GInetAddress) address = host != NULL ? g_inet_address_new_from_string (host) : NULL;

  return g_strcmp0 (host, "localhost") == 0
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

/* Tells whether a server of this kind at @url may want a key at all. */
gboolean
gadget_provider_kinds_has_key (guint index, const char *url)
{
  return gadget_provider_kinds_get (index)->key != GADGET_KEY_ELSEWHERE || !is_here (url);
}

char *
gadget_provider_kinds_dup_ids (void)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < gadget_dialects_get_n (); i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", gadget_dialects_get (i)->kind.id);
  return g_string_free (ids, FALSE);
}
