/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs inherit the limit, and some do not work with a high one: they use select (), or close as
 * many descriptors as there may be. So it is high only while it is needed, and what is started then
 * is told the usual one. */

#define G_LOG_DOMAIN "gadget-fd-limit"

#include "config.h"

#include "gadget-fd-limit.h"

#include <sys/resource.h>

static GMutex mutex;
static guint n_raised; /* calls that nobody took back yet */
static rlim_t usual;   /* if there are any */

static rlim_t
get_limit (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

static void
set_limit (rlim_t wanted)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = MIN (wanted, limit.rlim_max);
  (void) !setrlimit (RLIMIT_NOFILE, &limit);
}

/**
 * gadget_fd_limit_raise:
 * @wanted: how many descriptors
 *
 * Allows this process so many until gadget_fd_limit_lower () is called as often as this, or fewer
 * if the system says so.
 *
 * Returns: how many it may have now; 0 if that cannot be told
 */
guint
gadget_fd_limit_raise (guint wanted)
{
  rlim_t now;

  g_mutex_lock (&mutex);
  if (n_raised++ == 0)
    usual = get_limit ();
  if (usual != 0 && get_limit () < wanted)
    set_limit (wanted);
  now = get_limit ();
  g_mutex_unlock (&mutex);
  return (guint) MIN (now, G_MAXUINT);
}

/* Descriptors that are open stay open. */
void
gadget_fd_limit_lower (void)
{
  g_mutex_lock (&mutex);
  g_assert (n_raised > 0);
  if (--n_raised == 0 && usual != 0)
    set_limit (usual);
  g_mutex_unlock (&mutex);
}

/**
 * gadget_fd_limit_get_usual:
 *
 * Returns: how many descriptors a program that is started may have; 0 if that cannot be told
 */
guint
gadget_fd_limit_get_usual (void)
{
  rlim_t limit;

  g_mutex_lock (&mutex);
  limit = n_raised > 0 ? usual : get_limit ();
  g_mutex_unlock (&mutex);
  return (guint) MIN (limit, G_MAXUINT);
}
