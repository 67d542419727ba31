/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets limits for a single process, and for the number of processes. A scope of systemd sets
 * further limits, a moment later or not at all; these apply from the beginning.
 *
 * Since Linux 5.14 processes are counted for the user within a user namespace, here that of the
 * sandbox. With older kernels, and outside of a sandbox, all processes of the user would count, and
 * the limit could affect programs that have nothing to do with the command. The kernel does not
 * count the processes of the real root. */

#include "limits.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#define MAX_FILE_SIZE ((rlim_t) 64 << 30)
#define MAX_PROCESSES 4096 /* the same as GADGET_SYSTEMD_MAX_TASKS */

static void
lower (int resource, rlim_t most)
{
  struct rlimit limit;

  if (getrlimit ((__rlimit_resource_t) resource, &limit) != 0)
    return;
  if (limit.rlim_max > most)
    limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max)
    limit.rlim_cur = limit.rlim_max;
  setrlimit ((__rlimit_resource_t) resource, &limit);
}

/* Lowers the soft limit only: the command may raise it again. */
static void
lower_for_now (int resource, rlim_t most)
{
  struct rlimit limit;

  if (getrlimit ((__rlimit_resource_t) resource, &limit) != 0 || limit.rlim_cur <= most)
    return;
  limit.rlim_cur = most;
  setrlimit ((__rlimit_resource_t) resource, &limit);
}

static bool
are_processes_counted_apart (void)
{
  struct utsname name;
  int major = 0;
  int minor = 0;

  return uname (&name) == 0 && sscanf (name.release, "%d.%d", &major, &minor) == 2
         && (major > 5 || (major == 5 && minor >= 14));
}

void
limits_set (bool in_sandbox, unsigned int files)
{
  lower (RLIMIT_CORE, 0);
  lower (RLIMIT_FSIZE, MAX_FILE_SIZE);
  if (files > 0)
    lower_for_now (RLIMIT_NOFILE, files);
  if (in_sandbox && are_processes_counted_apart ())
    lower (RLIMIT_NPROC, MAX_PROCESSES);
}
