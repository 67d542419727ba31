/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of all dialects. The settings, the command line and the preferences know them from
 * here alone. */

#define G_LOG_DOMAIN "gadget-provider"

#include "config.h"

#include "gadget-dialects.h"

#include "gadget-anthropic.h"
#include "gadget-gemini.h"
#include "gadget-ollama.h"
#include "gadget-openai-chat.h"
#include "gadget-openai-responses.h"

/* The first one is the most general one. */
static const GadgetDialect *const dialects[] = {
  &gadget_openai_chat_dialect, &gadget_openai_responses_dialect, &gadget_anthropic_dialect,
  &gadget_ollama_dialect,      &gadget_gemini_dialect,
};

guint
gadget_dialects_get_n (void)
{
  return G_N_ELEMENTS (dialects);
}

/**
 * gadget_dialects_get:
 * @index: less than gadget_dialects_get_n ()
 *
 * Returns: (transfer none): the dialect
 */
const GadgetDialect *
gadget_dialects_get (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (dialects), dialects[0]);
  return dialects[index];
}

const GadgetDialect *
gadget_dialects_find (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (g_strcmp0 (kind, dialects[i]->kind.id) == 0)
      return dialects[i];
  return NULL;
}
