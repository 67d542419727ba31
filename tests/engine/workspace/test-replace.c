/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writing: the new content, and everything else about the file as it was; a file that has changed
 * meanwhile is not overwritten. All of it is tested with nameless files and, as on file systems
 * that have none, with hidden names. */

#include "config.h"

#include "wait.h"
#include "workspace/gadget-replace.h"
#include "replace-fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* In front of the system's own: a disk that has failed says so once to each who has the file open.
 */
static int n_failing_syncs;

int
fsync (int fd)
{
  if (n_failing_syncs == 0)
    return (int) syscall (SYS_fsync, fd);
  n_failing_syncs--;
  errno = EIO;
  return -1;
}

/* Likewise: a file system, or its server, that cannot lock files. */
static gboolean without_locks;

int
flock (int fd, int operation)
{
  if (!without_locks)
    return (int) syscall (SYS_flock, fd, operation);
  errno = ENOLCK;
  return -1;
}

static gboolean
replace_with (Fixture *fixture, const char *path, const GadgetFileVersion *expected,
              const char *text, GError **error)
{
  g_autoptr (GadgetReplacement) replacement = replace_begin (fixture, path, expected, error);

  return replacement != NULL
         && gadget_replacement_write (replacement, text, strlen (text), NULL, error)
         && gadget_replacement_commit (replacement, NULL, NULL, error);
}

static void
assert_content (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, text);
}

static mode_t
mode_of (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return info.st_mode & 07777;
}

static void
test_contents (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion version = replace_stamp_of (fixture->path, NULL);
  g_autoptr (GadgetReplacement) replacement = NULL;
  g_autoptr (GError) error = NULL;
  GadgetFileVersion after;
  struct stat info;

  replacement = replace_begin (fixture, fixture->path, &version, &error);
  g_assert_no_error (error);
  g_assert_true (gadget_replacement_write (replacement, "new ", 4, NULL, &error));
  g_assert_true (gadget_replacement_write (replacement, "text", 4, NULL, &error));
  assert_content (fixture->path, "old");
  g_assert_true (gadget_replacement_commit (replacement, NULL, &after, &error));
  assert_content (fixture->path, "new text");
  g_assert_cmpuint (replace_count_entries (fixture->root), ==, 1);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  after.fresh = FALSE;
  g_assert_true (gadget_file_version_matches (&after, AT_FDCWD, fixture->path, &info));
  g_assert_true (replace_with (fixture, fixture->path, &after, "again", &error));
  assert_content (fixture->path, "again");
}

static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->root, "a/b/c.txt", NULL);
  g_autoptr (GError) error = NULL;
  const mode_t mask = umask (027);

  g_assert_true (replace_with (fixture, path, NULL, "new", &error));
  assert_content (path, "new");
  g_assert_cmpint (mode_of (path), ==, 0640);
  umask (mask);
}

static void
test_mode (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    mode_t before;
    mode_t after;
  } cases[] = {
    { 0600, 0600 },  { 0755, 0755 },  { 0666, 0666 },
    { 04755, 0755 }, { 02755, 0755 }, { 02644, 02644 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      GadgetFileVersion version;

      g_assert_cmpint (chmod (fixture->path, cases[i].before), ==, 0);
      version = replace_stamp_of (fixture->path, NULL);
      replace_with (fixture, fixture->path, &version, "new", &error);
      g_assert_no_error (error);
      g_assert_cmpint (mode_of (fixture->path), ==, cases[i].after);
    }
}

/* An access list as the kernel has it: user 1234 may read, besides what mode 0640 says. */
static const guint8 access_list[] = {
  2,    0, 0, 0,                         /* version */
  1,    0, 6, 0, 0xff, 0xff, 0xff, 0xff, /* owner */
  2,    0, 4, 0, 0xd2, 0x04, 0,    0,    /* user 1234 */
  4,    0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* group */
  0x10, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* mask */
  0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* others */
};

static void
test_attributes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GadgetFileVersion version;
  char value[100];

  if (setxattr (fixture->path, "user.note", "kept", 4, 0) < 0
      || setxattr (fixture->path, "system.posix_acl_access", access_list, sizeof access_list, 0)
             < 0)
    {
      g_test_skip ("this file system has no attributes");
      return;
    }
  g_assert_cmpint (setxattr (fixture->path, "user.empty", "", 0, 0), ==, 0);
  version = replace_stamp_of (fixture->path, NULL);
  replace_with (fixture, fixture->path, &version, "new", &error);
  g_assert_no_error (error);
  assert_content (fixture->path, "new");
  g_assert_cmpint (getxattr (fixture->path, "user.note", value, sizeof value), ==, 4);
  g_assert_cmpmem (value, 4, "kept", 4);
  g_assert_cmpint (getxattr (fixture->path, "user.empty", value, sizeof value), ==, 0);
  g_assert_cmpint (getxattr (fixture->path, "system.posix_acl_access", value, sizeof value), ==,
                   sizeof access_list);
  g_assert_cmpmem (value, sizeof access_list, access_list, sizeof access_list);
  g_assert_cmpint (mode_of (fixture->path), ==, 0640);
}

