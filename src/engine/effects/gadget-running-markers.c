/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A marker is a file `running/HASH-ROW` in the data folder, where HASH is the SHA-256 hash of the
 * workspace's path and ROW the command's row in the ledger. Its first line is the lease of the
 * process, the rest is the path of the workspace. A marker exists from the end of the snapshot
 * before a command to the end of the snapshot after it. So the marker of a killed process tells
 * that the tree on disk of its workspace is from before the command. Markers need not survive a
 * power cut: then nothing is known of that command. */

#define G_LOG_DOMAIN "gadget-workspace-snapshot"

#include "config.h"

#include "gadget-running-markers.h"

#include "store/lease/gadget-lease.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
make_prefix (const char *root)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, root, -1);

  return g_strconcat (hash, "-", NULL);
}

static char *
make_path (const char *directory, const char *root, gint64 effect)
{
  g_autofree char *prefix = make_prefix (root);
  g_autofree char *name = g_strdup_printf ("%s%" G_GINT64_FORMAT, prefix, effect);

  return g_build_filename (directory, "running", name, NULL);
}

void
_gadget_running_markers_set (const char *directory, const char *root, gint64 effect,
                             const char *owner)
{
  g_autofree char *path = make_path (directory, root, effect);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = g_strconcat (owner, "\n", root, NULL);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0700);
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &error))
    g_message ("a command could not be undone after a crash: %s", error->message);
}

void
_gadget_running_markers_remove (const char *directory, const char *root, gint64 effect)
{
  g_autofree char *path = make_path (directory, root, effect);

  g_unlink (path);
}

gint64
_gadget_running_markers_get (const char *directory, const char *root, gint64 effect)
{
  g_autofree char *path = make_path (directory, root, effect);
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return 0;
  return info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
}

void
_gadget_running_markers_add_others (const char *directory, const char *owner, GPtrArray *roots)
{
  g_autofree char *folder = g_build_filename (directory, "running", NULL);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      char *root = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        root = strchr (text, '\n');
      if (root == NULL)
        continue;
      *root++ = '\0';
      if (!g_str_equal (text, owner) && gadget_lease_is_held (directory, text))
        g_ptr_array_add (roots, g_strdup (root));
    }
}

void
_gadget_running_markers_sweep (const char *directory, gint64 max_age)
{
  const gint64 before = g_get_real_time () / G_USEC_PER_SEC - max_age;
  g_autofree char *folder = g_build_filename (directory, "running", NULL);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf info;

      if (g_stat (path, &info) == 0 && info.st_mtime < before)
        g_unlink (path);
    }
}
