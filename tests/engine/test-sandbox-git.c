/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user's own git would run of a repository is not for commands to write. Each attack is
 * made where there is no protection as well, and works there. */

#include "config.h"

#include "process/gadget-sandbox-git.h"
#include "test-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void
make_repository (const char *folder, const char *git)
{
  g_autofree char *path = g_build_filename (folder, git, NULL);

  test_write_file (path, "HEAD", "ref: refs/heads/main\n");
  test_write_file (path, "config", "[core]\n");
  test_write_file (path, "hooks/update.sample", "#!/bin/sh\n");
  test_write_file (path, "objects/info/packs", "");
  test_write_file (path, "refs/heads/x", "");
}

/* How many of the ways to plant something in the repository at $1 work. */
static const char plant[] = "plant () { exec 2>/dev/null; n=0; "
                            "(echo evil > $1/hooks/pre-commit) && n=$((n+1)); "
                            "(echo evil >> $1/config) && n=$((n+1)); "
                            "mv $1/hooks $1/h && mkdir $1/hooks && n=$((n+1)); "
                            "(echo evil > $1/c) && mv -f $1/c $1/config && n=$((n+1)); rm -f $1/c; "
                            "mv $1 $1.away && mkdir $1 && n=$((n+1)); "
                            "ln -sfn /tmp $1 && test -L $1 && n=$((n+1)); "
                            "echo $n; }; ";

static void
assert_planted (TestSandbox *self, const char *git, const char *expected)
{
  g_autofree char *command = g_strdup_printf ("%s plant %s", plant, git);

  test_sandbox_assert (self, self->workspace, expected, command);
}

static char *
dup_file (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
is_executable (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE);
}

static void
make_executable (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static char *
run_told (TestSandbox *self, const char *command)
{
  g_autoptr (TestProcess) process =
      test_process_start (command, self->workspace, self->sandbox, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  return g_strdup (process->result->disarmed);
}

static void
test_nested (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  make_repository (self->workspace, ".git");
  make_repository (self->workspace, "inner/.git");
  make_repository (self->workspace, ".git/modules/a/b");
  make_repository (self->workspace, "far/off/.git");
  make_repository (self->workspace, "docs");
  assert_planted (self, ".git", "0");
  assert_planted (self, "inner/.git", "0");
  assert_planted (self, "far/off/.git", "0");
  assert_planted (self, "docs", "0"); /* a repository without a name */
  test_sandbox_assert (self, self->workspace, "0",
                       "exec 2>/dev/null; m=.git/modules/a/b; n=0; (echo evil >> $m/config) && "
                       "n=1; (echo evil > $m/hooks/x) && n=2; echo $n");
  /* As it was, and as it is without protection. */
  test_sandbox_assert (self, self->workspace, "works",
                       "echo x > .git/index && echo y > inner/.git/index && echo works");
}

/* Of so many not all are mounts: the others are looked at afterwards. */
static void
test_many (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *config = NULL;

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *name = g_strdup_printf ("r%u/.git", i);

      make_repository (self->workspace, name);
    }
  told = run_told (self, "for i in {0..59}; do echo '[core] fsmonitor = x' >> r$i/.git/config && "
                         "echo $i; done 2>/dev/null");
  g_assert_cmpstr (told, !=, "");
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *name = g_strdup_printf ("r%u/.git/config", i);
      g_autofree char *text = dup_file (self, name);

      g_assert_true (text == NULL || strstr (text, "fsmonitor") == NULL);
    }
}

/* What is missing could be made. */
static void
test_missing_parts (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  assert_planted (self, ".git", "0");
}

