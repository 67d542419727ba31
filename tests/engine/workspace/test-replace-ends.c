/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Old or new content and nothing in between, whoever stops or kills the writer. All of it is tested
 * with nameless files and, as on file systems that have none, with hidden names. */

#include "config.h"

#include "wait.h"
#include "workspace/gadget-replace.h"
#include "replace-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE ((gsize) 200 * 1024 * 1024)

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
  g_autoptr (GadgetReplacement) replacement =
      replace_begin (fixture, fixture->path, version, &error);

  if (replacement == NULL || !gadget_replacement_write (replacement, content, LARGE, NULL, &error)
      || !gadget_replacement_commit (replacement, NULL, NULL, &error))
    g_error ("%s", error->message);
}

/* How long one takes, so that the kills are spread over all of it and a little more. */
static gint64
measure (Fixture *fixture, const char *content)
{
  const gint64 begun = g_get_monotonic_time ();
  GadgetFileVersion version = replace_stamp_of (fixture->path, NULL);

  write_large (fixture, content, &version);
  return g_get_monotonic_time () - begun;
}

static void
kill_once (Fixture *fixture, const char *content, gint64 after)
{
  GadgetFileVersion version = replace_stamp_of (fixture->path, NULL);
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
      n_left = MAX (n_left, replace_count_entries (fixture->root) - 1);
      if (is_new_content (fixture->path, old_content, new_content))
        {
          n_new++;
          put_large (fixture->path, old_content);
        }
    }
  g_test_message ("one write takes %.1f ms; %u of %u were done, at most %u left behind",
                  (double) duration / 1000, n_new, n_points, n_left);
  /* The next one tidies up. */
  version = replace_stamp_of (fixture->path, NULL);
  write_large (fixture, new_content, &version);
  g_assert_cmpuint (replace_count_entries (fixture->root), ==, 1);
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
      replace_begin (job->fixture, job->fixture->path, &job->version, error);

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
  Job job = { fixture, content, replace_stamp_of (fixture->path, NULL) };
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
      g_assert_cmpuint (replace_count_entries (fixture->root), ==, 1);
      n_new += written;
      if (written)
        put_large (fixture->path, old_content);
    }
  g_test_message ("%u of %u were done before the abort", n_new, n_points);
  munmap (old_content, LARGE);
  munmap (new_content, LARGE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  replace_add ("X13-killed-at-50-points", test_killed);
  replace_add ("X13-aborted-at-50-points", test_aborted);

  return g_test_run ();
}
