/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gadget-connect INFO BLOCK -- PASTA [ARGUMENT]… -- BWRAP [ARGUMENT]…
 *
 * Starts bubblewrap, which creates a network namespace and waits; has pasta connect that namespace
 * to the network; and lets bubblewrap go on. The arguments of bubblewrap tell it to write the first
 * process of the namespace to descriptor INFO, and to wait for descriptor BLOCK.
 *
 * The process tree of the command is ended from inside, by gadget-supervise. This program is
 * outside of the tree, is never signaled, and has one more duty: when bubblewrap has ended it ends
 * pasta, before it ends itself. If this program is killed, the kernel kills pasta with it, or pasta
 * notices within a second that the namespace is gone.
 *
 * No process of the command exists before the network does: if connecting fails, bubblewrap is
 * killed while it waits, and the error messages of pasta go to standard error. If pasta ends while
 * the command runs, the command goes on without a network, and a message about that goes to
 * standard error, once. This program uses libc only. */

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READY_LIMIT_MS 5000
#define MAX_PASTA_WORDS 64
#define LOOPBACK_LIMIT_MS 500
#define LOOPBACK_PAUSE_NS 200000

typedef struct
{
  int read_end;
  int write_end;
} Pipe;

static Pipe info;
static Pipe block;
static Pipe pasta_errors;
static int owner_fd = -1; /* kept open while pasta looks it up */
/* A named pipe, since pasta closes inherited descriptors, and may not access this process's folder
 * in /proc. */
static int ready_fd = -1;
static char ready_folder[] = "/tmp/gadget-connect-XXXXXX";
static char ready_path[sizeof ready_folder + 8];

static bool
make_pipe (Pipe *self)
{
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    return false;
  /* Moves the ends away from the numbers that bubblewrap expects. */
  self->read_end = fcntl (fds[0], F_DUPFD_CLOEXEC, 20);
  self->write_end = fcntl (fds[1], F_DUPFD_CLOEXEC, 20);
  close (fds[0]);
  close (fds[1]);
  return self->read_end >= 0 && self->write_end >= 0;
}

static void
remove_ready (void)
{
  unlink (ready_path);
  rmdir (ready_folder);
}

