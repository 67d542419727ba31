/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds the filter of system calls for sandboxed commands. Namespaces do not cover all that the
 * kernel offers:
 *
 *   the kernel's keyrings belong to the user, not to a namespace;
 *   a byte pushed back into a terminal is read as input by the user's shell;
 *   a new user namespace gives all capabilities in it: with these, mounts could be undone, and
 *   weaknesses could be tried in much of the kernel that ordinary users do not reach; the same goes
 *   for bpf and the like;
 *   sockets to the host of a virtual machine (vsock), to Bluetooth and others ignore network
 *   namespaces;
 *   io_uring creates such sockets without a system call that a filter could inspect.
 *
 * A Unix socket with a path can be reached by every process that sees the file, in whatever network
 * namespace it was made, and no list of such sockets is complete. So there are no Unix sockets
 * without a network, nor in the shared one, where also abstract sockets, of a message bus or a
 * display server, could be reached. socketpair () stays, but not for datagrams: such a pair can be
 * connected elsewhere.
 *
 * No file gets the set-user-ID or set-group-ID bit, which would give other users of this computer
 * the rights of this user.
 *
 * The list is short on purpose: compilers, debuggers and test suites must run. libseccomp knows the
 * numbers of the calls, also those of the processor's other modes, which would otherwise bypass the
 * filter.
 *
 * _gadget_filter_open () may be called from any thread. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-memory-file.h"
#include "gadget-sandbox-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  int call;
  int error;
} Refused;

static const Refused refused[] = {
  { SCMP_SYS (add_key), EPERM },
  { SCMP_SYS (keyctl), EPERM },
  { SCMP_SYS (request_key), EPERM },

  { SCMP_SYS (unshare), EPERM },
  { SCMP_SYS (setns), EPERM },
  { SCMP_SYS (mount), EPERM },
  { SCMP_SYS (umount), EPERM },
  { SCMP_SYS (umount2), EPERM },
  { SCMP_SYS (pivot_root), EPERM },
  { SCMP_SYS (chroot), EPERM },
  /* The arguments of these calls are behind a pointer, where a filter cannot inspect them. Callers
   * fall back to the older calls. */
  { SCMP_SYS (clone3), ENOSYS },
  { SCMP_SYS (open_tree), ENOSYS },
  { SCMP_SYS (move_mount), ENOSYS },
  { SCMP_SYS (fsopen), ENOSYS },
  { SCMP_SYS (fsconfig), ENOSYS },
  { SCMP_SYS (fsmount), ENOSYS },
  { SCMP_SYS (fspick), ENOSYS },
  { SCMP_SYS (mount_setattr), ENOSYS },
  { SCMP_SYS (io_uring_setup), ENOSYS },
  { SCMP_SYS (io_uring_enter), ENOSYS },
  { SCMP_SYS (io_uring_register), ENOSYS },
  { SCMP_SYS (openat2), ENOSYS },
  { SCMP_SYS (socketcall), ENOSYS },

  { SCMP_SYS (bpf), EPERM },
  { SCMP_SYS (perf_event_open), EPERM },
  { SCMP_SYS (userfaultfd), EPERM },
  { SCMP_SYS (syslog), EPERM },
  { SCMP_SYS (acct), EPERM },
  { SCMP_SYS (quotactl), EPERM },
  { SCMP_SYS (open_by_handle_at), EPERM },
};

/* Older headers of libseccomp lack it; the number is the same on every machine. */
#ifndef __SNR_fchmodat2
#define __SNR_fchmodat2 452
#endif

/* The calls that set the mode of a file. */
static const struct
{
  int call;
  guint mode; /* the index of the argument that is the mode */
  int flags;  /* the index of the argument that says whether a file is created; -1 for none */
} mode_calls[] = {
  { SCMP_SYS (chmod), 1, -1 },     { SCMP_SYS (fchmod), 1, -1 }, { SCMP_SYS (fchmodat), 2, -1 },
  { SCMP_SYS (fchmodat2), 2, -1 }, { SCMP_SYS (mknod), 1, -1 },  { SCMP_SYS (mknodat), 2, -1 },
  { SCMP_SYS (creat), 1, -1 },     { SCMP_SYS (open), 2, 1 },    { SCMP_SYS (openat), 3, 2 },
};

/* The bit of O_TMPFILE that no other flag has. */
#define MAKES_TEMPORARY (O_TMPFILE & ~O_DIRECTORY)

static const int kept_families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };

static gboolean
is_kept (int family, gboolean with_local)
{
  for (guint i = 0; i < G_N_ELEMENTS (kept_families); i++)
    if (family == kept_families[i])
      return with_local || family != AF_UNIX;
  return FALSE;
}

static int
add_sockets (scmp_filter_ctx filter, gboolean with_local)
{
  const int highest = kept_families[G_N_ELEMENTS (kept_families) - 1];
  int status = 0;

  for (int family = 0; family <= highest && status == 0; family++)
    if (!is_kept (family, with_local))
      status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EAFNOSUPPORT), SCMP_SYS (socket), 1,
                                 SCMP_A0 (SCMP_CMP_EQ, (scmp_datum_t) family));
  if (status == 0)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EAFNOSUPPORT), SCMP_SYS (socket), 1,
                               SCMP_A0 (SCMP_CMP_GT, (scmp_datum_t) highest));
  return status;
}

/* Matches if these bits are set, whatever the other bits are. */
static struct scmp_arg_cmp
has_bits (guint argument, scmp_datum_t bits)
{
  return (struct scmp_arg_cmp) { argument, SCMP_CMP_MASKED_EQ, bits, bits };
}

