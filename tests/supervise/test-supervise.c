/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The helper by itself: what it says on its socket, word for word. Blocking is fine here. */

#include "config.h"

#include "test-process.h"
#include "wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  int socket;
  GPid pid;
  GString *heard;
} Helper;

static char *
helper_path (void)
{
  return g_build_filename (g_getenv ("GADGET_LIBEXEC_DIR"), "gadget-supervise", NULL);
}

static void
helper_start (Helper *self, const char *const *command, gboolean asked_before)
{
  g_autofree char *path = helper_path ();
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const int target = 5;
  int sockets[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), ==, 0);
  g_ptr_array_add (argv, path);
  g_ptr_array_add (argv, (gpointer) "5");
  g_ptr_array_add (argv, (gpointer) "--");
  for (guint i = 0; command[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) command[i]);
  g_ptr_array_add (argv, NULL);
  if (asked_before)
    g_assert_cmpint (write (sockets[0], "x", 1), ==, 1);
  g_spawn_async_with_pipes_and_fds (NULL, (const char *const *) argv->pdata, NULL,
                                    G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, -1, -1, -1, &sockets[1],
                                    &target, 1, &self->pid, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  close (sockets[1]);
  self->socket = sockets[0];
  self->heard = g_string_new (NULL);
}

/* Until it closes its end. */
static const char *
helper_hear_all (Helper *self)
{
  char bytes[256];
  gssize n;

  while ((n = read (self->socket, bytes, sizeof bytes)) > 0)
    g_string_append_len (self->heard, bytes, n);
  g_assert_true (n == 0 || errno == ECONNRESET);
  return self->heard->str;
}

static void
helper_wait_start (Helper *self)
{
  char word[6];

  g_assert_cmpint (recv (self->socket, word, sizeof word, MSG_WAITALL), ==, 6);
  g_string_append_len (self->heard, word, 6);
  g_assert_cmpstr (self->heard->str, ==, "start\n");
}

static void
helper_clear (Helper *self)
{
  if (self->socket >= 0)
    close (self->socket);
  g_assert_cmpint (waitpid (self->pid, NULL, 0), ==, self->pid);
  g_string_free (self->heard, TRUE);
}

/* Between fork () and exec () a child still has the shell's name. */
#define ARE_SLEEPING                                                                               \
  "for p in $(jobs -p); do until read name </proc/$p/comm && [ $name = sleep ]; do :; done; "      \
  "done; "

