/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "file-tools-fixture.h"

void
file_tools_put (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

void
file_tools_assert_file (Fixture *fixture, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *content = NULL;

  g_file_get_contents (full, &content, NULL, NULL);
  g_assert_cmpstr (content, ==, text);
}

void
file_tools_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->top = test_dir_new ();
  fixture->workspace = g_build_filename (fixture->top, "work", NULL);
  fixture->versions = gadget_versions_read_new ();
  fixture->read_file = gadget_tool_read_file_new ();
  fixture->write_file = gadget_tool_write_file_new ();
  fixture->edit_file = gadget_tool_edit_file_new ();
  fixture->list_dir = gadget_tool_list_dir_new ();
  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
}

void
file_tools_tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->read_file);
  g_object_unref (fixture->write_file);
  g_object_unref (fixture->edit_file);
  g_object_unref (fixture->list_dir);
  gadget_versions_read_unref (fixture->versions);
  g_free (fixture->workspace);
  test_dir_free (fixture->top);
}

GadgetToolContext
file_tools_get_context (Fixture *fixture)
{
  return (GadgetToolContext) { .workspace = fixture->workspace,
                               .interactive = TRUE,
                               .versions = fixture->versions };
}

void
file_tools_start (Fixture *fixture, GadgetTool *tool, const char *arguments,
                  GCancellable *cancellable, ToolCall *call)
{
  const GadgetToolContext context = file_tools_get_context (fixture);

  tool_call_start (call, tool, &context, arguments, cancellable);
}

void
file_tools_run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call)
{
  const GadgetToolContext context = file_tools_get_context (fixture);

  tool_call_run (call, tool, &context, arguments);
}

void
file_tools_assert_fails (Fixture *fixture, GadgetTool *tool, const char *arguments,
                         const char *says)
{
  const GadgetToolContext context = file_tools_get_context (fixture);

  tool_call_fails (tool, &context, arguments, says);
}

void
file_tools_assert_answers (Fixture *fixture, GadgetTool *tool, const char *arguments,
                           const char *text, const char *summary)
{
  const GadgetToolContext context = file_tools_get_context (fixture);

  tool_call_answers (tool, &context, arguments, text, summary);
}

void
file_tools_read_a (Fixture *fixture)
{
  file_tools_assert_answers (fixture, fixture->read_file, "{\"path\":\"a.txt\"}",
                             "one\ntwo\nthree\n", "Read \u2068a.txt\u2069 · 3 lines");
}

GadgetPrompt *
file_tools_wait_for_question (ToolCall *call, const char *name)
{
  GadgetPrompt *prompt;

  wait_until (gadget_item_get_prompt (call->item) != NULL);
  prompt = gadget_item_get_prompt (call->item);
  g_assert_cmpint (gadget_prompt_get_kind (prompt), ==, GADGET_PROMPT_PERMISSION);
  g_assert_true (g_str_has_suffix (gadget_prompt_get_subject (prompt), name));
  /* No rule can be made of it. */
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 0);
  return prompt;
}