static void
test_worktree (TestSandbox *self, gconstpointer data)
{
  g_autofree char *main_git = NULL;
  g_autofree char *pointer = NULL;
  g_autofree char *back = NULL;
  g_autofree char *command = NULL;
  g_autofree char *other = NULL;

  if (self->sandbox == NULL)
    return;
  main_git = g_build_filename (self->home, "Projects", "other", ".git", NULL);
  make_repository (self->home, "Projects/other/.git");
  pointer = g_strdup_printf ("gitdir: %s/worktrees/x\n", main_git);
  back = g_strdup_printf ("%s/.git\n", self->workspace);
  test_write_file (self->workspace, ".git", pointer);
  test_write_file (main_git, "worktrees/x/gitdir", back);
  test_write_file (main_git, "worktrees/x/commondir", "../..\n");
  test_write_file (main_git, "worktrees/x/HEAD", "ref: refs/heads/x\n");
  /* It is shown, and cannot be written; nor can the file that points there. */
  command = g_strdup_printf ("cat %s/HEAD; exec 2>/dev/null; (echo x > %s/evil) && echo written; "
                             "(echo 'gitdir: evil' > .git) && echo redirected; rm -f .git; "
                             "mv .git g; test -f .git && echo there; cat %s/../file",
                             main_git, main_git, main_git);
  test_sandbox_assert (self, self->workspace, "ref: refs/heads/main\nthere", command);
  /* A file that a command wrote does not open the way to another repository. */
  other = g_build_filename (self->home, "Projects", "third", NULL);
  test_write_file (self->home, "Projects/third/.git", pointer);
  g_free (command);
  command = g_strdup_printf ("cat %s/HEAD 2>/dev/null; echo end", main_git);
  test_sandbox_assert (self, other, "end", command);
}

/* A repository that the command makes: no mount can have protected it. */
static void
test_new_repository (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *config = NULL;
  g_autofree char *harmless = NULL;

  if (self->sandbox == NULL)
    return;
  harmless = run_told (self, "git init -q . && git config user.name x && git init -q two");
  g_assert_cmpstr (harmless, ==, "");
  test_remove_tree (self->workspace);
  g_assert_cmpint (g_mkdir (self->workspace, 0700), ==, 0);
  told = run_told (self, "git init -q . && printf '#!/bin/sh\\n' > .git/hooks/pre-commit && "
                         "chmod +x .git/hooks/pre-commit; git init -q two; "
                         "git -C two config core.fsmonitor ./evil");
  g_assert_nonnull (strstr (told, ".git"));
  g_assert_nonnull (strstr (told, "two/.git"));
  g_assert_false (is_executable (self, ".git/hooks/pre-commit"));
  config = dup_file (self, "two/.git/config");
  g_assert_null (config);

  g_autofree char *aside = dup_file (self, "two/.git/config.from-command");

  g_assert_nonnull (strstr (aside, "fsmonitor"));
}

/* Another folder than the workspace, as servers of tools are given; and a name of odd bytes. */
static void
test_other_folder (TestSandbox *self, gconstpointer data)
{
  g_autofree char *other = NULL;
  g_autofree char *command = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *config = NULL;

  if (self->sandbox == NULL)
    return;
  other = g_build_filename (self->home, "Projects", "other", NULL);
  command = g_strdup_printf ("cd %s; git init -q $'a\\xff\\n'; git -C $'a\\xff\\n' config "
                             "core.fsmonitor ./evil",
                             other);

  const char *const folders[] = { other, NULL };
  g_autoptr (TestProcess) process = test_process_start_with (
      command, (GadgetProcessSpec) {
                   .workspace = self->workspace, .folders = folders, .sandbox = self->sandbox });

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_true (g_utf8_validate (process->result->disarmed, -1, NULL));
  g_assert_null (strchr (process->result->disarmed, '\n'));
  expected = g_strdup_printf ("%s/a", other);
  expected[MIN (strlen (expected), 150)] = '\0';
  g_assert_true (g_str_has_prefix (process->result->disarmed, expected));
  config = g_build_filename (other, "a\xff\n", ".git", "config", NULL);
  g_assert_false (g_file_test (config, G_FILE_TEST_EXISTS));
}

static void
test_odd_configurations (TestSandbox *self, gconstpointer data)
{
  static const char *const bad[] = {
    "[core] fsmonitor = x",
    "[core] fsmonitor = x ; ]",
    "[remote \"a\"] uploadpack = x [remote \"b\"]",
    "[include]\n path = /x",
    "[alias]\n x = !y",
    "[remote \"a\"]\n url = ext::sh -c x",
    "[core]\n bare \\\n = x",
    "[filter \"x\"]\n smudge = y",
    "[core]\n SSHCOMMAND = x",
  };

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GadgetGitGuard) guard = gadget_git_guard_new (self->workspace);
      g_autofree char *found = NULL;
      g_autofree char *left = NULL;

      test_write_file (self->workspace, ".git/config", bad[i]);
      found = gadget_git_guard_check (guard);
      g_assert_cmpstr (found, ==, ".git");
      left = dup_file (self, ".git/config");
      g_assert_null (left);

      g_autofree char *git = g_build_filename (self->workspace, ".git", NULL);

      test_remove_tree (git);
    }
}

