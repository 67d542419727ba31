/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "hung-read.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static GMutex mutex;
static GCond cond;
/* The file that hangs. Inodes are numbered by device, and an eventfd has a number as well. */
static ino_t hung; /* 0 when it answers again */
static dev_t hung_device;
static guint n_hanging;
static guint n_let_go;

ssize_t
read (int fd, void *buffer, size_t size)
{
  ssize_t (*next) (int, void *, size_t) =
      (ssize_t (*) (int, void *, size_t)) dlsym (RTLD_NEXT, "read");
  struct stat info;

  g_mutex_lock (&mutex);
  if (hung != 0 && fstat (fd, &info) == 0 && info.st_ino == hung && info.st_dev == hung_device)
    {
      const guint before = n_let_go;

      n_hanging++;
      while (hung != 0 && n_let_go == before)
        g_cond_wait (&cond, &mutex);
      n_hanging--;
    }
  g_mutex_unlock (&mutex);
  return next (fd, buffer, size);
}

static void
set_hung (ino_t inode, dev_t device)
{
  g_mutex_lock (&mutex);
  hung = inode;
  hung_device = device;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

void
hung_read_begin (const char *path)
{
  struct stat info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  set_hung (info.st_ino, info.st_dev);
}

void
hung_read_answer (void)
{
  set_hung (0, 0);
}

void
hung_read_let_go (void)
{
  g_mutex_lock (&mutex);
  n_let_go++;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

guint
hung_read_count (void)
{
  guint n;

  g_mutex_lock (&mutex);
  n = n_hanging;
  g_mutex_unlock (&mutex);
  return n;
}
