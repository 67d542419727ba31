/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-dialect.h"

#include <string.h>

#define CHAT(delta, reason)                                                                        \
  "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"model\":\"fake-model\","    \
  "\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" reason "}]}\n\n"
#define CHAT_CALL(arguments)                                                                       \
  CHAT ("{\"tool_calls\":[{\"index\":@i,\"id\":\"call_@i\",\"type\":\"function\",\"function\":"    \
        "{\"name\":\"@n\",\"arguments\":\"" arguments "\"}}]}",                                    \
        "null")
#define CHAT_END                                                                                   \
  "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":34,"                \
  "\"total_tokens\":46}}\n\ndata: [DONE]\n\n"

/* A named event whose data says its name again. */
#define EVENT(name, members) "event: " name "\ndata: {\"type\":\"" name "\"," members "}\n\n"

#define ITEM(added, call)                                                                          \
  EVENT ("response.output_item." added, "\"output_index\":@i,\"item\":" call)
#define FUNCTION_CALL(status, arguments)                                                           \
  "{\"type\":\"function_call\",\"id\":\"fc_@i\",\"call_id\":\"call_@i\",\"name\":\"@n\","          \
  "\"status\":\"" status "\",\"arguments\":\"" arguments "\"}"
#define RESPONSES_END                                                                              \
  EVENT ("response.completed",                                                                     \
         "\"response\":{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"completed\","       \
         "\"model\":\"fake-model\",\"output\":[],\"usage\":{\"input_tokens\":12,"                  \
         "\"output_tokens\":34,\"total_tokens\":46}}")

#define BLOCK_CALL                                                                                 \
  EVENT ("content_block_start", "\"index\":@i,\"content_block\":{\"type\":\"tool_use\","           \
                                "\"id\":\"toolu_@i\",\"name\":\"@n\",\"input\":{}}")
#define BLOCK_INPUT(json)                                                                          \
  EVENT ("content_block_delta",                                                                    \
         "\"index\":@i,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"" json "\"}")
#define ANTHROPIC_END(reason)                                                                      \
  EVENT ("message_delta", "\"delta\":{\"stop_reason\":\"" reason "\",\"stop_sequence\":null},"     \
                          "\"usage\":{\"output_tokens\":34}")                                      \
  "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"

#define OLLAMA(message) "{\"model\":\"fake-model\",\"message\":{\"role\":\"assistant\"," message
#define OLLAMA_END                                                                                 \
  OLLAMA ("\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\","                              \
          "\"prompt_eval_count\":12,\"eval_count\":34}\n")

#define GEMINI(part, more)                                                                         \
  "data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[" part "]}" more \
  "}],\"modelVersion\":\"fake-model\"}\n\n"
#define GEMINI_END                                                                                 \
  "data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[{\"text\":"      \
  "\"\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":12,"                \
  "\"candidatesTokenCount\":34,\"totalTokenCount\":46},\"modelVersion\":\"fake-model\"}\n\n"

