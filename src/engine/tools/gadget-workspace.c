/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
#define MAX_AGAIN 16

char *
gadget_workspace_resolve (const char *root, const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_canonicalize_filename (path, root != NULL ? root : "/");
}

gboolean
gadget_workspace_contains (const char *root, const char *resolved)
{
  g_autofree char *clean = NULL;
  gsize length;

  g_return_val_if_fail (resolved != NULL, FALSE);

  if (root == NULL)
    return FALSE;
  clean = g_canonicalize_filename (root, "/");
  length = strlen (clean);
  return strncmp (resolved, clean, length) == 0
         && (resolved[length] == '\0' || resolved[length] == '/' || g_str_equal (clean, "/"));
}

/* Without openat2: no component may be a symbolic link. */
static int
open_by_component (int dir, const char *relative)
{
  g_auto (GStrv) parts = g_strsplit (relative, "/", -1);
  int fd = fcntl (dir, F_DUPFD_CLOEXEC, 3);

  for (guint i = 0; fd >= 0 && parts[i] != NULL; i++)
    {
      const gboolean last = parts[i + 1] == NULL;
      int next;

      if (*parts[i] == '\0')
        continue;
      next = openat (fd, parts[i],
                     (last ? OPEN_FLAGS : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
      g_close (fd, NULL);
      fd = next;
    }
  return fd;
}

static int
open_beneath (const char *root, const char *relative)
{
  struct open_how how = { .flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
  g_autofd int dir = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fd = -1;

  if (dir < 0)
    return -1;
  /* The kernel answers EAGAIN when something was renamed while it resolved ".." or a link. */
  for (int tries = 0; tries < MAX_AGAIN; tries++)
    {
      fd = (int) syscall (SYS_openat2, dir, relative, &how, sizeof how);
      if (fd >= 0 || errno != EAGAIN)
        break;
    }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    fd = open_by_component (dir, relative);
  return fd;
}

static void
set_open_error (GError **error, const char *resolved, int code)
{
  if (code == EXDEV || code == ELOOP)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s leads out of the workspace through a symbolic link.", resolved);
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s.", resolved,
                 g_strerror (code));
}

int
gadget_workspace_open_regular (const char *root, const char *resolved, GError **error)
{
  g_autofd int fd = -1;
  struct stat info;

  g_return_val_if_fail (resolved != NULL && g_path_is_absolute (resolved), -1);

  if (root != NULL && gadget_workspace_contains (root, resolved))
    {
      g_autofree char *clean = g_canonicalize_filename (root, "/");
      const char *relative = resolved + strlen (clean);

      while (*relative == '/')
        relative++;
      fd = open_beneath (clean, *relative != '\0' ? relative : ".");
    }
  else
    {
      fd = open (resolved, OPEN_FLAGS);
    }
  if (fd < 0 || fstat (fd, &info) < 0)
    {
      set_open_error (error, resolved, errno);
      return -1;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is %s, not a file.",
                   resolved, S_ISDIR (info.st_mode) ? "a folder" : "something special");
      return -1;
    }
  return g_steal_fd (&fd);
}