/* A folder's default list is for new files, not for one that had none. */
static void
test_default_access_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->root, "new", NULL);
  GadgetFileVersion version;
  char value[100];

  if (setxattr (fixture->root, "system.posix_acl_default", access_list, sizeof access_list, 0) < 0)
    {
      g_test_skip ("this file system has no access lists");
      return;
    }
  version = replace_stamp_of (fixture->path, NULL);
  g_assert_true (replace_with (fixture, fixture->path, &version, "new", &error));
  g_assert_cmpint (getxattr (fixture->path, "system.posix_acl_access", value, sizeof value), <, 0);
  g_assert_cmpint (mode_of (fixture->path), ==, 0644);
  g_assert_true (replace_with (fixture, path, NULL, "new", &error));
  g_assert_cmpint (getxattr (path, "system.posix_acl_access", value, sizeof value), >, 0);
}

static void
test_hard_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->root, "other", NULL);
  g_autoptr (GError) error = NULL;
  GadgetFileVersion version;

  g_assert_cmpint (link (fixture->path, other), ==, 0);
  version = replace_stamp_of (fixture->path, NULL);
  g_assert_true (replace_with (fixture, fixture->path, &version, "new", &error));
  assert_content (fixture->path, "new");
  assert_content (other, "old");
}

static void
test_through_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link_path = g_build_filename (fixture->root, "link", NULL);
  g_autoptr (GError) error = NULL;
  const GadgetFileVersion version = replace_stamp_of (fixture->path, NULL);

  g_assert_cmpint (symlink ("file", link_path), ==, 0);
  g_assert_true (replace_with (fixture, link_path, &version, "new", &error));
  assert_content (fixture->path, "new");
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
}

static void
test_owner (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GadgetFileVersion version;
  struct stat info;
  int before;

  if (geteuid () != 0)
    {
      g_test_skip ("only root gives files away");
      return;
    }
  g_assert_cmpint (chown (fixture->path, 1234, 4321), ==, 0);
  version = replace_stamp_of (fixture->path, NULL);
  g_assert_true (replace_with (fixture, fixture->path, &version, "new", &error));
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_uid, ==, 1234);
  g_assert_cmpuint (info.st_gid, ==, 4321);

  /* As a user who may write, and cannot give it back. */
  g_assert_cmpint (chmod (fixture->path, 0666), ==, 0);
  g_assert_cmpint (chmod (fixture->root, 0777), ==, 0);
  version = replace_stamp_of (fixture->path, NULL);
  before = setfsuid (5678);
  replace_with (fixture, fixture->path, &version, "mine", &error);
  setfsuid ((uid_t) before);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_OWNER);
  g_clear_error (&error);
  assert_content (fixture->path, "new");
  g_assert_cmpuint (replace_count_entries (fixture->root), ==, 1);

  /* Where that is allowed. */
  fixture->need_owner = FALSE;
  before = setfsuid (5678);
  replace_with (fixture, fixture->path, &version, "mine", &error);
  setfsuid ((uid_t) before);
  g_assert_no_error (error);
  assert_content (fixture->path, "mine");
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_uid, ==, 5678);
  g_assert_cmpuint (info.st_mode & 07777, ==, 0666);
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GadgetFileVersion version;
  int before;

  g_assert_cmpint (chmod (fixture->path, 0444), ==, 0);
  g_assert_cmpint (chmod (fixture->root, 0777), ==, 0);
  version = replace_stamp_of (fixture->path, NULL);
  before = setfsuid (geteuid () == 0 ? 5678 : geteuid ());
  replace_with (fixture, fixture->path, &version, "new", &error);
  setfsuid ((uid_t) before);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  assert_content (fixture->path, "old");
}

/* --- Changed meanwhile ------------------------------------------------------------------------ */

static void
test_changed_before (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion version = replace_stamp_of (fixture->path, "old");
  const GadgetFileVersion none = { 0 };
  g_autofree char *absent = g_build_filename (fixture->root, "absent", NULL);
  g_autoptr (GError) error = NULL;

  replace_with (fixture, fixture->path, NULL, "new", &error);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_EXISTS);
  g_clear_error (&error);
  replace_with (fixture, fixture->path, &none, "new", &error);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_EXISTS);
  g_clear_error (&error);
  replace_with (fixture, absent, &version, "new", &error);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  g_clear_error (&error);

  /* Of the same length, and at once: perhaps with the same times. */
  g_assert_true (g_file_set_contents (fixture->path, "OLD", -1, NULL));
  replace_with (fixture, fixture->path, &version, "new", &error);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  assert_content (fixture->path, "OLD");
}

