/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Raises the limit of open file descriptors for a time. Child processes inherit the limit, and some
 * programs do not work with a high one: they use select (), or close every descriptor that there
 * could be. The limit is therefore high only while it is needed, and a process that is started
 * meanwhile is given the usual one. */

#define G_LOG_DOMAIN "gadget-fd-limit"

#include "config.h"

#include "gadget-fd-limit.h"

#include <sys/resource.h>

static GMutex mutex;
static guint n_raised; /* calls of gadget_fd_limit_raise () without their gadget_fd_limit_lower ()
                        * yet */
static rlim_t usual;   /* the limit before the first raise; valid while n_raised > 0; 0 if
                        * unknown */

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
 * @wanted: how many descriptors the caller needs
 *
 * Raises the limit of this process to @wanted, or to the hard limit if that is lower, until
 * gadget_fd_limit_lower () was called as often as this function.
 *
 * Returns: the limit that is in effect now; 0 if it is unknown
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

/* Descriptors that are open stay open, even those above the lowered limit. */
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
 * Returns: the limit that a child process should be given; 0 if it is unknown
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