/* Returns false, and leaves nothing behind, if the named pipe cannot be made. */
static bool
make_ready (void)
{
  if (mkdtemp (ready_folder) == NULL)
    return false;
  snprintf (ready_path, sizeof ready_path, "%s/ready", ready_folder);
  if (mkfifo (ready_path, 0600) == 0)
    ready_fd = open (ready_path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (ready_fd < 0)
    remove_ready ();
  return ready_fd >= 0;
}

static int64_t
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until FD is readable; returns false when the deadline is over. */
static bool
wait_readable (int fd, int64_t deadline)
{
  for (;;)
    {
      struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
      int64_t left = deadline - now_ms ();
      int n = left > 0 ? poll (&poll_fd, 1, (int) left) : 0;

      if (n > 0)
        return true;
      if (n == 0 || errno != EINTR)
        return false;
    }
}

static pid_t
start_bubblewrap (char **command, int info_fd, int block_fd)
{
  pid_t pid = fork ();

  if (pid != 0)
    return pid;
  if (dup2 (info.write_end, info_fd) >= 0 && dup2 (block.read_end, block_fd) >= 0)
    execv (command[0], command);
  fprintf (stderr, "gadget-connect: %s: %s\n", command[0], strerror (errno));
  _exit (127);
}

/* Reads { "child-pid": 4711, … }. Returns the number, or 0. */
static pid_t
read_child (int64_t deadline)
{
  char text[512];
  size_t length = 0;
  const char *number;

  while (length < sizeof text - 1 && wait_readable (info.read_end, deadline))
    {
      ssize_t n = read (info.read_end, text + length, sizeof text - 1 - length);

      if (n <= 0)
        break;
      length += (size_t) n;
      text[length] = '\0';
      number = strstr (text, "\"child-pid\":");
      if (number != NULL && strpbrk (number, ",}") != NULL)
        return atoi (number + strlen ("\"child-pid\":"));
    }
  return 0;
}

/* bubblewrap ends up in a user namespace inside of the one that owns its network: to change the
 * network, pasta must enter the outer one. Returns a descriptor of that, or -1. */
static int
open_owner (pid_t child)
{
  char path[64];
  int net;
  int owner;

  snprintf (path, sizeof path, "/proc/%d/ns/net", (int) child);
  net = open (path, O_RDONLY | O_CLOEXEC);
  if (net < 0)
    return -1;
  owner = ioctl (net, NS_GET_USERNS);
  close (net);
  return owner;
}

/* Starts pasta, which writes its process ID to the named pipe when it is ready. */
static pid_t
start_pasta (char **words, int n_words, pid_t child, pid_t parent)
{
  const char *command[MAX_PASTA_WORDS + 8];
  char user_path[64];
  char net_path[64];
  char root[] = "0:0";
  const int owner = open_owner (child);
  const pid_t pid = fork ();
  int null;

  if (pid != 0)
    {
      owner_fd = owner;
      return pid;
    }
  snprintf (user_path, sizeof user_path, "/proc/%d/fd/%d", (int) parent, owner);
  snprintf (net_path, sizeof net_path, "/proc/%d/ns/net", (int) child);
  memcpy (command, words, (size_t) n_words * sizeof *words);
  command[n_words++] = "--pid";
  command[n_words++] = ready_path;
  /* Root may enter every namespace; but nobody, the user that pasta would become, may not access
   * them. */
  command[n_words++] = geteuid () != 0 ? "--userns" : "--runas";
  command[n_words++] = geteuid () != 0 ? user_path : root;
  command[n_words++] = "--netns";
  command[n_words++] = net_path;
  command[n_words] = NULL;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 1 && null >= 0; fd++)
    dup2 (null, fd);
  /* The pipe is not read once the command runs. Bytes that do not fit into it are dropped. */
  fcntl (pasta_errors.write_end, F_SETFL, O_NONBLOCK);
  dup2 (pasta_errors.write_end, 2);
  syscall (SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  if (getppid () == parent)
    execv (command[0], (char *const *) command);
  fprintf (stderr, "%s: %s\n", command[0], strerror (errno));
  _exit (127);
}

static void
end (pid_t pid)
{
  int status;

  if (pid <= 0)
    return;
  kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
}

static void
pass_complaints_on (void)
{
  char text[1024];
  ssize_t n;

  fcntl (pasta_errors.read_end, F_SETFL, O_NONBLOCK);
  while ((n = read (pasta_errors.read_end, text, sizeof text)) > 0)
    (void) !write (2, text, (size_t) n);
}

/* bubblewrap sets up the loopback device and its address after it has reported its process. If
 * pasta were quicker, the kernel would have set the address already; bubblewrap takes that for a
 * failure, and the command does not start. When bubblewrap is done there is a route for
 * 127.0.0.0/8. Nothing signals that, so the file is polled for a moment; if it cannot be read there
 * is no wait. */
static void
wait_for_loopback (pid_t child, int64_t deadline)
{
  const struct timespec pause = { .tv_nsec = LOOPBACK_PAUSE_NS };
  static char text[16384];
  char path[64];

  snprintf (path, sizeof path, "/proc/%d/net/fib_trie", (int) child);
  while (now_ms () < deadline)
    {
      const int fd = open (path, O_RDONLY | O_CLOEXEC);
      const ssize_t n = fd >= 0 ? read (fd, text, sizeof text - 1) : -1;

      if (fd >= 0)
        close (fd);
      if (n < 0)
        return;
      text[n] = '\0';
      if (strstr (text, "127.0.0.0/8") != NULL)
        return;
      nanosleep (&pause, NULL);
    }
}

/* Returns the process of pasta, or 0 if the network could not be connected. */
static pid_t
connect_network (char **words, int n_words, pid_t child, int64_t deadline)
{
  const pid_t pid = start_pasta (words, n_words, child, getpid ());
  char number[16];

  /* Only pasta holds the writing end of this pipe now, so that its end of file means that pasta has
   * ended. */
  close (pasta_errors.write_end);
  pasta_errors.write_end = -1;
  if (pid <= 0)
    return 0;
  while (now_ms () < deadline)
    {
      struct pollfd fds[2] = { { .fd = ready_fd, .events = POLLIN },
                               { .fd = pasta_errors.read_end, .events = 0 } };

      if (poll (fds, 2, (int) (deadline - now_ms ())) < 0 && errno != EINTR)
        break;
      if ((fds[0].revents & POLLIN) && read (ready_fd, number, sizeof number) > 0)
        return pid;
      if (fds[1].revents != 0)
        break;
    }
  end (pid);
  return 0;
}

/* Waits until bubblewrap ends, and returns its exit status; *PASTA becomes 0 if pasta ends
 * before. */
static int
wait_for (pid_t bubblewrap, pid_t *pasta)
{
  static const char lost[] = "\n[The network of this command broke off: pasta ended.]\n";
  int status = 0;
  pid_t pid;

  while ((pid = waitpid (-1, &status, 0)) != bubblewrap)
    {
      if (pid < 0 && errno != EINTR)
        return 1;
      if (pid == *pasta && pid > 0)
        {
          *pasta = 0;
          (void) !write (2, lost, sizeof lost - 1);
        }
    }
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

/* Closes the control socket and the other descriptors up to 19, which only bubblewrap uses: the
 * other side must see when its process tree has closed them. */
static void
close_inherited (void)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  syscall (SYS_close_range, 3U, 19U, 0U);
  for (int fd = 0; fd <= 1 && null >= 0; fd++)
    dup2 (null, fd);
  close (info.write_end);
  close (block.read_end);
}

static int
find_separator (int argc, char **argv, int from)
{
  while (from < argc && strcmp (argv[from], "--") != 0)
    from++;
  return from;
}

int
main (int argc, char **argv)
{
  const int64_t deadline = now_ms () + READY_LIMIT_MS;
  const int first = find_separator (argc, argv, 1);
  const int second = find_separator (argc, argv, first + 1);
  pid_t bubblewrap;
  pid_t child;
  pid_t pasta = 0;
  int status;

  if (first != 3 || second + 1 >= argc || second - first - 1 > MAX_PASTA_WORDS
      || second == first + 1)
    {
      fprintf (stderr,
               "usage: gadget-connect INFO BLOCK -- PASTA [ARGUMENT]… -- BWRAP [ARGUMENT]…\n");
      return 2;
    }
  signal (SIGPIPE, SIG_IGN);
  if (!make_pipe (&info) || !make_pipe (&block) || !make_pipe (&pasta_errors))
    return 2;
  bubblewrap = start_bubblewrap (argv + second + 1, atoi (argv[1]), atoi (argv[2]));
  if (bubblewrap < 0)
    return 2;
  close_inherited ();
  child = read_child (deadline);
  if (child > 0)
    wait_for_loopback (child, now_ms () + LOOPBACK_LIMIT_MS);
  if (child > 0 && make_ready ())
    {
      pasta = connect_network (argv + first + 1, second - first - 1, child, deadline);
      remove_ready ();
    }
  if (owner_fd >= 0)
    close (owner_fd);
  if (pasta == 0)
    {
      if (child > 0)
        kill (child, SIGKILL);
      end (bubblewrap);
      pass_complaints_on ();
      return 1;
    }
  close (block.write_end);
  status = wait_for (bubblewrap, &pasta);
  end (pasta);
  return status;
}
