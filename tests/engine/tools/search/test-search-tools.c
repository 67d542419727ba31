/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finding files and searching them, with ripgrep as it is and in the sandbox, which both give the
 * same; and that a stop ends each at once and keeps what was found. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "common/gadget-glob.h"
#include "test-process.h"
#include "test-store.h"
#include "tool-call.h"
#include "tools/search/gadget-tool-find-files.h"
#include "tools/search/gadget-tool-search.h"
#include "wait.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tool has 500 ms; what else the machine does is not its fault. */
#define LIMIT_US (3 * G_USEC_PER_SEC)

typedef enum
{
  UNCONFINED,
  SANDBOXED,
} Way;

typedef struct
{
  char *top;
  char *workspace;
  GadgetRipgrep *ripgrep;
  GadgetTool *find_files;
  GadgetTool *search;
  gboolean skipped;
} Fixture;

static void
put_bytes (Fixture *fixture, const char *path, const char *bytes, gssize length)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, bytes, length, NULL));
}

static void
put (Fixture *fixture, const char *path, const char *text)
{
  put_bytes (fixture, path, text, -1);
}

static void
put_link (Fixture *fixture, const char *path, const char *target)
{
  g_autofree char *full = g_build_filename (fixture->workspace, path, NULL);

  g_assert_cmpint (symlink (target, full), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const Way way = GPOINTER_TO_INT (data);
  g_autoptr (GadgetSandbox) sandbox = NULL;

  fixture->top = test_dir_new ();
  fixture->workspace = g_build_filename (fixture->top, "work", NULL);
  g_assert_cmpint (g_mkdir (fixture->workspace, 0700), ==, 0);
  fixture->ripgrep = gadget_ripgrep_new ();
  fixture->find_files = gadget_tool_find_files_new (fixture->ripgrep);
  fixture->search = gadget_tool_search_new (fixture->ripgrep);
  if (way == SANDBOXED)
    {
      sandbox = test_get_sandbox ();
      fixture->skipped = sandbox == NULL;
    }
  gadget_ripgrep_set_sandbox (fixture->ripgrep, sandbox);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  wait_until (gadget_blocking_get_n_given_up () == 0);
  g_object_unref (fixture->find_files);
  g_object_unref (fixture->search);
  g_object_unref (fixture->ripgrep);
  g_free (fixture->workspace);
  test_dir_free (fixture->top);
}

static void
start (Fixture *fixture, GadgetTool *tool, const char *arguments, GCancellable *cancellable,
       ToolCall *call)
{
  const GadgetToolContext context = { .workspace = fixture->workspace };

  tool_call_start (call, tool, &context, arguments, cancellable);
}

static void
run (Fixture *fixture, GadgetTool *tool, const char *arguments, ToolCall *call)
{
  start (fixture, tool, arguments, NULL, call);
  wait_until (call->done);
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
  put (fixture, "a.c", "int one;\nint two;\nint three;\nint four;\nint five;\n");
  put (fixture, "src/b.c", "int Two;\r\n");
  put (fixture, "src/deep/c.h", "two two\n");
  put (fixture, "src/deep/c.o", "two\n");
  put (fixture, "src/kept.o", "two\n");
  put (fixture, "build/made.c", "two\n");
  put (fixture, ".hidden/d.c", "two\n");
  put (fixture, "src/.hidden.c", "two\n");
  put (fixture, ".git/config", "two\n");
  put (fixture, ".gitignore", "# made\n*.o\n/build/\n!kept.o\n");
  put_bytes (fixture, "binary", "two\n\0two\n", 9);
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
  put (fixture, "../.gitignore", "work\n*.c\n");
  put (fixture, "../.ignore", "*\n");
  put (fixture, ".gitignore", "*.o\n");
  put (fixture, "one/.ignore", "*.log\n");
  put (fixture, "one/two/a.c", "here\n");
  put (fixture, "one/two/a.o", "here\n");
  put (fixture, "one/two/a.log", "here\n");
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
  put (fixture, "many", many->str);
  run (fixture, fixture->search, "{\"pattern\":\"again\",\"max_results\":2}", &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==,
                   "many:1:again\nmany:2:again\n[These are 2 of more. For the others, narrow it "
                   "with \"path\", \"glob\" or the pattern, or raise \"max_results\".]");
  put (fixture, "long", line);
  run (fixture, fixture->search, "{\"pattern\":\"x\"}", &cut);
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
  put (fixture, "new\nline:3:fake", "found\n");
  put (fixture, "not-\377-utf8", "found \377\n");
  put (fixture, "-rf", "found\n");
  put (fixture, "dir/in", "found\n");
  put (fixture, "../outside/secret", "found\n");
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

static void
test_zero_late (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = g_strnfill (400000, 'x');

  if (fixture->skipped)
    return;
  memcpy (bytes, "found\n", 6);
  bytes[300000] = '\0';
  put_bytes (fixture, "a-late", bytes, 400000);
  put (fixture, "b", "found\n");
  put (fixture, "c", "found\n");
  g_auto (ToolCall) call = { 0 };
  run (fixture, fixture->search, "{\"pattern\":\"found\"}", &call);
  g_assert_no_error (call.error);
  g_assert_nonnull (strstr (call.result->text, "b:1:found\nc:1:found\n"));
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
  put (fixture, "../outside/secret", "found\n");
  put (fixture, "../outside/other", "nothing\n");
  put (fixture, "../outside/ignored", "found\n");
  put (fixture, "../outside/.gitignore", "ignored\n");
  put_link (fixture, "../outside/link", "../work");
  put (fixture, "in-work", "found\n");
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

/* --- Stopping ----------------------------------------------------------------------------------
 */

static void
stop (GCancellable *cancellable, ToolCall *call)
{
  const gint64 begun = g_get_monotonic_time ();

  g_cancellable_cancel (cancellable);
  wait_until (call->done);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, LIMIT_US);
}

static void
put_big_tree (Fixture *fixture)
{
  g_autofree char *text = g_strnfill (2000, 'y');

  for (guint i = 0; i < 100; i++)
    for (guint j = 0; j < 50; j++)
      {
        g_autofree char *path = g_strdup_printf ("%u/%u/file-%u.c", i % 10, i, j);

        put (fixture, path, text);
      }
}

static void
test_stop_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *arguments = g_strdup_printf ("{\"pattern\":\"y{10}z|yy|%s\"}", marker);
  guint n_cut = 0;

  if (fixture->skipped)
    return;
  put_big_tree (fixture);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GadgetTool *tool = i % 3 == 0 ? fixture->find_files : fixture->search;
      g_auto (ToolCall) call = { 0 };

      start (fixture, tool, i % 3 == 0 ? "{\"pattern\":\"*.c\"}" : arguments, cancellable, &call);
      test_spin ((guint) g_test_rand_int_range (0, 30));
      stop (cancellable, &call);
      test_assert_none_alive (marker);
      if (call.error != NULL)
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        n_cut += call.result->cut;
    }
  g_test_message ("%u of 30 had found something before", n_cut);
}