/* How many descriptors this program may have besides those that it has. */
static void
allow_more_files (guint n)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  limit.rlim_cur = MIN (limit.rlim_max, n == G_MAXUINT ? 1024 : test_count_fds () + n);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
}

/* Without a descriptor nothing is seen, and so nothing protected: it is not started then. */
static void
test_too_few_files (TestSandbox *self, gconstpointer data)
{
  static const char *const argv[] = { "true", NULL };
  const GadgetSandboxCommand command = {
    .helper = "/bin/true",
    .control_fd = 3,
    .workspace = self->workspace,
    .argv = argv,
  };
  guint n_refused = 0;

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("r%u/.git", i);

      make_repository (self->workspace, name);
    }
  for (guint n = 0; n < 60; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GadgetLaunch) launch = NULL;
      const guint n_before = test_count_fds ();

      allow_more_files (n);
      launch = gadget_sandbox_prepare (self->sandbox, &command, &error);
      allow_more_files (G_MAXUINT);
      if (launch == NULL)
        {
          g_assert_cmpuint (test_count_fds (), ==, n_before);
          n_refused += strstr (error->message, "could not be protected") != NULL ? 1 : 0;
          continue;
        }
      /* Each of the repositories, its hooks and its configuration. */
      g_assert_cmpuint (launch->sources->len, >=, 30);
    }
  g_assert_cmpuint (n_refused, >, 10);
}

/* Nor is what is there taken for something else afterwards; it is to be looked at again. */
static void
test_too_few_files_after (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GPtrArray) guards = gadget_git_guards_new ();
  g_autofree char *found = NULL;
  gboolean lacking = TRUE;

  make_repository (self->workspace, ".git/modules/m");
  make_repository (self->workspace, ".git");
  test_write_file (self->workspace, "m/.git", "gitdir: /srv/else\n");
  test_write_file (self->workspace, "x/.git", "gitdir: /srv/else\n");
  g_ptr_array_add (guards, gadget_git_guard_new (self->workspace));
  test_write_file (self->workspace, ".git/hooks/x", "evil");
  make_executable (self, ".git/hooks/x");
  for (guint n = 0; lacking; n++)
    {
      g_clear_pointer (&found, g_free);
      allow_more_files (n);
      found = gadget_git_guards_check (guards, &lacking);
      allow_more_files (G_MAXUINT);
      g_assert_true (!is_executable (self, ".git/hooks/x") || lacking);
      g_assert_cmpuint (n, <, 20);
    }
  g_assert_false (is_executable (self, ".git/hooks/x"));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = dup_file (self, i == 0 ? "m/.git" : "x/.git");

      g_assert_cmpstr (text, ==, "gitdir: /srv/else\n");
    }
}

/* One word in a file moves hooks and configuration elsewhere. */
static void
test_common_folder (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *common = NULL;

  if (self->sandbox == NULL)
    return;
  make_repository (self->workspace, ".git");
  told = run_told (self, "echo ../evil > .git/commondir");
  g_assert_cmpstr (told, ==, ".git");
  common = dup_file (self, ".git/commondir");
  g_assert_null (common);
}

