/* SPDX-License-Identifier: GPL-3.0-or-later */

/* openat2 () looks up the path in the kernel. If the kernel has no openat2 (), or a filter of
 * system calls forbids it, the path is walked here: each component is opened without following it,
 * as an O_PATH descriptor, which has no side effects; then its type is queried. A link's target is
 * read from that same descriptor, so that nobody can change it in between, and replaces the
 * component. ".." goes back to the descriptor that the walk came from, never to what the folder's
 * parent is now, and not above the first folder. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-openat2.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_AGAIN 128
#define MAX_LINKS 40

static gboolean fallback_forced;

void
_gadget_openat2_force_fallback (gboolean forced)
{
  fallback_forced = forced;
}

static void
close_fd (gpointer fd)
{
  close (GPOINTER_TO_INT (fd));
}

typedef struct
{
  GPtrArray *folders; /* descriptors; the first is where the walk began */
  GQueue *names;      /* (element-type utf8): components that follow */
  gboolean links;
  guint n_links;
} Walk;

static int
here (Walk *walk)
{
  return GPOINTER_TO_INT (g_ptr_array_index (walk->folders, walk->folders->len - 1));
}

/* Puts the components of PATH in front of those that follow. */
static void
push_names (Walk *walk, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (parts); i > 0; i--)
    if (*parts[i - 1] != '\0' && !g_str_equal (parts[i - 1], "."))
      g_queue_push_head (walk->names, g_strdup (parts[i - 1]));
}

static gboolean
follow (Walk *walk, int link)
{
  char target[PATH_MAX];
  const ssize_t length = readlinkat (link, "", target, sizeof target - 1);

  if (length < 0)
    return FALSE;
  target[length] = '\0';
  if (!walk->links || ++walk->n_links > MAX_LINKS)
    {
      errno = ELOOP;
      return FALSE;
    }
  if (*target == '/')
    {
      errno = EXDEV;
      return FALSE;
    }
  push_names (walk, target);
  return TRUE;
}

static gboolean
step (Walk *walk, const char *name)
{
  g_autofd int fd = -1;
  struct stat info;

  if (g_str_equal (name, ".."))
    {
      if (walk->folders->len == 1)
        {
          errno = EXDEV;
          return FALSE;
        }
      g_ptr_array_remove_index (walk->folders, walk->folders->len - 1);
      return TRUE;
    }
  fd = openat (here (walk), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &info) < 0)
    return FALSE;
  if (S_ISLNK (info.st_mode))
    return follow (walk, fd);
  g_ptr_array_add (walk->folders, GINT_TO_POINTER (g_steal_fd (&fd)));
  return TRUE;
}

static int
walk_beneath (int dir, const char *path, gboolean links)
{
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (close_fd);
  g_autoptr (GQueue) names = g_queue_new ();
  Walk walk = { folders, names, links, 0 };
  const int first = fcntl (dir, F_DUPFD_CLOEXEC, 3);
  int found = -1;
  int code;

  if (first < 0)
    return -1;
  g_ptr_array_add (folders, GINT_TO_POINTER (first));
  push_names (&walk, path);
  for (;;)
    {
      g_autofree char *name = g_queue_pop_head (names);

      if (name == NULL)
        {
          found = fcntl (here (&walk), F_DUPFD_CLOEXEC, 3);
          break;
        }
      if (!step (&walk, name))
        break;
    }
  code = errno;
  g_queue_clear_full (names, g_free);
  errno = code;
  return found;
}

int
_gadget_openat2_find (int dir, const char *path, gboolean links)
{
  struct open_how how = { .flags = O_PATH | O_CLOEXEC,
                          .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
  int fd = -1;

  g_assert (path != NULL);

  if (fallback_forced)
    return walk_beneath (dir, path, links);
  if (!links)
    how.resolve |= RESOLVE_NO_SYMLINKS;
  /* The kernel returns EAGAIN if anything anywhere was renamed while it resolved "..", on a busy
   * machine again and again. */
  for (int tries = 0; tries < MAX_AGAIN; tries++)
    {
      fd = (int) syscall (SYS_openat2, dir, *path != '\0' ? path : ".", &how, sizeof how);
      if (fd >= 0 || errno != EAGAIN)
        break;
    }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
    fd = walk_beneath (dir, path, links);
  return fd;
}
