/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "hung-unlink.h"

#include <dlfcn.h>
#include <unistd.h>

static GMutex mutex;
static GCond cond;
static char *hung; /* NULL when it answers again */
static guint n_hanging;

int
unlink (const char *path)
{
  int (*next) (const char *) = (int (*) (const char *)) dlsym (RTLD_NEXT, "unlink");

  g_mutex_lock (&mutex);
  if (g_strcmp0 (path, hung) == 0)
    {
      g_assert_cmpint (gettid (), !=, getpid ());
      n_hanging++;
      while (hung != NULL)
        g_cond_wait (&cond, &mutex);
      n_hanging--;
    }
  g_mutex_unlock (&mutex);
  return next (path);
}

static void
set_hung (const char *path)
{
  g_mutex_lock (&mutex);
  g_free (hung);
  hung = g_strdup (path);
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

void
hung_unlink_begin (const char *path)
{
  set_hung (path);
}

void
hung_unlink_answer (void)
{
  set_hung (NULL);
}

guint
hung_unlink_count (void)
{
  guint n;

  g_mutex_lock (&mutex);
  n = n_hanging;
  g_mutex_unlock (&mutex);
  return n;
}
