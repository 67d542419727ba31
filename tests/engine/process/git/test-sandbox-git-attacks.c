/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Attacks on the user's own git. Each is made where there is no protection as well, and works
 * there. What a command may well do stays as it is. */

#include "config.h"

#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
run_outside (TestSandbox *self, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start (command, self->workspace, NULL, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  return g_strdup (process->output->str);
}

#define OWN "export HOME=$PWD/../home GIT_CONFIG_NOSYSTEM=1; "
#define REPOSITORY                                                                                 \
  "export HOME=$PWD/../home GIT_CONFIG_NOSYSTEM=1; mkdir -p $HOME; git config --global user.name " \
  "x; "                                                                                            \
  "git config --global user.email x@example.org; git init -q .; echo a > a; git add a; "           \
  "git commit -qm one; "

#define EVIL                                                                                       \
  "export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x "        \
  "GIT_COMMITTER_EMAIL=x; printf '#!/bin/sh\ntouch %s/evil\n' \"$PWD\" > run; chmod +x run; "      \
  "E=\"$PWD/run\"; exec 2>/dev/null; "

/* A repository outside of the workspace that runs what is in it, which is what a command cannot
 * make there. */
#define ELSEWHERE "rm -rf ../e ../q; git init -q ../e; git -C ../e config core.fsmonitor $PWD/run; "
#define MODULE                                                                                     \
  "mkdir -p x/.git/modules y; git init -q --bare x/.git/modules/m; "                               \
  "git --git-dir=x/.git/modules/m config core.bare false; "

/* What the command plants, where the user then looks, and what the guard calls it. */
static const struct
{
  const char *name;
  const char *before; /* (nullable): what the user did, besides a repository */
  const char *plant;
  const char *folder;
  const char *told;
} attacks[] = {
  { "deep", NULL, "mkdir -p x/y/z; git init -q x/y/z; git -C x/y/z config core.fsmonitor $E",
    "x/y/z", "x/y/z/.git" },
  { "bare", NULL,
    "git init -q --bare docs; git -C docs config core.bare false; "
    "git -C docs config core.worktree .; git -C docs config core.fsmonitor $E",
    "docs", "docs" },
  { "submodule", NULL,
    "mkdir d{1..420}; p=z/z/z/z/z; mkdir -p $p; git init -q $p; "
    "git -C $p commit -q --allow-empty -m x; git add $p; git -C $p config core.fsmonitor $E",
    ".", "z/z/z/z/z/.git" },
  { "submodule-split", NULL,
    "mkdir d{1..420}; p=z/z/z/z/z; mkdir -p $p; git init -q $p; "
    "git -C $p commit -q --allow-empty -m x; git add $p; git update-index --split-index; "
    "git -C $p config core.fsmonitor $E",
    ".", "z/z/z/z/z/.git" },
  { "submodule-v4", NULL,
    "mkdir d{1..420}; p=z/z/z/z/z; mkdir -p $p; git init -q $p; "
    "git -C $p commit -q --allow-empty -m x; git add $p; git update-index --index-version 4; "
    "git -C $p config core.fsmonitor $E",
    ".", "z/z/z/z/z/.git" },
  { "worktree-config", "git config extensions.worktreeConfig true",
    "printf '[core]\nfsmonitor = %s\n' $E > .git/config.worktree", ".", ".git" },
  { "new-worktree", "git config extensions.worktreeConfig true",
    "git worktree add -q w; printf '[core]\nfsmonitor = %s\n' $E > "
    ".git/worktrees/w/config.worktree",
    "w", ".git/worktrees/w" },
  { "worktrees-moved", "git config extensions.worktreeConfig true; git worktree add -q w",
    "cp -r .git/worktrees .git/n; mv .git/worktrees .git/o; mv .git/n .git/worktrees; "
    "printf '[core]\nfsmonitor = %s\n' $E > .git/worktrees/w/config.worktree",
    "w", ".git/worktrees/w" },
  { "commondir", "git worktree add -q w",
    "cp -r .git/worktrees .git/n; mv .git/worktrees .git/o; mv .git/n .git/worktrees; mkdir c; "
    "cp -r .git/objects .git/refs .git/config c; git config -f c/config core.fsmonitor $E; "
    "echo $PWD/c > .git/worktrees/w/commondir",
    "w", ".git/worktrees/w" },
  { "linked-config", "mv .git/config .git/other; ln -s other .git/config",
    "cp .git/other .git/new; printf '[core]\nfsmonitor = %s\n' $E >> .git/new; "
    "mv -f .git/new .git/config",
    ".", ".git" },
  { "modules-moved",
    "git init -q ../lib; git -C ../lib commit -q --allow-empty -m x; "
    "git -c protocol.file.allow=always submodule --quiet add ../lib deep/lib; git commit -qm two",
    "cp -r .git/modules .git/m; mv .git/modules .git/n; mv .git/modules/deep .git/modules/o; "
    "mkdir -p .git/modules; cp -r .git/m/deep .git/modules/deep; "
    "git config -f .git/modules/deep/lib/config core.fsmonitor $E",
    ".", ".git/modules/deep/lib" },
  { "closed", NULL, "mkdir -p x; git init -q x/e; git -C x/e config core.fsmonitor $E; chmod 311 x",
    "x/e", "x/e/.git" },
  { "closed-modules", NULL,
    MODULE "echo gitdir: ../x/.git/modules/m > y/.git; "
           "git --git-dir=x/.git/modules/m config core.fsmonitor $E; chmod 311 x/.git/modules",
    "y", "x/.git/modules/m" },
  { "file-with-space", ELSEWHERE,
    MODULE "ln -s ${PWD%/*}/e/.git 'x/.git/modules/m '; echo 'gitdir: ../x/.git/modules/m ' > "
           "y/.git",
    "y", "y/.git" },
  { "file-of-two-lines", ELSEWHERE,
    MODULE "n=$(printf 'm\nm'); ln -s ${PWD%/*}/e/.git \"x/.git/modules/$n\"; "
           "echo \"gitdir: ../x/.git/modules/$n\" > y/.git",
    "y", "y/.git" },
  { "file-by-link",
    ELSEWHERE MODULE "mv x r; ln -s r x; echo gitdir: ../x/.git/modules/m > y/.git; "
                     "mkdir -p ../q/.git/modules; cp -r ../e/.git ../q/.git/modules/m",
    "rm x; ln -s ${PWD%/*}/q x", "y", "y/.git" },
  { "file-to-worktrees", NULL,
    "mkdir -p x/worktrees y; git init -q --bare x/worktrees/m; "
    "git --git-dir=x/worktrees/m config core.bare false; "
    "git --git-dir=x/worktrees/m config core.fsmonitor $E; "
    "echo gitdir: ../x/worktrees/m > y/.git",
    "y", "y/.git, x/worktrees/m" },
  { "link-by-link", ELSEWHERE "mkdir store; mv .git store/g; ln -s store/g .git",
    "mv store s; mkdir store; ln -s ${PWD%/*}/e/.git store/g", ".", ".git" },
};

static void
prepare (TestSandbox *self, guint i)
{
  g_autofree char *command = g_strconcat (REPOSITORY, attacks[i].before, NULL);
  g_autofree char *output = NULL;

  test_remove_tree (self->workspace);
  g_assert_cmpint (g_mkdir_with_parents (self->workspace, 0700), ==, 0);
  output = run_outside (self, command);
}

/* The user looks. */
static gboolean
is_run (TestSandbox *self, guint i)
{
  g_autofree char *look =
      g_strdup_printf ("cd %s && git status >/dev/null 2>&1", attacks[i].folder);
  g_autofree char *evil = g_build_filename (self->workspace, "evil", NULL);
  g_autofree char *output = run_outside (self, look);

  return g_file_test (evil, G_FILE_TEST_EXISTS);
}

static void
test_attacks (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (attacks); i++)
    {
      g_autofree char *command = g_strconcat (EVIL, attacks[i].plant, NULL);
      g_autofree char *told = NULL;
      g_autofree char *output = NULL;

      g_test_message ("%s", attacks[i].name);
      prepare (self, i);
      output = run_outside (self, command);
      g_assert_true (is_run (self, i));

      prepare (self, i);
      told = test_sandbox_run_told (self, command);
      g_assert_cmpstr (told, ==, attacks[i].told);
      g_assert_false (is_run (self, i));
    }
}

