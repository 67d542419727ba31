/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The strict readers of requests accept what is good, and refuse each thing that real servers
 * refuse: otherwise the tests that lean on them could not fail. */

#include "config.h"

#include "strict-body.h"

#include <string.h>

typedef struct
{
  const char *name;
  const char *body;
  const char *reason; /* a part of it; NULL if it is accepted */
} Sample;

static GHashTable *
make_issued (void)
{
  GHashTable *issued = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_hash_table_insert (issued, g_strdup ("S1"), g_strdup ("Hm."));
  g_hash_table_insert (issued, g_strdup ("R1"), g_strdup ("(redacted)"));
  g_hash_table_insert (issued, g_strdup ("E1"), g_strdup ("Hm.|"));
  return issued;
}

static void
check_samples (StrictFunc strict, const Sample *samples, gsize n)
{
  g_autoptr (GHashTable) issued = make_issued ();

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *reason = strict (samples[i].body, strlen (samples[i].body), issued);

      if (samples[i].reason == NULL ? reason != NULL
                                    : reason == NULL || strstr (reason, samples[i].reason) == NULL)
        g_error ("%s: “%s” instead of “%s”", samples[i].name, reason != NULL ? reason : "accepted",
                 samples[i].reason != NULL ? samples[i].reason : "accepted");
    }
}

/* --- Anthropic ------------------------------------------------------------------------------- */

#define A_HEAD "{\"model\":\"m\",\"max_tokens\":10,"
#define A_HEAD_OLDER(max, budget)                                                                  \
  "{\"model\":\"m\",\"max_tokens\":" max                                                           \
  ",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":" budget "},"
#define A_THINK "\"thinking\":{\"type\":\"adaptive\"},"
#define A_BODY(messages) A_HEAD "\"messages\":[" messages "]}"
#define A_THINKING(messages) A_HEAD A_THINK "\"messages\":[" messages "]}"
#define A_USER(blocks) "{\"role\":\"user\",\"content\":[" blocks "]}"
#define A_MODEL(blocks) "{\"role\":\"assistant\",\"content\":[" blocks "]}"
#define A_TEXT "{\"type\":\"text\",\"text\":\"a\"}"
#define A_MARKED "{\"type\":\"text\",\"text\":\"a\",\"cache_control\":{\"type\":\"ephemeral\"}}"
#define A_SIGNED "{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"S1\"}"
#define A_REDACTED "{\"type\":\"redacted_thinking\",\"data\":\"R1\"}"
#define A_CALL(id) "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"n\",\"input\":{}}"
#define A_RESULT(id) "{\"type\":\"tool_result\",\"tool_use_id\":\"" id "\"}"
#define A_GO A_USER (A_TEXT) ","

