/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the card of a change shows is what is written. */

#include "config.h"

#include "file-tools-fixture.h"

#include <string.h>
#include <sys/stat.h>

typedef struct
{
  gboolean done;
  gboolean ready;
  GError *error;
} Prepared;

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Prepared *prepared = user_data;

  prepared->ready = gadget_prompt_prepare_finish (GADGET_PROMPT (source), result, &prepared->error);
  prepared->done = TRUE;
}

/* Whatever a.txt has. */
static void
reread (Fixture *fixture)
{
  g_auto (ToolCall) call = { 0 };

  file_tools_run (fixture, fixture->read_file, "{\"path\":\"a.txt\"}", &call);
  g_assert_no_error (call.error);
}

/* The prompt of a call as it would be shown; NULL when the call cannot be done. */
static GadgetPrompt *
show (Fixture *fixture, GadgetTool *tool, const char *arguments)
{
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  const GadgetToolContext context = file_tools_get_context (fixture);
  g_autoptr (GadgetPrompt) prompt = NULL;
  Prepared prepared = { 0 };

  g_assert_nonnull (node);
  prompt = gadget_tool_permission (tool, json_node_get_object (node), &context);
  gadget_prompt_prepare_async (prompt, NULL, prepared_cb, &prepared);
  wait_until (prepared.done);
  g_assert_cmpint (prepared.ready, ==, prepared.error == NULL);
  g_clear_error (&prepared.error);
  return prepared.ready ? g_steal_pointer (&prompt) : NULL;
}

static void
assert_shows (Fixture *fixture, GadgetTool *tool, const char *arguments, GadgetPromptBody kind,
              const char *title, const char *body, guint n_added, guint n_removed)
{
  g_autoptr (GadgetPrompt) prompt = show (fixture, tool, arguments);
  guint added, removed;

  g_assert_nonnull (prompt);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, title);
  g_assert_cmpint (gadget_prompt_get_body_kind (prompt), ==, kind);
  g_assert_cmpstr (gadget_prompt_get_body (prompt), ==, body);
  gadget_prompt_get_counts (prompt, &added, &removed);
  g_assert_cmpuint (added, ==, n_added);
  g_assert_cmpuint (removed, ==, n_removed);
}

#define EDIT_BLANKS                                                                                \
  "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two \\nthree\",\"new_text\":\"2\\nthree\"}]}"
#define EDIT_A "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\"}]}"
#define WRITE_A "{\"path\":\"a.txt\",\"content\":\"one\\n2\\nthree\\n\"}"

/* The whole change, before it is made. */
static void
test_shown (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outside = g_build_filename (fixture->workspace, "..", "outside.txt", NULL);
  g_autofree char *write_outside =
      g_strdup_printf ("{\"path\":\"%s\",\"content\":\"x\\n\"}", outside);
  g_autoptr (GadgetPrompt) unread = NULL;
  g_autoptr (GadgetPrompt) blind = NULL;

  assert_shows (fixture, fixture->write_file, "{\"path\":\"new.txt\",\"content\":\"a\\nb\\n\"}",
                GADGET_PROMPT_BODY_FILE, "Create new.txt?", "a\nb\n", 2, 0);
  /* It cannot be done, so nobody is asked. */
  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
  unread = show (fixture, fixture->edit_file, EDIT_A);
  g_assert_null (unread);
  file_tools_read_a (fixture);
  assert_shows (fixture, fixture->edit_file, EDIT_A, GADGET_PROMPT_BODY_DIFF, "Change a.txt?",
                "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", 1, 1);
  /* What an edit that fits by a rule would do to the file. */
  assert_shows (fixture, fixture->edit_file, EDIT_BLANKS, GADGET_PROMPT_BODY_DIFF, "Change a.txt?",
                "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", 1, 1);
  assert_shows (fixture, fixture->write_file, WRITE_A, GADGET_PROMPT_BODY_DIFF, "Change a.txt?",
                "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", 1, 1);
  file_tools_assert_file (fixture, "a.txt", "one\ntwo\nthree\n");

  /* Outside of the folder a call that was not allowed learns nothing of the file. */
  g_assert_true (g_file_set_contents (outside, "secret\n", -1, NULL));
  blind = show (fixture, fixture->write_file, write_outside);
  g_assert_nonnull (blind);
  g_assert_cmpstr (gadget_prompt_get_body (blind), ==, "x\n");
  g_assert_nonnull (gadget_prompt_get_text (blind, GADGET_PROMPT_OMITTED));
}

