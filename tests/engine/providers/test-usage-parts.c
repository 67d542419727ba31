/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each dialect says of the parts of a usage: the cache, reasoning, the cost. What it does not
 * say is unknown. */

#include "config.h"

#include "providers/gadget-dialects.h"

#include <string.h>

#define CACHED GADGET_USAGE_CACHED
#define WRITE GADGET_USAGE_CACHE_WRITE
#define REASONING GADGET_USAGE_REASONING
#define COST GADGET_USAGE_COST

#define CHAT(usage)                                                                                \
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],"  \
  "\"usage\":" usage "}\n\ndata: [DONE]\n\n"
#define RESPONSE(usage)                                                                            \
  "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{"               \
  "\"status\":\"completed\",\"output\":[],\"usage\":" usage "}}\n\n"
#define GEMINI(usage)                                                                              \
  "data: "                                                                                         \
  "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}],"     \
  "\"usageMetadata\":" usage "}\n\n"
#define MESSAGE(start, end)                                                                        \
  "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],"           \
  "\"usage\":" start "}}\n\n"                                                                      \
  "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"            \
  "\"end_turn\"},\"usage\":" end "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"

typedef struct
{
  const char *name;
  const char *kind;
  const char *body;
  GadgetUsage usage;
} Row;

/* The members are input, cached, written to the cache, output, reasoning, cost, known. */
static const Row rows[] = {
  { "chat/details",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,"
          "\"prompt_tokens_details\":{\"cached_tokens\":60,\"cache_write_tokens\":10},"
          "\"completion_tokens_details\":{\"reasoning_tokens\":15}}"),
    { 100, 60, 10, 20, 15, 0, CACHED | WRITE | REASONING } },
  { "chat/nothing",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,\"prompt_tokens_details\":null}"),
    { 100, 0, 0, 20, 0, 0, 0 } },
  { "chat/zero",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,\"cost\":0,"
          "\"prompt_tokens_details\":{\"cached_tokens\":0}}"),
    { 100, 0, 0, 20, 0, 0, CACHED | COST } },
  { "chat/cost",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,\"cost\":0.5}"),
    { 100, 0, 0, 20, 0, GADGET_COST_DOLLAR / 2, COST } },
  { "chat/deepseek",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,\"prompt_cache_hit_tokens\":64,"
          "\"prompt_cache_miss_tokens\":36}"),
    { 100, 64, 0, 20, 0, 0, CACHED } },
  /* A part is at most the whole, and not negative. */
  { "chat/nonsense",
    GADGET_PROVIDER_KIND_OPENAI_CHAT,
    CHAT ("{\"prompt_tokens\":100,\"completion_tokens\":20,"
          "\"prompt_tokens_details\":{\"cached_tokens\":1000,\"cache_write_tokens\":-1},"
          "\"completion_tokens_details\":{\"reasoning_tokens\":21}}"),
    { 100, 100, 0, 20, 20, 0, CACHED | REASONING } },
  { "responses",
    GADGET_PROVIDER_KIND_OPENAI_RESPONSES,
    RESPONSE ("{\"input_tokens\":100,\"output_tokens\":20,"
              "\"input_tokens_details\":{\"cached_tokens\":60},"
              "\"output_tokens_details\":{\"reasoning_tokens\":15}}"),
    { 100, 60, 0, 20, 15, 0, CACHED | REASONING } },
  /* The tokens of the cache are not among those of the input. */
  { "anthropic",
    GADGET_PROVIDER_KIND_ANTHROPIC,
    MESSAGE ("{\"input_tokens\":25,\"cache_creation_input_tokens\":100,"
             "\"cache_read_input_tokens\":1000,\"output_tokens\":1}",
             "{\"output_tokens\":15}"),
    { 1125, 1000, 100, 15, 0, 0, CACHED | WRITE } },
  { "anthropic/nothing",
    GADGET_PROVIDER_KIND_ANTHROPIC,
    MESSAGE ("{\"input_tokens\":25,\"output_tokens\":1}", "{\"output_tokens\":15}"),
    { 25, 0, 0, 15, 0, 0, 0 } },
  /* Thoughts are not among the candidates; what is 0 is left out. */
  { "gemini",
    GADGET_PROVIDER_KIND_GEMINI,
    GEMINI ("{\"promptTokenCount\":100,\"cachedContentTokenCount\":60,"
            "\"candidatesTokenCount\":5,\"thoughtsTokenCount\":15}"),
    { 100, 60, 0, 20, 15, 0, CACHED | REASONING } },
  { "gemini/nothing",
    GADGET_PROVIDER_KIND_GEMINI,
    GEMINI ("{\"promptTokenCount\":100,\"candidatesTokenCount\":5}"),
    { 100, 0, 0, 5, 0, 0, CACHED | REASONING } },
  { "ollama",
    GADGET_PROVIDER_KIND_OLLAMA,
    "{\"message\":{\"role\":\"assistant\",\"content\":\"Hi\"},\"done\":true,"
    "\"done_reason\":\"stop\",\"prompt_eval_count\":100,\"eval_count\":20}\n",
    { 100, 0, 0, 20, 0, 0, 0 } },
};

static void
sink (const GadgetChatEvent *event, gpointer user_data)
{
  if (event->type == GADGET_CHAT_USAGE)
    *(GadgetUsage *) user_data = event->usage;
}

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  GadgetUsage usage = { 0 };
  g_autoptr (GadgetResponseParser) parser =
      gadget_response_parser_new (gadget_dialects_find (row->kind)->parser, sink, &usage);
  g_autoptr (GError) error = NULL;

  gadget_response_parser_feed (parser, row->body, strlen (row->body), &error);
  g_assert_no_error (error);
  gadget_response_parser_end (parser, &error);
  g_assert_no_error (error);
  g_assert_cmpint (usage.input_tokens, ==, row->usage.input_tokens);
  g_assert_cmpint (usage.cached_tokens, ==, row->usage.cached_tokens);
  g_assert_cmpint (usage.cache_write_tokens, ==, row->usage.cache_write_tokens);
  g_assert_cmpint (usage.output_tokens, ==, row->usage.output_tokens);
  g_assert_cmpint (usage.reasoning_tokens, ==, row->usage.reasoning_tokens);
  g_assert_cmpint (usage.cost, ==, row->usage.cost);
  g_assert_cmpint ((int) usage.known, ==, (int) row->usage.known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/engine/usage-parts/", rows[i].name, NULL);

      g_test_add_data_func (path, &rows[i], test_row);
    }
  return g_test_run ();
}