static const Sample anthropic_samples[] = {
  { "text", A_BODY (A_USER (A_TEXT)), NULL },
  { "older thinking", A_HEAD_OLDER ("5000", "4999") "\"messages\":[" A_USER (A_TEXT) "]}", NULL },
  { "too much thinking", A_HEAD_OLDER ("5000", "5000") "\"messages\":[" A_USER (A_TEXT) "]}",
    "must be greater" },
  { "too little thinking", A_HEAD_OLDER ("5000", "1023") "\"messages\":[" A_USER (A_TEXT) "]}",
    "greater than or equal" },
  { "thinking of another kind",
    A_HEAD
    "\"thinking\":{\"type\":\"much\",\"budget_tokens\":1},\"messages\":[" A_USER (A_TEXT) "]}",
    "neither" },
  { "calls",
    A_BODY (A_GO A_MODEL (A_TEXT "," A_CALL ("a") "," A_CALL ("b")) "," A_USER (
        A_RESULT ("b") "," A_RESULT ("a") "," A_TEXT)),
    NULL },
  { "thinking",
    A_THINKING (
        A_GO A_MODEL (A_SIGNED "," A_REDACTED "," A_CALL ("a")) "," A_USER (A_RESULT ("a"))),
    NULL },
  { "loop goes on without new thinking",
    A_THINKING (A_GO A_MODEL (A_SIGNED "," A_CALL ("a")) "," A_USER (A_RESULT ("a")) "," A_MODEL (
        A_CALL ("b")) "," A_USER (A_RESULT ("b"))),
    NULL },
  { "not JSON", "{", "not a JSON" },
  { "no model", "{\"max_tokens\":1,\"messages\":[]}", "has no “model”" },
  { "no limit", "{\"model\":\"m\",\"messages\":[]}", "has no “max_tokens”" },
  { "unknown member", A_HEAD "\"x\":1,\"messages\":[" A_USER (A_TEXT) "]}", "“x”" },
  { "nothing", A_BODY (""), "at least one" },
  { "empty message", A_BODY (A_USER ("")), "non-empty content" },
  { "empty text", A_BODY (A_USER ("{\"type\":\"text\",\"text\":\"\"}")), "non-whitespace" },
  { "blank text", A_BODY (A_USER ("{\"type\":\"text\",\"text\":\" \\n\"}")), "non-whitespace" },
  { "begins with the model", A_BODY (A_MODEL (A_TEXT) "," A_USER (A_TEXT)), "alternate" },
  { "two of the user", A_BODY (A_GO A_USER (A_TEXT)), "alternate" },
  { "ends with the model", A_BODY (A_GO A_MODEL (A_TEXT)), "the assistant's" },
  { "no result", A_BODY (A_GO A_MODEL (A_CALL ("a")) "," A_USER (A_TEXT)), "without" },
  { "one result of two",
    A_BODY (A_GO A_MODEL (A_CALL ("a") "," A_CALL ("b")) "," A_USER (A_RESULT ("a"))), "without" },
  { "result too late", A_BODY (A_GO A_MODEL (A_CALL ("a")) "," A_USER (A_TEXT "," A_RESULT ("a"))),
    "beginning" },
  { "result of nothing", A_BODY (A_GO A_MODEL (A_TEXT) "," A_USER (A_RESULT ("a"))), "unexpected" },
  { "two results",
    A_BODY (A_GO A_MODEL (A_CALL ("a")) "," A_USER (A_RESULT ("a") "," A_RESULT ("a"))),
    "unexpected" },
  { "one id twice",
    A_BODY (A_GO A_MODEL (A_CALL ("a")) "," A_USER (A_RESULT ("a")) "," A_MODEL (
        A_CALL ("a")) "," A_USER (A_RESULT ("a"))),
    "unique" },
  { "odd id", A_BODY (A_GO A_MODEL (A_CALL ("a.b")) "," A_USER (A_RESULT ("a.b"))), "pattern" },
  { "odd name",
    A_BODY (A_GO A_MODEL ("{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"a "
                          "b\",\"input\":{}}") "," A_USER (A_RESULT ("a"))),
    "name should match" },
  { "no input",
    A_BODY (A_GO A_MODEL ("{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"n\",\"input\":\"{"
                          "}\"}") "," A_USER (A_RESULT ("a"))),
    "input should" },
  { "user calls", A_BODY (A_USER (A_CALL ("a"))), "user's block" },
  { "error with an image",
    A_BODY (A_GO A_MODEL (A_CALL ("a")) "," A_USER (
        "{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"is_error\":true,\"content\":[{"
        "\"type\":"
        "\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/"
        "png\",\"data\":\"QQ==\"}}"
        "]}")),
    "is_error" },
  { "image of another type",
    A_BODY (A_USER ("{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":"
                    "\"image/tiff\",\"data\":\"QQ==\"}}")),
    "an image" },
  { "thinking not asked for", A_BODY (A_GO A_MODEL (A_SIGNED "," A_TEXT) "," A_USER (A_TEXT)),
    "disabled" },
  { "thinking without a signature",
    A_THINKING (A_GO A_MODEL ("{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":"
                              "\"\"}," A_TEXT) "," A_USER (A_TEXT)),
    "no signature" },
  { "thinking of somebody else",
    A_THINKING (A_GO A_MODEL ("{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":"
                              "\"S2\"}," A_TEXT) "," A_USER (A_TEXT)),
    "Invalid `signature`" },
  { "changed thinking",
    A_THINKING (A_GO A_MODEL ("{\"type\":\"thinking\",\"thinking\":\"Hm\",\"signature\":"
                              "\"S1\"}," A_TEXT) "," A_USER (A_TEXT)),
    "modified" },
  { "thinking that leads to nothing", A_THINKING (A_GO A_MODEL (A_SIGNED) "," A_USER (A_TEXT)),
    "nothing" },
  { "loop without thinking", A_THINKING (A_GO A_MODEL (A_CALL ("a")) "," A_USER (A_RESULT ("a"))),
    "Expected `thinking`" },
  { "loop without thinking, and words",
    A_THINKING (A_GO A_MODEL (A_TEXT "," A_CALL ("a")) "," A_USER (A_RESULT ("a") "," A_TEXT)),
    "Expected `thinking`" },
  { "five marks", A_BODY (A_USER (A_MARKED "," A_MARKED "," A_MARKED "," A_MARKED "," A_MARKED)),
    "maximum of 4" },
  { "odd tool",
    A_HEAD "\"tools\":[{\"name\":\"n\",\"input_schema\":{}}],\"messages\":[" A_USER (A_TEXT) "]}",
    "input_schema" },
  { "empty system", A_HEAD "\"system\":[],\"messages\":[" A_USER (A_TEXT) "]}", "system" },
};

