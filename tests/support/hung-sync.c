/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "hung-sync.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

static GMutex mutex;
static GCond cond;
static char *hung; /* NULL when it answers again */
static guint n_hanging;

static gboolean
is_hung (int fd)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  char path[PATH_MAX] = "";

  return hung != NULL && readlink (link, path, sizeof path - 1) > 0 && g_str_has_prefix (path, hung)
         && g_str_has_suffix (path, ".part");
}

int
fsync (int fd)
{
  int (*next) (int) = (int (*) (int)) dlsym (RTLD_NEXT, "fsync");

  g_mutex_lock (&mutex);
  if (is_hung (fd))
    {
      n_hanging++;
      while (hung != NULL)
        g_cond_wait (&cond, &mutex);
      n_hanging--;
    }
  g_mutex_unlock (&mutex);
  return next (fd);
}

static void
set_hung (const char *folder)
{
  g_mutex_lock (&mutex);
  g_free (hung);
  hung = g_strdup (folder);
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

void
hung_sync_begin (const char *folder)
{
  set_hung (folder);
}

void
hung_sync_answer (void)
{
  set_hung (NULL);
}

guint
hung_sync_count (void)
{
  guint n;

  g_mutex_lock (&mutex);
  n = n_hanging;
  g_mutex_unlock (&mutex);
  return n;
}
