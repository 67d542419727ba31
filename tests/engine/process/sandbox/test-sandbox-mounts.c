/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is mounted while a command runs: a drive that the user plugs in, and what the command mounts
 * itself. In a namespace of the test's own, in which mounts are shared as on a desktop. */

#include "config.h"

#include "test-sandbox.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

typedef struct
{
  TestSandbox base;
  char *drive;
} Fixture;

static gboolean
have_mounts (void)
{
  static gboolean had;

  if (!had)
    had = unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_SHARED, NULL) == 0;
  return had;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  test_sandbox_set_up (&self->base, data);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->drive != NULL)
    umount2 (self->drive, MNT_DETACH);
  if (self->drive != NULL)
    g_rmdir (self->drive);
  g_free (self->drive);
  test_sandbox_tear_down (&self->base, data);
}

static void
plug_in (Fixture *self)
{
  g_assert_cmpint (mount ("drive", self->drive, "tmpfs", 0, "size=1m"), ==, 0);
  test_write_file (self->drive, "secret", "of the drive");
}

/* Where drives are mounted nothing of them is seen. */
static void
test_drive (Fixture *self, gconstpointer data)
{
  const char *folder = data;
  g_autofree char *command = NULL;
  g_autofree char *go = NULL;
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  if (geteuid () != 0 || !have_mounts ())
    {
      g_test_skip ("only root mounts drives");
      return;
    }
  self->drive = g_build_filename (folder, "gadget-test-drive", NULL);
  if (g_mkdir_with_parents (self->drive, 0755) != 0)
    {
      g_clear_pointer (&self->drive, g_free);
      g_test_message ("%s cannot be written to", folder);
      return;
    }
  command = g_strdup_printf ("echo ready; while ! test -e go; do sleep 0.02; done; "
                             "cat %s/secret 2>/dev/null; grep -c gadget-test-drive "
                             "/proc/self/mountinfo; (echo x > %s/secret) 2>/dev/null && "
                             "echo written; echo end",
                             self->drive, self->drive);
  process = test_process_start (command, self->base.workspace, self->base.sandbox, 20000);
  test_process_wait_output (process, "ready");
  plug_in (self);
  go = g_build_filename (self->base.workspace, "go", NULL);
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  test_process_wait (process);
  g_assert_no_error (process->error);
  g_test_message ("%s: %s", folder, process->output->str);
  g_assert_null (strstr (process->output->str, "of the drive"));
  g_assert_null (strstr (process->output->str, "written"));
}

/* Neither is a drive that has another place than these, but for a folder of it that is given: a
 * project on it, or all of it. */
static void
test_elsewhere (Fixture *self, gconstpointer data)
{
  static const char command[] = "cat /gadget-test-drive/secret 2>/dev/null; "
                                "cat /gadget-test-drive/other/secret 2>/dev/null; "
                                "(echo x > /gadget-test-drive/new) 2>/dev/null && echo written; "
                                "cat here 2>/dev/null; echo end";

  if (self->base.sandbox == NULL)
    return;
  if (geteuid () != 0 || !have_mounts () || g_mkdir ("/gadget-test-drive", 0755) != 0)
    {
      g_test_skip ("only root mounts drives");
      return;
    }
  self->drive = g_strdup ("/gadget-test-drive");
  plug_in (self);
  test_write_file (self->drive, "other/secret", "of another project");
  test_write_file (self->drive, "project/here", "of this project\n");
  test_sandbox_assert (&self->base, self->base.workspace, "end", command);
  test_sandbox_assert (&self->base, "/gadget-test-drive/project", "of this project\nend", command);
  test_sandbox_assert (&self->base, "/gadget-test-drive",
                       "of the driveof another projectwritten\nend", command);
}

/* What others have put there is not for commands, on a drive or not. */
static void
test_service (Fixture *self, gconstpointer data)
{
  const char *folder = data;
  g_autofree char *secret = g_build_filename (folder, "gadget-test-secret", NULL);
  g_autofree char *inside = g_build_filename (secret, "file", NULL);
  g_autofree char *command = g_strdup_printf ("cat %s 2>/dev/null; echo end", inside);

  if (self->base.sandbox == NULL)
    return;
  if (g_mkdir (secret, 0755) != 0)
    {
      g_test_skip ("only root writes there");
      return;
    }
  test_write_file (secret, "file", "of a service");
  test_sandbox_assert (&self->base, self->base.workspace, "end", command);
  test_sandbox_assert (&self->base, secret, "of a serviceend", command);
  test_remove_tree (secret);
}

/* What is mounted for the command is not mounted for the user. */
static void
test_none_outside (Fixture *self, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *during = NULL;
  g_autoptr (TestProcess) process = NULL;

  if (self->base.sandbox == NULL)
    return;
  g_assert_true (g_file_get_contents ("/proc/self/mountinfo", &before, NULL, NULL));
  process =
      test_process_start ("echo ready; sleep 20", self->base.workspace, self->base.sandbox, 0);
  test_process_wait_output (process, "ready");
  g_assert_true (g_file_get_contents ("/proc/self/mountinfo", &during, NULL, NULL));
  g_assert_cmpstr (during, ==, before);
  test_process_abort (process);
  test_process_wait (process);
}

#define ADD(path, data, function)                                                                  \
  g_test_add ("/engine/sandbox-mounts/" path, Fixture, data, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  /* Before there are threads, which would stay where they are. */
  if (geteuid () == 0)
    have_mounts ();
  ADD ("media", "/media", test_drive);
  ADD ("mnt", "/mnt", test_drive);
  ADD ("run", "/run/media", test_drive);
  ADD ("elsewhere", NULL, test_elsewhere);
  ADD ("srv", "/srv", test_service);
  ADD ("mail", "/var/mail", test_service);
  ADD ("spool", "/var/spool", test_service);
  ADD ("none-outside", NULL, test_none_outside);
  return test_sandbox_finish ();
}
