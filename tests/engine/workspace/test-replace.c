/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writing: old or new content and nothing in between, whoever stops or kills it, and everything
 * else about the file as it was. All of it is tested with nameless files and, as on file systems
 * that have none, with hidden names. */

#include "config.h"

#include "test-store.h"
#include "wait.h"
#include "workspace/gadget-replace.h"
#include "workspace/gadget-workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LARGE ((gsize) 200 * 1024 * 1024)

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

typedef struct
{
  char *root;
  char *path; /* of "file" */
  gboolean need_owner;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer named)
{
  fixture->root = test_dir_new ();
  fixture->need_owner = TRUE;
  fixture->path = g_build_filename (fixture->root, "file", NULL);
  g_assert_true (g_file_set_contents (fixture->path, "old", -1, NULL));
  g_assert_cmpint (chmod (fixture->path, 0644), ==, 0);
  gadget_replacement_force_names (GPOINTER_TO_INT (named));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gadget_replacement_force_names (FALSE);
  g_free (fixture->path);
  test_dir_free (fixture->root);
}

static GadgetFileVersion
stamp_of (const char *path, const char *content)
{
  GadgetFileVersion version = { 0 };
  struct stat info;

  if (lstat (path, &info) == 0)
    gadget_file_version_init (&version, &info);
  if (content != NULL)
    gadget_file_version_set_content (&version, content, strlen (content));
  return version;
}

static GadgetReplacement *
begin (Fixture *fixture, const char *path, const GadgetFileVersion *expected, GError **error)
{
  GadgetPathLookup *lookup = gadget_path_lookup_find (fixture->root, path, TRUE, error);

  g_assert_nonnull (lookup);
  return gadget_replacement_new (lookup, expected, fixture->need_owner, error);
}

static gboolean
replace_with (Fixture *fixture, const char *path, const GadgetFileVersion *expected,
              const char *text, GError **error)
{
  g_autoptr (GadgetReplacement) replacement = begin (fixture, path, expected, error);

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

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
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
  const GadgetFileVersion version = stamp_of (fixture->path, NULL);
  g_autoptr (GadgetReplacement) replacement = NULL;
  g_autoptr (GError) error = NULL;
  GadgetFileVersion after;
  struct stat info;

  replacement = begin (fixture, fixture->path, &version, &error);
  g_assert_no_error (error);
  g_assert_true (gadget_replacement_write (replacement, "new ", 4, NULL, &error));
  g_assert_true (gadget_replacement_write (replacement, "text", 4, NULL, &error));
  assert_content (fixture->path, "old");
  g_assert_true (gadget_replacement_commit (replacement, NULL, &after, &error));
  assert_content (fixture->path, "new text");
  g_assert_cmpuint (count_entries (fixture->root), ==, 1);
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
      version = stamp_of (fixture->path, NULL);
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
  version = stamp_of (fixture->path, NULL);
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
  version = stamp_of (fixture->path, NULL);
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
  version = stamp_of (fixture->path, NULL);
  g_assert_true (replace_with (fixture, fixture->path, &version, "new", &error));
  assert_content (fixture->path, "new");
  assert_content (other, "old");
}

static void
test_through_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link_path = g_build_filename (fixture->root, "link", NULL);
  g_autoptr (GError) error = NULL;
  const GadgetFileVersion version = stamp_of (fixture->path, NULL);

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
  version = stamp_of (fixture->path, NULL);
  g_assert_true (replace_with (fixture, fixture->path, &version, "new", &error));
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_uid, ==, 1234);
  g_assert_cmpuint (info.st_gid, ==, 4321);

  /* As a user who may write, and cannot give it back. */
  g_assert_cmpint (chmod (fixture->path, 0666), ==, 0);
  g_assert_cmpint (chmod (fixture->root, 0777), ==, 0);
  version = stamp_of (fixture->path, NULL);
  before = setfsuid (5678);
  replace_with (fixture, fixture->path, &version, "mine", &error);
  setfsuid ((uid_t) before);
  g_assert_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_OWNER);
  g_clear_error (&error);
  assert_content (fixture->path, "new");
  g_assert_cmpuint (count_entries (fixture->root), ==, 1);

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
  version = stamp_of (fixture->path, NULL);
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
  const GadgetFileVersion version = stamp_of (fixture->path, "old");
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
  const GadgetFileVersion known = stamp_of (fixture->path, "old");
  const GadgetFileVersion unknown = stamp_of (fixture->path, NULL);
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
  const GadgetFileVersion version = stamp_of (fixture->path, "old");
  g_autofree char *absent = g_build_filename (fixture->root, "a/b/absent", NULL);
  g_autofree char *folder = g_build_filename (fixture->root, "a", NULL);
  g_autofree char *blocked = g_build_filename (fixture->root, "appears", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetReplacement) over = begin (fixture, fixture->path, &version, &error);
  g_autoptr (GadgetReplacement) fresh = begin (fixture, blocked, NULL, &error);
  g_autoptr (GadgetReplacement) deep = begin (fixture, absent, NULL, &error);

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
  const GadgetFileVersion version = stamp_of (fixture->path, NULL);
  g_autofree char *deep = g_build_filename (fixture->root, "a/b/c", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetReplacement) over = begin (fixture, fixture->path, &version, &error);
  g_autoptr (GadgetReplacement) fresh = begin (fixture, deep, NULL, &error);

  g_assert_true (gadget_replacement_write (over, "new", 3, NULL, &error));
  g_assert_true (gadget_replacement_write (fresh, "new", 3, NULL, &error));
  g_clear_pointer (&over, gadget_replacement_free);
  g_clear_pointer (&fresh, gadget_replacement_free);
  assert_content (fixture->path, "old");
  g_assert_cmpuint (count_entries (fixture->root), ==, 1);
}

