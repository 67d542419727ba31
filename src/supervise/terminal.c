/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RELAY_SIZE 65536
#define MAX_PIECES 16
#define COLUMNS 80
#define LINES 24

/* The controlling side of the terminal, and where its output goes; -1 without --terminal. */
static int terminal_fd = -1;
static int output_fd = -1;
static bool hung_up;
static char relayed[RELAY_SIZE];
static size_t relay_start;
static size_t relay_end;

/* Returns whether something was relayed, so that there may be more. */
static bool
relay_chunk (void)
{
  ssize_t n;

  if (relay_start == relay_end)
    {
      n = read (terminal_fd, relayed, sizeof relayed);
      /* read () fails after the last process has closed the terminal, until one opens it again. */
      hung_up = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
      if (n <= 0)
        return n < 0 && errno == EINTR;
      relay_start = 0;
      relay_end = (size_t) n;
    }
  n = write (output_fd, relayed + relay_start, relay_end - relay_start);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return errno == EINTR;
  /* If writing fails the output is dropped, so that the command does not wait. */
  relay_start += n > 0 ? (size_t) n : relay_end - relay_start;
  return true;
}

void
terminal_relay (void)
{
  for (int i = 0; i < MAX_PIECES && terminal_fd >= 0 && relay_chunk (); i++)
    continue;
}

nfds_t
terminal_poll (struct pollfd *fd)
{
  if (terminal_fd < 0)
    return 0;
  if (relay_start < relay_end)
    *fd = (struct pollfd) { .fd = output_fd, .events = POLLOUT };
  else if (!hung_up)
    *fd = (struct pollfd) { .fd = terminal_fd, .events = POLLIN };
  else
    return 0;
  return 1;
}

void
terminal_relay_rest (int control_fd)
{
  while (terminal_fd >= 0)
    {
      struct pollfd fds[2] = { { .fd = control_fd, .events = POLLIN },
                               { .fd = output_fd, .events = POLLOUT } };

      while (relay_chunk ())
        continue;
      if (relay_start == relay_end)
        return;
      if ((poll (fds, 2, -1) < 0 && errno != EINTR) || fds[0].revents != 0)
        return;
    }
}

bool
terminal_open (char *name, size_t size)
{
  const struct winsize window = { .ws_row = LINES, .ws_col = COLUMNS };

  terminal_fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  output_fd = fcntl (1, F_DUPFD_CLOEXEC, 3);
  return terminal_fd >= 0 && output_fd >= 0 && unlockpt (terminal_fd) == 0
         && ptsname_r (terminal_fd, name, size) == 0
         && ioctl (terminal_fd, TIOCSWINSZ, &window) == 0
         && fcntl (output_fd, F_SETFL, fcntl (output_fd, F_GETFL) | O_NONBLOCK) == 0;
}

void
terminal_use (const char *name)
{
  const int fd = open (name, O_RDWR);

  if (fd < 0)
    return;
  for (int i = 0; i <= 2; i++)
    dup2 (fd, i);
  if (fd > 2)
    close (fd);
  setenv ("TERM", "xterm-256color", 1);
}
