/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user allowed a few harmless commands. Each line here does something else as well, in a real
 * shell, where it is tried without a sandbox; and none of it is done without a question. */

#include "config.h"

#include "policy-fixture.h"
#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* What was allowed, for good. */
static const char *const rules[] = { "git status", "git log", "ls",   "cat",  "echo", "grep",
                                     "sort",       "uniq",    "tree", "file", "xxd",  "rg" };

/* Each makes a file "evil" in a folder with a repository, a file "a" and a program "bin/git". */
static const char *const lines[] = {
  /* More than one command. */
  "git status; touch evil",
  "git status;touch evil",
  "git status && touch evil",
  "git status --no-such-option || touch evil",
  "git status & touch evil",
  "git status\ntouch evil",
  "git status\n\n \ttouch evil",
  "touch evil; git status",
  "git status | xargs touch evil",
  "echo evil | xargs touch",
  "echo touch evil | sh",
  "git status | tee evil",
  "git log |& tee evil",
  "(touch evil)",
  "{ touch evil; }",
  "! touch evil",
  "time touch evil",
  "if git status; then touch evil; fi",
  "for x in evil; do touch $x; done",
  "case a in a) touch evil;; esac",
  "while touch evil; do break; done",
  "coproc touch evil; wait",

  /* Expansions. */
  "git status $(touch evil)",
  "git status \"$(touch evil)\"",
  "git status `touch evil`",
  "echo ${x:=$(touch evil)}",
  "echo $((x[$(touch evil)]))",
  "cat <(touch evil)",
  "echo a > >(tee evil); wait",
  "$'touch' evil",
  "t=touch; $t evil",
  "X='touch evil' && $X",

  /* Redirections. */
  "git status > evil",
  "git status >evil",
  "git status >> evil",
  "git status >| evil",
  "git status &> evil",
  "git status >& evil",
  "git status 2> evil",
  "git status <> evil",
  ">evil git status",
  "echo a 3>evil",
  "cat << EOF > evil\na\nEOF",
  "cat << EOF | sh\ntouch evil\nEOF",
  "sh << 'EOF'\ntouch evil\nEOF",
  "sh <<< 'touch evil'",

  /* Another meaning for the same words. */
  "PATH=$PWD/bin git status",
  "export PATH=\"$PWD/bin\"; git status",
  "git() { touch evil; }; git status",
  "function ls { touch evil; }\nls",
  "shopt -s expand_aliases\nalias ls='touch evil'\nls",
  "hash -p \"$PWD/bin/git\" git; git status",
  "trap 'touch evil' EXIT; git status",
  "trap 'touch evil' DEBUG; ls",
  "PS4='$(touch evil)'; set -x; ls",
  "PROMPT_COMMAND='touch evil' bash -ic ls",
  "BASH_ENV=script bash -c ls",
  "ENV=script sh -ic ls",
  "unset 'x[$(touch evil)]'; ls",
  "test -v 'x[$(touch evil)]'; ls",
  "printf -v 'x[$(touch evil)]' a; ls",
  "read 'x[$(touch evil)]' < a; ls",
  "source script; ls",
  ". ./script; ls",
  "eval 'touch evil'; ls",
  "./bin/git status",
  "bin/git status",

  /* Options of git, before the subcommand and behind it. */
  "git -c alias.x='!touch evil' x",
  "git -c core.fsmonitor='touch evil;' status",
  "git -c alias.x='!touch evil' -c x.status=y x",
  "git --config-env=alias.x=HOME -c alias.y='!touch evil' y",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!touch evil' git x",
  "git --exec-path=\"$PWD/bin\" evil",
  "git log --output=evil",
  "git status --help 2>/dev/null | touch evil",

  /* Programs that run others. */
  "sh -c 'touch evil'",
  "bash -c \"touch evil\"",
  "env touch evil",
  "env X=1 touch evil",
  "env -i /bin/touch evil",
  "env -S 'touch evil'",
  "env git status; env touch evil",
  "command touch evil",
  "builtin eval touch evil",
  "exec touch evil",
  "nohup touch evil",
  "timeout 5 touch evil",
  "nice touch evil",
  "setsid -w touch evil",
  "stdbuf -o0 touch evil",
  "xargs touch evil < /dev/null",
  "find . -name a -exec touch evil ';'",
  "find . -fprint evil",
  "python3 -c 'open (\"evil\", \"w\")'",
  "perl -e 'open F, \">evil\"'",
  "awk 'BEGIN { system (\"touch evil\") }'",
  "awk 'BEGIN { print > \"evil\" }'",
  "sed -n 'w evil' a",
  "sed 1e'touch evil' a",
  "make -f rules",
  "tar cf evil a",
  "tar cf /dev/null a --checkpoint=1 --checkpoint-action=exec='touch evil'",
  "dd of=evil if=a",
  "cp a evil",
  "ln -s a evil",
  "install a evil",

  /* Options and words by which what was allowed writes, or runs something. */
  "sort -o evil a",
  "sort -oevil a",
  "sort -uo evil a",
  "sort --output=evil a",
  "sort --outp evil a",
  "sort -S 1k --compress-program=./bin/git many",
  "uniq a evil",
  "uniq -c a evil",
  "tree -o evil",
  "tree -ao evil",
  "xxd a evil",
  "rg --pre ./bin/git a",
  "rg --hostname-bin ./bin/git --hyperlink-format 'file://{host}{path}' a a",
};

