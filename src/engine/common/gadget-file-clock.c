/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-file-clock"

#include "config.h"

#include "gadget-file-clock.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <time.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
/* The clock's value stays the same for up to this long; on some file systems for the coarse
 * time. */
#define TICK_NS (20 * G_GINT64_CONSTANT (1000000))
#define COARSE_TICK_NS (2 * NS_PER_SECOND)
#define ZFS_MAGIC 0x2fc12fc1
#define BCACHEFS_MAGIC 0xca451a4e

gint64
gadget_file_clock_get (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  return (gint64) now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

gboolean
gadget_file_clock_is_racy (gint64 changed, gint64 read_at)
{
  return changed + (changed % NS_PER_SECOND == 0 ? COARSE_TICK_NS : TICK_NS) > read_at;
}

gboolean
gadget_file_clock_is_own (int fd)
{
  static const guint32 known[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                   F2FS_SUPER_MAGIC, TMPFS_MAGIC,     OVERLAYFS_SUPER_MAGIC,
                                   ZFS_MAGIC,        BCACHEFS_MAGIC };
  struct statfs info;

  if (fstatfs (fd, &info) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if ((guint32) info.f_type == known[i])
      return TRUE;
  return FALSE;
}