const FakeDialect fake_dialects[] = {
  {
      .kind = "openai-chat",
      .path = "/v1",
      .content_type = "text/event-stream",
      .begin = CHAT ("{\"role\":\"assistant\"}", "null"),
      .text = CHAT ("{\"content\":\"@t\"}", "null"),
      .call = CHAT_CALL ("@a"),
      .cut_call = CHAT_CALL ("{\\\"comm"),
      .reasoning = CHAT ("{\"reasoning_content\":\"@t\"}", "null"),
      .error = "data: {\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\"}}\n\n",
      .end_text = CHAT ("{}", "\"stop\"") CHAT_END,
      .end_calls = CHAT ("{}", "\"tool_calls\"") CHAT_END,
  },
  {
      .kind = "openai-responses",
      .path = "/v1",
      .content_type = "text/event-stream",
      .begin = EVENT ("response.created",
                      "\"response\":{\"id\":\"resp_1\",\"object\":\"response\","
                      "\"status\":\"in_progress\",\"model\":\"fake-model\",\"output\":[]}"),
      .open_text = EVENT ("response.output_item.added",
                          "\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\","
                          "\"status\":\"in_progress\",\"role\":\"assistant\",\"content\":[]}")
          EVENT ("response.content_part.added",
                 "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,"
                 "\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}"),
      .text = EVENT ("response.output_text.delta",
                     "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,"
                     "\"delta\":\"@t\""),
      .close_text = EVENT ("response.output_item.done",
                           "\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\","
                           "\"status\":\"completed\",\"role\":\"assistant\",\"content\":[]}"),
      .call = ITEM ("added", FUNCTION_CALL ("in_progress", ""))
          EVENT ("response.function_call_arguments.delta",
                 "\"item_id\":\"fc_@i\",\"output_index\":@i,\"delta\":\"@a\"")
              EVENT ("response.function_call_arguments.done",
                     "\"item_id\":\"fc_@i\",\"output_index\":@i,\"arguments\":\"@a\"")
                  ITEM ("done", FUNCTION_CALL ("completed", "@a")),
      .cut_call = ITEM ("added", FUNCTION_CALL ("in_progress", ""))
          EVENT ("response.function_call_arguments.delta",
                 "\"item_id\":\"fc_@i\",\"output_index\":@i,\"delta\":\"{\\\"comm\""),
      .reasoning = EVENT ("response.output_item.added",
                          "\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs_1\","
                          "\"summary\":[]}")
          EVENT ("response.reasoning_summary_text.delta",
                 "\"item_id\":\"rs_1\",\"output_index\":0,\"summary_index\":0,\"delta\":\"@t\""),
      .error =
          EVENT ("error", "\"code\":\"server_error\",\"message\":\"Overloaded\",\"param\":null"),
      .end_text = RESPONSES_END,
      .end_calls = RESPONSES_END,
  },
  {
      .kind = "anthropic",
      .path = "/v1",
      .content_type = "text/event-stream",
      .begin = EVENT ("message_start",
                      "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
                      "\"model\":\"fake-model\",\"content\":[],\"stop_reason\":null,"
                      "\"usage\":{\"input_tokens\":12,\"output_tokens\":1}}"),
      .open_text = EVENT ("content_block_start",
                          "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
      .text = EVENT ("content_block_delta",
                     "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"@t\"}"),
      .close_text = EVENT ("content_block_stop", "\"index\":0"),
      .call = BLOCK_CALL BLOCK_INPUT ("@a") EVENT ("content_block_stop", "\"index\":@i"),
      .cut_call = BLOCK_CALL BLOCK_INPUT ("{\\\"comm"),
      .reasoning = EVENT ("content_block_start",
                          "\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\","
                          "\"signature\":\"\"}")
          EVENT ("content_block_delta",
                 "\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"@t\"}"),
      .error = EVENT ("error", "\"error\":{\"type\":\"overloaded_error\",\"message\":"
                               "\"Overloaded\"}"),
      .end_text = ANTHROPIC_END ("end_turn"),
      .end_calls = ANTHROPIC_END ("tool_use"),
  },
  {
      .kind = "ollama",
      .path = "",
      .content_type = "application/x-ndjson",
      .text = OLLAMA ("\"content\":\"@t\"},\"done\":false}\n"),
      .call = OLLAMA ("\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"@n\","
                      "\"arguments\":@o}}]},\"done\":false}\n"),
      /* Calls come whole: what is cut is the line. */
      .cut_call = OLLAMA ("\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"@n\","
                          "\"arguments\":{\"comm"),
      .end_text = OLLAMA_END,
      .end_calls = OLLAMA_END,
  },
  {
      .kind = "gemini",
      .path = "/v1beta",
      .content_type = "text/event-stream",
      .text = GEMINI ("{\"text\":\"@t\"}", ""),
      .call = GEMINI ("{\"functionCall\":{\"id\":\"call_@i\",\"name\":\"@n\",\"args\":@o},"
                      "\"thoughtSignature\":\"c2lnbmVk\"}",
                      ""),
      .cut_call = "data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":["
                  "{\"functionCall\":{\"name\":\"@n\",\"args\":{\"comm",
      .end_text = GEMINI_END,
      .end_calls = GEMINI_END,
  },
  { NULL },
};

const FakeDialect *
fake_dialect_find (const char *kind)
{
  for (const FakeDialect *dialect = fake_dialects; dialect->kind != NULL; dialect++)
    if (g_str_equal (dialect->kind, kind))
      return dialect;
  g_assert_not_reached ();
}

/* The inside of a JSON string. */
static char *
escape (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (out, "\\%c", *c);
      else if ((guchar) *c < 0x20)
        g_string_append_printf (out, "\\u%04x", (guint) (guchar) *c);
      else
        g_string_append_c (out, *c);
    }
  return g_string_free_and_steal (g_steal_pointer (&out));
}

/* One pass, since what is put in may have an @ of its own. */
static char *
fill (const char *pattern, guint index, const char *name, const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *inside = escape (text);

  for (const char *c = pattern; *c != '\0'; c++)
    if (*c != '@')
      g_string_append_c (out, *c);
    else
      switch (*++c)
        {
        case 'i':
          g_string_append_printf (out, "%u", index);
          break;
        case 'n':
          g_string_append (out, name);
          break;
        case 'o':
          g_string_append (out, text);
          break;
        default:
          g_assert_true (*c == 't' || *c == 'a');
          g_string_append (out, inside);
        }
  return g_string_free_and_steal (g_steal_pointer (&out));
}

static void
put (FakeReply *reply, const char *pattern, guint index, const char *name, const char *text)
{
  g_autofree char *bytes = NULL;

  if (pattern == NULL)
    return;
  bytes = fill (pattern, index, name, text);
  fake_reply_chunk (reply, bytes);
}

void
fake_dialect_begin_calls (const FakeDialect *self, FakeReply *reply)
{
  fake_reply_head (reply, 200, self->content_type, NULL);
  put (reply, self->begin, 0, "", "");
}

void
fake_dialect_begin_text (const FakeDialect *self, FakeReply *reply)
{
  fake_dialect_begin_calls (self, reply);
  put (reply, self->open_text, 0, "", "");
}

void
fake_dialect_text (const FakeDialect *self, FakeReply *reply, const char *text)
{
  put (reply, self->text, 0, "", text);
}

void
fake_dialect_flow (const FakeDialect *self, FakeReply *reply, const char *text, guint n,
                   double per_second)
{
  g_autofree char *bytes = fill (self->text, 0, "", text);

  fake_reply_repeat (reply, bytes, n, per_second);
}

void
fake_dialect_end_text (const FakeDialect *self, FakeReply *reply)
{
  put (reply, self->close_text, 0, "", "");
  put (reply, self->end_text, 0, "", "");
  fake_reply_end (reply);
}

void
fake_dialect_call (const FakeDialect *self, FakeReply *reply, guint index, const char *name,
                   const char *arguments)
{
  put (reply, self->call, index, name, arguments);
}

void
fake_dialect_cut_call (const FakeDialect *self, FakeReply *reply, guint index, const char *name)
{
  put (reply, self->cut_call, index, name, "");
}

void
fake_dialect_cut_reasoning (const FakeDialect *self, FakeReply *reply, const char *text)
{
  g_assert_nonnull (self->reasoning);
  put (reply, self->reasoning, 0, "", text);
}

void
fake_dialect_fail (const FakeDialect *self, FakeReply *reply)
{
  g_assert_nonnull (self->error);
  put (reply, self->error, 0, "", "");
  fake_reply_end (reply);
}

void
fake_dialect_end_calls (const FakeDialect *self, FakeReply *reply)
{
  put (reply, self->end_calls, 0, "", "");
  fake_reply_end (reply);
}

char *
fake_dialect_dup_calls (const FakeDialect *self, const char *name, const char *arguments, guint n)
{
  g_autoptr (GString) body = g_string_new (NULL);

  for (guint i = 0; i < n + 2; i++)
    {
      const char *pattern = i == 0 ? self->begin : i <= n ? self->call : self->end_calls;
      g_autofree char *bytes =
          pattern != NULL ? fill (pattern, i - 1, name, arguments) : g_strdup ("");

      g_string_append (body, bytes);
    }
  return g_string_free_and_steal (g_steal_pointer (&body));
}
