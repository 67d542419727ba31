/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folders are not listed again while their times are the same: only where a file system says
 * with them that a name came or went. FAT does not, and its first folder has no times at all. This
 * program is told that its folder is such a one. */

#include "config.h"

#include "common/gadget-file-clock.h"
#include "effects/gadget-scan.h"
#include "process/git/gadget-sandbox-git.h"
#include "test-sandbox.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static guint32 told_type; /* 0 for what it is */
static ino_t without_times;

int
fstatfs (int fd, struct statfs *info)
{
  const int result = (int) syscall (SYS_fstatfs, fd, info);

  if (result == 0 && told_type != 0)
    info->f_type = told_type;
  return result;
}

int
fstatat (int folder, const char *name, struct stat *info, int flags)
{
  const int result = (int) syscall (SYS_newfstatat, folder, name, info, flags);

  if (result == 0 && without_times != 0 && info->st_ino == without_times)
    {
      memset (&info->st_mtim, 0, sizeof info->st_mtim);
      memset (&info->st_ctim, 0, sizeof info->st_ctim);
    }
  return result;
}

int
fstat (int fd, struct stat *info)
{
  return fstatat (fd, "", info, AT_EMPTY_PATH);
}

static const struct
{
  guint32 type;
  gboolean own;
} types[] = {
  { EXT4_SUPER_MAGIC, TRUE },   { XFS_SUPER_MAGIC, TRUE },    { BTRFS_SUPER_MAGIC, TRUE },
  { F2FS_SUPER_MAGIC, TRUE },   { TMPFS_MAGIC, TRUE },        { OVERLAYFS_SUPER_MAGIC, TRUE },
  { 0x2fc12fc1, TRUE }, /* ZFS */
  { 0xca451a4e, TRUE }, /* bcachefs */
  { MSDOS_SUPER_MAGIC, FALSE }, { EXFAT_SUPER_MAGIC, FALSE }, { ISOFS_SUPER_MAGIC, FALSE },
  { NFS_SUPER_MAGIC, FALSE },   { SMB2_SUPER_MAGIC, FALSE },  { FUSE_SUPER_MAGIC, FALSE },
  { V9FS_MAGIC, FALSE },        { 0x12345678, FALSE }, /* whatever comes */
};

static void
test_types (TestSandbox *self, gconstpointer data)
{
  g_autofd int fd = open (self->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      told_type = types[i].type;
      g_test_message ("%x", told_type);
      g_assert_true (gadget_file_clock_is_own (fd) == types[i].own);
    }
  told_type = 0;
}

static void
begin_without_times (TestSandbox *self)
{
  struct stat info;

  test_write_file (self->workspace, "old", "");
  g_assert_cmpint (stat (self->workspace, &info), ==, 0);
  told_type = MSDOS_SUPER_MAGIC;
  without_times = info.st_ino;
}

static void
end_without_times (void)
{
  told_type = 0;
  without_times = 0;
}

/* A turn made it: it is to be taken back. */
static void
test_scan (TestSandbox *self, gconstpointer data)
{
  g_autofd int top = open (self->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GError) error = NULL;
  GadgetTree *before;
  GadgetTree *after;

  begin_without_times (self);
  before = _gadget_scan_run (top, NULL, NULL, &_gadget_scan_limits, NULL, &error);
  g_assert_no_error (error);
  test_write_file (self->workspace, "new", "");
  after = _gadget_scan_run (top, before, NULL, &_gadget_scan_limits, NULL, &error);
  g_assert_no_error (error);
  end_without_times ();
  g_assert_nonnull (_gadget_tree_find (before, "old"));
  g_assert_null (_gadget_tree_find (before, "new"));
  g_assert_nonnull (_gadget_tree_find (after, "new"));
  _gadget_tree_free (before);
  _gadget_tree_free (after);
}

/* A command made it, where folders were listed after an earlier one. */
static void
test_repository (TestSandbox *self, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  begin_without_times (self);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetGitGuard) guard = gadget_git_guard_new (self->workspace);

      if (i == 1)
        test_write_file (self->workspace, ".git/config", "[core]\nfsmonitor = ./evil\n");
      g_free (first);
      first = g_steal_pointer (&second);
      second = gadget_git_guard_check (guard);
    }
  end_without_times ();
  g_assert_null (first);
  g_assert_cmpstr (second, ==, ".git");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/file-clock/" path, TestSandbox, NULL, test_sandbox_set_up, function,        \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("types", test_types);
  ADD ("scan", test_scan);
  ADD ("repository", test_repository);
  return test_sandbox_finish ();
}