static void
test_anthropic (void)
{
  check_samples (strict_anthropic, anthropic_samples, G_N_ELEMENTS (anthropic_samples));
}

/* --- Chat Completions ------------------------------------------------------------------------ */

#define C_BODY(messages) "{\"model\":\"m\",\"messages\":[" messages "]}"
#define C_USER "{\"role\":\"user\",\"content\":\"a\"}"
#define C_MODEL "{\"role\":\"assistant\",\"content\":\"a\"}"
#define C_CALL(id)                                                                                 \
  "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"n\",\"arguments\":\"{}\"}}"
#define C_CALLS(calls) "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" calls "]}"
#define C_RESULT(id) "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"\"}"
#define C_LONG "call_0123456789012345678901234567890123456"

static const Sample openai_chat_samples[] = {
  { "text", C_BODY (C_USER), NULL },
  { "calls",
    C_BODY (C_USER "," C_CALLS (C_CALL ("a") "," C_CALL ("b")) "," C_RESULT ("b") "," C_RESULT (
        "a") "," C_USER),
    NULL },
  { "nothing", C_BODY (""), "too short" },
  { "unknown member", "{\"model\":\"m\",\"messages\":[" C_USER "],\"x\":1}", "“x”" },
  { "empty words", C_BODY ("{\"role\":\"user\",\"content\":\"\"}"), "empty" },
  { "empty answer", C_BODY (C_USER ",{\"role\":\"assistant\",\"content\":\" \"}," C_USER),
    "empty" },
  { "no calls", C_BODY (C_USER "," C_CALLS ("") "," C_USER), "empty" },
  { "two of the user", C_BODY (C_USER "," C_USER), "alternate" },
  { "begins with the model", C_BODY (C_MODEL "," C_USER), "role" },
  { "ends with the model", C_BODY (C_USER "," C_MODEL), "nothing is asked" },
  { "no result", C_BODY (C_USER "," C_CALLS (C_CALL ("a")) "," C_USER), "must be followed" },
  { "no result at the end", C_BODY (C_USER "," C_CALLS (C_CALL ("a"))), "no results" },
  { "result of nothing", C_BODY (C_USER "," C_RESULT ("a")), "preceding" },
  { "two results", C_BODY (C_USER "," C_CALLS (C_CALL ("a")) "," C_RESULT ("a") "," C_RESULT ("a")),
    "preceding" },
  { "one id twice", C_BODY (C_USER "," C_CALLS (C_CALL ("a") "," C_CALL ("a"))), "one id" },
  { "long id", C_BODY (C_USER "," C_CALLS (C_CALL (C_LONG)) "," C_RESULT (C_LONG)), "too long" },
  { "arguments cut",
    C_BODY (C_USER ",{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\","
                   "\"type\":\"function\",\"function\":{\"name\":\"n\",\"arguments\":\"{\"}}]}"),
    "arguments" },
  { "odd name",
    C_BODY (C_USER ",{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\","
                   "\"type\":\"function\",\"function\":{\"name\":\"n n\",\"arguments\":\"{}\"}}]}"),
    "name" },
  { "late system", C_BODY (C_USER ",{\"role\":\"system\",\"content\":\"a\"}"), "system" },
  { "no tools", "{\"model\":\"m\",\"messages\":[" C_USER "],\"tools\":[]}", "too short" },
};

static void
test_openai_chat (void)
{
  check_samples (strict_openai_chat, openai_chat_samples, G_N_ELEMENTS (openai_chat_samples));
}

/* --- Responses ------------------------------------------------------------------------------- */

#define R_HEAD "{\"model\":\"m\",\"store\":false,"
#define R_BODY(items) R_HEAD "\"input\":[" items "]}"
#define R_REASONING(items)                                                                         \
  R_HEAD "\"include\":[\"reasoning.encrypted_content\"],\"input\":[" items "]}"
