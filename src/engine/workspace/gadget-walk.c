/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Walks through the files of a folder and of the folders below it, in the caller's thread. Folders
 * are opened relative to their parent without following links, so that a walk never leaves the
 * folder. Ignore files are read on the way down. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-walk.h"

#include "gadget-folder.h"
#include "gadget-ignore.h"
#include "gadget-path-lookup.h"
#include "gadget-workspace.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor is open for each level. */
#define MAX_DEPTH 128
/* The other entries of a larger folder are skipped, and count as one folder that could not be
 * read. */
#define MAX_ENTRIES 200000

typedef struct
{
  gboolean all;
  GadgetWalkFunc func;
  gpointer data;
  GCancellable *cancellable;
  GString *path; /* below TOP */
  gsize skip;    /* length of the part of PATH that belongs to the folder that is walked */
  guint depth;
  guint n_unreadable;
} Walk;

static gboolean walk_folder (Walk *self, const GadgetIgnore *above, int folder, GError **error);

/* Returns FALSE to end the walk. */
static gboolean
walk_below (Walk *self, const GadgetIgnore *ignore, int folder, const char *name)
{
  g_autofd int fd = -1;
  g_autoptr (GError) error = NULL;
  gboolean go_on;

  if (self->depth < MAX_DEPTH)
    fd = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    {
      self->n_unreadable++;
      return TRUE;
    }
  self->depth++;
  go_on = walk_folder (self, ignore, fd, &error);
  self->depth--;
  if (error == NULL || g_cancellable_is_cancelled (self->cancellable))
    return go_on;
  self->n_unreadable++;
  return TRUE;
}

static gboolean
walk_entry (Walk *self, const GadgetIgnore *ignore, int folder, const GadgetFolderEntry *entry)
{
  const gboolean is_folder = S_ISDIR (entry->info.st_mode);
  const gsize length = self->path->len;
  gboolean go_on = TRUE;

  if ((!is_folder && !S_ISREG (entry->info.st_mode)) || (!self->all && *entry->name == '.'))
    return TRUE;
  if (length > 0)
    g_string_append_c (self->path, '/');
  g_string_append (self->path, entry->name);
  if (self->all || !gadget_ignore_matches (ignore, self->path->str, is_folder))
    go_on = is_folder ? walk_below (self, ignore, folder, entry->name)
                      : self->func (folder, entry->name, self->path->str + self->skip, self->data);
  g_string_truncate (self->path, length);
  return go_on;
}

static gboolean
walk_folder (Walk *self, const GadgetIgnore *above, int folder, GError **error)
{
  gboolean more = FALSE;
  g_autoptr (GadgetIgnore) ignore =
      self->all ? NULL : gadget_ignore_new (above, folder, self->path->str);
  g_autoptr (GPtrArray) entries =
      gadget_folder_list (folder, MAX_ENTRIES, &more, self->cancellable, error);

  if (entries == NULL)
    return FALSE;
  self->n_unreadable += more;
  for (guint i = 0; i < entries->len; i++)
    if (g_cancellable_is_cancelled (self->cancellable)
        || !walk_entry (self, ignore != NULL ? ignore : above, folder,
                        g_ptr_array_index (entries, i)))
      return FALSE;
  return TRUE;
}

/* Returns (transfer full) (element-type GadgetIgnore) the rules of the folders on the way from TOP
 * to PATH, without PATH's own. */
static GPtrArray *
read_rules_above (const char *top, const char *path)
{
  g_autoptr (GPtrArray) above =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_ignore_free);
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autoptr (GString) below = g_string_new (NULL);

  for (guint i = 0; *path != '\0' && parts[i] != NULL; i++)
    {
      g_autofree char *full = g_build_filename (top, below->str, NULL);
      g_autofd int fd = gadget_path_lookup_open_folder (top, full, NULL, NULL);
      const GadgetIgnore *last = above->len > 0 ? above->pdata[above->len - 1] : NULL;
      GadgetIgnore *ignore = fd >= 0 ? gadget_ignore_new (last, fd, below->str) : NULL;

      if (ignore != NULL)
        g_ptr_array_add (above, ignore);
      g_string_append_printf (below, "%s%s", i > 0 ? "/" : "", parts[i]);
    }
  return g_steal_pointer (&above);
}

gboolean
gadget_walk (const char *top, int folder, const char *path, gboolean all, GadgetWalkFunc func,
             gpointer data, GCancellable *cancellable, guint *n_unreadable, GError **error)
{
  const char *below = top != NULL ? gadget_workspace_get_relative (top, path) : NULL;
  g_autoptr (GPtrArray) above = NULL;
  g_autoptr (GString) start = g_string_new (below);
  g_autoptr (GError) failure = NULL;
  const GadgetIgnore *last = NULL;
  Walk walk = {
    .all = all,
    .func = func,
    .data = data,
    .cancellable = cancellable,
    .path = start,
    .skip = start->len > 0 ? start->len + 1 : 0,
  };

  if (!all && start->len > 0)
    above = read_rules_above (top, start->str);
  if (above != NULL && above->len > 0)
    last = above->pdata[above->len - 1];
  walk_folder (&walk, last, folder, &failure);
  *n_unreadable = walk.n_unreadable;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
