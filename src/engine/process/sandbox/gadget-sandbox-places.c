/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decides which folders belong to the user and are hidden, which of them may be given to commands,
 * and which belong neither to the system nor to the command: other drives, other computers, the
 * data of services. All paths are made canonical first, because bubblewrap would put a mount behind
 * a symbolic link elsewhere than intended, or fail. Runs in a thread. */

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-private.h"

#include <fcntl.h>
#include <gio/gunixmounts.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the real path (nullable), to be freed with free (). The kernel knows it from a
 * descriptor; realpath () would look up each component. */
static char *
resolve (const char *path)
{
  g_autofd int fd = open (path, O_PATH | O_CLOEXEC);
  char name[32];
  char real[PATH_MAX];
  gssize length;

  if (fd < 0)
    return NULL;
  g_snprintf (name, sizeof name, "/proc/self/fd/%d", fd);
  length = readlink (name, real, sizeof real);
  if (length <= 0 || length >= (gssize) sizeof real || *real != '/')
    return realpath (path, NULL);
  real[length] = '\0';
  return g_file_test (real, G_FILE_TEST_EXISTS) ? strdup (real) : realpath (path, NULL);
}

static void
hide (GPtrArray *hidden, const char *path)
{
  g_autofree char *real = path != NULL ? resolve (path) : NULL;

  if (real == NULL || g_str_equal (real, "/") || !g_file_test (real, G_FILE_TEST_IS_DIR))
    return;
  /* A folder that this user cannot enter need not be hidden, /root for everybody but root. */
  if (access (real, R_OK) != 0 && access (real, X_OK) != 0)
    return;
  /* /tmp and /run are empty in the sandbox anyway. */
  if (gadget_path_is_within (real, "/tmp") || gadget_path_is_within (real, "/run"))
    return;
  for (guint i = 0; i < hidden->len; i++)
    if (gadget_path_is_within (real, g_ptr_array_index (hidden, i)))
      return;
  g_ptr_array_add (hidden, g_steal_pointer (&real));
}

/**
 * _gadget_places_list_hidden:
 *
 * Returns: (transfer full) (element-type filename): canonical folders of the user and of Gadget
 */
GPtrArray *
_gadget_places_list_hidden (void)
{
  GPtrArray *hidden = g_ptr_array_new_with_free_func (free);

  /* The widest come first: a later mount would cover an earlier one inside of it. */
  hide (hidden, "/media");
  hide (hidden, "/mnt");
  hide (hidden, "/var/tmp");
  hide (hidden, "/home");
  hide (hidden, "/root");
  hide (hidden, g_get_home_dir ());
  hide (hidden, g_get_user_data_dir ());
  hide (hidden, g_get_user_config_dir ());
  hide (hidden, g_get_user_cache_dir ());
  hide (hidden, g_get_user_state_dir ());
  hide (hidden, g_get_user_runtime_dir ());
  return hidden;
}

static gboolean
is_within_any (const char *path, const char *const *folders)
{
  for (guint i = 0; folders[i] != NULL; i++)
    if (gadget_path_is_within (path, folders[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_of_network (const char *type)
{
  static const char *const types[] = { "nfs",  "nfs4", "cifs",  "smb3",      "smbfs",
                                       "9p",   "ceph", "afs",   "glusterfs", "virtiofs",
                                       "coda", "fuse", "davfs", NULL };

  return g_strv_contains (types, type) || g_str_has_prefix (type, "fuse.");
}

/* Returns whether commands need what is mounted there. Programs may come from another computer,
 * other parts of a system may not. */
static gboolean
is_of_system (GUnixMountEntry *mount)
{
  static const char *const programs[] = { "/usr", "/bin", "/sbin", "/lib",  "/lib32", "/lib64",
                                          "/opt", "/nix", "/gnu",  "/snap", "/cvmfs", NULL };
  static const char *const others[] = { "/etc", "/boot", "/efi",     "/var",    "/proc",
                                        "/sys", "/dev",  "/sysroot", "/ostree", NULL };
  const char *path = g_unix_mount_entry_get_mount_path (mount);

  return g_str_equal (path, "/") || is_within_any (path, programs)
         || (is_within_any (path, others)
             && !is_of_network (g_unix_mount_entry_get_fs_type (mount)));
}

static void
hide_unless_given (GPtrArray *hidden, const char *path, GPtrArray *folders)
{
  g_autofree char *real = resolve (path);

  for (guint i = 0; real != NULL && i < folders->len; i++)
    if (gadget_path_is_within (real, g_ptr_array_index (folders, i)))
      return;
  hide (hidden, real);
}

/**
 * _gadget_places_hide_foreign:
 * @hidden: (element-type filename): folders are added to it
 * @folders: (element-type filename): the folders that are given to the command
 *
 * Adds the folders that belong neither to the system nor to the command. What is within @folders is
 * given, and is not hidden.
 */
void
_gadget_places_hide_foreign (GPtrArray *hidden, GPtrArray *folders)
{
  g_autolist (GUnixMountEntry) mounts = g_unix_mount_entries_get (NULL);

  hide_unless_given (hidden, "/srv", folders);
  hide_unless_given (hidden, "/var/mail", folders);
  hide_unless_given (hidden, "/var/spool", folders);
  mounts = g_list_sort (mounts, (GCompareFunc) g_unix_mount_entry_compare);
  for (GList *l = mounts; l != NULL; l = l->next)
    if (!is_of_system (l->data))
      hide_unless_given (hidden, g_unix_mount_entry_get_mount_path (l->data), folders);
}

static gboolean
holds (const char *folder, const char *path)
{
  g_autofree char *real = resolve (path);

  return gadget_path_is_within (real != NULL ? real : path, folder);
}

/**
 * _gadget_places_resolve_folder:
 * @folder: a folder that a command is to write to
 * @hidden: (element-type filename): the folders that are hidden
 * @error: %GADGET_PROCESS_ERROR_DIRECTORY if it does not exist or contains hidden folders
 *
 * Returns: (transfer full): its canonical path, or %NULL with @error
 */
char *
_gadget_places_resolve_folder (const char *folder, GPtrArray *hidden, GError **error)
{
  g_autofree char *real = resolve (folder);
  gboolean wide;

  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY,
                   _ ("There is no folder %s"), folder);
      return NULL;
    }
  wide = gadget_path_is_within ("/tmp", real) || gadget_path_is_within ("/run", real);
  /* /root is not in HIDDEN if this user cannot enter it. */
  wide = wide || gadget_path_is_within ("/root", real);
  for (guint i = 0; i < hidden->len; i++)
    wide = wide || gadget_path_is_within (g_ptr_array_index (hidden, i), real);
  /* These are not in HIDDEN if a wider folder is, for example /home. */
  wide = wide || holds (real, g_get_home_dir ()) || holds (real, g_get_user_data_dir ())
         || holds (real, g_get_user_config_dir ());
  if (wide)
    {
      g_set_error (error, GADGET_PROCESS_ERROR, GADGET_PROCESS_ERROR_DIRECTORY,
                   _ ("The folder %s is too wide to be given to commands; choose one inside of it"),
                   real);
      return NULL;
    }
  return g_strdup (real);
}