/* What was found before is told. */
static void
test_stop_keeps (Fixture *fixture, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\ntrap '' TERM\n"
                                             "printf './a.c\\0%%s:found\\n' 1\nsleep %s\n",
                                             marker);
  g_autofree char *program = g_build_filename (fixture->workspace, "fake-rg", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (ToolCall) call = { 0 };

  if (fixture->skipped)
    return;
  put (fixture, "fake-rg", script);
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  gadget_ripgrep_set_program (fixture->ripgrep, program);
  start (fixture, fixture->search, "{\"pattern\":\"found\"}", cancellable, &call);
  wait_until (test_count_alive (marker) > 0);
  test_spin (100);
  stop (cancellable, &call);
  test_assert_none_alive (marker);
  g_assert_no_error (call.error);
  g_assert_true (call.result->cut);
  g_assert_cmpstr (call.result->text, ==, "a.c:1:found\n");
}

/* Somebody else has the pipe open as well, and keeps it: ripgrep's end is the end. */
static void
test_pipe_held (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_build_filename (fixture->workspace, "fake-rg", NULL);
  g_autofree char *go = g_build_filename (fixture->workspace, "go", NULL);
  g_autofree char *number = g_build_filename (fixture->workspace, "pid", NULL);
  g_autofree char *pid = NULL;
  g_autofree char *pipe = NULL;
  g_autofd int held = -1;
  g_auto (ToolCall) call = { 0 };

  if (fixture->skipped)
    return;
  put (fixture, "fake-rg",
       "#!/bin/sh\nprintf './a.c\\0%s:found\\n' 1\n"
       "echo $$ >.pid; mv .pid pid; while [ ! -e go ]; do sleep 0.01; done\n");
  g_assert_cmpint (g_chmod (program, 0700), ==, 0);
  gadget_ripgrep_set_program (fixture->ripgrep, program);
  start (fixture, fixture->search, "{\"pattern\":\"found\"}", NULL, &call);
  wait_until (g_file_get_contents (number, &pid, NULL, NULL));
  pipe = g_strdup_printf ("/proc/%s/fd/1", g_strchomp (pid));
  held = open (pipe, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (held, >=, 0);
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  wait_until (call.done);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.result->text, ==, "a.c:1:found\n");
}