static void
test_words (void)
{
  static const struct
  {
    const char *script;
    const char *words;
  } cases[] = {
    { "exit 0", "start\nexit 0\ndone 0 0\n" },
    { "exit 255", "start\nexit 255\ndone 0 0\n" },
    { "kill -KILL $$", "start\nsignal 9\ndone 0 0\n" },
    { "sleep 100 & " ARE_SLEEPING "exit 1", "start\nexit 1\nleft sleep\ndone 1 0\n" },
    { "trap '' TERM; (sleep 100; :) & trap - TERM; until read child </proc/$!/task/$!/children; "
      "[ \"$child\" ] && read name </proc/$child/comm && [ $name = sleep ]; do :; done; exit 1",
      "start\nexit 1\nleft bash\nleft sleep\ndone 0 2\n" },
    /* Each name once, and none that looks like a word of ours. */
    { "for i in 1 2 3; do sleep 100 & done; " ARE_SLEEPING "exit 1",
      "start\nexit 1\nleft sleep\ndone 3 0\n" },
    { "exec python3 -c 'import os, time\nif os.fork () == 0:\n open (\"/proc/self/comm\", "
      "\"w\").write (\"a, b\\tdone 9 9\")\n time.sleep (100)\ntime.sleep (0.2)'",
      "start\nexit 0\nleft a??b?done?9?9\ndone 1 0\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *command[] = { "/bin/bash", "-c", cases[i].script, NULL };
      Helper helper;

      helper_start (&helper, command, FALSE);
      g_assert_cmpstr (helper_hear_all (&helper), ==, cases[i].words);
      helper_clear (&helper);
    }
}

static void
test_cannot_run (void)
{
  const char *missing[] = { "/no/such/program", NULL };
  const char *folder[] = { "/etc", NULL };
  Helper helper;
  g_autofree char *words = g_strdup_printf ("start\nfail %d\ndone 0 0\n", ENOENT);
  g_autofree char *denied = g_strdup_printf ("start\nfail %d\ndone 0 0\n", EACCES);

  helper_start (&helper, missing, FALSE);
  g_assert_cmpstr (helper_hear_all (&helper), ==, words);
  helper_clear (&helper);
  helper_start (&helper, folder, FALSE);
  g_assert_cmpstr (helper_hear_all (&helper), ==, denied);
  helper_clear (&helper);
}

static void
test_asked_before (void)
{
  g_autofree char *proof = g_build_filename (g_get_tmp_dir (), "gadget-start-result-before", NULL);
  const char *command[] = { "/bin/touch", proof, NULL };
  Helper helper;

  helper_start (&helper, command, TRUE);
  g_assert_cmpstr (helper_hear_all (&helper), ==, "done 0 0\n");
  helper_clear (&helper);
  g_assert_false (g_file_test (proof, G_FILE_TEST_EXISTS));
}

typedef enum
{
  BY_BYTE,
  BY_END_OF_FILE,
  BY_SIGNAL,
} Ask;

/* Three ways to ask, and each ends what hides in a session of its own. */
static void
test_ask (gconstpointer data)
{
  const Ask ask = GPOINTER_TO_INT (data);
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script = g_strdup_printf ("setsid sleep %s & exec sleep %s", marker, marker);
  const char *command[] = { "/bin/bash", "-c", script, NULL };
  Helper helper;

  helper_start (&helper, command, FALSE);
  helper_wait_start (&helper);
  /* The helper has the marker in its own command line as well. */
  test_wait_alive (marker, 3);
  test_spin (50);
  if (ask == BY_BYTE)
    g_assert_cmpint (write (helper.socket, "x", 1), ==, 1);
  else if (ask == BY_SIGNAL)
    g_assert_cmpint (kill (helper.pid, SIGTERM), ==, 0);
  else
    {
      close (helper.socket);
      helper.socket = -1;
    }
  if (ask != BY_END_OF_FILE)
    g_assert_cmpstr (helper_hear_all (&helper), ==, "start\nsignal 15\ndone 1 0\n");
  helper_clear (&helper);
  test_assert_none_alive (marker);
}

/* Asked again and again, and with signals that mean nothing, it ends once. */
static void
test_many_asks (void)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script = g_strdup_printf ("trap '' TERM; while :; do sleep %s; done", marker);
  const char *command[] = { "/bin/bash", "-c", script, NULL };
  Helper helper;

  helper_start (&helper, command, FALSE);
  helper_wait_start (&helper);
  /* The helper, the shell, and what the shell runs once it is deaf. */
  test_wait_alive (marker, 3);
  kill (helper.pid, SIGHUP);
  kill (helper.pid, SIGINT);
  kill (helper.pid, SIGPIPE);
  for (guint i = 0; i < 50; i++)
    {
      (void) !send (helper.socket, "x", 1, MSG_NOSIGNAL);
      kill (helper.pid, SIGTERM);
    }
  g_assert_cmpstr (helper_hear_all (&helper), ==, "start\nsignal 9\ndone 0 1\n");
  helper_clear (&helper);
}

/* Children that come and go while the end is under way are ended as well. */
static void
test_restless (void)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script =
      g_strdup_printf ("trap '' TERM; while :; do (setsid sleep %s &); sleep 0.01; done", marker);
  const char *command[] = { "/bin/bash", "-c", script, NULL };
  Helper helper;

  helper_start (&helper, command, FALSE);
  helper_wait_start (&helper);
  /* The helper, the shell, and the first of what the shell runs once it is deaf. */
  wait_until (test_count_alive (marker) >= 3);
  test_spin (200);
  g_assert_cmpint (write (helper.socket, "x", 1), ==, 1);
  g_assert_true (g_str_has_prefix (helper_hear_all (&helper), "start\nsignal 9\ndone "));
  helper_clear (&helper);
  test_assert_none_alive (marker);
}

/* A tree that takes the whole machine, and a helper that hardly gets a turn: who obeys TERM is
 * still ended by it, and counted. */
static void
test_busy (void)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script = g_strdup_printf ("for i in {1..40}; do sleep %s & done; for i in "
                                             "{1..8}; do (while :; do :; done) & done; wait",
                                             marker);
  const char *command[] = { "/bin/bash", "-c", script, NULL };
  Helper helper;

  helper_start (&helper, command, FALSE);
  g_assert_cmpint (setpriority (PRIO_PROCESS, (id_t) helper.pid, 19), ==, 0);
  helper_wait_start (&helper);
  test_wait_alive (marker, 50);
  test_spin (300);
  g_assert_cmpint (write (helper.socket, "x", 1), ==, 1);
  g_assert_cmpstr (helper_hear_all (&helper), ==, "start\nsignal 15\ndone 48 0\n");
  helper_clear (&helper);
  test_assert_none_alive (marker);
}

