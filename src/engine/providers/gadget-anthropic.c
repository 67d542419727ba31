/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-anthropic.h"

#include "gadget-anthropic-format.h"
#include "gadget-anthropic-parser.h"
#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"

#include <glib/gi18n-lib.h>

/* The only version there is ("Versions" in the API reference). */
static const char *const headers[] = { "anthropic-version", "2023-06-01", NULL };

static char *
make_chat_url (const char *base_url, const char *model)
{
  return gadget_dialect_make_url (base_url, "/v1", "messages");
}

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, const GadgetModelSupport *support)
{
  return gadget_anthropic_make_request (request, model, (GadgetAnthropicThinking) support->plain,
                                        support->max_tokens);
}

/* Reads the limit from a message such as "max_tokens: 32000 > 8192, which is the maximum allowed
 * number of output tokens for NAME", or from what other servers of this API say. There is no other
 * reliable way to learn the limit of a model. It is learned only once, so that a server that names
 * another limit each time does not cause endless requests. */
static gboolean
adapt_limit (const GError *error, GadgetModelSupport *support)
{
  if (support->max_tokens != 0)
    return FALSE;
  support->max_tokens =
      gadget_error_parser_find_limit (error->message, "max_tokens", GADGET_ANTHROPIC_MAX_TOKENS);
  return support->max_tokens != 0;
}

/* Older models know another kind of thinking ("adaptive thinking is not supported on this model"),
 * some know none ("'NAME' does not support thinking."), and the server may no longer accept earlier
 * thinking ("Troubleshooting thinking" in the documentation). */
static gboolean
adapt_thinking (const GError *error, GadgetModelSupport *support)
{
  const gboolean signed_wrong =
      gadget_error_parser_mentions (error->message, (const char *const[]) { "signature", NULL });

  if (support->plain >= GADGET_ANTHROPIC_NO_THINKING
      || !(signed_wrong
           || gadget_error_parser_mentions (error->message,
                                            (const char *const[]) { "thinking", NULL })))
    return FALSE;
  support->plain = signed_wrong ? GADGET_ANTHROPIC_NO_THINKING : support->plain + 1;
  return TRUE;
}

static gboolean
adapt (const GError *error, GadgetModelSupport *support)
{
  /* "input length and `max_tokens` exceed context limit" is about the size of the chat. */
  if (error->code == GADGET_PROVIDER_ERROR_CONTEXT)
    return FALSE;
  return adapt_limit (error, support) || adapt_thinking (error, support);
}

/* The limit is the largest page size. */
static char *
make_models_url (const char *base_url)
{
  return gadget_dialect_make_url (base_url, "/v1", "models?limit=1000");
}

const GadgetDialect gadget_anthropic_dialect = {
  .kind = { GADGET_PROVIDER_KIND_ANTHROPIC, N_ ("Anthropic"), "Anthropic",
            N_ ("Anthropic's own service, for Claude models."), GADGET_KEY_NEEDED,
            "https://api.anthropic.com" },
  .key_header = "x-api-key",
  .headers = headers,
  .accept = "text/event-stream, application/json",
  .needs_model = TRUE,
  .replays = TRUE,
  .make_chat_url = make_chat_url,
  .make_chat_body = make_chat_body,
  .adapt = adapt,
  .read_refusal = gadget_error_parser_read,
  .make_models_url = make_models_url,
  .read_models = gadget_anthropic_read_models,
  .parser = &gadget_anthropic_parser_class,
};