#define REBASE                                                                                     \
  "echo b > b; git add b; git commit -qm two; echo c > c; git add c; git commit -qm three; "       \
  "git config advice.skippedCherryPicks false; "
#define START "GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i HEAD~2; "

/* What the command plants into a rebase, by the user's or of its own, that the user goes on with.
 */
static const struct
{
  const char *name;
  const char *before; /* (nullable): the user's */
  const char *plant;
  const char *told;
} orders[] = {
  { "exec", NULL, START "echo \"exec $E\" >> .git/rebase-merge/git-rebase-todo", ".git" },
  { "x", START, "printf '\t x\t%s' $E >> .git/rebase-merge/git-rebase-todo", ".git" },
  { "strategy", START,
    "mkdir git-merge-x; printf 'x/../run' > .git/rebase-merge/strategy; "
    "git commit -q --amend -m other",
    ".git" },
  { "picks", "git checkout -q -b other HEAD~2; echo d > b; git add b; git commit -qm four; ",
    "git cherry-pick master~1 master; mkdir git-merge-x; echo e > b; git add b; "
    "printf '[options]\nstrategy = x/../run\n' > .git/sequencer/opts",
    ".git" },
  { "link", START,
    "mv .git/rebase-merge r; echo \"exec $E\" >> r/git-rebase-todo; ln -s ../r .git/rebase-merge",
    ".git" },
  { "exec-name-taken", NULL,
    START "echo \"exec $E\" >> .git/rebase-merge/git-rebase-todo; "
          "mkdir .git/rebase-merge/git-rebase-todo.from-command",
    ".git" },
  { "strategy-name-taken", START,
    "mkdir git-merge-x .git/rebase-merge/strategy.from-command; "
    "printf 'x/../run' > .git/rebase-merge/strategy; git commit -q --amend -m other",
    ".git" },
  { "picks-name-taken",
    "git checkout -q -b other HEAD~2; echo d > b; git add b; git commit -qm four; ",
    "git cherry-pick master~1 master; mkdir git-merge-x .git/sequencer/opts.from-command; "
    "echo e > b; git add b; printf '[options]\nstrategy = x/../run\n' > .git/sequencer/opts",
    ".git" },
};

