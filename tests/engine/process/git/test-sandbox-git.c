/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user's own git would run of a repository is not for commands to write, whatever
 * repositories there are. */

#include "config.h"

#include "process/git/gadget-sandbox-git.h"
#include "test-sandbox.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void
test_nested (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  test_sandbox_make_repository (self->workspace, ".git");
  test_sandbox_make_repository (self->workspace, "inner/.git");
  test_sandbox_make_repository (self->workspace, ".git/modules/a/b");
  test_sandbox_make_repository (self->workspace, "far/off/.git");
  test_sandbox_make_repository (self->workspace, "docs");
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

      test_sandbox_make_repository (self->workspace, name);
    }
  told = test_sandbox_run_told (
      self, "for i in {0..59}; do echo '[core] fsmonitor = x' >> r$i/.git/config && "
            "echo $i; done 2>/dev/null");
  g_assert_cmpstr (told, !=, "");
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *name = g_strdup_printf ("r%u/.git/config", i);
      g_autofree char *text = test_sandbox_dup_file (self, name);

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
  test_sandbox_make_repository (self->home, "Projects/other/.git");
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
  harmless =
      test_sandbox_run_told (self, "git init -q . && git config user.name x && git init -q two");
  g_assert_cmpstr (harmless, ==, "");
  test_remove_tree (self->workspace);
  g_assert_cmpint (g_mkdir (self->workspace, 0700), ==, 0);
  told = test_sandbox_run_told (self,
                                "git init -q . && printf '#!/bin/sh\\n' > .git/hooks/pre-commit && "
                                "chmod +x .git/hooks/pre-commit; git init -q two; "
                                "git -C two config core.fsmonitor ./evil");
  g_assert_nonnull (strstr (told, ".git"));
  g_assert_nonnull (strstr (told, "two/.git"));
  g_assert_false (is_executable (self, ".git/hooks/pre-commit"));
  config = test_sandbox_dup_file (self, "two/.git/config");
  g_assert_null (config);

  g_autofree char *aside = test_sandbox_dup_file (self, "two/.git/config.from-command");

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
      left = test_sandbox_dup_file (self, ".git/config");
      g_assert_null (left);

      g_autofree char *git = g_build_filename (self->workspace, ".git", NULL);

      test_remove_tree (git);
    }
}

/* What a command leaves is found by the next one, or when the program is started, if its own was
 * killed. */
static void
test_note (TestSandbox *self, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (self->home, "checks", NULL);
  g_autoptr (GadgetGitGuard) guard = NULL;
  g_autofree char *copy = g_strdup_printf ("sh -c 'cp %s/* %s/x'", folder, folder);
  g_autofree char *alive = NULL;
  g_autofree char *elsewhere = NULL;
  g_autofree char *found = NULL;
  g_autofree char *again = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *config = NULL;

  if (self->sandbox == NULL)
    return;
  test_sandbox_make_repository (self->workspace, ".git");
  test_write_file (self->workspace, "own/.hg/hgrc", "[hooks]\npre-status = ./own.sh\n");
  test_write_file (self->workspace, "sub/.git/config", "[core]\nfsmonitor = own\n");
  guard = gadget_git_guard_new (self->workspace);
  gadget_git_guard_note (guard, folder);
  test_write_file (self->workspace, "new/.git/config", "[core]\nfsmonitor = x\n");
  test_write_file (self->workspace, "own/own.sh", "x");
  alive = gadget_git_notes_check (folder, self->workspace);
  g_assert_null (alive);
  /* Nobody has a lock on that. */
  g_assert_true (g_spawn_command_line_sync (copy, NULL, NULL, NULL, NULL));
  g_clear_pointer (&guard, gadget_git_guard_free);
  elsewhere = gadget_git_notes_check (folder, self->home);
  g_assert_null (elsewhere);
  found = gadget_git_notes_check (folder, self->workspace);
  expected = g_strdup_printf ("%s/new/.git, %s/own/own.sh", self->workspace, self->workspace);
  g_assert_cmpstr (found, ==, expected);
  config = test_sandbox_dup_file (self, "sub/.git/config");
  g_assert_nonnull (config);
  again = gadget_git_notes_check (folder, self->workspace);
  g_assert_null (again);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
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

      test_sandbox_make_repository (self->workspace, name);
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

  test_sandbox_make_repository (self->workspace, ".git/modules/m");
  test_sandbox_make_repository (self->workspace, ".git");
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
      g_autofree char *text = test_sandbox_dup_file (self, i == 0 ? "m/.git" : "x/.git");

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
  test_sandbox_make_repository (self->workspace, ".git");
  told = test_sandbox_run_told (self, "echo ../evil > .git/commondir");
  g_assert_cmpstr (told, ==, ".git");
  common = test_sandbox_dup_file (self, ".git/commondir");
  g_assert_null (common);
}

