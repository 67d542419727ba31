/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-ollama.h"

#include "gadget-ollama-format.h"
#include "gadget-ollama-parser.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static char *
make_chat_url (const char *base_url, const char *model)
{
  return gadget_ollama_make_url (base_url, "chat");
}

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, const GadgetModelSupport *support)
{
  return gadget_ollama_make_request (request, model, support->plain == 0);
}

/* The message is “"NAME" does not support thinking”. */
static gboolean
refuses_extras (const GError *error)
{
  return strstr (error->message, "support thinking") != NULL
         || strstr (error->message, "think value") != NULL;
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
  return gadget_ollama_make_url (base_url, "tags");
}

static char *
make_describe_url (const char *base_url, const char *model)
{
  return gadget_ollama_make_url (base_url, "show");
}

static char *
make_details_url (const char *base_url, GadgetModel *model, guint step)
{
  return step == 0 ? gadget_ollama_make_url (base_url, "ps") : NULL;
}

static void
read_more (const char *text, gsize length, GadgetModel *model)
{
  gint64 allocated;

  if (gadget_ollama_read_running (text, length, gadget_model_get_name (model), &allocated)
      && allocated > 0)
    gadget_model_set_context_length (model, allocated);
}

static char *
make_running_url (const char *base_url)
{
  return gadget_ollama_make_url (base_url, "ps");
}

static gboolean
is_running (const char *text, gsize length, const char *model)
{
  gint64 allocated;

  return gadget_ollama_read_running (text, length, model, &allocated);
}

const GadgetDialect gadget_ollama_dialect = {
  .kind = { GADGET_PROVIDER_KIND_OLLAMA, N_ ("Ollama"), "Ollama",
            N_ ("Models that Ollama runs, on this computer or another. They are fetched with "
                "“ollama pull”, and how much of a chat they take is set in Ollama."),
            GADGET_KEY_ELSEWHERE, "http://127.0.0.1:11434" },
  /* Ollama itself needs no key, but a proxy in front of it may. */
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "application/x-ndjson, application/json",
  .needs_model = TRUE,
  .replays = TRUE,
  .make_chat_url = make_chat_url,
  .make_chat_body = make_chat_body,
  .adapt = adapt,
  .read_refusal = gadget_ollama_read_refusal,
  .make_models_url = make_models_url,
  .read_models = gadget_ollama_read_models,
  .make_describe_url = make_describe_url,
  .make_describe_body = gadget_ollama_make_show,
  .read_description = gadget_ollama_read_show,
  .make_details_url = make_details_url,
  .read_more = read_more,
  .make_running_url = make_running_url,
  .is_running = is_running,
  .parser = &gadget_ollama_parser_class,
};