static gboolean
is_carried_out (TestSandbox *self)
{
  g_autofree char *evil = g_build_filename (self->workspace, "evil", NULL);
  g_autofree char *output = run_outside (
      self, OWN "export GIT_EDITOR=true; git rebase --continue || git cherry-pick --continue");

  g_test_message ("%s", output);
  return g_file_test (evil, G_FILE_TEST_EXISTS);
}

static void
prepare_rebase (TestSandbox *self, const char *before)
{
  g_autofree char *command = g_strconcat (REPOSITORY REBASE, before, NULL);
  g_autofree char *output = NULL;

  test_remove_tree (self->workspace);
  g_assert_cmpint (g_mkdir_with_parents (self->workspace, 0700), ==, 0);
  output = run_outside (self, command);
}

static void
test_orders (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *command = g_strconcat (EVIL, orders[i].plant, NULL);
      g_autofree char *told = NULL;
      g_autofree char *output = NULL;

      g_test_message ("%s", orders[i].name);
      prepare_rebase (self, orders[i].before);
      output = run_outside (self, command);
      g_assert_true (is_carried_out (self));

      prepare_rebase (self, orders[i].before);
      told = test_sandbox_run_told (self, command);
      g_assert_cmpstr (told, ==, orders[i].told);
      g_assert_false (is_carried_out (self));
    }
}

