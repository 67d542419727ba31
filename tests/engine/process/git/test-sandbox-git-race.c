/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Another command puts a link in the place of a folder at the very moment it is looked at. */

#include "config.h"

#include "process/git/gadget-sandbox-git.h"
#include "test-sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  test_sandbox_make_repository (self->home, "Projects/other/.git");
  test_write_file (self->home, "Projects/other/.git/config", "[user]\nname = secret\n");
  test_sandbox_make_repository (self->workspace, "sub/.git");
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
  test_sandbox_make_repository (self->workspace, ".git");
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

#define BIG (16 * 1024 * 1024)

typedef struct
{
  int fd;
  int stop;
} Shortener;

static gpointer
shorten_in_thread (gpointer data)
{
  Shortener *shortener = data;

  while (!g_atomic_int_get (&shortener->stop))
    {
      g_assert_cmpint (ftruncate (shortener->fd, 0), ==, 0);
      g_assert_cmpint (ftruncate (shortener->fd, BIG), ==, 0);
      g_usleep (200);
    }
  return NULL;
}

static void
make_big (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  test_write_file (self->workspace, name, "");
  g_assert_cmpint (truncate (path, BIG), ==, 0);
}

/* Another command makes a file shorter while it is compared with the one that it may be a copy of.
 */
static void
test_shortened (TestSandbox *self, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (self->workspace, "b", "run", NULL);
  g_autofree char *other = g_build_filename (self->workspace, "other", NULL);
  g_autofd int fd = -1;
  Shortener shortener = { 0 };
  GThread *thread;

  test_sandbox_make_repository (self->workspace, ".git");
  test_write_file (self->workspace, ".git/config",
                   "[core]\nfsmonitor = a/run\nsshCommand = b/run\n");
  test_write_file (self->workspace, "b/file", "");
  make_big (self, "a/run");
  make_big (self, "other");
  fd = shortener.fd = open (other, O_RDWR | O_CLOEXEC);
  thread = g_thread_new ("shortener", shorten_in_thread, &shortener);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GadgetGitGuard) guard = gadget_git_guard_new (self->workspace);
      g_autofree char *found = NULL;

      g_assert_cmpint (link (other, copy), ==, 0);
      found = gadget_git_guard_check (guard);
      if (found == NULL)
        g_assert_cmpint (g_unlink (copy), ==, 0);
      else
        g_assert_cmpstr (found, ==, "b/run");
    }
  g_atomic_int_set (&shortener.stop, TRUE);
  g_thread_join (thread);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-git-race/" path, TestSandbox, NULL, test_sandbox_set_up, function,  \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("swapped", test_swapped);
  ADD ("swapped-hooks", test_swapped_hooks);
  ADD ("shortened", test_shortened);
  return test_sandbox_finish ();
}
