/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gadget-supervise FD [--input] [--environment] [--terminal] [--files=N] -- COMMAND [ARGUMENT]…
 *
 * Runs one command and ends the whole tree of its descendants. It is the first process of a
 * sandbox's PID namespace, or, where it is not PID 1, the subreaper of its descendants; so
 * processes that daemonize become its children. It uses libc only and has one thread.
 *
 * The standard input of the command is empty; with --input it is that of this program. With
 * --environment, FD first supplies variables for the command, in addition to those of this program:
 * "NAME=value" strings, each followed by a NUL, and one more NUL. They are not passed as arguments,
 * which every user can read.
 *
 * With --terminal the standard streams of the command are a new terminal, whose output is relayed
 * to this program's standard output. The terminal gets no input. It is created here and not by
 * Gadget, so that it has a path where the command runs.
 *
 * With --files the command may have that many descriptors until it raises the limit: Gadget itself
 * temporarily has a higher one.
 *
 * FD is one end of a socket pair. These end the tree:
 *
 *   a byte or end of file (the other side died) on FD, or SIGTERM.
 *
 * The program writes these messages to FD, one line each, in this order:
 *
 *   start                  the command is about to run; before that none of its processes exists
 *   exit STATUS            the command itself exited, or
 *   signal NUMBER          a signal ended it, or
 *   fail ERRNO             it could not be run
 *   left NAME              the command has ended, and a process of that name has not; only some are
 *                          reported
 *   done ENDED KILLED      no descendant is left; how many besides the command ended after SIGTERM,
 *                          and how many had to be killed
 *
 * If the end is requested before "start", only "done 0 0" is written. The tree is ended like this:
 * SIGTERM once to all processes, then SIGCONT for those that are stopped; after 200 ms SIGKILL,
 * again and again until waitpid () reports no child. If the command exits by itself, the processes
 * that it left behind have 100 ms to exit before the same procedure, so that the last stage of a
 * pipeline can still write. Only waitpid () decides that no process is left.
 *
 * As PID 1, kill (-1) reaches all processes at once, and no fork can escape. As a subreaper the
 * program reads the tree from /proc: SIGTERM is sent to each process through a pidfd whose
 * parentage is checked after it was opened, so that a reused process ID is never hit. The passes
 * with SIGKILL signal only direct children, which no other process can reap, and their process
 * groups; orphans become children, and are signaled in the next pass. A walk of the tree is
 * bounded, since a fork bomb would outrun it: in processor time of this process, and, less
 * strictly, in time, so that a busy machine alone does not cut the walk short and deprive the
 * remaining processes of the grace period. */

#include "limits.h"
#include "terminal.h"
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TERM_GRACE_MS 200
#define LEFTOVER_GRACE_MS 100
#define WALK_LIMIT_MS 150
#define COUNT_LIMIT_MS 50
#define KILL_PASS_MS 5
#define IDLE_LIMIT_MS 500
#define IDLE_KILL_PASS_MS 200

#define MAX_NAMED 8
#define MAX_ENVIRONMENT 65536

typedef struct
{
  unsigned char bits[MAX_PID / 8];
} PidSet;

static int control_fd;
static int signal_fd;
static int exec_fd; /* the command's errno if it could not be executed */
static bool is_init;
static unsigned int max_files; /* 0: as many as this process may have */
static int self_in_proc;       /* this process's number in the PID namespace that /proc shows */
static pid_t main_pid;
static bool main_running;
static unsigned n_reaped;

static PidSet term_seen;
static PidSet kill_seen;

/* --- Small helpers --------------------------------------------------------------------------- */

