/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is read of a line: its words, the prefix that a rule may allow, and what it mentions. A real
 * shell shows which commands there are. */

#include "config.h"

#include "tools/shell/gadget-command-line.h"
#include "tools/shell/gadget-command-tokens.h"

#include <gio/gio.h>
#include <string.h>

static void
assert_words (const char *line, const char *joined)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_nonnull (commands);
  for (guint i = 0; i < commands->len; i++)
    {
      g_autofree char *words = g_strjoinv ("|", g_ptr_array_index (commands, i));

      g_string_append_printf (text, "%s%s", i > 0 ? " / " : "", words);
    }
  g_assert_cmpstr (text->str, ==, joined);
}

static void
test_words (void)
{
  assert_words ("a b c", "a|b|c");
  assert_words ("a 'b c' \"d e\" f\\ g", "a|b c|d e|f g");
  assert_words ("a '' \"\"", "a||");
  assert_words ("a 'b'\\''c'", "a|b'c");
  assert_words ("a \"b\\\"c\\n\"", "a|b\"c\\n");
  assert_words ("a;b&&c||d|e&f\ng", "a / b / c / d / e / f / g");
  assert_words ("a 2>&1 b", "a|b");
  assert_words ("a 2 1 12", "a|2|1|12");
  assert_words ("a\\ b c", "a b|c");
}

static void
assert_prefix (const char *line, const char *prefix)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autofree char *found = NULL;

  g_assert_nonnull (commands);
  found = gadget_command_tokens_dup_prefix (g_ptr_array_index (commands, 0));
  g_assert_cmpstr (found, ==, prefix);
}

static void
test_prefix (void)
{
  static const char *const none[] = {
    "sh -c x",      "bash x",          "/bin/sh -c x",   "env x",         "sudo x",
    "python -c x",  "python3.13 x",    "node -e x",      "perl -e x",     "xargs x",
    "find . -exec", "find .",          "ssh host",       "make",          "make test",
    "awk x",        "sed -n 1p x",     "tar xf x",       "./dev test",    "/usr/bin/git status",
    "git",          "git -c a status", "git bisect run", "git config a",  "git rebase -x a",
    "git grep x",   "git fetch",       "cargo run",      "npm run x",     "npm exec x",
    "npx x",        "go run .",        "uv run x",       "unknown thing", "rm x",
    "cd x",         "printf x",        "eval x",         "timeout 5 ls",  "watch ls",
    "docker run x", "vim x",           "less x",         "command ls",    "busybox ls",
    "gcc x.c",      "cmake --build .", "ninja -C build", "test -f x",     "git status --exec",
    "clang-19 a.c", "lua5.4 x",        "ldd a"
  };

  assert_prefix ("git status --short", "git status");
  assert_prefix ("git commit -m 'a; b'", "git commit");
  assert_prefix ("meson test -C build", "meson test");
  assert_prefix ("cargo test", "cargo test");
  assert_prefix ("npm test", "npm test");
  assert_prefix ("ls", "ls");
  assert_prefix ("ls -la src", "ls");
  assert_prefix ("cat src/main.c", "cat");
  assert_prefix ("rg -n pattern", "rg");
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    assert_prefix (none[i], NULL);
}

static void
assert_denial (const char *line, const char *denial)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autofree char *found = NULL;

  g_assert_nonnull (commands);
  found = gadget_command_tokens_dup_denial (g_ptr_array_index (commands, 0));
  g_assert_cmpstr (found, ==, denial);
  g_assert_true (gadget_command_line_mentions (line, found));
}

static void
test_denial (void)
{
  assert_denial ("git push origin main", "git push");
  assert_denial ("/usr/bin/git push", "git push");
  assert_denial ("git -C x push", "git");
  assert_denial ("rm -rf x", "rm");
  assert_denial ("sh -c x", "sh");
  assert_denial ("./dev test", "dev");
}

/* What is never offered is never allowed either, whoever wrote the rule. */
static void
test_may_allow (void)
{
  static const char *const never[] = { "sh",   "bash",  "env",     "sudo",      "python3",
                                       "node", "xargs", "find",    "ssh",       "make",
                                       "eval", "./x",   "/bin/ls", "python3.12" };

  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    {
      const char *const words[] = { never[i], "a", NULL };

      g_assert_false (gadget_command_tokens_may_allow (words));
      g_assert_true (strchr (never[i], '/') != NULL
                     || gadget_command_tokens_runs_anything (never[i]) != NULL);
    }
}

static void
test_mentions (void)
{
  static const struct
  {
    const char *line;
    const char *prefix;
    gboolean found;
  } cases[] = {
    { "git push", "git push", TRUE },
    { "git  push origin", "git push", TRUE },
    { "git -C x push", "git push", TRUE },
    { "/usr/bin/git push", "git push", TRUE },
    { "ls; git push", "git push", TRUE },
    { "ls && (git push)", "git push", TRUE },
    { "sh -c 'git push'", "git push", TRUE },
    { "sh -c \"sh -c 'git push'\"", "git push", TRUE },
    { "g\\it pu''sh", "git push", TRUE },
    { "GIT PUSH", "git push", TRUE },
    { "echo $(git push)", "git push", TRUE },
    { "echo `git push`", "git push", TRUE },
    { "x=1 git push", "git push", TRUE },
    { "x=git push", "git push", TRUE },
    { "git\\\n push", "git push", TRUE },
    { "git\tpush", "git push", TRUE },
    { "if true; then git push; fi", "git push", TRUE },
    { "git\xe2\x80\x8b push", "git push", TRUE },
    { "git${IFS}push", "git push", TRUE },
    { "rm -rf x", "rm", TRUE },
    { "xargs rm", "rm", TRUE },
    { "git pull", "git push", FALSE },
    { "git", "git push", FALSE },
    { "push git", "git push", FALSE },
    { "gitpush", "git push", FALSE },
    { "grm x", "rm", FALSE },
    { "", "rm", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].line);
      g_assert_cmpint (gadget_command_line_mentions (cases[i].line, cases[i].prefix), ==,
                       cases[i].found);
    }
}

