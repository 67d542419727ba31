/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is looked at before a command starts is looked at elsewhere: here reading the index of a
 * repository hangs, because this program's read () is in front of the system's. */

#include "config.h"

#include "common/gadget-blocking.h"
#include "test-sandbox.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static GMutex mutex;
static GCond cond;
static ino_t hung; /* 0 when it answers again */
static guint n_hanging;

ssize_t
read (int fd, void *buffer, size_t size)
{
  ssize_t (*next) (int, void *, size_t) =
      (ssize_t (*) (int, void *, size_t)) dlsym (RTLD_NEXT, "read");
  struct stat info;

  g_mutex_lock (&mutex);
  if (hung != 0 && fstat (fd, &info) == 0 && info.st_ino == hung)
    {
      n_hanging++;
      while (hung != 0)
        g_cond_wait (&cond, &mutex);
      n_hanging--;
    }
  g_mutex_unlock (&mutex);
  return next (fd, buffer, size);
}

static void
hang (TestSandbox *self)
{
  g_autofree char *path = g_build_filename (self->workspace, ".git", "index", NULL);
  struct stat info;

  test_write_file (self->workspace, ".git/HEAD", "ref: refs/heads/main\n");
  test_write_file (self->workspace, ".git/index", "slow");
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_mutex_lock (&mutex);
  hung = info.st_ino;
  g_mutex_unlock (&mutex);
}

static void
answer (void)
{
  g_mutex_lock (&mutex);
  hung = 0;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

/* With the main context running. */
static void
wait_for_hanging (void)
{
  guint n = 0;

  for (guint i = 0; i < 1000 && n == 0; i++)
    {
      test_spin (10);
      g_mutex_lock (&mutex);
      n = n_hanging;
      g_mutex_unlock (&mutex);
    }
  g_assert_cmpuint (n, ==, 1);
}

static TestProcess *
start (TestSandbox *self, const char *marker)
{
  g_autofree char *command = g_strdup_printf ("echo ran > ran; sleep %s", marker);

  return test_process_start (command, self->workspace, self->sandbox, 0);
}

static gboolean
has_run (TestSandbox *self)
{
  g_autofree char *path = g_build_filename (self->workspace, "ran", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* It is answered at once, and nothing is started when the disk answers in the end. */
static void
test_stopped (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  hang (self);
  process = start (self, marker);
  wait_for_hanging ();
  test_process_abort (process);
  test_process_wait (process);
  g_assert_error (process->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (process->ended_at - process->aborted_at, <, 500 * G_TIME_SPAN_MILLISECOND);
  answer ();
  for (guint i = 0; i < 1000 && gadget_blocking_get_n_given_up () > 0; i++)
    test_spin (10);
  g_assert_cmpuint (gadget_blocking_get_n_given_up (), ==, 0);
  test_spin (200);
  test_assert_none_alive (marker);
  g_assert_false (has_run (self));
}

/* A stop between the answer of the disk and the start, both in one iteration. */
static void
test_stopped_late (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  hang (self);
  process = start (self, marker);
  wait_for_hanging ();
  answer ();
  g_usleep (200 * G_TIME_SPAN_MILLISECOND);
  test_process_abort (process);
  test_process_wait (process);
  g_assert_error (process->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_spin (200);
  test_assert_none_alive (marker);
  g_assert_false (has_run (self));
}

static void
test_slow (TestSandbox *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autoptr (TestProcess) process = NULL;

  if (self->sandbox == NULL)
    return;
  hang (self);
  process = start (self, marker);
  wait_for_hanging ();
  g_assert_false (has_run (self));
  answer ();
  for (guint i = 0; i < 1000 && !has_run (self); i++)
    test_spin (10);
  g_assert_true (has_run (self));
  test_process_abort (process);
  test_process_wait (process);
  g_assert_no_error (process->error);
  test_assert_none_alive (marker);
}

/* The descriptors and threads of those that were never started are gone. */
static void
test_left_over (TestSandbox *self, gconstpointer data)
{
  guint n_fds = 0;

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < 4; i++)
    {
      test_stopped (self, data);
      if (i == 0)
        n_fds = test_count_fds ();
    }
  g_assert_cmpuint (test_count_fds (), ==, n_fds);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/process-prepare/" path, TestSandbox, NULL, test_sandbox_set_up, function,   \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("stopped", test_stopped);
  ADD ("stopped-late", test_stopped_late);
  ADD ("slow", test_slow);
  ADD ("left-over", test_left_over);
  return test_sandbox_finish ();
}