/* --- Killed and stopped ----------------------------------------------------------------------- */

/* Two contents of the same length that differ everywhere. */
static char *
make_content (char c)
{
  char *content = mmap (NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (content != MAP_FAILED);
  memset (content, c, LARGE);
  return content;
}

/* Whether it is the new content; all of it is the one or the other. */
static gboolean
is_new_content (const char *path, const char *old_content, const char *new_content)
{
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);
  const char *content;

  g_assert_nonnull (mapped);
  g_assert_cmpuint (g_mapped_file_get_length (mapped), ==, LARGE);
  content = g_mapped_file_get_contents (mapped);
  if (*content == *old_content)
    {
      g_assert_cmpint (memcmp (content, old_content, LARGE), ==, 0);
      return FALSE;
    }
  g_assert_cmpint (memcmp (content, new_content, LARGE), ==, 0);
  return TRUE;
}

static void
put_large (const char *path, const char *content)
{
  g_autofd int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

  for (gsize at = 0; at < LARGE;)
    {
      const ssize_t n = write (fd, content + at, LARGE - at);

      g_assert_cmpint (n, >, 0);
      at += (gsize) n;
    }
}

static void
write_large (Fixture *fixture, const char *content, GadgetFileVersion *version)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetReplacement) replacement = begin (fixture, fixture->path, version, &error);

  if (replacement == NULL || !gadget_replacement_write (replacement, content, LARGE, NULL, &error)
      || !gadget_replacement_commit (replacement, NULL, NULL, &error))
    g_error ("%s", error->message);
}

/* How long one takes, so that the kills are spread over all of it and a little more. */
static gint64
measure (Fixture *fixture, const char *content)
{
  const gint64 begun = g_get_monotonic_time ();
  GadgetFileVersion version = stamp_of (fixture->path, NULL);

  write_large (fixture, content, &version);
  return g_get_monotonic_time () - begun;
}

static void
kill_once (Fixture *fixture, const char *content, gint64 after)
{
  GadgetFileVersion version = stamp_of (fixture->path, NULL);
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      write_large (fixture, content, &version);
      _exit (0);
    }
  g_usleep ((gulong) after);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
}

static void
test_killed (Fixture *fixture, gconstpointer named)
{
  char *old_content = make_content ('o');
  char *new_content = make_content ('n');
  GadgetFileVersion version;
  gint64 duration;
  const guint n_points = GPOINTER_TO_INT (named) ? 20 : 50;
  guint n_new = 0;
  guint n_left = 0;

  put_large (fixture->path, old_content);
  duration = measure (fixture, old_content);
  for (guint i = 0; i < n_points; i++)
    {
      kill_once (fixture, new_content, (gint64) (g_test_rand_double () * 1.2 * (double) duration));
      n_left = MAX (n_left, count_entries (fixture->root) - 1);
      if (is_new_content (fixture->path, old_content, new_content))
        {
          n_new++;
          put_large (fixture->path, old_content);
        }
    }
  g_test_message ("one write takes %.1f ms; %u of %u were done, at most %u left behind",
                  (double) duration / 1000, n_new, n_points, n_left);
  /* The next one tidies up. */
  version = stamp_of (fixture->path, NULL);
  write_large (fixture, new_content, &version);
  g_assert_cmpuint (count_entries (fixture->root), ==, 1);
  if (!GPOINTER_TO_INT (named))
    g_assert_cmpuint (n_left, <=, 1);
  munmap (old_content, LARGE);
  munmap (new_content, LARGE);
}