/* A rebase that a command starts and leaves, and one of the user's that it goes on with, with what
 * the user wants to be run. */
static void
test_own_orders (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *later = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *left = NULL;
  g_autofree char *count = NULL;
  g_autofree char *ran = NULL;

  if (self->sandbox == NULL)
    return;
  prepare_rebase (self, NULL);
  told = test_sandbox_run_told (self,
                                EVIL START "test -f .git/rebase-merge/git-rebase-todo || echo no");
  g_assert_cmpstr (told, ==, "");
  g_assert_false (is_carried_out (self));
  count = run_outside (self, "test -e .git/rebase-merge || git log --oneline | wc -l");
  g_assert_cmpstr (count, ==, "3\n");

  prepare_rebase (self, "GIT_SEQUENCE_EDITOR=\"sed -i -e 1abreak -e 2abreak -e "
                        "'\\$aexec touch wanted'\" git rebase -q -i HEAD~2; ");
  later = test_sandbox_run_told (self, EVIL "GIT_EDITOR=true git rebase --continue; "
                                            "cd .git/rebase-merge; echo kept > "
                                            "git-rebase-todo.from-command; "
                                            "echo \"exec $E\" >> git-rebase-todo");
  g_assert_cmpstr (later, ==, ".git");
  kept = test_sandbox_dup_file (self, ".git/rebase-merge/git-rebase-todo.from-command");
  g_assert_cmpstr (kept, ==, "kept\n");
  left = test_sandbox_dup_file (self, ".git/rebase-merge/git-rebase-todo.from-command-2");
  g_assert_nonnull (strstr (left, "/run"));
  ran = run_outside (self, OWN "GIT_EDITOR=true git rebase --continue >/dev/null 2>&1; "
                               "ls wanted evil 2>/dev/null; git log --oneline | wc -l");
  g_assert_cmpstr (ran, ==, "wanted\n3\n");
}

/* What a command may well do stays as it is. */
static void
test_submodule (TestSandbox *self, gconstpointer data)
{
  static const char add[] =
      "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow "
      "GIT_CONFIG_VALUE_0=always; git init -q /tmp/lib; "
      "git -C /tmp/lib -c user.name=x -c user.email=x commit -q --allow-empty -m x; "
      "git submodule --quiet add /tmp/lib deep/lib && git -C deep/lib log --oneline | wc -l";
  g_autofree char *before = NULL;
  g_autofree char *told = NULL;
  g_autofree char *after = NULL;

  if (self->sandbox == NULL)
    return;
  /* The configuration of the whole cannot be written: there it fails, and is noted so. */
  before = run_outside (self, REPOSITORY "git config -f .gitmodules submodule.deep/lib.path "
                                         "deep/lib; git config -f .gitmodules "
                                         "submodule.deep/lib.url /tmp/lib");
  told = test_sandbox_run_told (self, add);
  g_assert_cmpstr (told, ==, "");
  after = run_outside (self, "test -f deep/lib/.git && echo there");
  g_assert_cmpstr (after, ==, "there\n");
}

/* In a worktree of the user's in the folder, and in one that the command makes. */
static void
test_worktrees (TestSandbox *self, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *told = NULL;
  g_autofree char *after = NULL;

  if (self->sandbox == NULL)
    return;
  before = run_outside (self, REPOSITORY "git worktree add -q own");
  told = test_sandbox_run_told (
      self, EVIL "git -C own commit -q --allow-empty -m two && git worktree add -q new && "
                 "git -C new commit -q --allow-empty -m two && git -C own status -s && "
                 "test ! -e .git/worktrees/own/config && rm run");
  g_assert_cmpstr (told, ==, "");
  after = run_outside (self, OWN "for i in own new; do git -C $i log --format=%s -1; done; "
                                 "ls run 2>/dev/null");
  g_assert_cmpstr (after, ==, "two\ntwo\n");
}