/* A chain of parents, each in a session of its own and deaf to TERM. */
static void
test_deep (void)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *script =
      g_strdup_printf ("trap '' TERM; deep () { if [ $1 = 0 ]; then sleep %s; else "
                       "setsid bash -c \"$(declare -f deep); deep $(($1-1)); :\"; fi; :; }; "
                       "deep 20",
                       marker);
  const char *command[] = { "/bin/bash", "-c", script, NULL };
  Helper helper;

  helper_start (&helper, command, FALSE);
  helper_wait_start (&helper);
  /* The helper, the first shell, the twenty below it, and the last one's sleep. */
  test_wait_alive (marker, 23);
  g_assert_cmpint (write (helper.socket, "x", 1), ==, 1);
  g_assert_true (g_str_has_prefix (helper_hear_all (&helper), "start\nsignal 9\ndone 0 "));
  g_assert_cmpint (atoi (strrchr (helper.heard->str, ' ')), >=, 21);
  helper_clear (&helper);
  test_assert_none_alive (marker);
}

static guint64
count_waits (GPid pid)
{
  static const char word[] = "\nvoluntary_ctxt_switches:";
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *status = NULL;
  const char *found;

  g_assert_true (g_file_get_contents (path, &status, NULL, NULL));
  found = strstr (status, word);
  g_assert_nonnull (found);
  return g_ascii_strtoull (found + strlen (word), NULL, 10);
}

static gboolean
is_sleep (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", pid);
  g_autofree char *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) && g_str_equal (name, "sleep\n");
}

/* A process that does not end although it was killed, as on a disk that hangs. Here it is this test
 * that keeps it, as its debugger. The helper goes on, but does not keep the processor busy. */
static void
test_unkillable (void)
{
  g_autofree char *marker = test_marker_new ();
  const char *command[] = { "/bin/sleep", marker, NULL };
  g_autofree char *path = NULL;
  g_autofree char *children = NULL;
  Helper helper;
  guint64 n_waits;
  pid_t child;
  int status;

  helper_start (&helper, command, FALSE);
  helper_wait_start (&helper);
  /* The helper has the marker in its own command line as well. */
  test_wait_alive (marker, 2);
  path = g_strdup_printf ("/proc/%d/task/%d/children", helper.pid, helper.pid);
  g_assert_true (g_file_get_contents (path, &children, NULL, NULL));
  child = (pid_t) g_ascii_strtoll (children, NULL, 10);
  g_assert_cmpint (child, >, 0);
  /* Until it is sleep, it is a copy of the helper, which nobody may trace. */
  for (guint i = 0; i < 1000 && !is_sleep (child); i++)
    test_spin (10);
  g_assert_no_errno ((int) ptrace (PTRACE_SEIZE, child, NULL, NULL));
  g_assert_cmpint (write (helper.socket, "x", 1), ==, 1);
  test_spin (1000);
  n_waits = count_waits (helper.pid);
  test_spin (1000);
  g_assert_cmpuint (count_waits (helper.pid) - n_waits, <, 50);

  do
    g_assert_cmpint (waitpid (child, &status, __WALL), ==, child);
  while (!WIFSIGNALED (status));
  g_assert_cmpstr (helper_hear_all (&helper), ==, "start\nsignal 9\ndone 0 0\n");
  helper_clear (&helper);
}

static void
test_usage (void)
{
  g_autofree char *path = helper_path ();
  const char *const lines[][5] = {
    { path, NULL },
    { path, "5", "--", NULL },
    { path, "1", "--", "true", NULL },
    { path, "77", "--", "true", NULL },
    { path, "5", "true", "true", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *complaint = NULL;
      int status;

      g_assert_true (g_spawn_sync (NULL, (char **) lines[i], NULL, G_SPAWN_DEFAULT, NULL, NULL,
                                   NULL, &complaint, &status, &error));
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 2);
      g_assert_cmpstr (complaint, !=, "");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/supervise/words", test_words);
  g_test_add_func ("/supervise/cannot-run", test_cannot_run);
  g_test_add_func ("/supervise/asked-before", test_asked_before);
  g_test_add_data_func ("/supervise/ask-by-byte", GINT_TO_POINTER (BY_BYTE), test_ask);
  g_test_add_data_func ("/supervise/ask-by-end-of-file", GINT_TO_POINTER (BY_END_OF_FILE),
                        test_ask);
  g_test_add_data_func ("/supervise/ask-by-signal", GINT_TO_POINTER (BY_SIGNAL), test_ask);
  g_test_add_func ("/supervise/many-asks", test_many_asks);
  g_test_add_func ("/supervise/restless", test_restless);
  g_test_add_func ("/supervise/busy", test_busy);
  g_test_add_func ("/supervise/deep", test_deep);
  g_test_add_func ("/supervise/unkillable", test_unkillable);
  g_test_add_func ("/supervise/usage", test_usage);
  return g_test_run ();
}
