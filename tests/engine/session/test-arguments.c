/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "session/gadget-arguments.h"
#include "session/gadget-item.h"

static void
check (const char *arguments, const char *expected)
{
  g_autofree char *text = gadget_arguments_to_text (arguments);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_text (void)
{
  check ("{\"command\":\"echo \\\"a\\\"\\nls\"}", "echo \"a\"\nls");
  check ("{\"path\":\"a b\",\"lines\":[1,2],\"all\":true}", "path: a b\nlines: [1,2]\nall: true");
  check ("{\"seconds\":30}", "30");
  check ("{}", "");
  check ("", "");
  check ("[1]", "[1]");
  check ("{\"path\":\"cut", "{\"path\":\"cut");
}

/* Half of them would be misread: they are shown when they are whole. */
static void
test_streaming (void)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call", "shell");

  gadget_item_set_status (item, GADGET_ITEM_STREAMING);
  gadget_item_append_arguments (item, "{\"command\":");
  g_assert_cmpstr (gadget_item_get_arguments_text (item), ==, "");
  gadget_item_append_arguments (item, "\"ls\"}");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  g_assert_cmpstr (gadget_item_get_arguments_text (item), ==, "ls");
  g_assert_cmpstr (gadget_item_get_arguments (item), ==, "{\"command\":\"ls\"}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/arguments/text", test_text);
  g_test_add_func ("/engine/arguments/streaming", test_streaming);

  return g_test_run ();
}
