/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a configuration of the user's names in the folder is named still, however long it is, and
 * whoever else writes there; and ordinary work goes on. */

#include "config.h"

#include "process/git/gadget-sandbox-git.h"
#include "sandbox-named-fixture.h"
#include "test-sandbox.h"

static void
assert_named (TestSandbox *self, const char *name, gboolean expected)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  g_test_message ("%s", name);
  g_assert_true (gadget_git_may_run_file (self->workspace, path) == expected);
}

/* A configuration as long as they may be is looked at in no time: for each letter once. */
static void
test_long (TestSandbox *self, gconstpointer data)
{
  g_autofree char *value = g_strnfill (1000000, 'a');
  g_autofree char *config = g_strdup_printf ("[core]\nfsmonitor = ./run %s\n", value);
  const gint64 begun = g_get_monotonic_time ();

  test_sandbox_make_repository (self->workspace, ".git");
  test_write_file (self->workspace, ".git/config", config);
  assert_named (self, "run", TRUE);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 30 * G_TIME_SPAN_SECOND);
}

/* Work goes on, and what is named stays as the user has it, also what the user changes meanwhile.
 */
static void
test_work (TestSandbox *self, gconstpointer data)
{
  static const char before[] = REPOSITORY KEPT FILTER
      "git config filter.x.clean 'tools/run %f'; mkdir .githooks lib docs; "
      "git config core.hooksPath .githooks; git config alias.l 'log -- lib'; "
      "git config branch.docs.remote .; git config user.name docs; "
      "git config blame.ignoreRevsFile .ignore-revs; "
      "git config submodule.active .; echo > .ignore-revs; "
      "echo : > .githooks/pre-commit; ln .githooks/pre-commit other-name; git add .; git commit "
      "-qm two; git init -q sub; cd sub; " KEPT "git config core.fsmonitor tools/run";
  static const char work[] = OWN
      "echo b >> a && git commit -qam three && git config core.hooksPath && "
      "git checkout -q -b other && echo x > tools/more && echo x > lib/x && echo x > docs/x && "
      "echo x >> .ignore-revs && rm other-name && mv lib lib2 && git stash -q && mv sub moved && "
      "echo fine > result";
  g_autofree char *told = NULL;
  g_autofree char *output = NULL;
  g_autofree char *result = NULL;
  g_autofree char *program = NULL;

  if (self->sandbox == NULL)
    return;
  output = sandbox_named_run (self, NULL, before);
  told = sandbox_named_run (self, self->sandbox, work);
  g_assert_cmpstr (told, ==, "");
  result = g_build_filename (self->workspace, "result", NULL);
  g_assert_true (g_file_test (result, G_FILE_TEST_EXISTS));
  program = g_build_filename (self->workspace, "moved", "tools", "run", NULL);
  g_assert_true (g_file_test (program, G_FILE_TEST_IS_EXECUTABLE));
}

/* A worktree that a command adds has the hooks and programs of the repository; other ones are set
 * aside. */
static void
test_worktree (TestSandbox *self, gconstpointer data)
{
  static const char before[] = REPOSITORY KEPT
      "mkdir .githooks; printf '#!/bin/sh\ntouch hooked\n' > .githooks/pre-commit; "
      "chmod +x .githooks/pre-commit; git config core.hooksPath .githooks; "
      "git config core.fsmonitor tools/run; git add .; git commit -qm two; "
      "git checkout -qb other; echo 'touch evil' >> .githooks/pre-commit; git commit -qam three; "
      "git checkout -q -; rm -f hooked evil";
  g_autofree char *output = NULL;
  g_autofree char *told = NULL;
  g_autofree char *told_other = NULL;
  g_autofree char *user = NULL;

  if (self->sandbox == NULL)
    return;
  output = sandbox_named_run (self, NULL, before);
  told = sandbox_named_run (self, self->sandbox,
                            OWN "git worktree add -q tree && test -z \"$(git -C tree status -s)\"");
  g_assert_cmpstr (told, ==, "");
  told_other = sandbox_named_run (self, self->sandbox, OWN "git worktree add -q tree2 other");
  g_assert_cmpstr (told_other, ==, "tree2/.githooks");
  user =
      sandbox_named_run (self, NULL,
                         OWN "cd tree && git commit -q --allow-empty -m x && test -e hooked && "
                             "cd ../tree2 && git commit -q --allow-empty -m x && test ! -e evil");
}

/* The user, or an editor, saves such a file while a command runs: that is no work of the command.
 */
static void
test_user_writes (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetGitGuard) guard = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *found = NULL;

  if (self->sandbox == NULL)
    return;
  before = sandbox_named_run (self, NULL, REPOSITORY KEPT "git config core.fsmonitor tools/run");

  g_autoptr (TestProcess) process =
      test_process_start ("echo ready; read x", self->workspace, self->sandbox, 20000);

  test_process_wait_output (process, "ready");
  after = sandbox_named_run (self, NULL, "cp tools/run n; mv n tools/run; echo ': ' >> tools/run");
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpstr (process->result->disarmed, ==, "");
}

