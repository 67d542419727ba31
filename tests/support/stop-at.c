/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "stop-at.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

static GMutex mutex;
static const char *watched;
static guint n_left;
static GCancellable *to_cancel; /* (nullable) */

static void
note (const char *call)
{
  g_mutex_lock (&mutex);
  if (to_cancel != NULL && g_str_equal (call, watched) && --n_left == 0)
    {
      g_cancellable_cancel (to_cancel);
      g_clear_object (&to_cancel);
    }
  g_mutex_unlock (&mutex);
}

int
mkdirat (int folder, const char *name, mode_t mode)
{
  int (*next) (int, const char *, mode_t) =
      (int (*) (int, const char *, mode_t)) dlsym (RTLD_NEXT, "mkdirat");

  note ("mkdirat");
  return next (folder, name, mode);
}

int
unlinkat (int folder, const char *name, int flags)
{
  int (*next) (int, const char *, int) =
      (int (*) (int, const char *, int)) dlsym (RTLD_NEXT, "unlinkat");

  note ("unlinkat");
  return next (folder, name, flags);
}

void
stop_at_begin (const char *call, guint nth, GCancellable *cancellable)
{
  g_mutex_lock (&mutex);
  watched = call;
  n_left = nth;
  g_set_object (&to_cancel, cancellable);
  g_mutex_unlock (&mutex);
}

void
stop_at_end (void)
{
  g_mutex_lock (&mutex);
  g_clear_object (&to_cancel);
  g_mutex_unlock (&mutex);
}
