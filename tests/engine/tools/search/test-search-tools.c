/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding files and searching them, with ripgrep as it is and in the sandbox, which both give the
 * same. */

#include "config.h"

#include "common/gadget-glob.h"
#include "search-tools-fixture.h"
#include "tool-call.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void
put_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);

  g_assert_cmpint (symlink (target, full), ==, 0);
}

static void
assert_answers (Fixture *fixture, GadgetTool *tool, const char *arguments, const char *text)
{
  const GadgetToolContext context = { .workspace = fixture->workspace };

  tool_call_answers (tool, &context, arguments, text, NULL);
}

static void
assert_fails (Fixture *fixture, GadgetTool *tool, const char *arguments, const char *says)
{
  const GadgetToolContext context = { .workspace = fixture->workspace };

  tool_call_fails (tool, &context, arguments, says);
}

#define NO_FILE "[No file fits. Hidden and ignored files are only found with \"include_ignored\".]"

#define NO_LINE                                                                                    \
  "[No line fits. Hidden and ignored files are only searched with \"include_ignored\".]"

/* --- Patterns ----------------------------------------------------------------------------------
 */

static void
test_glob (void)
{
  static const struct
  {
    const char *pattern;
    const char *path;
    gboolean matches;
  } rows[] = {
    { "*.c", "a.c", TRUE },
    { "*.c", "a/b.c", FALSE },
    { "**/*.c", "b.c", TRUE },
    { "**/*.c", "a/x/b.c", TRUE },
    { "src/**/*.c", "src/b.c", TRUE },
    { "src/**/*.c", "src/a/b/c.c", TRUE },
    { "src/**/*.c", "srca/b.c", FALSE },
    { "src/**", "src/a/b", TRUE },
    { "src/**", "src", FALSE },
    { "a?c", "abc", TRUE },
    { "a?c", "a\303\244c", TRUE },
    { "a?c", "a/c", FALSE },
    { "[a-c]x", "bx", TRUE },
    { "[!a-c]x", "bx", FALSE },
    { "[!a-c]x", "dx", TRUE },
    { "a[!b]c", "a/c", FALSE },
    { "*.{c,h}", "a.h", TRUE },
    { "*.{c,h}", "a.o", FALSE },
    { "{a,b{c,d}}", "bd", TRUE },
    { "a\\*", "a*", TRUE },
    { "a\\*", "ab", FALSE },
    { "a.c", "abc", FALSE },
    { "a,b", "a,b", TRUE },
    { "[]]", "]", TRUE },
    { "a*", "a\377", TRUE },
    { "a+(b)", "a+(b)", TRUE },
  };
  static const char *const wrong[] = { "", "[a", "{a", "a}", "a\\", "\377" };
  g_autofree char *long_path = g_strnfill (5000, 'a');
  g_autoptr (GadgetGlob) hostile = gadget_glob_new ("*a*a*a*a*a*a*a*a*a*a*b", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GadgetGlob) glob = gadget_glob_new (rows[i].pattern, NULL);

      g_test_message ("%s %s", rows[i].pattern, rows[i].path);
      g_assert_nonnull (glob);
      g_assert_cmpint (gadget_glob_matches (glob, rows[i].path), ==, rows[i].matches);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gadget_glob_new (wrong[i], &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
  g_assert_false (gadget_glob_matches (hostile, long_path));
}

/* --- Finding -----------------------------------------------------------------------------------
 */

static void
put_tree (Fixture *fixture)
{
  search_put (fixture, "a.c", "int one;\nint two;\nint three;\nint four;\nint five;\n");
  search_put (fixture, "src/b.c", "int Two;\r\n");
  search_put (fixture, "src/deep/c.h", "two two\n");
  search_put (fixture, "src/deep/c.o", "two\n");
  search_put (fixture, "src/kept.o", "two\n");
  search_put (fixture, "build/made.c", "two\n");
  search_put (fixture, ".hidden/d.c", "two\n");
  search_put (fixture, "src/.hidden.c", "two\n");
  search_put (fixture, ".git/config", "two\n");
  search_put (fixture, ".gitignore", "# made\n*.o\n/build/\n!kept.o\n");
  search_put_bytes (fixture, "binary", "two\n\0two\n", 9);
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  put_tree (fixture);
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"**/*.c\"}", "a.c\nsrc/b.c\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"*.{c,h,o}\"}",
                  "a.c\nsrc/b.c\nsrc/deep/c.h\nsrc/kept.o\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"src/*.c\"}", "src/b.c\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"{src,x}/*/*\"}", "src/deep/c.h\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"**/*\",\"path\":\"src\"}",
                  "src/b.c\nsrc/deep/c.h\nsrc/kept.o\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"deep/**\",\"path\":\"src\"}",
                  "src/deep/c.h\n");
  assert_answers (
      fixture, fixture->find_files, "{\"pattern\":\"*.[co]\",\"include_ignored\":true}",
      ".hidden/d.c\na.c\nbuild/made.c\nsrc/.hidden.c\nsrc/b.c\nsrc/deep/c.o\nsrc/kept.o\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"*.none\"}", NO_FILE);
  assert_answers (fixture, fixture->find_files,
                  "{\"pattern\":\"*.{c,h,o}\",\"start\":2,\"max_results\":2}",
                  "src/b.c\nsrc/deep/c.h\n[2 to 3 of 4. To go on, call this with \"start\": 4.]");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"a.c\",\"start\":9}",
                  "[There are only 1.]");
}

/* Not what is above the workspace ignores: that may be the workspace. What is between does. */
static void
test_find_above (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  search_put (fixture, "../.gitignore", "work\n*.c\n");
  search_put (fixture, "../.ignore", "*\n");
  search_put (fixture, ".gitignore", "*.o\n");
  search_put (fixture, "one/.ignore", "*.log\n");
  search_put (fixture, "one/two/a.c", "here\n");
  search_put (fixture, "one/two/a.o", "here\n");
  search_put (fixture, "one/two/a.log", "here\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"**/*\"}", "one/two/a.c\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"**/*\",\"path\":\"one/two\"}",
                  "one/two/a.c\n");
  assert_answers (fixture, fixture->find_files,
                  "{\"pattern\":\"**/*\",\"path\":\"one/two\",\"include_ignored\":true}",
                  "one/two/a.c\none/two/a.log\none/two/a.o\n");
}

static void
test_find_wrong (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  put_tree (fixture);
  assert_fails (fixture, fixture->find_files, "{}", "\"pattern\" is missing");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"[a\"}", "is no pattern");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"/etc/*\"}", "relative");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"*\",\"path\":\"none\"}",
                "No such file");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"*\",\"path\":\"a.c\"}",
                "not a folder");
}

