/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parts that need no server: forms, headers, what is said of a tool. */

#include "config.h"

#include "common/gadget-json.h"
#include "mcp/gadget-mcp-form.h"
#include "mcp/gadget-mcp-headers.h"
#include "mcp/gadget-mcp-tool-info.h"
#include "tools/gadget-tool-mcp-schema.h"

#include <string.h>

static JsonObject *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = gadget_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return json_node_dup_object (node);
}

/* --- Forms ------------------------------------------------------------------------------------
 */

typedef struct
{
  const char *property;
  const char *answer;
  const char *value; /* as JSON, or NULL for one that is not taken */
} Answer;

static const Answer answers[] = {
  { "{\"type\":\"string\"}", "a\nb", "\"a\\nb\"" },
  { "{\"type\":\"string\",\"minLength\":3}", "äö", NULL },
  { "{\"type\":\"string\",\"minLength\":2,\"maxLength\":2}", "äö", "\"äö\"" },
  { "{\"type\":\"string\",\"maxLength\":2}", "abc", NULL },
  { "{\"type\":\"integer\"}", " 42 ", "42" },
  { "{\"type\":\"integer\"}", "4.5", NULL },
  { "{\"type\":\"integer\"}", "1e300", NULL },
  { "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}", "0", NULL },
  { "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}", "10", NULL },
  { "{\"type\":\"number\"}", "2.5", "2.5" },
  { "{\"type\":\"number\"}", "nan", NULL },
  { "{\"type\":\"number\"}", "two", NULL },
  { "{\"type\":\"number\"}", "", NULL },
  { "{\"type\":\"boolean\"}", "Yes", "true" },
  { "{\"type\":\"boolean\"}", "No", "false" },
  { "{\"type\":\"boolean\"}", "perhaps", NULL },
  { "{\"type\":\"string\",\"enum\":[\"r\",\"g\"]}", "g", "\"g\"" },
  { "{\"type\":\"string\",\"enum\":[\"r\",\"g\"]}", "b", NULL },
  { "{\"type\":\"string\",\"enum\":[\"r\",\"g\"],\"enumNames\":[\"Red\",\"Green\"]}", "Green",
    "\"g\"" },
  { "{\"type\":\"string\",\"oneOf\":[{\"const\":\"#f00\",\"title\":\"Red\"},{\"const\":\"#0f0\"}]}",
    "Red", "\"#f00\"" },
  { "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"r\",\"g\",\"b\"]}}", "r, b",
    "[\"r\",\"b\"]" },
  { "{\"type\":\"array\",\"maxItems\":1,\"items\":{\"enum\":[\"r\",\"g\"]}}", "r,g", NULL },
  { "{\"type\":\"array\",\"minItems\":1,\"items\":{\"enum\":[\"r\",\"g\"]}}", " , ", NULL },
  { "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"1\",\"title\":\"One\"}]}}", "One",
    "[\"1\"]" },
};

static void
test_answers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"properties\":{\"p\":%s}}", answers[i].property);
      g_autoptr (JsonObject) schema = parse (text);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) fields = gadget_mcp_form_parse (schema, &error);
      g_autofree char *problem = NULL;
      g_autoptr (JsonNode) value = NULL;
      g_autofree char *json = NULL;

      g_assert_no_error (error);
      g_assert_cmpuint (fields->len, ==, 1);
      value = gadget_mcp_field_parse_answer (g_ptr_array_index (fields, 0), answers[i].answer,
                                             &problem);
      json = value != NULL ? json_to_string (value, FALSE) : NULL;
      g_assert_cmpstr (json, ==, answers[i].value);
      g_assert_true ((problem == NULL) == (value != NULL));
    }
}

static void
test_bad_forms (void)
{
  static const char *const schemas[] = {
    "{}",
    "{\"properties\":[]}",
    "{\"properties\":{}}",
    "{\"properties\":{\"a\":7}}",
    "{\"properties\":{\"a\":{}}}",
    "{\"properties\":{\"a\":{\"type\":\"object\"}}}",
    "{\"properties\":{\"a\":{\"type\":\"array\"}}}",
    "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      g_autoptr (JsonObject) schema = parse (schemas[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (gadget_mcp_form_parse (schema, &error));
      g_assert_nonnull (error);
    }
  g_assert_null (gadget_mcp_form_parse (NULL, NULL));
}