/* Mercurial and others follow a link in the place of their folder. */
static void
test_links_of_others (TestSandbox *self, gconstpointer data)
{
  g_autofree char *own = NULL;
  g_autofree char *told = NULL;
  g_autofree char *later = NULL;
  g_autofree char *moved = NULL;
  g_autofree char *left = NULL;

  if (self->sandbox == NULL)
    return;
  test_write_file (self->workspace, "store/hgrc", "[hooks]\npre-status = ./check.sh\n");
  test_write_file (self->workspace, "own/file", "");
  own = sandbox_named_run (self, NULL, "ln -s ../store own/.hg");
  test_sandbox_assert (self, self->workspace, "no",
                       "(echo evil > store/hgrc) 2>/dev/null || echo no");
  told =
      sandbox_named_run (self, self->sandbox,
                         "mkdir -p e a b c; echo x > e/hgrc; ln -s ../e a/.hg; ln -s $PWD/e b/.SL; "
                         "echo x > own/check.sh");
  g_assert_cmpstr (told, ==, "a/.hg, b/.SL, e/hgrc, own/check.sh");
  /* Where the folders were listed after an earlier command. */
  later = sandbox_named_run (self, self->sandbox,
                             "sleep 0.1; mkdir f; echo x > f/hgrc; ln -s ../f c/.hg");
  g_assert_cmpstr (later, ==, "c/.hg, f/hgrc");
  moved = sandbox_named_run (self, self->sandbox, "mv own own2; echo x > own2/check.sh");
  g_assert_cmpstr (moved, ==, "own2/check.sh");
  left = g_build_filename (self->workspace, "own2", ".hg", NULL);
  g_assert_true (g_file_test (left, G_FILE_TEST_IS_SYMLINK));
}

/* Mercurial, Jujutsu, Breezy and others. */
static void
test_others (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;

  if (self->sandbox == NULL)
    return;
  test_write_file (self->workspace, ".hg/hgrc",
                   "[hooks]\npre-status = ./check.sh\n%include ../team.hgrc\n"
                   "[extensions]\nx = tools/x.py\n[paths]\ndefault = ../other\n");
  test_write_file (self->workspace, "check.sh", "kept");
  test_write_file (self->workspace, "tools/x.py", "kept");
  test_write_file (self->workspace, ".jj/repo/config.toml",
                   "[fix.tools.x]\ncommand = [\"./fmt\"]\n");
  test_write_file (self->workspace, ".bzr/branch/branch.conf", "post_commit = ./after\n");
  test_write_file (self->workspace, "sub/.hg/requires", "");
  test_write_file (self->workspace, "own/.hg/hgrc", "[hooks]\npre-status = ./own.sh\n");
  test_sandbox_assert (self, self->workspace, "0",
                       "exec 2>/dev/null; n=0; for f in .hg/hgrc check.sh tools/x.py "
                       ".jj/repo/config.toml .bzr/branch/branch.conf; do (echo evil > $f) && "
                       "n=$((n+1)); mv $f $f.away && n=$((n+1)); done; echo $n");
  told = sandbox_named_run (
      self, self->sandbox,
      "echo x > fmt; echo x > after; echo x > team.hgrc; echo x > sub/.hg/hgrc; "
      "mkdir -p new/.hg; echo x > new/.hg/hgrc; mv .hg away; mkdir .hg; echo x > .hg/hgrc; "
      "echo x > other.py; mv own moved; echo x > moved/own.sh; mkdir -p .sl .pijul "
      "_darcs/prefs .repo/repo; echo x > .sl/config; "
      "echo x > .pijul/config; echo x > _darcs/prefs/defaults; echo x > .repo/repo/main.py");
  g_assert_cmpstr (told, ==,
                   ".hg/hgrc, .pijul/config, .repo/repo, .sl/config, _darcs/prefs/defaults, after, "
                   "fmt, moved/own.sh, new/.hg/hgrc, sub/.hg/hgrc, team.hgrc");
}

/* What the file tools ask for. */
static void
test_files (TestSandbox *self, gconstpointer data)
{
  g_autofree char *output = NULL;

  if (self->sandbox == NULL)
    return;
  output = sandbox_named_run (self, NULL,
                              REPOSITORY KEPT "git config core.hooksPath .husky/_; "
                                              "git config include.path ../.gitconfig; "
                                              "git config filter.x.clean 'tools/run %f'; "
                                              "git config gc.recentObjectsHook ./recent; "
                                              "git config lfs.customtransfer.x.path ./transfer; "
                                              "git config lfs.customtransfer.y.path python3; "
                                              "git config lfs.customtransfer.y.args send.py; "
                                              "git init -q --bare docs; mkdir docs2 worktree; "
                                              "git init -q --separate-git-dir=store worktree");
  assert_named (self, ".gitconfig", TRUE);
  assert_named (self, ".husky/_/h", TRUE);
  assert_named (self, ".husky/pre-commit", TRUE);
  assert_named (self, "tools/run", TRUE);
  assert_named (self, "recent", TRUE);
  assert_named (self, "transfer", TRUE);
  assert_named (self, "send.py", TRUE);
  assert_named (self, "tools/other", FALSE);
  assert_named (self, "docs/config", TRUE);
  assert_named (self, "docs/hooks/update", TRUE);
  assert_named (self, "docs2/config", FALSE);
  assert_named (self, "store/config", TRUE);
  assert_named (self, "a", FALSE);
  assert_named (self, ".gitattributes", FALSE);

  /* Whatever else there is. */
  g_free (output);
  output = sandbox_named_run (
      self, NULL,
      "mkdir d{1..900}; " MANY ("git init -q z$i; " SETTING ("z$i")) "mkdir d{901..1800}");
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *command = g_strdup_printf ("git -C z%u config core.fsmonitor ./run", i);
      g_autofree char *name = g_strdup_printf ("z%u/run", i);
      g_autofree char *said = sandbox_named_run (self, NULL, command);

      assert_named (self, name, TRUE);
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-named/" path, TestSandbox, NULL, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("long", test_long);
  ADD ("work", test_work);
  ADD ("worktree", test_worktree);
  ADD ("user-writes", test_user_writes);
  ADD ("others", test_others);
  ADD ("links-of-others", test_links_of_others);
  ADD ("files", test_files);
  return test_sandbox_finish ();
}
