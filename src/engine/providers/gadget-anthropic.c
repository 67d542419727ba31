/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-anthropic.h"

#include "gadget-anthropic-format.h"
#include "gadget-anthropic-parser.h"
#include "gadget-refusal.h"

/* "Versions" in the API reference: the only one there is. */
#define API_VERSION "2023-06-01"

static char *
make_chat_url (const char *base_url, const char *model)
{
  return gadget_anthropic_make_url (base_url, "messages");
}

static GBytes *
make_chat_body (GadgetRequest *request, const char *model, gboolean plain)
{
  return gadget_anthropic_make_request (request, model, !plain);
}

/* Thinking: older models know another kind of it, some servers none, and what was thought before
 * may no longer be taken back ("Troubleshooting thinking" in the documentation). */
static gboolean
refuses_extras (const GError *error)
{
  return gadget_refusal_mentions (error->message,
                                  (const char *const[]) { "thinking", "signature", NULL });
}

static void
sign (GadgetHttpRequest *request, const char *key)
{
  if (key != NULL)
    gadget_http_request_take_key (request, "x-api-key", g_strdup (key));
  gadget_http_request_add_header (request, "anthropic-version", API_VERSION);
}

/* As many as a page may have. */
static char *
make_models_url (const char *base_url)
{
  return gadget_anthropic_make_url (base_url, "models?limit=1000");
}

static gpointer
parser_new (GadgetChatSink sink, gpointer sink_data)
{
  return gadget_anthropic_parser_new (sink, sink_data);
}

static void
parser_free (gpointer parser)
{
  gadget_anthropic_parser_free (parser);
}

static gboolean
parser_feed (gpointer parser, const char *bytes, gsize length, GError **error)
{
  return gadget_anthropic_parser_feed (parser, bytes, length, error);
}

static gboolean
parser_is_done (gpointer parser)
{
  return gadget_anthropic_parser_is_done (parser);
}

static gboolean
parser_end (gpointer parser, GError **error)
{
  return gadget_anthropic_parser_end (parser, error);
}

const GadgetDialect gadget_anthropic_dialect = {
  .kind = "anthropic",
  .accept = "text/event-stream, application/json",
  .needs_model = TRUE,
  .replays = TRUE,
  .make_chat_url = make_chat_url,
  .make_chat_body = make_chat_body,
  .refuses_extras = refuses_extras,
  .sign = sign,
  .read_refusal = gadget_refusal_read,
  .make_models_url = make_models_url,
  .read_models = gadget_anthropic_read_models,
  .parser_new = parser_new,
  .parser_free = parser_free,
  .parser_feed = parser_feed,
  .parser_is_done = parser_is_done,
  .parser_end = parser_end,
};
