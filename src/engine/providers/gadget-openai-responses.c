/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-openai-responses.h"

#include "gadget-error-parser.h"
#include "gadget-openai-chat-format.h"
#include "gadget-openai-responses-format.h"
#include "gadget-openai-responses-parser.h"

#include <glib/gi18n-lib.h>

static char *
make_chat_url (const char *base_url, const char *model)
{
  return gadget_openai_chat_make_url (base_url, "responses");
}

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, const GadgetModelSupport *support)
{
  return gadget_openai_responses_make_request (request, model, support->plain == 0);
}

/* The optional feature is reasoning: some models do none, some organizations may not see it, and
 * the server may no longer accept earlier reasoning. */
static gboolean
refuses_extras (const GError *error)
{
  return gadget_error_parser_mentions (error->message,
                                       (const char *const[]) { "reasoning", "encrypted", NULL });
}

static gboolean
adapt (const GError *error, GadgetModelSupport *support)
{
  if (support->plain > 0 || !refuses_extras (error))
    return FALSE;
  support->plain = 1;
  return TRUE;
}

static char *
make_models_url (const char *base_url)
{
  return gadget_openai_chat_make_url (base_url, "models");
}

const GadgetDialect gadget_openai_responses_dialect = {
  .kind = { GADGET_PROVIDER_KIND_OPENAI_RESPONSES, N_ ("OpenAI (Responses)"), "OpenAI",
            N_ ("OpenAI's own service, with the models' reasoning kept from step to step."),
            GADGET_KEY_NEEDED, "https://api.openai.com/v1" },
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "text/event-stream, application/json",
  .needs_model = TRUE,
  .replays = TRUE,
  .make_chat_url = make_chat_url,
  .make_chat_body = make_chat_body,
  .adapt = adapt,
  .read_refusal = gadget_error_parser_read,
  .make_models_url = make_models_url,
  .read_models = gadget_openai_chat_read_models,
  .parser = &gadget_openai_responses_parser_class,
};
