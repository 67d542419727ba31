/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-sandbox.h"

#include <glib/gstdio.h>

static char *test_home;

void
test_remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_chmod (path, 0700); /* a test may have locked it */
      dir = g_dir_open (path, 0, NULL);
      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          test_remove_tree (child);
        }
    }
  g_remove (path);
}

void
test_write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* GLib reads HOME once, so it is set before anything asks. It is not in /tmp, which is hidden as a
 * whole. */
void
test_sandbox_make_home (void)
{
  static const char *const places[] = { "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                                        "XDG_STATE_HOME" };

  test_home = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "gadget-home-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (test_home));
  g_setenv ("HOME", test_home, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_unsetenv (places[i]);
}

void
test_sandbox_remove_home (void)
{
  test_remove_tree (test_home);
  g_clear_pointer (&test_home, g_free);
}

void
test_sandbox_init (int *argc, char ***argv)
{
  test_sandbox_make_home ();
  g_test_init (argc, argv, NULL);
}

int
test_sandbox_finish (void)
{
  const int status = g_test_run ();

  test_sandbox_remove_home ();
  return status;
}

void
test_sandbox_set_up (TestSandbox *self, gconstpointer data)
{
  self->sandbox = test_get_sandbox ();
  if (self->sandbox == NULL)
    return;
  self->home = g_strdup (test_home);
  self->workspace = g_build_filename (self->home, "Projects", "x", NULL);
  g_assert_cmpint (g_mkdir_with_parents (self->workspace, 0700), ==, 0);
  test_write_file (self->home, ".ssh/id", "private-key");
  test_write_file (self->home, "Projects/other/file", "other-project");
}

void
test_sandbox_tear_down (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (self->sandbox == NULL)
    return;
  g_assert_finalize_object (self->sandbox);
  dir = g_dir_open (self->home, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (self->home, name, NULL);

      test_remove_tree (child);
    }
  g_free (self->home);
  g_free (self->workspace);
}

char *
test_sandbox_run (TestSandbox *self, const char *workspace, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start (command, workspace, self->sandbox, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_assert_false (process->result->timed_out);
  return g_strchomp (g_strdup (process->output->str));
}

void
test_sandbox_assert (TestSandbox *self, const char *workspace, const char *expected,
                     const char *command)
{
  g_autofree char *output = test_sandbox_run (self, workspace, command);

  g_assert_cmpstr (output, ==, expected);
}

char *
test_sandbox_show_folder (TestSandbox *self)
{
  char *folder = g_build_filename (self->home, ".volta", NULL);
  g_autoptr (GadgetSandboxTools) tools = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  tools = gadget_sandbox_tools_find (self->home, NULL);
  gadget_sandbox_set_tools (self->sandbox, tools);
  return folder;
}

/* In the workspace, since the sandbox may hide where it was built. */
void
test_sandbox_install_try_call (TestSandbox *self)
{
  g_autofree char *source =
      g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "support", "try-call", NULL);
  g_autofree char *target = g_build_filename (self->workspace, "try-call", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (source, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (target, bytes, (gssize) length, NULL));
  g_assert_cmpint (g_chmod (target, 0755), ==, 0);
}

void
test_sandbox_make_repository (const char *folder, const char *git)
{
  g_autofree char *path = g_build_filename (folder, git, NULL);

  test_write_file (path, "HEAD", "ref: refs/heads/main\n");
  test_write_file (path, "config", "[core]\n");
  test_write_file (path, "hooks/update.sample", "#!/bin/sh\n");
  test_write_file (path, "objects/info/packs", "");
  test_write_file (path, "refs/heads/x", "");
}

char *
test_sandbox_dup_file (TestSandbox *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

char *
test_sandbox_run_told (TestSandbox *self, const char *command)
{
  g_autoptr (TestProcess) process =
      test_process_start (command, self->workspace, self->sandbox, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  return g_strdup (process->result->disarmed);
}
