/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-memory-file"

#include "config.h"

#include "gadget-memory-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

gboolean
gadget_write_all (int fd, const void *bytes, gsize length)
{
  const char *next = bytes;

  while (length > 0)
    {
      const ssize_t n = write (fd, next, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      next += n;
      length -= (gsize) n;
    }
  return TRUE;
}

int
gadget_memory_file_new (const char *name, const void *bytes, gsize length)
{
  g_autofd int fd = memfd_create (name, MFD_CLOEXEC);

  if (fd < 0 || !gadget_write_all (fd, bytes, length) || lseek (fd, 0, SEEK_SET) != 0)
    return -1;
  return g_steal_fd (&fd);
}
