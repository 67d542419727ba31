/* SPDX-License-Identifier: GPL-3.0-or-later */

/* try-call NAME…: makes a system call and prints "NAME: done" or why not, for tests of what a
 * sandbox refuses. Outside of a sandbox most of them are allowed. */

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static long
clone_user (void)
{
  long pid = syscall (SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);

  if (pid == 0)
    _exit (0);
  if (pid > 0)
    waitpid ((pid_t) pid, NULL, 0);
  return pid;
}

static long
push_back (void)
{
  int fd = open ("/dev/ptmx", O_RDWR | O_NOCTTY);

  return ioctl (fd, TIOCSTI, "x");
}

/* The low half of the number is what counts. */
static long
push_back_wide (void)
{
  int fd = open ("/dev/ptmx", O_RDWR | O_NOCTTY);

  return syscall (SYS_ioctl, fd, 0x100000000UL | TIOCSTI, "x");
}

/* FIRST is where the name begins: 1 for one without a file. */
static long
connect_name (const char *name, size_t first)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  if (fd < 0 || strlen (name) + first >= sizeof address.sun_path)
    return -1;
  memcpy (address.sun_path + first, name, strlen (name));
  return connect (fd, (struct sockaddr *) &address,
                  (socklen_t) (sizeof (sa_family_t) + 1 + strlen (name)));
}

/* Runs itself from memory, where no mount says what may be run; it prints what it could do. */
static long
run_from_memory (const char *name)
{
  char program[] = "memory";
  char copy[64];
  char *const argv[] = { program, copy, NULL };
  char bytes[65536];
  const int self = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const int fd = memfd_create ("try-call", 0);
  const pid_t pid = fork ();
  int status = 0;
  ssize_t n;

  if (pid != 0)
    return waitpid (pid, &status, 0) == pid && status == 0 ? 0 : -1;
  snprintf (copy, sizeof copy, "%s", name);
  while ((n = read (self, bytes, sizeof bytes)) > 0)
    if (write (fd, bytes, (size_t) n) != n)
      _exit (1);
  fexecve (fd, argv, environ);
  _exit (1);
}

/* A pair of datagrams can be connected to somebody else. */
static long
connect_pair (const char *name)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0)
    return -1;
  snprintf (address.sun_path, sizeof address.sun_path, "%s", name);
  return connect (pair[0], (struct sockaddr *) &address, sizeof address);
}

/* Each way by which a file gets a mode. */
static long
set_mode (const char *call, mode_t mode)
{
  const struct open_how how = { .flags = O_CREAT | O_WRONLY, .mode = mode };
  char name[] = "mode-XXXXXX";
  const int fd = mkstemp (name);
  long status = -1;

  if (fd < 0)
    return -1;
  errno = EINVAL;
  if (strcmp (call, "chmod") == 0)
    status = chmod (name, mode);
  else if (strcmp (call, "fchmodat") == 0)
    status = syscall (SYS_fchmodat, AT_FDCWD, name, mode);
  else if (strcmp (call, "fchmod") == 0)
    status = fchmod (fd, mode);
  else if (strcmp (call, "fchmodat2") == 0)
    status = syscall (452, AT_FDCWD, name, mode, 0);
  unlink (name);
  if (strcmp (call, "open") == 0)
    status = open (name, O_CREAT | O_WRONLY, mode);
  else if (strcmp (call, "creat") == 0)
    status = creat (name, mode);
  else if (strcmp (call, "tmpfile") == 0)
    status = open (".", O_TMPFILE | O_WRONLY, mode);
  else if (strcmp (call, "openat2") == 0)
    status = syscall (SYS_openat2, AT_FDCWD, name, &how, sizeof how);
  else if (strcmp (call, "mknod") == 0)
    status = mknod (name, S_IFREG | mode, 0);
  else if (strcmp (call, "mkdir") == 0)
    status = mkdir (name, mode);
  return status;
}

static long
try_call (const char *name)
{
  static char io_uring[256];

  if (strcmp (name, "add_key") == 0)
    return syscall (SYS_add_key, "user", "gadget-test", "x", 1, KEY_SPEC_PROCESS_KEYRING);
  if (strcmp (name, "keyctl") == 0)
    return syscall (SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1);
  if (strcmp (name, "request_key") == 0)
    return syscall (SYS_request_key, "user", "gadget-test", NULL, 0);
  if (strcmp (name, "unshare") == 0)
    return unshare (CLONE_NEWUSER);
  if (strcmp (name, "clone") == 0)
    return clone_user ();
  if (strcmp (name, "clone3") == 0)
    return syscall (SYS_clone3, NULL, 0);
  if (strcmp (name, "tiocsti") == 0)
    return push_back ();
  if (strcmp (name, "tiocsti-wide") == 0)
    return push_back_wide ();
  if (strcmp (name, "mknod") == 0)
    return mknod ("device", S_IFBLK | 0600, makedev (8, 0));
  if (strcmp (name, "vsock") == 0)
    return socket (AF_VSOCK, SOCK_STREAM, 0);
  if (strcmp (name, "packet") == 0)
    return socket (AF_PACKET, SOCK_RAW, 0);
  if (strcmp (name, "unix") == 0)
    return socket (AF_UNIX, SOCK_STREAM, 0);
  if (strcmp (name, "inet") == 0)
    return socket (AF_INET, SOCK_STREAM, 0);
  if (strcmp (name, "socketpair") == 0)
    return socketpair (AF_UNIX, SOCK_STREAM, 0, (int[2]) { 0 });
  if (strcmp (name, "io_uring") == 0)
    return syscall (SYS_io_uring_setup, 1, io_uring);
  if (strcmp (name, "setuid") == 0)
    return setuid (12345);
  if (strncmp (name, "memory=", 7) == 0)
    return run_from_memory (name + 7);
  if (strncmp (name, "abstract=", 9) == 0)
    return connect_name (name + 9, 1);
  if (strncmp (name, "pair=", 5) == 0)
    return connect_pair (name + 5);
  if (strncmp (name, "suid-", 5) == 0)
    return set_mode (name + 5, S_ISUID | 0755);
  if (strncmp (name, "sgid-", 5) == 0)
    return set_mode (name + 5, S_ISGID | 0755);
  if (strncmp (name, "mode-", 5) == 0)
    return set_mode (name + 5, 0755);
  if (strncmp (name, "named=", 6) == 0)
    return connect_name (name + 6, 0);
  errno = EINVAL;
  return -1;
}

int
main (int argc, char **argv)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    {
      long status = try_call (argv[i]);

      printf ("%s: %s\n", argv[i], status >= 0 ? "done" : strerrorname_np (errno));
    }
  return 0;
}
