/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-gemini.h"

#include "gadget-error-parser.h"
#include "gadget-gemini-format.h"
#include "gadget-gemini-parser.h"

#include <glib/gi18n-lib.h>

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, const GadgetModelSupport *support)
{
  return gadget_gemini_make_request (request, model, support->plain == 0);
}

/* The messages are "Thinking is not enabled for this model", “Unknown name "thinkingConfig"”, … */
static gboolean
refuses_extras (const GError *error)
{
  static const char *const words[] = { "thinking", "include_thoughts", "includethoughts", NULL };

  return error->code == GADGET_PROVIDER_ERROR_REFUSED
         && gadget_error_parser_mentions (error->message, words);
}

static gboolean
adapt (const GError *error, GadgetModelSupport *support)
{
  if (support->plain > 0 || !refuses_extras (error))
    return FALSE;
  support->plain = 1;
  return TRUE;
}

const GadgetDialect gadget_gemini_dialect = {
  .kind = { GADGET_PROVIDER_KIND_GEMINI, N_ ("Gemini"), "Gemini",
            N_ ("Google's service, with a key of Google AI Studio."), GADGET_KEY_NEEDED,
            "https://generativelanguage.googleapis.com/v1beta" },
  .key_header = "x-goog-api-key",
  .accept = "text/event-stream, application/json",
  .needs_model = TRUE,
  .replays = TRUE,
  .make_chat_url = gadget_gemini_make_chat_url,
  .make_chat_body = make_chat_body,
  .adapt = adapt,
  .read_refusal = gadget_gemini_read_refusal,
  .make_models_url = gadget_gemini_make_models_url,
  .read_models = gadget_gemini_read_models,
  .make_next_url = gadget_gemini_make_next_url,
  .make_describe_url = gadget_gemini_make_model_url,
  .read_description = gadget_gemini_read_description,
  .parser = &gadget_gemini_parser_class,
};