static int
add_pairs (scmp_filter_ctx filter)
{
  static const int types[] = { SOCK_DGRAM, SOCK_RAW };
  const scmp_datum_t mask = 0xf; /* of the type; flags are in the bits above */
  int status = 0;

  for (guint i = 0; i < G_N_ELEMENTS (types) && status == 0; i++)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPROTONOSUPPORT), SCMP_SYS (socketpair), 1,
                               SCMP_A1 (SCMP_CMP_MASKED_EQ, mask, (scmp_datum_t) types[i]));
  return status;
}

/* Refuses to set BIT, which is S_ISUID or S_ISGID. fakeroot and similar programs go on after
 * EPERM. */
static int
add_mode (scmp_filter_ctx filter, mode_t bit)
{
  static const int makes[] = { O_CREAT, MAKES_TEMPORARY };
  int status = 0;

  for (guint i = 0; i < G_N_ELEMENTS (mode_calls) && (status == 0 || status == -EDOM); i++)
    {
      const struct scmp_arg_cmp mode = has_bits (mode_calls[i].mode, bit);

      if (mode_calls[i].flags < 0)
        {
          status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), mode_calls[i].call, 1, mode);
          continue;
        }
      for (guint j = 0; j < G_N_ELEMENTS (makes) && (status == 0 || status == -EDOM); j++)
        status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), mode_calls[i].call, 2, mode,
                                   has_bits ((guint) mode_calls[i].flags, (scmp_datum_t) makes[j]));
    }
  /* -EDOM: this machine has no such call. */
  return status == -EDOM ? 0 : status;
}

static int
add_rules (scmp_filter_ctx filter, GadgetFilterFlags flags)
{
  const scmp_datum_t low = 0xffffffff; /* the kernel reads only these bits of an ioctl's number */
  int status = 0;

#if defined(__x86_64__)
  status = seccomp_arch_add (filter, SCMP_ARCH_X86);
#elif defined(__aarch64__)
  status = seccomp_arch_add (filter, SCMP_ARCH_ARM);
#endif
  for (guint i = 0; i < G_N_ELEMENTS (refused) && status == 0; i++)
    {
      status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (refused[i].error), refused[i].call, 0);
      /* -EDOM: this machine has no such call. */
      if (status == -EDOM)
        status = 0;
    }
  if (status == 0)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (clone), 1,
                               SCMP_A0 (SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  if (status == 0)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (ioctl), 1,
                               SCMP_A1 (SCMP_CMP_MASKED_EQ, low, TIOCSTI));
  if (status == 0)
    status = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (ioctl), 1,
                               SCMP_A1 (SCMP_CMP_MASKED_EQ, low, TIOCLINUX));
  if (status == 0)
    status = add_sockets (filter, (flags & GADGET_FILTER_UNIX_SOCKETS) != 0);
  if (status == 0 && (flags & GADGET_FILTER_UNIX_SOCKETS) == 0)
    status = add_pairs (filter);
  if (status == 0)
    status = add_mode (filter, S_ISUID);
  if (status == 0 && (flags & GADGET_FILTER_SET_GROUP_ID) == 0)
    status = add_mode (filter, S_ISGID);
  return status;
}

static GBytes *
read_all (int fd)
{
  off_t length = lseek (fd, 0, SEEK_END);
  g_autofree char *bytes = g_malloc ((gsize) MAX (length, 1));

  if (length <= 0 || pread (fd, bytes, (gsize) length, 0) != length)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) length);
}

static GBytes *
make_program (GadgetFilterFlags flags)
{
  g_autofd int fd = memfd_create ("gadget-filter", MFD_CLOEXEC);
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  GBytes *program = NULL;

  /* The filter is a tree instead of a list, since every system call of a command passes through
   * it. */
  if (filter != NULL)
    seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (fd >= 0 && filter != NULL && add_rules (filter, flags) == 0
      && seccomp_export_bpf (filter, fd) == 0)
    program = read_all (fd);
  if (filter != NULL)
    seccomp_release (filter);
  return program;
}

/* Returns the program for FLAGS (transfer none) (nullable), built once. Called from any thread. */
static GBytes *
get_program (GadgetFilterFlags flags)
{
  static GMutex lock;
  static GBytes *programs[GADGET_FILTER_ALL + 1];
  GBytes **program = &programs[flags];

  g_mutex_lock (&lock);
  if (*program == NULL)
    *program = make_program (flags);
  g_mutex_unlock (&lock);
  return *program;
}

/**
 * _gadget_filter_open:
 * @flags: what to allow besides
 * @error: %GADGET_PROCESS_ERROR_SANDBOX
 *
 * Returns: a descriptor for bubblewrap's --seccomp, which reads it to its end; or -1 with @error
 */
int
_gadget_filter_open (GadgetFilterFlags flags, GError **error)
{
  GBytes *program = get_program (flags);
  gsize length = 0;
  const void *bytes;
  int fd;

  if (program != NULL)
    {
      bytes = g_bytes_get_data (program, &length);
      fd = gadget_memory_file_new ("gadget-filter", bytes, length);
      if (fd >= 0)
        return fd;
    }
  g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                       _ ("The system calls of commands cannot be restricted here"));
  return -1;
}

#else

int
_gadget_filter_open (GadgetFilterFlags flags, GError **error)
{
  g_set_error_literal (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_SANDBOX,
                       _ ("The system calls of commands cannot be restricted here"));
  return -1;
}

#endif
