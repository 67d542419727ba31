/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "full-disk.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static guint room; /* atomic */

static gboolean
is_nameless (int fd)
{
  struct stat info;

  return fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_nlink == 0;
}

static guint
count_nameless (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += is_nameless (atoi (name));
  return n;
}

ssize_t
write (int fd, const void *data, size_t length)
{
  const guint limit = (guint) g_atomic_int_get (&room);

  if (limit > 0 && is_nameless (fd) && count_nameless () > limit)
    {
      errno = ENOSPC;
      return -1;
    }
  return syscall (SYS_write, fd, data, length);
}

void
full_disk_set (guint n_files)
{
  g_atomic_int_set (&room, n_files);
}