static void
test_new_link (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *link = NULL;

  if (self->sandbox == NULL)
    return;
  told = run_told (self, "mkdir evil; ln -s evil .git; mkdir in; echo 'gitdir: ../evil' > in/.git");
  g_assert_cmpstr (told, ==, ".git, in/.git");
  link = g_build_filename (self->workspace, ".git", NULL);
  g_assert_false (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
}

static void
make_hook (TestSandbox *self, const char *folder)
{
  g_autofree char *path = g_build_filename (self->workspace, folder, ".git/hooks/update", NULL);

  test_write_file (self->workspace, "x", "");
  g_assert_true (
      g_file_set_contents_full (path, "#!/bin/sh\n", -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

/* What the user had stays as it is, also under another name, and among more than are looked at. */
static void
test_own_repositories (TestSandbox *self, gconstpointer data)
{
  g_autofree char *moved = NULL;
  g_autofree char *many = NULL;

  if (self->sandbox == NULL)
    return;
  make_repository (self->workspace, "inner/.git");
  make_hook (self, "inner");
  moved = run_told (self, "mv inner other && test -x other/.git/hooks/update");
  g_assert_cmpstr (moved, ==, "");
  g_assert_true (is_executable (self, "other/.git/hooks/update"));

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("folder-%u/.git", i);

      if (i % 10 == 0)
        make_repository (self->workspace, name);
      else
        test_write_file (self->workspace, name, "gitdir: x\n");
    }
  /* In a later tick of the clock of files. */
  g_usleep (20000);
  many = run_told (self, "rmdir folder-*/none 2>/dev/null; for i in {1..200}; do mkdir a$i; done; "
                         "rm -rf folder-*1/.git");
  g_assert_cmpstr (many, ==, "");
}

/* --- Attacks on the user's own git --------------------------------------------------------------
 */

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
      told = run_told (self, command);
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
      told = run_told (self, command);
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
  g_autofree char *left = NULL;
  g_autofree char *count = NULL;
  g_autofree char *ran = NULL;

  if (self->sandbox == NULL)
    return;
  prepare_rebase (self, NULL);
  told = run_told (self, EVIL START "test -f .git/rebase-merge/git-rebase-todo || echo no");
  g_assert_cmpstr (told, ==, "");
  g_assert_false (is_carried_out (self));
  count = run_outside (self, "test -e .git/rebase-merge || git log --oneline | wc -l");
  g_assert_cmpstr (count, ==, "3\n");

  prepare_rebase (self, "GIT_SEQUENCE_EDITOR=\"sed -i -e 1abreak -e 2abreak -e "
                        "'\\$aexec touch wanted'\" git rebase -q -i HEAD~2; ");
  later = run_told (self, EVIL "GIT_EDITOR=true git rebase --continue; "
                               "echo \"exec $E\" >> .git/rebase-merge/git-rebase-todo");
  g_assert_cmpstr (later, ==, ".git");
  left = dup_file (self, ".git/rebase-merge/git-rebase-todo.from-command");
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
  told = run_told (self, add);
  g_assert_cmpstr (told, ==, "");
  after = run_outside (self, "test -f deep/lib/.git && echo there");
  g_assert_cmpstr (after, ==, "there\n");
}

/* Variables by which git, of the user or of the command, would run something. */
static void
test_environment (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  g_setenv ("GIT_DIR", "/nowhere", TRUE);
  g_setenv ("GIT_CONFIG_GLOBAL", "/nowhere", TRUE);
  g_setenv ("GIT_SSH_COMMAND", "evil", TRUE);
  test_sandbox_assert (self, self->workspace, "0", "env | grep -c ^GIT_");
  g_unsetenv ("GIT_DIR");
  g_unsetenv ("GIT_CONFIG_GLOBAL");
  g_unsetenv ("GIT_SSH_COMMAND");
}

/* --- A race ------------------------------------------------------------------------------------
 */

typedef struct
{
  int dir;
  const char *name;
  const char *target; /* (nullable): of the link, when there is none */
  int stop;
} Swapper;

/* The link was set aside. The folder gets its name, and something to be made harmless. */
static void
make_again (Swapper *swapper)
{
  g_autofd int folder = -1;

  g_assert_cmpint (renameat (swapper->dir, "link", swapper->dir, swapper->name), ==, 0);
  g_assert_cmpint (symlinkat (swapper->target, swapper->dir, "link"), ==, 0);
  folder = openat (swapper->dir, swapper->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0)
    close (openat (folder, "x", O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
}

static gpointer
swap_in_thread (gpointer data)
{
  Swapper *swapper = data;

  while (!g_atomic_int_get (&swapper->stop))
    if (renameat2 (swapper->dir, swapper->name, swapper->dir, "link", RENAME_EXCHANGE) != 0)
      {
        g_assert_cmpint (errno, ==, ENOENT);
        make_again (swapper);
      }
    /* Long enough for what follows a look at it to find the same. */
    else if (swapper->target != NULL)
      for (const gint64 begun = g_get_monotonic_time (); g_get_monotonic_time () < begun + 20;)
        continue;
  return NULL;
}

/* Another command puts a link to a repository of the user's in the place of one in the folder,
 * while that is to be mounted: nothing of the user's is seen or written. The command may then not
 * start at all. */
static void
test_swapped (TestSandbox *self, gconstpointer data)
{
  Swapper swapper = { .dir = -1 };
  g_autofree char *link = NULL;
  GThread *thread;
  guint n_started = 0;

  if (self->sandbox == NULL)
    return;
  make_repository (self->home, "Projects/other/.git");
  test_write_file (self->home, "Projects/other/.git/config", "[user]\nname = secret\n");
  make_repository (self->workspace, "sub/.git");
  link = g_build_filename (self->workspace, "link", NULL);
  g_assert_cmpint (symlink ("../other", link), ==, 0);
  swapper.name = "sub";
  swapper.dir = open (self->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (swapper.dir, >=, 0);
  thread = g_thread_new ("swapper", swap_in_thread, &swapper);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (TestProcess) process = test_process_start (
          "exec 2>/dev/null; for i in 1 2 3 4 5 6; do cat {sub,link,../other}/.git/config; "
          "echo evil > ../other/.git/evil; echo evil > sub/.git/evil; done; echo end",
          self->workspace, self->sandbox, 20000);

      test_process_wait (process);
      if (process->error != NULL)
        {
          g_assert_error (process->error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_START);
          continue;
        }
      n_started++;
      g_assert_null (strstr (process->output->str, "secret"));
    }
  g_atomic_int_set (&swapper.stop, TRUE);
  g_thread_join (thread);
  close (swapper.dir);
  g_test_message ("%u of 40 started", n_started);

  g_autofree char *evil = g_build_filename (self->home, "Projects", "other", ".git", "evil", NULL);
  g_autofree char *config =
      g_build_filename (self->home, "Projects", "other", ".git", "config", NULL);

  g_assert_false (g_file_test (evil, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (config, G_FILE_TEST_EXISTS));
}

/* Another command puts a link to a folder of the user's in the place of hooks that are made
 * harmless at that moment: nothing outside is changed. */
static void
test_swapped_hooks (TestSandbox *self, gconstpointer data)
{
  Swapper swapper = { .dir = -1 };
  g_autofree char *outside = NULL;
  g_autofree char *program = NULL;
  g_autofree char *git = NULL;
  g_autofree char *link = NULL;
  GThread *thread;

  if (self->sandbox == NULL)
    return;
  outside = g_build_filename (self->home, "Projects", "other", NULL);
  program = g_build_filename (outside, "update", NULL);
  test_write_file (outside, "update", "#!/bin/sh\n");
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  make_repository (self->workspace, ".git");
  git = g_build_filename (self->workspace, ".git", NULL);
  link = g_build_filename (git, "link", NULL);
  g_assert_cmpint (symlink (outside, link), ==, 0);
  swapper.name = "hooks";
  swapper.target = outside;
  swapper.dir = open (git, O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (swapper.dir, >=, 0);
  thread = g_thread_new ("swapper", swap_in_thread, &swapper);
  for (guint i = 0; i < 2000 && g_file_test (program, G_FILE_TEST_IS_EXECUTABLE); i++)
    {
      g_autoptr (GadgetGitGuard) guard = gadget_git_guard_new (self->workspace);
      g_autofree char *found = gadget_git_guard_check (guard);
    }
  g_atomic_int_set (&swapper.stop, TRUE);
  g_thread_join (thread);
  close (swapper.dir);
  g_assert_true (g_file_test (program, G_FILE_TEST_IS_EXECUTABLE));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-git/" path, TestSandbox, NULL, test_sandbox_set_up, function,       \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("too-few-files", test_too_few_files);
  ADD ("too-few-files-after", test_too_few_files_after);
  ADD ("nested", test_nested);
  ADD ("many", test_many);
  ADD ("attacks", test_attacks);
  ADD ("orders", test_orders);
  ADD ("own-orders", test_own_orders);
  ADD ("submodule", test_submodule);
  ADD ("environment", test_environment);
  ADD ("missing-parts", test_missing_parts);
  ADD ("worktree", test_worktree);
  ADD ("new-repository", test_new_repository);
  ADD ("odd-configurations", test_odd_configurations);
  ADD ("other-folder", test_other_folder);
  ADD ("common-folder", test_common_folder);
  ADD ("new-link", test_new_link);
  ADD ("own-repositories", test_own_repositories);
  ADD ("swapped", test_swapped);
  ADD ("swapped-hooks", test_swapped_hooks);
  return test_sandbox_finish ();
}