/* --- Searching ---------------------------------------------------------------------------------
 */

static void
test_search (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  put_tree (fixture);
  assert_answers (fixture, fixture->search, "{\"pattern\":\"t[w]o\"}",
                  "a.c:2:int two;\nsrc/deep/c.h:1:two two\nsrc/kept.o:1:two\n");
  assert_answers (fixture, fixture->search,
                  "{\"pattern\":\"two;\",\"case_insensitive\":true,\"glob\":\"*.c\"}",
                  "a.c:2:int two;\nsrc/b.c:1:int Two;\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"two\",\"glob\":\"src/**/*.h\"}",
                  "src/deep/c.h:1:two two\n");
  /* The pattern for files does not bring back what is ignored. */
  assert_answers (fixture, fixture->search, "{\"pattern\":\"two\",\"glob\":\"*.o\"}",
                  "src/kept.o:1:two\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"two\",\"path\":\"src/deep\"}",
                  "src/deep/c.h:1:two two\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"two\",\"path\":\"a.c\"}",
                  "a.c:2:int two;\n");
  assert_answers (fixture, fixture->search,
                  "{\"pattern\":\"^two$\",\"include_ignored\":true,\"glob\":\"{.hidden,build}/*\"}",
                  ".hidden/d.c:1:two\nbuild/made.c:1:two\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"one|five\",\"context\":1}",
                  "a.c:1:int one;\na.c-2-int two;\n--\na.c-4-int four;\na.c:5:int five;\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"nothing\"}", NO_LINE);
  /* What looks like an option is a pattern. */
  assert_answers (fixture, fixture->search, "{\"pattern\":\"--pre=sh\"}", NO_LINE);
  assert_fails (fixture, fixture->search, "{\"pattern\":\"(\"}",
                "\"pattern\" is not a regular expression: rg: regex");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"\"}", "regular expression");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"x\",\"path\":\"none\"}", "No such file");
}

static void
test_search_bounded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *line = g_strnfill (300000, 'x');
  g_autoptr (GString) many = g_string_new (NULL);
  g_auto (ToolCall) call = { 0 };
  g_auto (ToolCall) cut = { 0 };

  if (fixture->skipped)
    return;
  for (guint i = 0; i < 50000; i++)
    g_string_append (many, "again\n");
  search_put (fixture, "many", many->str);
  search_run (fixture, fixture->search, "{\"pattern\":\"again\",\"max_results\":2}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==,
                   "many:1:again\nmany:2:again\n[These are 2 of more. For the others, narrow it "
                   "with \"path\", \"glob\" or the pattern, or raise \"max_results\".]");
  search_put (fixture, "long", line);
  search_run (fixture, fixture->search, "{\"pattern\":\"x\"}", &cut);
  g_assert_no_error (cut.error);
  g_assert_cmpuint (strlen (cut.result->text), <, 1000);
  g_assert_true (g_str_has_prefix (cut.result->text, "long:1:xxx"));
  g_assert_nonnull (strstr (cut.result->text, "x…\n"));
}