/* Runs each line in a shell without any command: what it would have run is written down, one line
 * of quoted words a command, after the number of the line. "||" is left out of the lines, so that
 * all of their commands run; which of them first is not said. */
#define RECORDER                                                                                   \
  "command_not_found_handle () { local w=$n x; for x; do w+=\" <$x>\"; done;"                      \
  " printf '%s\\n' \"$w\" >&7; }\n"                                                                \
  "set -f; PATH=/nonexistent; exec 7>&1; n=0\n"                                                    \
  "while IFS= read -r -d '' line; do n=$((n + 1)); ( eval \"$line\" ) </dev/null >/dev/null 2>&1"  \
  "; done; wait\n"

static char *
make_line (GRand *random)
{
  static const char *const pieces[] = {
    "a",  "b",    "c1",   " ",          " ",     " ",   "'",   "\"",  "\\",       ";",
    "&&", "|",    "&",    "\n",         "\t",    "$",   "$x",  "`",   "(",        ")",
    "<",  ">",    "2>&1", ">/dev/null", "2",     "1",   "{",   "}",   "=",        "x=",
    "#",  "!",    "a b",  "'a b'",      "\"a\"", "\\n", "-x",  "a=b", "\xc3\xa9", "\\'",
    "''", "$(b)", "if",   "then",       "fi",    "[",   "a;b", "\\\n"
  };
  GString *line = g_string_new ("a");
  const int n = g_rand_int_range (random, 1, 14);

  for (int i = 0; i < n; i++)
    g_string_append (line, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
  return g_string_free_and_steal (line);
}

static int
compare_text (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static void
expect_commands (GPtrArray *expected, guint number, const GPtrArray *commands)
{
  for (guint i = 0; i < commands->len; i++)
    {
      char **words = g_ptr_array_index (commands, i);
      g_autoptr (GString) text = g_string_new (NULL);

      g_string_printf (text, "%u", number);
      for (guint k = 0; words[k] != NULL; k++)
        g_string_append_printf (text, " <%s>", words[k]);
      /* Words may hold lines; the records are compared as lines. */
      g_auto (GStrv) parts = g_strsplit (text->str, "\n", -1);

      for (guint k = 0; parts[k] != NULL; k++)
        g_ptr_array_add (expected, g_strdup (parts[k]));
    }
}

static GPtrArray *
run_recorder (GBytes *script)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) shell =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        "bash", "--norc", "--noprofile", "-c", RECORDER, NULL);
  g_autoptr (GBytes) output = NULL;
  g_auto (GStrv) records = NULL;
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  g_assert_no_error (error);
  g_subprocess_communicate (shell, script, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  records = g_strsplit (g_bytes_get_data (output, NULL), "\n", -1);
  for (guint i = 0; records[i] != NULL; i++)
    if (records[i + 1] != NULL) /* nothing follows the last line's end */
      g_ptr_array_add (found, g_strdup (records[i]));
  return found;
}

static gboolean
is_recorded (const GPtrArray *commands)
{
  for (guint i = 0; i < commands->len; i++)
    {
      const char *const *words = g_ptr_array_index (commands, i);

      if (strchr (words[0], '/') != NULL || g_str_equal (words[0], "["))
        return FALSE;
    }
  return TRUE;
}

/* What was read of a line is what a shell does with it. */
static void
test_beside_shell (void)
{
  const guint32 seed = g_test_rand_int ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GByteArray) script = g_byte_array_new ();
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GBytes) input = NULL;
  guint n = 0;

  g_test_message ("seed %u", seed);
  while (n < 400)
    {
      g_autofree char *line = make_line (random);
      g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);

      /* What the shell has itself, or looks for in a folder, says nothing to the recorder. */
      if (commands == NULL || !is_recorded (commands) || strstr (line, "||") != NULL)
        continue;
      g_byte_array_append (script, (const guint8 *) line, (guint) strlen (line) + 1);
      expect_commands (expected, ++n, commands);
    }
  input = g_byte_array_free_to_bytes (g_steal_pointer (&script));
  found = run_recorder (input);
  g_ptr_array_sort (expected, compare_text);
  g_ptr_array_sort (found, compare_text);
  for (guint i = 0; i < MIN (expected->len, found->len); i++)
    g_assert_cmpstr (expected->pdata[i], ==, found->pdata[i]);
  g_assert_cmpuint (expected->len, ==, found->len);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/command-line/words", test_words);
  g_test_add_func ("/engine/command-line/prefix", test_prefix);
  g_test_add_func ("/engine/command-line/denial", test_denial);
  g_test_add_func ("/engine/command-line/may-allow", test_may_allow);
  g_test_add_func ("/engine/command-line/mentions", test_mentions);
  g_test_add_func ("/engine/command-line/beside-shell", test_beside_shell);
  return g_test_run ();
}