/* A long one is whole, too. */
static void
test_shown_whole (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) old_text = g_string_new (NULL);
  g_autoptr (GString) content = g_string_new (NULL);
  g_autofree char *arguments = NULL;
  g_autoptr (GadgetPrompt) prompt = NULL;

  for (guint i = 0; i < 20000; i++)
    {
      g_string_append_printf (old_text, "old %u\n", i);
      g_string_append_printf (content, "new %u\\n", i);
    }
  file_tools_put (fixture, "a.txt", old_text->str);
  reread (fixture);
  arguments = g_strdup_printf ("{\"path\":\"a.txt\",\"content\":\"%s\"}", content->str);
  prompt = show (fixture, fixture->write_file, arguments);
  g_assert_nonnull (prompt);
  g_assert_nonnull (strstr (gadget_prompt_get_body (prompt), "\n-old 19999\n"));
  g_assert_true (g_str_has_suffix (gadget_prompt_get_body (prompt), "\n+new 19999\n"));
}

/* Runs a call for which the user was shown PROMPT and allowed it. */
static void
start_shown (Fixture *fixture, GadgetTool *tool, const char *arguments, GadgetPrompt *prompt,
             ToolCall *call)
{
  GadgetToolContext context = file_tools_get_context (fixture);

  context.approved = gadget_prompt_get_text (prompt, GADGET_PROMPT_DIGEST);
  g_assert_nonnull (context.approved);
  tool_call_start (call, tool, &context, arguments, NULL);
}

/* What is written is what was shown; else it is shown again. */
static void
test_shown_is_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autoptr (GadgetPrompt) stale = NULL;
  GadgetPrompt *again;
  g_auto (ToolCall) same = { 0 };
  g_auto (ToolCall) moved = { 0 };
  g_auto (ToolCall) other = { 0 };
  g_auto (ToolCall) denied = { 0 };
  g_auto (ToolCall) gone = { 0 };

  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
  reread (fixture);
  prompt = show (fixture, fixture->edit_file, EDIT_A);
  start_shown (fixture, fixture->edit_file, EDIT_A, prompt, &same);
  wait_until (same.done);
  g_assert_no_error (same.error);
  file_tools_assert_file (fixture, "a.txt", "one\n2\nthree\n");

  /* The chat changed and read it meanwhile: the same change further down needs no second look. */
  file_tools_put (fixture, "a.txt", "0\n0\n0\n0\n0\none\ntwo\nthree\n");
  reread (fixture);
  g_clear_object (&prompt);
  prompt = show (fixture, fixture->edit_file, EDIT_A);
  file_tools_put (fixture, "a.txt", "1\n0\n0\n0\n0\n0\none\ntwo\nthree\n");
  reread (fixture);
  start_shown (fixture, fixture->edit_file, EDIT_A, prompt, &moved);
  wait_until (moved.done);
  g_assert_no_error (moved.error);

  /* Another change is shown again. */
  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
  reread (fixture);
  stale = show (fixture, fixture->write_file, WRITE_A);
  file_tools_put (fixture, "a.txt", "precious\n");
  reread (fixture);
  start_shown (fixture, fixture->write_file, WRITE_A, stale, &denied);
  again = file_tools_wait_for_question (&denied, "/a.txt");
  g_assert_nonnull (strstr (gadget_prompt_get_body (again), "-precious\n"));
  g_assert_nonnull (gadget_prompt_get_text (again, GADGET_PROMPT_WARNING));
  g_assert_true (gadget_prompt_answer (again, GADGET_PROMPT_DENY));
  wait_until (denied.done);
  g_assert_error (denied.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  file_tools_assert_file (fixture, "a.txt", "precious\n");

  start_shown (fixture, fixture->write_file, WRITE_A, stale, &other);
  again = file_tools_wait_for_question (&other, "/a.txt");
  g_assert_true (gadget_prompt_answer (again, GADGET_PROMPT_ALLOW));
  wait_until (other.done);
  g_assert_no_error (other.error);
  file_tools_assert_file (fixture, "a.txt", "one\n2\nthree\n");

  /* Changed by another program, it is not written at all. */
  file_tools_put (fixture, "a.txt", "theirs\n");
  start_shown (fixture, fixture->write_file, WRITE_A, stale, &gone);
  wait_until (gone.done);
  g_assert_error (gone.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  file_tools_assert_file (fixture, "a.txt", "theirs\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-tools/" path, Fixture, NULL, file_tools_set_up, function,              \
              file_tools_tear_down)
  ADD ("shown/change", test_shown);
  ADD ("shown/whole", test_shown_whole);
  ADD ("shown/is-written", test_shown_is_written);

  return g_test_run ();
}