/* The other side need not exist any more. */
static void
say (const char *word, int first, int second, int n_numbers)
{
  char line[64];
  int length;

  if (n_numbers == 0)
    length = snprintf (line, sizeof line, "%s\n", word);
  else if (n_numbers == 1)
    length = snprintf (line, sizeof line, "%s %d\n", word, first);
  else
    length = snprintf (line, sizeof line, "%s %d %d\n", word, first, second);
  (void) !send (control_fd, line, (size_t) length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void
say_text (const char *word, const char *text)
{
  char line[64];
  int length = snprintf (line, sizeof line, "%s %s\n", word, text);

  (void) !send (control_fd, line, (size_t) length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool
set_add (PidSet *set, int pid)
{
  unsigned char mask = (unsigned char) (1 << (pid % 8));

  if (set->bits[pid / 8] & mask)
    return false;
  set->bits[pid / 8] |= mask;
  return true;
}

static bool
set_has (const PidSet *set, int pid)
{
  return (set->bits[pid / 8] & (1 << (pid % 8))) != 0;
}

/* --- Reaping --------------------------------------------------------------------------------- */

static void
report_main (int status)
{
  int error;

  main_running = false;
  if (read (exec_fd, &error, sizeof error) == sizeof error)
    say ("fail", error, 0, 1);
  else if (WIFSIGNALED (status))
    say ("signal", WTERMSIG (status), 0, 1);
  else
    say ("exit", WEXITSTATUS (status), 0, 1);
}

/* Reaps all processes that have ended. Returns false if there is no child left. */
static bool
reap (void)
{
  for (;;)
    {
      int status;
      pid_t pid = waitpid (-1, &status, WNOHANG | __WALL);

      if (pid == 0)
        return true;
      if (pid < 0 && errno == EINTR)
        continue;
      if (pid < 0)
        return false;
      n_reaped++;
      if (pid == main_pid && main_running)
        report_main (status);
    }
}

/* Reads the pending signals. Returns true if SIGTERM was among them. */
static bool
read_signals (void)
{
  struct signalfd_siginfo info;
  bool asked = false;

  while (read (signal_fd, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGTERM)
      asked = true;
  return asked;
}

/* Returns whether the other side requests the end, by a byte or by end of file. */
static bool
control_asks (void)
{
  char byte;
  ssize_t n = recv (control_fd, &byte, 1, MSG_DONTWAIT);

  return n >= 0 || (errno != EAGAIN && errno != EINTR);
}

static void
say_done (int n_terminated, int n_killed)
{
  terminal_relay_rest (control_fd);
  say ("done", n_terminated > 0 ? n_terminated : 0, n_killed > 0 ? n_killed : 0, 2);
}

/* --- Waiting --------------------------------------------------------------------------------- */

/* Reaps until no child is left. Returns false if that takes longer than MILLISECONDS. */
static bool
wait_until_none (int milliseconds)
{
  int64_t deadline = tree_now_ms () + milliseconds;

  for (;;)
    {
      struct pollfd fds[2] = { { .fd = signal_fd, .events = POLLIN } };
      int64_t left;

      read_signals ();
      if (!reap ())
        return true;
      terminal_relay ();
      left = deadline - tree_now_ms ();
      if (left <= 0)
        return false;
      poll (fds, 1 + terminal_poll (&fds[1]), (int) left);
    }
}

/* --- Ending ---------------------------------------------------------------------------------- */

static void
terminate_one (const Process *process)
{
  int fd = (int) syscall (SYS_pidfd_open, process->pid, 0);
  char state;
  int parent;

  if (fd < 0)
    return;
  /* The pidfd holds the process ID only from now on: check that it still belongs to the process
   * that the walk found, or to an orphan of it. */
  if (tree_read_stat (process->pid, &state, &parent)
      && (parent == process->parent || parent == self_in_proc))
    {
      syscall (SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
      syscall (SYS_pidfd_send_signal, fd, SIGCONT, NULL, 0);
    }
  close (fd);
}

/* Sends SIGTERM and SIGCONT to all descendants. Returns how many were found. */
static int
terminate_all (void)
{
  const Bound bound = tree_bound_new (WALK_LIMIT_MS);
  int n_seen = 0;
  int n_new;

  do
    {
      const Process *walked;
      const int n_walked = tree_walk (self_in_proc, &bound, &walked);

      n_new = 0;
      for (int i = 0; i < n_walked; i++)
        if (set_add (&term_seen, walked[i].pid))
          {
            n_new++;
            if (!is_init)
              terminate_one (&walked[i]);
          }
      n_seen += n_new;
    }
  while (!is_init && n_new > 0 && !tree_is_over (&bound));

  if (is_init)
    {
      kill (-1, SIGTERM);
      kill (-1, SIGCONT);
    }
  return n_seen;
}

static void
kill_pass (void)
{
  const Process *children;
  int n_children;

  if (is_init)
    {
      kill (-1, SIGKILL);
      return;
    }

  n_children = tree_list_children (self_in_proc, &children);
  for (int i = 0; i < n_children; i++)
    {
      pid_t group = getpgid (children[i].pid);

      if (group > 1 && group != getpgrp ())
        kill (-group, SIGKILL);
      kill (children[i].pid, SIGKILL);
    }
}

/* A process that waits for a disk that hangs does not end although it is killed. When no process
 * has ended for half a second, there are five passes a second. Before that there are many: a
 * process that ends may leave children, which the next pass must find. */
static void
kill_until_none (void)
{
  int idle_ms = 0;

  for (;;)
    {
      const unsigned n_before = n_reaped;
      const int pause = idle_ms < IDLE_LIMIT_MS ? KILL_PASS_MS : IDLE_KILL_PASS_MS;

      kill_pass ();
      if (wait_until_none (pause))
        return;
      if (n_reaped != n_before)
        idle_ms = 0;
      else if (idle_ms < IDLE_LIMIT_MS)
        idle_ms += pause;
    }
}

static void
kill_all (int n_terminated, bool main_was_running)
{
  const Bound bound = tree_bound_new (COUNT_LIMIT_MS);
  const Process *walked;
  const int n_walked = tree_walk (self_in_proc, &bound, &walked);
  int n_killed = n_walked;
  int n_both = 0;

  for (int i = 0; i < n_walked; i++)
    if (set_add (&kill_seen, walked[i].pid) && set_has (&term_seen, walked[i].pid))
      n_both++;
  n_terminated -= n_both;
  if (main_was_running && !main_running)
    n_terminated--;
  if (main_running)
    n_killed--;

  kill_until_none ();
  say_done (n_terminated, n_killed);
}

/* Reports the names of processes that outlived the command, each once. */
static void
name_leftovers (void)
{
  static char names[MAX_NAMED][NAME_SIZE];
  const Bound bound = tree_bound_new (COUNT_LIMIT_MS);
  const Process *walked;
  const int n_walked = tree_walk (self_in_proc, &bound, &walked);
  int n_names = 0;

  for (int i = 0; i < n_walked && n_names < MAX_NAMED; i++)
    {
      char *name = names[n_names];
      bool known = !tree_read_name (walked[i].pid, name);

      for (int j = 0; j < n_names && !known; j++)
        known = strcmp (names[j], name) == 0;
      if (known)
        continue;
      n_names++;
      say_text ("left", name);
    }
}

static void
end_tree (void)
{
  bool main_was_running;
  int n_terminated;

  if (!reap ())
    {
      say_done (0, 0);
      return;
    }
  if (!main_running)
    name_leftovers ();
  main_was_running = main_running;
  n_terminated = terminate_all ();
  if (!wait_until_none (TERM_GRACE_MS))
    {
      kill_all (n_terminated, main_was_running);
      return;
    }
  n_terminated -= main_was_running ? 1 : 0;
  say_done (n_terminated, 0);
}

/* --- Running --------------------------------------------------------------------------------- */

static void __attribute__ ((noreturn))
exec_command (char **command, int error_fd, const char *terminal)
{
  sigset_t none;
  int error;

  setsid ();
  if (terminal != NULL)
    terminal_use (terminal);
  for (int number = 1; number < NSIG; number++)
    signal (number, SIG_DFL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  limits_set (is_init, max_files);
  syscall (SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  execvp (command[0], command);
  error = errno;
  (void) !write (error_fd, &error, sizeof error);
  _exit (127);
}

/* This program must not hold the output open, since the reader waits for its end of file. */
static void
drop_standard_streams (void)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  for (int fd = 0; fd <= 2 && null >= 0; fd++)
    dup2 (null, fd);
  if (null > 2)
    close (null);
}

static bool
start_command (char **command, bool with_input, bool with_terminal)
{
  char terminal[64];
  int pipe_fds[2];
  int null;

  if (with_terminal && !terminal_open (terminal, sizeof terminal))
    return false;

  if (pipe2 (pipe_fds, O_CLOEXEC | O_NONBLOCK) < 0)
    return false;
  null = with_input ? -1 : open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0)
    dup2 (null, 0);
  if (null > 0)
    close (null);
  exec_fd = pipe_fds[0];

  main_pid = fork ();
  if (main_pid < 0)
    return false;
  if (main_pid == 0)
    exec_command (command, pipe_fds[1], with_terminal ? terminal : NULL);
  main_running = true;
  close (pipe_fds[1]);
  drop_standard_streams ();
  return true;
}

/* Waits until the end is requested, until the command exits if it still runs, until no child is
 * left, or until DEADLINE unless that is negative. Returns true if the end was requested. */
static bool
wait_for_ask (int64_t deadline)
{
  bool was_running = main_running;

  for (;;)
    {
      struct pollfd fds[3] = { { .fd = control_fd, .events = POLLIN },
                               { .fd = signal_fd, .events = POLLIN } };
      int64_t left = deadline < 0 ? -1 : deadline - tree_now_ms ();

      if (deadline >= 0 && left <= 0)
        return false;
      terminal_relay ();
      if (poll (fds, 2 + terminal_poll (&fds[2]), (int) left) < 0 && errno != EINTR)
        return true;
      if (fds[0].revents != 0 && control_asks ())
        return true;
      if (fds[1].revents != 0 && read_signals ())
        return true;
      if (!reap () || (was_running && !main_running))
        return false;
    }
}

static bool
set_up (void)
{
  sigset_t all;
  sigset_t wanted;
  char path[64];
  char number[16] = "";

  setsid ();
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);
  sigemptyset (&wanted);
  sigaddset (&wanted, SIGCHLD);
  sigaddset (&wanted, SIGTERM);
  signal (SIGCHLD, SIG_DFL); /* if it were inherited as ignored, no exit would be seen */
  signal_fd = signalfd (-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signal_fd < 0 || fcntl (control_fd, F_SETFD, FD_CLOEXEC) < 0)
    return false;

  is_init = getpid () == 1;
  if (readlink ("/proc/self", number, sizeof number - 1) > 0)
    self_in_proc = atoi (number);
  /* Other processes of the same user must not be able to take the descriptor of the socket. */
  prctl (PR_SET_DUMPABLE, 0);
  if (is_init)
    return true;
  /* Without this file the tree could not be read, and so not be ended. */
  snprintf (path, sizeof path, "/proc/self/task/%d/children", self_in_proc);
  return prctl (PR_SET_CHILD_SUBREAPER, 1) == 0 && self_in_proc == getpid ()
         && access (path, R_OK) == 0;
}

/* Reads the environment, which the other side wrote completely before it started this program.
 * Returns false if it is incomplete or too large. */
static bool
read_environment (void)
{
  static char block[MAX_ENVIRONMENT];
  size_t start = 0;
  size_t end = 0;

  while (end < sizeof block)
    {
      ssize_t n = read (control_fd, block + end, 1);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      end++;
      if (block[end - 1] != '\0')
        continue;
      if (end - start == 1)
        return true;
      if (strchr (block + start, '=') != NULL)
        putenv (block + start);
      start = end;
    }
  return false;
}

int
main (int argc, char **argv)
{
  bool with_input = false;
  bool with_environment = false;
  bool with_terminal = false;
  int first = 2;

  for (; first < argc && strcmp (argv[first], "--") != 0; first++)
    {
      with_input = with_input || strcmp (argv[first], "--input") == 0;
      with_environment = with_environment || strcmp (argv[first], "--environment") == 0;
      with_terminal = with_terminal || strcmp (argv[first], "--terminal") == 0;
      if (strncmp (argv[first], "--files=", 8) == 0)
        max_files = (unsigned int) strtoul (argv[first] + 8, NULL, 10);
    }
  if (argc < first + 2)
    {
      fprintf (stderr, "usage: gadget-supervise FD [--input] [--environment] [--terminal] "
                       "[--files=N] -- COMMAND [ARGUMENT]…\n");
      return 2;
    }
  control_fd = atoi (argv[1]);
  if (control_fd < 3 || !set_up ())
    {
      fprintf (stderr, "gadget-supervise: cannot watch over processes here\n");
      return 2;
    }
  if ((with_environment && !read_environment ()) || control_asks ())
    {
      say ("done", 0, 0, 2);
      return 0;
    }

  say ("start", 0, 0, 0);
  if (!start_command (argv + first + 1, with_input, with_terminal))
    {
      say ("fail", errno, 0, 1);
      say ("done", 0, 0, 2);
      _exit (1);
    }
  if (!wait_for_ask (-1) && reap ())
    wait_for_ask (tree_now_ms () + LEFTOVER_GRACE_MS);
  end_tree ();
  _exit (0);
}