static void
test_same_content (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion known = replace_stamp_of (fixture->path, "old");
  const GadgetFileVersion unknown = replace_stamp_of (fixture->path, NULL);
  g_autoptr (GError) error = NULL;
  struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

  g_assert_cmpint (utimensat (AT_FDCWD, fixture->path, times, 0), ==, 0);
  replace_with (fixture, fixture->path, &unknown, "new", &error);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  g_clear_error (&error);
  replace_with (fixture, fixture->path, &known, "new", &error);
  g_assert_no_error (error);
  assert_content (fixture->path, "new");
}

/* Between the beginning and the commit. */
static void
test_changed_during (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion version = replace_stamp_of (fixture->path, "old");
  g_autofree char *absent = g_build_filename (fixture->root, "a/b/absent", NULL);
  g_autofree char *folder = g_build_filename (fixture->root, "a", NULL);
  g_autofree char *blocked = g_build_filename (fixture->root, "appears", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetReplacement) over = replace_begin (fixture, fixture->path, &version, &error);
  g_autoptr (GadgetReplacement) fresh = replace_begin (fixture, blocked, NULL, &error);
  g_autoptr (GadgetReplacement) deep = replace_begin (fixture, absent, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->path, "theirs", -1, NULL));
  g_assert_false (gadget_replacement_commit (over, NULL, NULL, &error));
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  assert_content (fixture->path, "theirs");
  g_clear_error (&error);

  g_assert_cmpint (symlink ("/etc/passwd", blocked), ==, 0);
  g_assert_false (gadget_replacement_commit (fresh, NULL, NULL, &error));
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (folder, "in the way", -1, NULL));
  g_assert_false (gadget_replacement_commit (deep, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  assert_content (folder, "in the way");
}

static void
test_given_up (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion version = replace_stamp_of (fixture->path, NULL);
  g_autofree char *deep = g_build_filename (fixture->root, "a/b/c", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetReplacement) over = replace_begin (fixture, fixture->path, &version, &error);
  g_autoptr (GadgetReplacement) fresh = replace_begin (fixture, deep, NULL, &error);

  g_assert_true (gadget_replacement_write (over, "new", 3, NULL, &error));
  g_assert_true (gadget_replacement_write (fresh, "new", 3, NULL, &error));
  g_clear_pointer (&over, gadget_replacement_free);
  g_clear_pointer (&fresh, gadget_replacement_free);
  assert_content (fixture->path, "old");
  g_assert_cmpuint (replace_count_entries (fixture->root), ==, 1);
}

/* --- Killed and stopped ----------------------------------------------------------------------- */

/* The disk may have lost some of it: it is not put into its place, however often that is asked. */
static void
test_sync_failed (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion expected = replace_stamp_of (fixture->path, "old");
  g_autoptr (GPtrArray) replacements =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_replacement_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  g_ptr_array_add (replacements, replace_begin (fixture, fixture->path, &expected, &error));
  g_assert_no_error (error);
  g_assert_true (gadget_replacement_write (replacements->pdata[0], "new", 3, NULL, &error));
  n_failing_syncs = 1;
  gadget_replacement_sync (replacements);
  g_assert_cmpint (n_failing_syncs, ==, 0);
  g_assert_false (gadget_replacement_commit (replacements->pdata[0], NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_false (gadget_replacement_commit (replacements->pdata[0], NULL, NULL, &again));
  assert_content (fixture->path, "old");
}

/* A write is possible without a lock, which only tells others that the file has an owner. */
static void
test_without_locks (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion expected = replace_stamp_of (fixture->path, "old");
  g_autofree char *path = g_build_filename (fixture->root, "other", NULL);
  g_autoptr (GError) error = NULL;

  without_locks = TRUE;
  replace_with (fixture, fixture->path, &expected, "new", &error);
  g_assert_no_error (error);
  replace_with (fixture, path, NULL, "other", &error);
  g_assert_no_error (error);
  without_locks = FALSE;
  assert_content (fixture->path, "new");
  assert_content (path, "other");
  g_assert_cmpuint (replace_count_entries (fixture->root), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  replace_add ("contents", test_contents);
  replace_add ("new-file", test_new_file);
  replace_add ("mode", test_mode);
  replace_add ("attributes", test_attributes);
  replace_add ("default-access-list", test_default_access_list);
  replace_add ("hard-link", test_hard_link);
  replace_add ("through-link", test_through_link);
  replace_add ("owner", test_owner);
  replace_add ("read-only", test_read_only);
  replace_add ("changed-before", test_changed_before);
  replace_add ("same-content", test_same_content);
  replace_add ("changed-during", test_changed_during);
  replace_add ("given-up", test_given_up);
  replace_add ("sync-failed", test_sync_failed);
  replace_add ("without-locks", test_without_locks);

  return g_test_run ();
}
