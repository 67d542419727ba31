/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-provider-kinds.h"

#include "providers/gadget-provider-config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

/* The addresses of Together AI and Azure OpenAI were not checked against these pages yet:
 *   https://docs.together.ai/docs/openai-api-compatibility
 *   https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 * Both entries must come after the plain entry of their kind, because gadget_provider_kinds_find ()
 * returns the first one. */
static const GadgetKind kinds[] = {
  { GADGET_PROVIDER_KIND_OPENAI_CHAT, N_ ("OpenAI-Compatible"), "",
    N_ ("Any server that speaks the OpenAI Chat Completions API: a cloud service, or llama.cpp, "
        "LM Studio or vLLM on this computer. Its address looks like http://127.0.0.1:8080/v1."),
    GADGET_KEY_OPTIONAL },
  { GADGET_PROVIDER_KIND_OPENAI_RESPONSES, N_ ("OpenAI (Responses)"), "OpenAI",
    N_ ("OpenAI's own service, with the models' reasoning kept from step to step."),
    GADGET_KEY_NEEDED },
  { GADGET_PROVIDER_KIND_ANTHROPIC, N_ ("Anthropic"), "Anthropic",
    N_ ("Anthropic's own service, for Claude models."), GADGET_KEY_NEEDED },
  { GADGET_PROVIDER_KIND_OLLAMA, N_ ("Ollama"), "Ollama",
    N_ ("Models that Ollama runs, on this computer or another. They are fetched with “ollama "
        "pull”, and how much of a chat they take is set in Ollama."),
    GADGET_KEY_ELSEWHERE },
  { GADGET_PROVIDER_KIND_GEMINI, N_ ("Gemini"), "Gemini",
    N_ ("Google's service, with a key of Google AI Studio."), GADGET_KEY_NEEDED },
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
  return G_N_ELEMENTS (kinds);
}

/* Returns the entry at @index. (transfer none) */
const GadgetKind *
gadget_provider_kinds_get (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (kinds), &kinds[0]);

  return &kinds[index];
}

/**
 * gadget_provider_kinds_find:
 *
 * Returns: the index of the first entry of @kind; 0, the most general one, when there is none
 */
guint
gadget_provider_kinds_find (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i].kind, kind) == 0)
      return i;
  return 0;
}

/* Returns the usual address of the entry; "" when it has none. (transfer none) */
const char *
gadget_provider_kinds_get_url (guint index)
{
  const GadgetKind *kind = gadget_provider_kinds_get (index);
  const char *url = kind->url != NULL ? kind->url : gadget_provider_kind_get_base_url (kind->kind);

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