static void
set_up (PolicyFixture *fixture, gconstpointer data)
{
  policy_set_up (fixture, data);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    policy_add_rule (fixture, GADGET_RULE_COMMAND, rules[i], FALSE, FALSE);
}

static char *
make_folder (void)
{
  static const char program[] = "#!/bin/sh\n/usr/bin/touch evil\n";
  static const char *const names[] = { "bin/git", "bin/git-evil" };
  char *folder = test_dir_new ();
  g_autoptr (GString) many = g_string_new (NULL);

  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (many, "line %u\n", i * 7919);
  test_write_file (folder, "a", "aaa\n");
  test_write_file (folder, "many", many->str);
  test_write_file (folder, "script", "touch evil\n");
  test_write_file (folder, "rules", "evil:\n\ttouch evil\n");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      test_write_file (folder, names[i], program);
      g_assert_cmpint (g_chmod (path, 0755), ==, 0);
    }
  return folder;
}

/* Whether the line really does more than it seems to. */
static gboolean
works (const char *line)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *evil = g_build_filename (folder, "evil", NULL);
  g_autofree char *command =
      g_strconcat ("exec 2>/dev/null </dev/null; git init -q .\n", line, NULL);
  g_autoptr (TestProcess) process = test_process_start (command, folder, NULL, 20000);
  gboolean made;

  test_process_wait (process);
  g_assert_no_error (process->error);
  made = g_file_test (evil, G_FILE_TEST_EXISTS) || g_file_test (evil, G_FILE_TEST_IS_SYMLINK);
  test_dir_free (g_steal_pointer (&folder));
  return made;
}

static gboolean
has_program (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 2);
  g_autofree char *program = g_find_program_in_path (words[0]);

  return program != NULL;
}

/* What was allowed is allowed: a test in which everything asks would say nothing. */
static void
test_allowed (PolicyFixture *fixture, gconstpointer data)
{
  static const char *const harmless[] = { "git status",    "git status --short && ls -la",
                                          "sort -n a",     "sort --key=2 a | uniq -c",
                                          "tree -L 2",     "xxd a",
                                          "file a b",      "rg -n a",
                                          "cat a | grep a" };

  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    {
      g_test_message ("%s", harmless[i]);
      g_assert_cmpint (policy_judge_command (fixture, harmless[i]), ==, POLICY_ALLOWS);
    }
}

static void
test_asked (PolicyFixture *fixture, gconstpointer data)
{
  guint n_wrong = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (policy_judge_command (fixture, lines[i]) != POLICY_ASKS)
      {
        g_test_message ("nobody is asked about: %s", lines[i]);
        n_wrong++;
      }
  g_assert_cmpuint (n_wrong, ==, 0);
}

/* Of lines with a program that is not installed nothing can be said. */
static void
test_real (PolicyFixture *fixture, gconstpointer data)
{
  guint n_vain = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (!works (lines[i]) && (has_program (lines[i]) || g_ascii_ispunct (*lines[i])))
      {
        g_test_message ("no trick: %s", lines[i]);
        n_vain++;
      }
  g_assert_cmpuint (n_vain, ==, 0);
}

/* Where the mode allows what is confined, a rule that refuses is not got round by them either. */
static void
test_denied (PolicyFixture *fixture, gconstpointer data)
{
  static const char *const tricks[] = { "sh -c 'touch evil'", "env touch evil",  "ls; touch evil",
                                        "ls | xargs touch",   "/bin/touch evil", "to''uch evil",
                                        "\\touch evil",       "$(touch evil)",   "ls\ntouch evil" };

  gadget_session_set_mode (fixture->chat, GADGET_MODE_SANDBOX);
  policy_add_rule (fixture, GADGET_RULE_COMMAND, "touch", FALSE, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (tricks); i++)
    g_assert_cmpint (policy_judge_command (fixture, tricks[i]), ==, GADGET_PERMISSION_ERROR_DENIED);
  /* Nothing is to be seen of it: then it is asked. */
  g_assert_cmpint (policy_judge_command (fixture, "t=tou; ${t}ch evil"), ==, POLICY_ASKS);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/policy-escapes/" path, PolicyFixture, NULL, set_up, function,               \
              policy_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("allowed", test_allowed);
  ADD ("asked", test_asked);
  ADD ("real", test_real);
  ADD ("denied", test_denied);
  return g_test_run ();
}
