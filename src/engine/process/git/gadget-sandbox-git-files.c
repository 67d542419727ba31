/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens files for the protection of repositories. Usually a file that cannot be opened does not
 * exist. But it may also be that this process has no file descriptor left, and then nothing that
 * was seen can be relied on. Such failures are noted for each thread, and queried at the end: a
 * command is not started then, and the check after a command is repeated. */

#include "config.h"

#include "gadget-sandbox-git-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* First readable names are tried, then random names that nobody can have taken before. */
#define MAX_NUMBERED 8
#define MAX_TRIES 64
#define MAX_BASE 200

static GPrivate lacking; /* an errno, or 0 */
static GPrivate counter; /* (nullable): a pointer to int */

void
gadget_git_count_steps (int *n_steps)
{
  g_private_set (&counter, n_steps);
}

void
_gadget_git_note_step (void)
{
  int *n_steps = g_private_get (&counter);

  if (n_steps != NULL)
    g_atomic_int_inc (n_steps);
}

static int
note (int fd)
{
  _gadget_git_note_step ();
  if (fd < 0 && (errno == EMFILE || errno == ENFILE))
    g_private_set (&lacking, GINT_TO_POINTER (errno));
  return fd;
}

int
_gadget_git_open_at (int folder, const char *name, int flags)
{
  return note (openat (folder, name, flags | O_NOFOLLOW | O_CLOEXEC));
}

int
_gadget_git_reopen (const char *base, int flags)
{
  return note (open (base, flags | O_CLOEXEC));
}

int
_gadget_git_dup (int fd)
{
  return note (fcntl (fd, F_DUPFD_CLOEXEC, 3));
}

char *
_gadget_git_read_all (int fd, gsize max_size, gsize *length)
{
  struct stat info;
  char *text;
  gssize n = 1;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || (gsize) info.st_size > max_size)
    return NULL;
  text = g_malloc ((gsize) info.st_size + 1);
  for (*length = 0; *length < (gsize) info.st_size && n > 0; *length += n > 0 ? (gsize) n : 0)
    n = read (fd, text + *length, (gsize) info.st_size - *length);
  text[*length] = '\0';
  return text;
}

void
gadget_git_note_fd_shortage (const GError *error)
{
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_MFILE))
    g_private_set (&lacking, GINT_TO_POINTER (EMFILE));
  else if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NFILE))
    g_private_set (&lacking, GINT_TO_POINTER (ENFILE));
}

GDir *
_gadget_git_open_dir (const char *path)
{
  g_autoptr (GError) error = NULL;
  GDir *dir = g_dir_open (path, 0, &error);

  gadget_git_note_fd_shortage (error);
  return dir;
}

/* gadget_git_reset_fd_shortage () is called before the work that gadget_git_get_fd_shortage () is
 * asked about, on the same thread. */
void
gadget_git_reset_fd_shortage (void)
{
  g_private_set (&lacking, NULL);
}

/**
 * gadget_git_get_fd_shortage:
 *
 * Returns: %EMFILE or %ENFILE if too few file descriptors were free on this thread since
 *   gadget_git_reset_fd_shortage (), so that files may have been missed; 0 if there were enough
 */
int
gadget_git_get_fd_shortage (void)
{
  return GPOINTER_TO_INT (g_private_get (&lacking));
}

static char *
make_aside_name (const char *name, guint n_tried)
{
  g_autofree char *base = g_strndup (name, MAX_BASE);

  if (n_tried == 0)
    return g_strconcat (base, ".from-command", NULL);
  if (n_tried < MAX_NUMBERED)
    return g_strdup_printf ("%s.from-command-%u", base, n_tried + 1);
  return g_strdup_printf ("%s.from-command-%08x%08x", base, g_random_int (), g_random_int ());
}

/* Fails with EEXIST if FREE_NAME exists. */
static int
rename_to_free (int folder, const char *name, const char *free_name)
{
  struct stat info;

  if (renameat2 (folder, name, folder, free_name, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL)
    return -1;
  /* Not every file system supports RENAME_NOREPLACE. */
  if (fstatat (folder, free_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return renameat (folder, name, folder, free_name);
  errno = EEXIST;
  return -1;
}

/* Renames to the first name that is free. */
static gboolean
rename_aside (int folder, const char *name)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *aside = make_aside_name (name, i);

      if (rename_to_free (folder, name, aside) == 0)
        return TRUE;
      if (errno != EEXIST)
        return FALSE;
    }
  return FALSE;
}

gboolean
_gadget_git_set_aside (int folder, const char *name)
{
  g_autofree char *path = _gadget_git_dup_base (folder);

  if (rename_aside (folder, name))
    return TRUE;
  return errno == EACCES && chmod (path, 0700) == 0 && rename_aside (folder, name);
}

gboolean
_gadget_git_is_since (const struct stat *info, const struct timespec *begun)
{
  return info->st_ctim.tv_sec > begun->tv_sec
         || (info->st_ctim.tv_sec == begun->tv_sec && info->st_ctim.tv_nsec >= begun->tv_nsec);
}

gboolean
_gadget_git_changed_since (const char *path, const struct timespec *begun)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0 && _gadget_git_is_since (&info, begun);
}