static void
test_question (void)
{
  g_autoptr (JsonObject) schema =
      parse ("{\"required\":[\"b\"],\"properties\":{\"a\":{\"type\":\"integer\",\"default\":3},"
             "\"b\":{\"type\":\"string\",\"title\":\"Mail\",\"description\":\"Where to\","
             "\"default\":\"x@y\"},\"c\":{\"type\":\"boolean\",\"default\":false}}}");
  g_autoptr (GPtrArray) fields = gadget_mcp_form_parse (schema, NULL);
  GadgetMcpField *field = g_ptr_array_index (fields, 0);

  g_assert_cmpstr (field->question, ==, "a");
  g_assert_cmpstr (field->fallback, ==, "3");
  g_assert_false (field->required);
  field = g_ptr_array_index (fields, 1);
  g_assert_cmpstr (field->question, ==, "Mail: Where to");
  g_assert_cmpstr (field->fallback, ==, "x@y");
  g_assert_true (field->required);
  field = g_ptr_array_index (fields, 2);
  g_assert_cmpstr (field->fallback, ==, "No");
}

/* --- Headers ----------------------------------------------------------------------------------
 */

static void
test_encode (void)
{
  static const char *const values[][2] = {
    { "us-west1", "us-west1" },
    { "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?=" },
    { " padded ", "=?base64?IHBhZGRlZCA=?=" },
    { "line1\nline2", "=?base64?bGluZTEKbGluZTI=?=" },
    { "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=" },
    { "two words", "two words" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *encoded = gadget_mcp_headers_encode (values[i][0]);

      g_assert_cmpstr (encoded, ==, values[i][1]);
    }
}

static void
test_headers (void)
{
  g_autoptr (JsonObject) schema =
      parse ("{\"type\":\"object\",\"properties\":{"
             "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
             "\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"},"
             "\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"},"
             "\"none\":{\"type\":\"string\",\"x-mcp-header\":\"None\"},"
             "\"null\":{\"type\":\"string\",\"x-mcp-header\":\"Null\"},"
             "\"in\":{\"type\":\"object\",\"properties\":{\"deep\":{\"type\":\"string\","
             "\"x-mcp-header\":\"Deep\"}}}}}");
  g_autoptr (JsonObject) arguments = parse (
      "{\"region\":\"ö\",\"n\":-7,\"b\":true,\"null\":null,\"in\":{\"deep\":\"d\"},\"x\":1}");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) headers = NULL;
  g_autofree char *all = NULL;

  g_assert_true (gadget_mcp_headers_check_schema (schema, &error));
  headers = gadget_mcp_headers_make ("run", schema, arguments);
  all = g_strjoinv ("|", headers);
  g_assert_cmpstr (all, ==,
                   "Mcp-Name|run|Mcp-Param-Region|=?base64?w7Y=?=|Mcp-Param-N|-7|Mcp-Param-B|true|"
                   "Mcp-Param-Deep|d");
}

static void
test_bad_headers (void)
{
  static const char *const properties[] = {
    "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}",
    "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}",
    "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a\\r\\nb\"}",
    "\"a\":{\"type\":\"string\",\"x-mcp-header\":7}",
    "\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}",
    "\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}",
    ("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
     "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}"),
    "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}",
    "\"a\":{\"oneOf\":[{\"type\":\"string\",\"x-mcp-header\":\"A\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"properties\":{%s}}", properties[i]);
      g_autoptr (JsonObject) schema = parse (text);
      g_autoptr (GError) error = NULL;

      g_assert_false (gadget_mcp_headers_check_schema (schema, &error));
      g_assert_nonnull (error);
    }
}

/* --- Tools ------------------------------------------------------------------------------------
 */

static void
test_tool_info (void)
{
  g_autoptr (JsonObject) object = parse (
      "{\"name\":\"a.b\",\"title\":\"A\",\"description\":\"Does a\",\"inputSchema\":"
      "{\"$schema\":\"https://x\",\"additionalProperties\":false},"
      "\"annotations\":{\"readOnlyHint\":true},\"execution\":{\"taskSupport\":\"required\"}}");
  g_autoptr (GError) error = NULL;
  GadgetMcpToolInfo *info = gadget_mcp_tool_info_parse (object, TRUE, &error);
  g_autoptr (GPtrArray) tools =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
  g_autoptr (GPtrArray) again = NULL;
  g_autofree char *json = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (gadget_mcp_tool_info_get_schema (info), ==,
                   "{\"additionalProperties\":false,\"type\":\"object\",\"properties\":{}}");
  g_ptr_array_add (tools, info);
  json = gadget_mcp_tool_infos_to_json (tools);
  g_assert_null (strstr (json, "readOnly"));
  again = gadget_mcp_tool_infos_from_json (json);
  g_assert_cmpuint (again->len, ==, 1);
  info = g_ptr_array_index (again, 0);
  g_assert_cmpstr (gadget_mcp_tool_info_get_name (info), ==, "a.b");
  g_assert_cmpstr (gadget_mcp_tool_info_get_title (info), ==, "A");
  g_assert_cmpstr (gadget_mcp_tool_info_get_description (info), ==, "Does a");
  g_assert_true (gadget_mcp_tool_info_get_as_task (info));
}

