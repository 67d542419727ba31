/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/lease/gadget-lease-watch.h"
#include "test-store.h"
#include "wait.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_dir_free (fixture->directory);
}

static void
expect_busy (const char *directory, const char *session_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (directory, session_id, &error);

  g_assert_null (lease);
  g_assert_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY);
}

static GadgetLease *
expect_free (const char *directory, const char *session_id)
{
  g_autoptr (GError) error = NULL;
  GadgetLease *lease = gadget_lease_acquire (directory, session_id, &error);

  g_assert_no_error (error);
  return lease;
}

static void
wait_until_held (GSubprocess *worker)
{
  g_autofree char *line = g_malloc0 (6);
  gsize n_read;

  g_assert_true (g_input_stream_read_all (g_subprocess_get_stdout_pipe (worker), line, 5, &n_read,
                                          NULL, NULL));
  g_assert_cmpstr (line, ==, "held\n");
}

static void
test_one_in_process (Fixture *fixture, gconstpointer data)
{
  GadgetLease *lease;

  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
  lease = expect_free (fixture->directory, "one");
  g_assert_true (gadget_lease_is_held (fixture->directory, "one"));
  expect_busy (fixture->directory, "one");
  /* Asking and failing have not taken anything away. */
  g_assert_true (gadget_lease_is_held (fixture->directory, "one"));

  g_autoptr (GadgetLease) other = expect_free (fixture->directory, "two");

  gadget_lease_release (lease);
  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
  g_assert_true (gadget_lease_is_held (fixture->directory, "two"));
  lease = expect_free (fixture->directory, "one");
  gadget_lease_release (lease);
}

static void
test_leaves_no_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "leases", NULL);
  g_autoptr (GDir) dir = NULL;

  for (guint i = 0; i < 100; i++)
    gadget_lease_release (expect_free (fixture->directory, "one"));
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  g_assert_null (g_dir_read_name (dir));
}

static void
test_two_processes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("hold", fixture->directory, "one", NULL);
  g_autoptr (GadgetLease) lease = NULL;

  wait_until_held (worker);
  g_assert_true (gadget_lease_is_held (fixture->directory, "one"));
  expect_busy (fixture->directory, "one");

  g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (worker), NULL, NULL));
  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
  lease = expect_free (fixture->directory, "one");
}

/* --- Open locks --------------------------------------------------------------------------------
 */

static guint
count_files (const char *directory)
{
  g_autofree char *folder = g_build_filename (directory, "leases", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Any number of processes has it; the last one takes the file away. It is not the lease. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetOpenLock) lock = gadget_open_lock_new (fixture->directory, "one");
  g_autoptr (GadgetOpenLock) again = gadget_open_lock_ref (lock);
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GadgetLease) lease = expect_free (fixture->directory, "one");

  g_assert_true (gadget_open_lock_is_alone (lock));
  worker = test_worker_start ("open-lock", fixture->directory, "one", NULL);
  wait_until_held (worker);
  g_assert_false (gadget_open_lock_is_alone (lock));
  g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (worker), NULL, NULL));
  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  g_assert_true (gadget_open_lock_is_alone (lock));

  g_clear_object (&worker);
  worker = test_worker_start ("open-lock", fixture->directory, "one", NULL);
  wait_until_held (worker);
  g_assert_false (gadget_open_lock_is_alone (lock));
  g_subprocess_send_signal (worker, SIGKILL);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_true (gadget_open_lock_is_alone (lock));

  g_clear_pointer (&lease, gadget_lease_release);
  g_clear_pointer (&again, gadget_open_lock_unref);
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
  g_clear_pointer (&lock, gadget_open_lock_unref);
  g_assert_cmpuint (count_files (fixture->directory), ==, 0);
}

/* Whoever has the lock learns of it, also when the one who deleted has gone; who comes later has a
 * new file. */
static void
test_open_deleted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetOpenLock) lock = gadget_open_lock_new (fixture->directory, "one");
  g_autoptr (GadgetOpenLock) other = gadget_open_lock_new (fixture->directory, "one");

  g_assert_false (gadget_open_lock_is_alone (lock));
  g_assert_false (gadget_open_lock_is_deleted (lock));
  gadget_open_lock_mark_deleted (other);
  g_clear_pointer (&other, gadget_open_lock_unref);
  g_assert_true (gadget_open_lock_is_alone (lock));
  g_assert_true (gadget_open_lock_is_deleted (lock));
  g_clear_pointer (&lock, gadget_open_lock_unref);
  lock = gadget_open_lock_new (fixture->directory, "one");
  g_assert_false (gadget_open_lock_is_deleted (lock));
  g_assert_null (gadget_open_lock_new (fixture->directory, "../one"));
}