typedef struct
{
  Fixture *fixture;
  const char *content;
  GadgetFileVersion version;
} Job;

static gpointer
write_in_thread (GadgetBlocking *blocking, gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  g_autoptr (GadgetReplacement) replacement =
      begin (job->fixture, job->fixture->path, &job->version, error);

  if (replacement == NULL
      || !gadget_replacement_write (replacement, job->content, LARGE, cancellable, error)
      || !gadget_replacement_commit (replacement, blocking, NULL, error))
    return NULL;
  return job;
}

typedef struct
{
  gboolean done;
  gboolean written;
  GError *error;
} Outcome;

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->written = gadget_blocking_run_finish (result, &outcome->error) != NULL;
  outcome->done = TRUE;
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

/* Returns whether it was written. */
static gboolean
abort_once (Fixture *fixture, const char *content, guint after_ms)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Job job = { fixture, content, stamp_of (fixture->path, NULL) };
  Outcome outcome = { 0 };
  gint64 stopped;

  gadget_blocking_run_async (cancellable, write_in_thread, &job, NULL, NULL, written_cb, &outcome);
  g_timeout_add (after_ms, cancel_cb, cancellable);
  while (!g_cancellable_is_cancelled (cancellable))
    g_main_context_iteration (NULL, TRUE);
  stopped = g_get_monotonic_time ();
  wait_until (outcome.done);
  g_assert_cmpint (g_get_monotonic_time () - stopped, <, 2 * G_USEC_PER_SEC);
  if (!outcome.written)
    g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  wait_until (gadget_blocking_get_n_given_up () == 0);
  return outcome.written;
}

static void
test_aborted (Fixture *fixture, gconstpointer named)
{
  const guint n_points = GPOINTER_TO_INT (named) ? 20 : 50;
  char *old_content = make_content ('o');
  char *new_content = make_content ('n');
  gint64 duration;
  guint n_new = 0;

  put_large (fixture->path, old_content);
  duration = measure (fixture, old_content);
  for (guint i = 0; i < n_points; i++)
    {
      const gboolean written = abort_once (
          fixture, new_content, (guint) (g_test_rand_double () * 1.2 * (double) duration / 1000));

      g_assert_cmpint (is_new_content (fixture->path, old_content, new_content), ==, written);
      g_assert_cmpuint (count_entries (fixture->root), ==, 1);
      n_new += written;
      if (written)
        put_large (fixture->path, old_content);
    }
  g_test_message ("%u of %u were done before the abort", n_new, n_points);
  munmap (old_content, LARGE);
  munmap (new_content, LARGE);
}

static void
add (const char *name, void (*function) (Fixture *, gconstpointer))
{
  g_autofree char *nameless = g_strdup_printf ("/engine/replace/%s", name);
  g_autofree char *named = g_strdup_printf ("/engine/replace/%s/hidden-names", name);

  g_test_add (nameless, Fixture, GINT_TO_POINTER (FALSE), set_up, function, tear_down);
  g_test_add (named, Fixture, GINT_TO_POINTER (TRUE), set_up, function, tear_down);
}

/* The disk may have lost some of it: it is not put into its place, however often that is asked. */
static void
test_sync_failed (Fixture *fixture, gconstpointer data)
{
  const GadgetFileVersion expected = stamp_of (fixture->path, "old");
  g_autoptr (GPtrArray) replacements =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_replacement_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  g_ptr_array_add (replacements, begin (fixture, fixture->path, &expected, &error));
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("contents", test_contents);
  add ("new-file", test_new_file);
  add ("mode", test_mode);
  add ("attributes", test_attributes);
  add ("default-access-list", test_default_access_list);
  add ("hard-link", test_hard_link);
  add ("through-link", test_through_link);
  add ("owner", test_owner);
  add ("read-only", test_read_only);
  add ("changed-before", test_changed_before);
  add ("same-content", test_same_content);
  add ("changed-during", test_changed_during);
  add ("given-up", test_given_up);
  add ("sync-failed", test_sync_failed);
  add ("X13-killed-at-50-points", test_killed);
  add ("X13-aborted-at-50-points", test_aborted);

  return g_test_run ();
}