static void
test_strange_names (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  search_put (fixture, "new\nline:3:fake", "found\n");
  search_put (fixture, "not-\377-utf8", "found \377\n");
  search_put (fixture, "-rf", "found\n");
  search_put (fixture, "dir/in", "found\n");
  search_put (fixture, "../outside/secret", "found\n");
  put_link (fixture, "dir/loop", "..");
  put_link (fixture, "dir/self", "self");
  put_link (fixture, "out", "../outside");
  put_link (fixture, "file-out", "../outside/secret");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"**\"}",
                  "-rf\ndir/in\n\"new\\nline:3:fake\"\n\"not-\\377-utf8\"\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"found\"}",
                  "-rf:1:found\ndir/in:1:found\n\"new\\nline:3:fake\":1:found\n"
                  "\"not-\\377-utf8\":1:found \357\277\275\n");
  /* Nor when a link that leads out is named. */
  assert_fails (fixture, fixture->search, "{\"pattern\":\"found\",\"path\":\"out\"}", "");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"found\",\"path\":\"file-out\"}", "");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"*\",\"path\":\"out\"}", "");
}

/* The matches that are left out bring no context of theirs. */
static void
test_context_bounded (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  search_put (fixture, "a", "before\nagain\nafter\nlater\nbeside\nagain\n");
  assert_answers (
      fixture, fixture->search, "{\"pattern\":\"again\",\"max_results\":1,\"context\":1}",
      "a-1-before\na:2:again\na-3-after\n[These are 1 of more. For the others, narrow it "
      "with \"path\", \"glob\" or the pattern, or raise \"max_results\".]");
}

/* In a file that is named, text goes on behind a NUL byte that is not near its beginning. */
static void
test_zero_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *line = g_strnfill (40000, 'x');
  g_autoptr (GString) bytes = g_string_new ("found\n");

  if (fixture->skipped)
    return;
  g_string_append (bytes, line);
  g_string_append_len (bytes, "\n\0\nfound again\n", 16);
  search_put_bytes (fixture, "late", bytes->str, bytes->len);
  assert_answers (fixture, fixture->search, "{\"pattern\":\"found\",\"path\":\"late\"}",
                  "late:1:found\nlate:4:found again\n");
}

static void
test_colon (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  search_put (fixture, "a:Zone.Identifier", "");
  search_put (fixture, "include:b", "");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"*:Zone.Identifier\"}",
                  "a:Zone.Identifier\n");
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"include:*\"}", "include:b\n");
}

static void
test_zero_late (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = g_strnfill (400000, 'x');

  if (fixture->skipped)
    return;
  memcpy (bytes, "found\n", 6);
  bytes[300000] = '\0';
  search_put_bytes (fixture, "a-late", bytes, 400000);
  search_put (fixture, "b", "found\n");
  search_put (fixture, "c", "found\n");
  g_auto (ToolCall) call = { 0 };
  search_run (fixture, fixture->search, "{\"pattern\":\"found\"}", &call);
  g_assert_no_error (call.error);
  g_assert_nonnull (strstr (call.result->text, "b:1:found\nc:1:found\n"));
}

/* What ripgrep says of a long pattern is longer than what is kept of it. */
static void
test_long_wrong_pattern (Fixture *fixture, gconstpointer data)
{
  g_autofree char *many = g_strnfill (1500, 'a');
  g_autofree char *arguments = g_strdup_printf ("{\"pattern\":\"%s(\"}", many);

  if (fixture->skipped)
    return;
  search_put (fixture, "a", "found\n");
  assert_fails (fixture, fixture->search, arguments, "not a regular expression");
}

/* --- Asking ------------------------------------------------------------------------------------
 */