static void
test_killed_owner (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("hold", fixture->directory, "one", NULL);
  g_autoptr (GadgetLease) lease = NULL;

  wait_until_held (worker);
  expect_busy (fixture->directory, "one");
  g_subprocess_send_signal (worker, SIGKILL);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
  lease = expect_free (fixture->directory, "one");
  g_assert_true (gadget_lease_is_held (fixture->directory, "one"));
}

static void
ended_cb (GadgetLeaseWatch *watch, const char *session_id, GPtrArray *ended)
{
  g_ptr_array_add (ended, g_strdup (session_id));
}

/* DATA says how it ends. */
static void
test_watch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetLeaseWatch) watch = gadget_lease_watch_new (fixture->directory);
  g_autoptr (GPtrArray) ended = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GSubprocess) worker = test_worker_start ("hold", fixture->directory, "one", NULL);

  g_signal_connect (watch, "ended", G_CALLBACK (ended_cb), ended);
  wait_until_held (worker);
  /* Neither a look nor an attempt is an end. */
  g_assert_true (gadget_lease_is_held (fixture->directory, "one"));
  expect_busy (fixture->directory, "one");
  g_assert_false (gadget_lease_is_held (fixture->directory, "two"));
  wait_idle ();
  g_assert_cmpuint (ended->len, ==, 0);

  if (g_str_equal (data, "killed"))
    g_subprocess_send_signal (worker, SIGKILL);
  else
    g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (worker), NULL, NULL));
  wait_until (ended->len > 0);
  g_assert_cmpstr (g_ptr_array_index (ended, 0), ==, "one");
  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
}

/* A tool that goes on after us must not keep the lease. */
static void
test_not_inherited (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetLease) lease = expect_free (fixture->directory, "one");
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n_found = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (target == NULL || !g_str_has_suffix (target, "/leases/one.lock"))
        continue;
      g_assert_cmpint (fcntl (atoi (name), F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
      n_found++;
    }
  g_assert_cmpuint (n_found, ==, 1);
}

static void
test_bad_ids (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "", ".", "../one", "a/b", "a b", "ä" };
  g_autofree char *long_id = g_strnfill (200, 'a');

  for (guint i = 0; i <= G_N_ELEMENTS (ids); i++)
    {
      const char *id = i < G_N_ELEMENTS (ids) ? ids[i] : long_id;
      g_autoptr (GError) error = NULL;

      g_assert_null (gadget_lease_acquire (fixture->directory, id, &error));
      g_assert_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED);
      g_assert_false (gadget_lease_is_held (fixture->directory, id));
    }
}

static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->directory, "file", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_null (gadget_lease_acquire (file, "one", &error));
  g_assert_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED);
}

/* Many that want the same lease at once, each releasing it at once: never two at a time. */
typedef struct
{
  const char *directory;
  int inside;
  int taken;
  gint64 until; /* monotonic, microseconds */
} Race;

static gpointer
race_thread (gpointer data)
{
  Race *race = data;

  while (g_get_monotonic_time () < race->until)
    {
      g_autoptr (GError) error = NULL;
      GadgetLease *lease = gadget_lease_acquire (race->directory, "one", &error);

      if (lease == NULL)
        {
          g_assert_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY);
          continue;
        }
      g_assert_cmpint (g_atomic_int_add (&race->inside, 1), ==, 0);
      g_atomic_int_inc (&race->taken);
      /* Time for another one to come in, if that were possible. */
      for (guint n = 0; n < 5; n++)
        g_thread_yield ();
      g_assert_true (g_atomic_int_dec_and_test (&race->inside));
      gadget_lease_release (lease);
    }
  return NULL;
}

static void
test_race (Fixture *fixture, gconstpointer data)
{
  Race race = { .directory = fixture->directory,
                .until = g_get_monotonic_time () + G_USEC_PER_SEC };
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("race", race_thread, &race);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (race.taken, >, 0);
  g_assert_false (gadget_lease_is_held (fixture->directory, "one"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add ("/engine/lease/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("one-in-process", test_one_in_process);
  ADD ("leaves-no-file", test_leaves_no_file);
  ADD ("two-processes", test_two_processes);
  ADD ("killed-owner", test_killed_owner);
  ADD ("open", test_open);
  ADD ("open-deleted", test_open_deleted);
  g_test_add ("/engine/lease/watch-released", Fixture, "released", set_up, test_watch, tear_down);
  g_test_add ("/engine/lease/watch-killed", Fixture, "killed", set_up, test_watch, tear_down);
  ADD ("not-inherited", test_not_inherited);
  ADD ("bad-ids", test_bad_ids);
  ADD ("no-folder", test_no_folder);
  ADD ("race", test_race);

  return g_test_run ();
}