#define R_USER                                                                                     \
  "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"a\"}]" \
  "}"
#define R_MODEL                                                                                    \
  "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"  \
  "\"a\",\"annotations\":[]}]}"
#define R_CALL(id)                                                                                 \
  "{\"type\":\"function_call\",\"call_id\":\"" id "\",\"name\":\"n\",\"arguments\":\"{}\"}"
#define R_RESULT(id) "{\"type\":\"function_call_output\",\"call_id\":\"" id "\",\"output\":\"\"}"
#define R_THOUGHT(words, code, more)                                                               \
  "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"" words              \
  "\"}],\"encrypted_content\":\"" code "\"" more "}"
#define R_GIVEN R_THOUGHT ("Hm.", "E1", "")

static const Sample responses_samples[] = {
  { "text", R_BODY (R_USER), NULL },
  { "calls",
    R_BODY (R_USER "," R_CALL ("a") "," R_CALL ("b") "," R_RESULT ("b") "," R_RESULT ("a")), NULL },
  { "reasoning", R_REASONING (R_USER "," R_GIVEN "," R_CALL ("a") "," R_RESULT ("a") "," R_USER),
    NULL },
  { "kept by the server", "{\"model\":\"m\",\"store\":true,\"input\":[" R_USER "]}", "keep" },
  { "not told whether to keep", "{\"model\":\"m\",\"input\":[" R_USER "]}", "“store”" },
  { "unknown member", R_HEAD "\"messages\":[],\"input\":[" R_USER "]}", "“messages”" },
  { "nothing", R_BODY (""), "nothing" },
  { "ends with the model", R_BODY (R_USER "," R_MODEL), "nothing" },
  { "begins with the model", R_BODY (R_MODEL "," R_USER), "first" },
  { "empty message", R_BODY ("{\"type\":\"message\",\"role\":\"user\",\"content\":[]}"), "empty" },
  { "the model's words as input",
    R_BODY (R_USER ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
                   "\"input_text\",\"text\":\"a\"}]}," R_USER),
    "output_text" },
  { "no annotations",
    R_BODY (R_USER ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
                   "\"output_text\",\"text\":\"a\"}]}," R_USER),
    "annotations" },
  { "no result", R_BODY (R_USER "," R_CALL ("a") "," R_USER), "No tool output" },
  { "no result at the end", R_BODY (R_USER "," R_CALL ("a")), "No tool output" },
  { "result of nothing", R_BODY (R_USER "," R_RESULT ("a")), "No tool call" },
  { "two results", R_BODY (R_USER "," R_CALL ("a") "," R_RESULT ("a") "," R_RESULT ("a")),
    "No tool call" },
  { "one id twice", R_BODY (R_USER "," R_CALL ("a") "," R_CALL ("a")), "one id" },
  { "arguments cut",
    R_BODY (R_USER ",{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"n\",\"arguments\":"
                   "\"{\"}"),
    "arguments" },
  { "reasoning not asked for", R_BODY (R_USER "," R_GIVEN "," R_MODEL "," R_USER), "asked for" },
  { "reasoning that leads to nothing", R_REASONING (R_USER "," R_GIVEN "," R_USER),
    "required following" },
  { "reasoning with its id",
    R_REASONING (R_USER "," R_THOUGHT ("Hm.", "E1", ",\"id\":\"rs_1\"") "," R_MODEL "," R_USER),
    "“id”" },
  { "reasoning of somebody else",
    R_REASONING (R_USER "," R_THOUGHT ("Hm.", "E2", "") "," R_MODEL "," R_USER), "verified" },
  { "changed reasoning", R_REASONING (R_USER "," R_THOUGHT ("Hm", "E1", "") "," R_MODEL "," R_USER),
    "changed" },
  { "odd tool",
    R_HEAD "\"input\":[" R_USER "],\"tools\":[{\"type\":\"function\",\"name\":\"n\",\"strict\":"
           "true,\"parameters\":{\"type\":\"object\"}}]}",
    "schema" },
};

static void
test_responses (void)
{
  check_samples (strict_responses, responses_samples, G_N_ELEMENTS (responses_samples));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/support/strict/anthropic", test_anthropic);
  g_test_add_func ("/support/strict/openai-chat", test_openai_chat);
  g_test_add_func ("/support/strict/responses", test_responses);
  return g_test_run ();
}
