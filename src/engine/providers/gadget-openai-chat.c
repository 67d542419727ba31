/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-openai-chat.h"

#include "gadget-error-parser.h"
#include "gadget-openai-chat-format.h"
#include "gadget-openai-chat-parser.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static char *
make_chat_url (const char *base_url, const char *model)
{
  return gadget_openai_chat_make_url (base_url, "chat/completions");
}

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, const GadgetModelSupport *support)
{
  return gadget_openai_chat_make_request (request, model, support->plain == 0);
}

/* The only optional feature is the request for the number of tokens. */
static gboolean
refuses_extras (const GError *error)
{
  return strstr (error->message, "stream_options") != NULL
         || strstr (error->message, "include_usage") != NULL;
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

const GadgetDialect gadget_openai_chat_dialect = {
  .kind = { GADGET_PROVIDER_KIND_OPENAI_CHAT, N_ ("OpenAI-Compatible"), "",
            N_ ("Any server that speaks the OpenAI Chat Completions API: a cloud service, or "
                "llama.cpp, LM Studio or vLLM on this computer. Its address looks like "
                "http://127.0.0.1:8080/v1."),
            GADGET_KEY_OPTIONAL, NULL },
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "text/event-stream, application/json",
  .make_chat_url = make_chat_url,
  .make_chat_body = make_chat_body,
  .adapt = adapt,
  .read_refusal = gadget_error_parser_read,
  .make_models_url = make_models_url,
  .read_models = gadget_openai_chat_read_models,
  .make_details_url = gadget_openai_chat_make_more_url,
  .read_more = gadget_openai_chat_read_more,
  .parser = &gadget_openai_chat_parser_class,
};