static void
test_new_link (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;
  g_autofree char *link = NULL;

  if (self->sandbox == NULL)
    return;
  told = test_sandbox_run_told (
      self, "mkdir evil; ln -s evil .git; mkdir in; echo 'gitdir: ../evil' > in/.git");
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
  test_sandbox_make_repository (self->workspace, "inner/.git");
  make_hook (self, "inner");
  moved = test_sandbox_run_told (self, "mv inner other && test -x other/.git/hooks/update");
  g_assert_cmpstr (moved, ==, "");
  g_assert_true (is_executable (self, "other/.git/hooks/update"));

  for (guint i = 0; i < 600; i++)
    {
      g_autofree char *name = g_strdup_printf ("folder-%u/.git", i);

      if (i % 10 == 0)
        test_sandbox_make_repository (self->workspace, name);
      else
        test_write_file (self->workspace, name, "gitdir: x\n");
    }
  /* In a later tick of the clock of files. */
  g_usleep (20000);
  many = test_sandbox_run_told (
      self, "rmdir folder-*/none 2>/dev/null; for i in {1..200}; do mkdir a$i; done; "
            "rm -rf folder-*1/.git");
  g_assert_cmpstr (many, ==, "");
}

/* Submodules of the user's, more of them and with longer names than are looked at before a command.
 */
static void
test_own_modules (TestSandbox *self, gconstpointer data)
{
  static const char *const names[] = { "first", "a/b/c/d/e/f/g" };
  static const char *const folders[] = { ".git", ".git/modules/first" };

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      const guint n_more = i == 0 ? 0 : 80;

      test_sandbox_make_repository (self->workspace, folders[0]);
      for (guint j = 0; j < G_N_ELEMENTS (names) + n_more; j++)
        {
          g_autofree char *name = j < G_N_ELEMENTS (names)
                                      ? g_strdup_printf ("%s/modules/%s", folders[i], names[j])
                                      : g_strdup_printf ("%s/modules/m%u", folders[i], j);
          g_autofree char *hook = g_build_filename (name, "hooks", "update", NULL);

          test_sandbox_make_repository (self->workspace, name);
          test_write_file (self->workspace, hook, "#!/bin/sh\n");
          make_executable (self, hook);
        }
      /* In a later tick of the clock of files. */
      g_usleep (20000);
      for (guint j = 0; j < 3; j++)
        {
          g_autofree char *told = test_sandbox_run_told (self, "true");

          g_assert_cmpstr (told, ==, "");
        }
    }
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
  ADD ("environment", test_environment);
  ADD ("missing-parts", test_missing_parts);
  ADD ("worktree", test_worktree);
  ADD ("new-repository", test_new_repository);
  ADD ("odd-configurations", test_odd_configurations);
  ADD ("other-folder", test_other_folder);
  ADD ("common-folder", test_common_folder);
  ADD ("new-link", test_new_link);
  ADD ("note", test_note);
  ADD ("own-repositories", test_own_repositories);
  ADD ("own-modules", test_own_modules);
  return test_sandbox_finish ();
}