static void
test_bad_tools (void)
{
  static const char *const tools[] = {
    "{}",
    "{\"name\":7,\"inputSchema\":{}}",
    "{\"name\":\"\",\"inputSchema\":{}}",
    "{\"name\":\"a\"}",
    "{\"name\":\"a\\nb\",\"inputSchema\":{}}",
    "{\"name\":\"a\\u202eb\",\"inputSchema\":{}}",
    "{\"name\":\"a\",\"inputSchema\":[]}",
    "{\"name\":\"a\",\"inputSchema\":{\"type\":\"string\"}}",
    "{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"p\":{\"x-mcp-header\":\"\"}}}}",
  };
  g_autoptr (GPtrArray) none = gadget_mcp_tool_infos_from_json ("[7,{},");

  g_assert_cmpuint (none->len, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (JsonObject) object = parse (tools[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (gadget_mcp_tool_info_parse (object, TRUE, &error));
      g_assert_nonnull (error);
    }
}

/* What servers write that means the same. */
static void
test_odd_schemas (void)
{
  static const char *const schemas[][2] = {
    { "{}", "{\"type\":\"object\",\"properties\":{}}" },
    { "{\"type\":[\"object\",\"null\"]}", "{\"type\":\"object\",\"properties\":{}}" },
    { "{\"type\":\"object\",\"properties\":null,\"required\":null}",
      "{\"type\":\"object\",\"properties\":{}}" },
  };
  g_autofree char *name = g_strnfill (200, 'n');

  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("{\"name\":\"%s\",\"inputSchema\":%s}", name, schemas[i][0]);
      g_autoptr (JsonObject) object = parse (text);
      g_autoptr (GError) error = NULL;
      GadgetMcpToolInfo *info = gadget_mcp_tool_info_parse (object, TRUE, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (gadget_mcp_tool_info_get_schema (info), ==, schemas[i][1]);
      gadget_mcp_tool_info_unref (info);
    }
}

typedef struct
{
  const char *schema;
  const char *flat;
  const char *rest;
} Flat;

/* A choice at the top is refused by providers, with the whole request. */
static void
test_flat_schemas (void)
{
  static const Flat schemas[] = {
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"string\"}]}}}",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"string\"}]}}}", NULL },
    { "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"],\"oneOf\":["
      "{\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]},{\"required\":[\"c\"]}]"
      "}",
      "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{\"type\":\"string\"}},"
      "\"required\":[\"a\"]}",
      "{\"oneOf\":[{\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]},"
      "{\"required\":[\"c\"]}]}" },
    { "{\"properties\":{},\"$defs\":{\"P\":{\"properties\":{\"p\":{}},\"required\":[\"p\"]}},"
      "\"allOf\":[{\"$ref\":\"#/$defs/P\"},{\"$ref\":\"https://example.org/q\"},7]}",
      "{\"properties\":{\"p\":{}},\"$defs\":{\"P\":{\"properties\":{\"p\":{}},\"required\":[\"p\"]}"
      "},"
      "\"required\":[\"p\"]}",
      "{\"allOf\":[{\"$ref\":\"#/$defs/P\"},{\"$ref\":\"https://example.org/q\"},7]}" },
    { "{\"properties\":{},\"$defs\":{\"R\":{\"anyOf\":[{\"$ref\":\"#/$defs/R\"}]}},"
      "\"anyOf\":[{\"$ref\":\"#/$defs/R\"}],\"not\":{}}",
      "{\"properties\":{},\"$defs\":{\"R\":{\"anyOf\":[{\"$ref\":\"#/$defs/R\"}]}}}",
      "{\"anyOf\":[{\"$ref\":\"#/$defs/R\"}],\"not\":{}}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      g_autofree char *rest = NULL;
      g_autofree char *flat = _gadget_tool_mcp_schema_flatten (schemas[i].schema, &rest);

      g_assert_cmpstr (flat, ==, schemas[i].flat);
      g_assert_cmpstr (rest, ==, schemas[i].rest);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/mcp-parts/form/answers", test_answers);
  g_test_add_func ("/engine/mcp-parts/form/bad", test_bad_forms);
  g_test_add_func ("/engine/mcp-parts/form/question", test_question);
  g_test_add_func ("/engine/mcp-parts/headers/encode", test_encode);
  g_test_add_func ("/engine/mcp-parts/headers/make", test_headers);
  g_test_add_func ("/engine/mcp-parts/headers/bad", test_bad_headers);
  g_test_add_func ("/engine/mcp-parts/tool/info", test_tool_info);
  g_test_add_func ("/engine/mcp-parts/tool/bad", test_bad_tools);
  g_test_add_func ("/engine/mcp-parts/tool/odd-schemas", test_odd_schemas);
  g_test_add_func ("/engine/mcp-parts/tool/flat-schemas", test_flat_schemas);

  return g_test_run ();
}
