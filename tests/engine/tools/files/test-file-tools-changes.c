/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tools that write and edit files, as the agent calls them: what they ask for, and that they
 * overwrite nothing that the chat does not know. */

#include "config.h"

#include "file-tools-fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Writing ---------------------------------------------------------------------------------- */

static void
test_write_new (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  file_tools_run (fixture, fixture->write_file,
                  "{\"path\":\"x/y/new.txt\",\"content\":\"a\\nb\\n\"}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==, "Made x/y/new.txt: 2 lines, 4 bytes.");
  tool_call_says (call.result, "Created \u2068x/y/new.txt\u2069 · +2 −0");
  g_assert_cmpstr (gadget_item_get_text (call.item), ==,
                   "--- /dev/null\n+++ x/y/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  file_tools_assert_file (fixture, "x/y/new.txt", "a\nb\n");
  /* It is known now. */
  file_tools_assert_answers (
      fixture, fixture->write_file, "{\"path\":\"x/y/new.txt\",\"content\":\"c\"}",
      "Replaced x/y/new.txt: 1 line, 1 byte.", "Wrote \u2068x/y/new.txt\u2069 · +1 −2");
  file_tools_assert_answers (fixture, fixture->write_file,
                             "{\"path\":\"x/y/new.txt\",\"content\":\"c\"}",
                             "x/y/new.txt has this content already; it was not touched.",
                             "\u2068x/y/new.txt\u2069 had this content already");
}

static void
test_write_unread (Fixture *fixture, gconstpointer data)
{
  static const char *arguments = "{\"path\":\"a.txt\",\"content\":\"mine\"}";

  file_tools_assert_fails (fixture, fixture->write_file, arguments,
                           "was not read in this chat. Read it first");
  file_tools_assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  file_tools_read_a (fixture);
  file_tools_put (fixture, "a.txt", "theirs");
  file_tools_assert_fails (fixture, fixture->write_file, arguments,
                           "was changed since it was read");
  file_tools_assert_file (fixture, "a.txt", "theirs");
  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
  file_tools_assert_answers (fixture, fixture->write_file, arguments,
                             "Replaced a.txt: 1 line, 4 bytes.", "Wrote \u2068a.txt\u2069 · +1 −3");
}

static void
test_write_bad (Fixture *fixture, gconstpointer data)
{
  g_autofree char *git = g_build_filename (fixture->workspace, ".git/hooks", NULL);
  g_autofree char *link = g_build_filename (fixture->workspace, "innocent", NULL);

  g_assert_cmpint (g_mkdir_with_parents (git, 0700), ==, 0);
  g_assert_cmpint (symlink (".git/hooks", link), ==, 0);
  file_tools_assert_fails (fixture, fixture->write_file, "{\"content\":\"x\"}", "\"path\"");
  file_tools_assert_fails (fixture, fixture->write_file, "{\"path\":\"b\"}", "\"content\"");
  file_tools_assert_fails (fixture, fixture->write_file, "{\"path\":\"b\",\"content\":3}",
                           "\"content\"");
  file_tools_assert_fails (fixture, fixture->write_file, "{\"path\":\".\",\"content\":\"x\"}",
                           "a folder");
  file_tools_assert_fails (fixture, fixture->write_file, "{\"path\":\"a.txt/b\",\"content\":\"x\"}",
                           "Not a directory");
  /* The user was not asked about this one. */
  file_tools_assert_fails (fixture, fixture->write_file,
                           "{\"path\":\"innocent/pre-commit\",\"content\":\"x\"}", "is really");
}

static void
test_edit (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  file_tools_read_a (fixture);
  file_tools_run (fixture, fixture->edit_file,
                  "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\\n2\"},"
                  "{\"old_text\":\"one\\n\",\"new_text\":\"\"}]}",
                  &call);
  g_assert_no_error (call.error);
  tool_call_says (call.result, "Edited \u2068a.txt\u2069 · +2 −2");
  g_assert_cmpstr (call.result->text, ==,
                   "Edited a.txt: 2 lines added, 2 removed; it has 3 lines now.");
  g_assert_cmpstr (gadget_item_get_text (call.item), ==,
                   "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n-one\n-two\n+2\n+2\n three\n");
  file_tools_assert_file (fixture, "a.txt", "2\n2\nthree\n");
}

/* The edit is given in the ways of other tools. */
static void
test_edit_names (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[] = {
    "{\"path\":\"a.txt\",\"edits\":{\"old_text\":\"two\",\"new_text\":\"2\"}}",
    "{\"path\":\"a.txt\",\"edits\":\"[{\\\"old\\\":\\\"two\\\",\\\"new\\\":\\\"2\\\"}]\"}",
    "{\"path\":\"a.txt\",\"edits\":\"{\\\"old\\\":\\\"two\\\",\\\"new\\\":\\\"2\\\"}\"}",
    "{\"path\":\"a.txt\",\"old_text\":\"two\",\"new_text\":\"2\"}",
    "{\"path\":\"a.txt\",\"old\":\"two\",\"new\":\"2\",\"replace_all\":\"true\"}",
    "{\"file_path\":\"a.txt\",\"old_string\":\"two\",\"new_string\":\"2\"}",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_str\":\"two\",\"new_str\":\"2\",\"replaceAll\":false}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (ToolCall) call = { 0 };

      file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
      file_tools_read_a (fixture);
      file_tools_run (fixture, fixture->edit_file, cases[i], &call);
      g_assert_no_error (call.error);
      g_assert_cmpstr (call.result->text, ==,
                       "Edited a.txt: 1 line added, 1 removed; it has 3 lines now.");
      file_tools_assert_file (fixture, "a.txt", "one\n2\nthree\n");
    }
}

/* What is unknown, and what fitted by a rule, is said. */
static void
test_edit_said (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  file_tools_read_a (fixture);
  file_tools_run (fixture, fixture->edit_file,
                  "{\"path\":\"a.txt\",\"why\":1,\"edits\":[{\"old_text\":\"one \\ntwo\","
                  "\"new_text\":\"one\\n2\",\"note\":\"x\"}]}",
                  &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (
      call.result->text, ==,
      "Edited a.txt: 1 line added, 1 removed; it has 3 lines now. These names are "
      "unknown, and were ignored: \"why\", \"note\".\n"
      "The old text of edit 1 was not in the file exactly; it fitted but for blanks at "
      "line ends. From line 1 on, the file has now:\none\n2");
  g_assert_cmpstr (gadget_item_get_text (call.item), ==,
                   "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
  file_tools_assert_file (fixture, "a.txt", "one\n2\nthree\n");
}

static void
test_edit_bad (Fixture *fixture, gconstpointer data)
{
#define EDIT(edits) "{\"path\":\"a.txt\",\"edits\":" edits "}"
  static const struct
  {
    const char *arguments;
    const char *says;
  } cases[] = {
    { EDIT ("[{\"old_text\":\"e\",\"new_text\":\"x\"}]"), "3 times, at lines 1, 3, 3." },
    { EDIT ("[{\"old_text\":\"x\",\"new_text\":\"y\"}]"), "is not in the file" },
    { EDIT ("[{\"old_text\":\"one\",\"new_text\":\"1\"},{\"old_text\":\"x\",\"new_text\":\"y\"}]"),
      "Edit 2 of 2" },
    { EDIT ("[{\"old_text\":\"\",\"new_text\":\"y\"}]"), "must not be empty" },
    { EDIT ("[{\"old_text\":\"one\",\"new_text\":\"one\"}]"), "are the same" },
    { EDIT ("[{\"old_text\":\"one\"}]"), "\"edits[0].new_text\" is missing" },
    { EDIT ("[{\"before\":\"one\",\"new_text\":\"1\"}]"), "unknown: \"before\"" },
    { EDIT ("[7]"), "must be an object" },
    { EDIT ("[]"), "at least one" },
    { EDIT ("\"x\""), "\"edits\" must be a list" },
    { "{\"path\":\"none\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}", "no such file" },
  };
#undef EDIT

  file_tools_assert_fails (
      fixture, fixture->edit_file,
      "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}",
      "was not read in this chat");
  file_tools_read_a (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    file_tools_assert_fails (fixture, fixture->edit_file, cases[i].arguments, cases[i].says);
  file_tools_assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
}

/* Calls of one step run at the same time: none undoes the other. */
static void
test_edit_at_once (Fixture *fixture, gconstpointer data)
{
  static const char *const arguments[] = {
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"two\",\"new_text\":\"2\"}]}",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"three\",\"new_text\":\"3\"}]}",
  };

  for (guint round = 0; round < 50; round++)
    {
      g_auto (ToolCall) first = { 0 };
      g_auto (ToolCall) second = { 0 };
      g_auto (ToolCall) third = { 0 };
      ToolCall *const calls[] = { &first, &second, &third };

      file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
      file_tools_read_a (fixture);
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        file_tools_start (fixture, fixture->edit_file, arguments[i], NULL, calls[i]);
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        {
          wait_until (calls[i]->done);
          g_assert_no_error (calls[i]->error);
        }
      file_tools_assert_file (fixture, "a.txt", "1\n2\n3\n");
    }
}

/* --- A file that would get another owner ------------------------------------------------------ */

#define OWNED "{\"path\":\"a.txt\",\"content\":\"mine\"}"

static void
test_owner_denied (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  gadget_replacement_force_owner (TRUE);
  file_tools_read_a (fixture);
  file_tools_start (fixture, fixture->write_file, OWNED, NULL, &call);
  g_assert_true (gadget_prompt_answer_with_note (file_tools_wait_for_question (&call, "/a.txt"),
                                                 GADGET_PROMPT_DENY, "it is the server's"));
  wait_until (call.done);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (call.error->message, "it is the server's"));
  g_assert_null (gadget_item_get_prompt (call.item));
  file_tools_assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  gadget_replacement_force_owner (FALSE);
}

static void
test_owner_allowed (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };
  g_auto (ToolCall) late = { 0 };

  gadget_replacement_force_owner (TRUE);
  file_tools_read_a (fixture);
  file_tools_start (fixture, fixture->write_file, OWNED, NULL, &call);
  g_assert_true (
      gadget_prompt_answer (file_tools_wait_for_question (&call, "/a.txt"), GADGET_PROMPT_ALLOW));
  wait_until (call.done);
  g_assert_no_error (call.error);
  file_tools_assert_file (fixture, "a.txt", "mine");

  /* What was changed while it waited is looked at again. */
  file_tools_put (fixture, "a.txt", "one\ntwo\nthree\n");
  file_tools_read_a (fixture);
  file_tools_start (fixture, fixture->write_file, OWNED, NULL, &late);
  file_tools_wait_for_question (&late, "/a.txt");
  file_tools_put (fixture, "a.txt", "somebody else's");
  g_assert_true (gadget_prompt_answer (gadget_item_get_prompt (late.item), GADGET_PROMPT_ALLOW));
  wait_until (late.done);
  g_assert_error (late.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  file_tools_assert_file (fixture, "a.txt", "somebody else's");
  gadget_replacement_force_owner (FALSE);
}

/* A stop takes the question away at once, and nothing was changed. */
static void
test_owner_abort (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (ToolCall) call = { 0 };

  gadget_replacement_force_owner (TRUE);
  file_tools_read_a (fixture);
  file_tools_start (fixture, fixture->write_file, OWNED, cancellable, &call);
  file_tools_wait_for_question (&call, "/a.txt");
  g_cancellable_cancel (cancellable);
  wait_until (call.done);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (gadget_item_get_prompt (call.item));
  file_tools_assert_file (fixture, "a.txt", "one\ntwo\nthree\n");
  gadget_replacement_force_owner (FALSE);
}

/* --- A file that version control runs --------------------------------------------------------- */

#define HOOK "{\"path\":\".husky/pre-commit\",\"content\":\"evil\"}"

static void
test_protected (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hook = g_build_filename (fixture->workspace, ".husky", "pre-commit", NULL);
  g_auto (ToolCall) denied = { 0 };
  g_auto (ToolCall) other = { 0 };
  g_auto (ToolCall) allowed = { 0 };
  g_auto (ToolCall) unasked = { 0 };
  GadgetToolContext context = file_tools_get_context (fixture);

  file_tools_put (fixture, ".git/HEAD", "ref: refs/heads/main\n");
  file_tools_put (fixture, ".git/config",
                  "[core]\nhooksPath = .husky/_\n[include]\npath = ../team\n");
  file_tools_start (fixture, fixture->write_file, HOOK, NULL, &denied);
  g_assert_true (gadget_prompt_answer (file_tools_wait_for_question (&denied, "/pre-commit"),
                                       GADGET_PROMPT_DENY));
  wait_until (denied.done);
  g_assert_error (denied.error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_false (g_file_test (hook, G_FILE_TEST_EXISTS));

  file_tools_run (fixture, fixture->write_file, "{\"path\":\".gitattributes\",\"content\":\"\"}",
                  &other);
  g_assert_no_error (other.error);

  tool_call_start (&unasked, fixture->write_file,
                   &(GadgetToolContext) { .workspace = context.workspace,
                                          .item = context.item,
                                          .interactive = TRUE,
                                          .unasked = TRUE },
                   "{\"path\":\"team\",\"content\":\"evil\"}", NULL);
  wait_until (unasked.done);
  g_assert_error (unasked.error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_PROTECTED);

  file_tools_start (fixture, fixture->write_file, HOOK, NULL, &allowed);
  g_assert_true (gadget_prompt_answer (file_tools_wait_for_question (&allowed, "/pre-commit"),
                                       GADGET_PROMPT_ALLOW));
  wait_until (allowed.done);
  g_assert_no_error (allowed.error);
  file_tools_assert_file (fixture, ".husky/pre-commit", "evil");
}

/* --- Aborts ----------------------------------------------------------------------------------- */

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
put_and_read (Fixture *fixture, const char *content)
{
  g_auto (ToolCall) call = { 0 };

  file_tools_put (fixture, "big", content);
  file_tools_run (fixture, fixture->read_file, "{\"path\":\"big\"}", &call);
  g_assert_no_error (call.error);
}

/* Old or new, and what is answered is what happened. */
static void
test_abort_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = g_strnfill (4 << 20, 'n');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"big\",\"content\":\"%s\"}", content);
  g_autofree char *old_content = g_strnfill (4 << 20, 'o');
  gint64 duration = g_get_monotonic_time ();
  guint n_written = 0;

  {
    g_auto (ToolCall) whole = { 0 };

    file_tools_run (fixture, fixture->write_file, arguments, &whole);
    g_assert_no_error (whole.error);
    duration = (g_get_monotonic_time () - duration) / 1000;
  }
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_auto (ToolCall) call = { 0 };

      put_and_read (fixture, old_content);
      file_tools_start (fixture, fixture->write_file, arguments, cancellable, &call);
      g_timeout_add ((guint) (g_test_rand_double () * 2 * (double) duration), cancel_cb,
                     cancellable);
      while (!g_cancellable_is_cancelled (cancellable))
        g_main_context_iteration (NULL, TRUE);
      wait_until (call.done);
      if (call.error != NULL)
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      wait_until (gadget_blocking_get_n_given_up () == 0);
      file_tools_assert_file (fixture, "big", call.result != NULL ? content : old_content);
      n_written += call.result != NULL;
    }
  g_test_message ("one takes %d ms; %u of 50 were written", (int) duration, n_written);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-tools/" path, Fixture, NULL, file_tools_set_up, function,              \
              file_tools_tear_down)
  ADD ("write/new", test_write_new);
  ADD ("write/owner-denied", test_owner_denied);
  ADD ("write/owner-allowed", test_owner_allowed);
  ADD ("write/owner-abort", test_owner_abort);
  ADD ("write/protected", test_protected);
  ADD ("write/unread", test_write_unread);
  ADD ("write/bad-input", test_write_bad);
  ADD ("edit/applied", test_edit);
  ADD ("edit/other-names", test_edit_names);
  ADD ("edit/said", test_edit_said);
  ADD ("edit/bad-input", test_edit_bad);
  ADD ("edit/at-once", test_edit_at_once);
  ADD ("X13-abort-anywhere", test_abort_anywhere);

  return g_test_run ();
}