/* Patterns made to take for ever: each ends by itself. */
static void
test_hostile_pattern (Fixture *fixture, gconstpointer data)
{
  static const char *const patterns[] = { "(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b",
                                          "^(([a-z])+.)+[A-Z]([a-z])+$" };
  g_autofree char *line = g_strnfill (4000, 'a');
  g_autofree char *text = g_strdup_printf ("%s!\n%s!\n%s!\n", line, line, line);

  if (fixture->skipped)
    return;
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("file-%u", i);

      put (fixture, path, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *arguments = g_strdup_printf ("{\"pattern\":\"%s\"}", patterns[i]);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      const gint64 begun = g_get_monotonic_time ();
      g_auto (ToolCall) whole = { 0 };
      g_auto (ToolCall) stopped = { 0 };

      run (fixture, fixture->search, arguments, &whole);
      g_assert_no_error (whole.error);
      g_test_message ("%s: %" G_GINT64_FORMAT " ms", patterns[i],
                      (g_get_monotonic_time () - begun) / 1000);
      start (fixture, fixture->search, arguments, cancellable, &stopped);
      test_spin (20);
      stop (cancellable, &stopped);
      wait_until (gadget_blocking_get_n_given_up () == 0);
    }
}

static guint
count_children (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;

  g_assert_true (g_file_get_contents ("/proc/thread-self/children", &text, NULL, NULL));
  words = g_strsplit (g_strstrip (text), " ", -1);
  return *text != '\0' ? g_strv_length (words) : 0;
}

/* Many searches of one step are started one after the other: in between a stop is seen. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  ToolCall calls[30] = { 0 };
  guint n_done = 0;
  guint n_before = 0;
  guint most = 0;

  if (fixture->skipped)
    return;
  put (fixture, "a.txt", "found\n");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    start (fixture, fixture->search, "{\"pattern\":\"found\"}", NULL, &calls[i]);
  while (n_done < G_N_ELEMENTS (calls))
    {
      g_main_context_iteration (NULL, TRUE);

      const guint n = count_children ();

      most = MAX (most, n > n_before ? n - n_before : 0);
      n_before = n;
      n_done = 0;
      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        n_done += calls[i].done;
    }
  g_assert_cmpuint (most, >=, 1);
  g_assert_cmpuint (most, <=, 2);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_assert_no_error (calls[i].error);
      g_assert_cmpstr (calls[i].result->text, ==, "a.txt:1:found\n");
      tool_call_clear (&calls[i]);
    }
}

static void
add (const char *name, void (*test) (Fixture *, gconstpointer))
{
  static const struct
  {
    const char *name;
    Way way;
  } ways[] = {
    { "unconfined", UNCONFINED },
    { "sandboxed", SANDBOXED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engine/search/%s/%s", name, ways[i].name);

      g_test_add (path, Fixture, GINT_TO_POINTER (ways[i].way), set_up, test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/engine/search/glob", test_glob);
  add ("find", test_find);
  add ("find-above", test_find_above);
  add ("find-wrong", test_find_wrong);
  add ("search", test_search);
  add ("search-bounded", test_search_bounded);
  add ("strange-names", test_strange_names);
  add ("zero-late", test_zero_late);
  add ("asks", test_asks);
  add ("outside", test_outside);
  add ("missing", test_missing);
  add ("fails", test_fails);
  add ("stop-anywhere", test_stop_anywhere);
  add ("hostile-pattern", test_hostile_pattern);
  add ("stop-keeps", test_stop_keeps);
  g_test_add ("/engine/search/many", Fixture, GINT_TO_POINTER (UNCONFINED), set_up, test_many,
              tear_down);
  g_test_add ("/engine/search/pipe-held", Fixture, GINT_TO_POINTER (UNCONFINED), set_up,
              test_pipe_held, tear_down);

  return g_test_run ();
}