static void
test_asks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) inside = json_from_string ("{\"pattern\":\"x\",\"path\":\"a\"}", NULL);
  g_autoptr (JsonNode) outside = json_from_string ("{\"pattern\":\"x\",\"path\":\"..\"}", NULL);
  const GadgetToolContext context = { .workspace = fixture->workspace };
  GadgetTool *tools[] = { fixture->find_files, fixture->search };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GadgetPrompt) prompt =
          gadget_tool_permission (tools[i], json_node_get_object (outside), &context);
      const GadgetAccess *access;

      g_assert_null (gadget_tool_permission (tools[i], json_node_get_object (inside), &context));
      g_assert_nonnull (prompt);
      g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 1);
      access = gadget_prompt_get_access (prompt, 0);
      g_assert_cmpint (access->kind, ==, GADGET_ACCESS_READ);
      g_assert_cmpstr (access->subject, ==, fixture->top);
      g_assert_false (access->confined);
    }
}

/* What the user has allowed outside of the workspace is searched, too: a folder and a single file.
 */
static void
test_outside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strdup_printf ("%s/outside/secret:1:found\n", fixture->top);
  g_autofree char *name = g_strdup_printf ("%s/outside/secret\n", fixture->top);

  if (fixture->skipped)
    return;
  search_put (fixture, "../outside/secret", "found\n");
  search_put (fixture, "../outside/other", "nothing\n");
  search_put (fixture, "../outside/ignored", "found\n");
  search_put (fixture, "../outside/.gitignore", "ignored\n");
  put_link (fixture, "../outside/link", "../work");
  search_put (fixture, "in-work", "found\n");
  assert_answers (fixture, fixture->search, "{\"pattern\":\"found\",\"path\":\"../outside\"}",
                  text);
  assert_answers (fixture, fixture->search,
                  "{\"pattern\":\"found\",\"path\":\"../outside/secret\"}", text);
  assert_answers (fixture, fixture->find_files, "{\"pattern\":\"sec*\",\"path\":\"../outside\"}",
                  name);
}

/* --- Ripgrep that is not there, or fails -------------------------------------------------------
 */

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  put_tree (fixture);
  gadget_ripgrep_set_program (fixture->ripgrep, "/nonexistent/rg");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"two;\"}",
                "install the package \"ripgrep\"");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"*.c\"}",
                "install the package \"ripgrep\"");
}

static void
test_fails (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  put_tree (fixture);
  /* Its words for an option that it does not know are told. */
  gadget_ripgrep_set_program (fixture->ripgrep, "/usr/bin/env");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"two;\"}", "option '--no-config'");
}

static void
set_script (Fixture *fixture, const char *script)
{
  g_autofree char *program = g_build_filename (fixture->workspace, ".fake-rg", NULL);

  search_put (fixture, ".fake-rg", script);
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  gadget_ripgrep_set_program (fixture->ripgrep, program);
}

/* A folder that vanishes after it was looked up is not one in which nothing fits. */
static void
test_vanished (Fixture *fixture, gconstpointer data)
{
  if (fixture->skipped)
    return;
  set_script (fixture, "#!/bin/sh\nrm -r regex\nexec rg \"$@\"\n");
  search_put (fixture, "regex/a.c", "two;\n");
  assert_fails (fixture, fixture->search, "{\"pattern\":\"two;\",\"path\":\"regex\"}",
                "not everything could be read: rg: ./regex: ");
  search_put (fixture, "regex/a.c", "two;\n");
  assert_fails (fixture, fixture->find_files, "{\"pattern\":\"*.c\",\"path\":\"regex\"}",
                "not everything could be read: rg: ./regex: ");
}

/* Results count although a file could not be read. */
static void
test_read_in_part (Fixture *fixture, gconstpointer data)
{
  g_auto (ToolCall) call = { 0 };

  if (fixture->skipped)
    return;
  set_script (fixture, "#!/bin/sh\nprintf './a.c\\0%s:found\\n' 1\n"
                       "echo 'rg: ./b: Permission denied (os error 13)' >&2\nexit 2\n");
  search_run (fixture, fixture->search, "{\"pattern\":\"found\"}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==, "a.c:1:found\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/search/glob", test_glob);
  search_add ("find", test_find);
  search_add ("find-above", test_find_above);
  search_add ("find-wrong", test_find_wrong);
  search_add ("search", test_search);
  search_add ("search-bounded", test_search_bounded);
  search_add ("strange-names", test_strange_names);
  search_add ("context-bounded", test_context_bounded);
  search_add ("zero-late", test_zero_late);
  search_add ("zero-named", test_zero_named);
  search_add ("colon", test_colon);
  search_add ("long-wrong-pattern", test_long_wrong_pattern);
  search_add ("asks", test_asks);
  search_add ("outside", test_outside);
  search_add ("missing", test_missing);
  search_add ("fails", test_fails);
  search_add ("vanished", test_vanished);
  search_add ("read-in-part", test_read_in_part);

  return g_test_run ();
}