/* Where the repository has no working folder, and all work is done in worktrees. */
static void
test_bare_worktrees (TestSandbox *self, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *told = NULL;
  g_autofree char *after = NULL;

  if (self->sandbox == NULL)
    return;
  before = run_outside (self, REPOSITORY "mv .git .bare; git -C .bare config core.bare true; rm a; "
                                         "echo 'gitdir: ./.bare' > .git");
  told = test_sandbox_run_told (
      self,
      EVIL "git worktree add -q feature && git -C feature commit -q --allow-empty -m two && "
           "git worktree add -q -b other deep/other && git -C deep/other status -s && rm run");
  g_assert_cmpstr (told, ==, "");
  after = run_outside (self, OWN "git -C feature log --format=%s -1; git -C deep/other log "
                                 "--format=%s -1; ls run 2>/dev/null");
  g_assert_cmpstr (after, ==, "two\none\n");
}

/* Commands are over before the folders are listed, and long enough for a time to tell it. */
#define LISTED "mkdir -p a/b a/c; cp -r .git a/c/hidden; sleep 0.1"

/* A command that changes a folder which was listed after an earlier one, and gives it and those
 * around it the times back that a program can set. */
static const char *const planted_later[][2] = {
  { "mkdir a/b/.git a/b/.git/hooks; echo x > a/b/.git/HEAD; cp /bin/true a/b/.git/hooks/x",
    "a/b/.git" },
  { "mv a/c/hidden a/b/.git; mkdir -p a/b/.git/hooks; cp /bin/true a/b/.git/hooks/x", "a/b/.git" },
  { "mkdir -p n/.git/hooks; echo x > n/.git/HEAD; cp /bin/true n/.git/hooks/x; touch -r a/b n; "
    "mv a/b o; mv n a/b",
    "a/b/.git" },
  { "mkdir -p n/b/.git/hooks; echo x > n/b/.git/HEAD; cp /bin/true n/b/.git/hooks/x; "
    "touch -r a/b n/b; touch -r a n; mv a o; mv n a",
    "a/b/.git" },
  { "mkdir -p a/b/objects a/b/refs a/b/hooks; echo x > a/b/HEAD; cp /bin/true a/b/hooks/x", "a/b" },
};

static void
test_listed (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (planted_later); i++)
    {
      g_autofree char *plant = g_strdup_printf (
          "mkdir /tmp/t /tmp/t/b; touch -r . /tmp/t/top; touch -r a /tmp/t/a; touch -r a/b "
          "/tmp/t/b/b; %s; touch -r /tmp/t/b/b a/b; touch -r /tmp/t/a a; touch -r /tmp/t/top .",
          planted_later[i][0]);
      g_autofree char *before = NULL;
      g_autofree char *told = NULL;

      g_free (run_outside (self, "rm -rf -- * .git"));
      test_sandbox_make_repository (self->workspace, ".git");
      before = test_sandbox_run_told (self, LISTED);
      g_assert_cmpstr (before, ==, "");
      g_free (test_sandbox_run_told (self, "sleep 0.1"));
      told = test_sandbox_run_told (self, plant);
      g_test_message ("%s", planted_later[i][0]);
      g_assert_cmpstr (told, ==, planted_later[i][1]);
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-git-attacks/" path, TestSandbox, NULL, test_sandbox_set_up,         \
              function, test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("attacks", test_attacks);
  ADD ("listed", test_listed);
  ADD ("orders", test_orders);
  ADD ("own-orders", test_own_orders);
  ADD ("submodule", test_submodule);
  ADD ("worktrees", test_worktrees);
  ADD ("bare-worktrees", test_bare_worktrees);
  return test_sandbox_finish ();
}
