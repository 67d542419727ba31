/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Covers single files: sockets of daemons, credentials in tool folders. They belong to other
 * programs and may vanish at any moment. If one vanishes between this file's lstat () and the
 * mount, there is nothing to mount on, since the root is read-only, and bubblewrap fails. That
 * cannot be prevented, but it can be detected: after a failed start the covered files are checked
 * again, and if some are gone the same start is repeated without them. A file that was replaced is
 * covered again, but only a few times: a file that is replaced all the time would let no command
 * start. A start that fails for another reason is not repeated. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-launch-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define COVER "/dev/null"
#define N_WORDS 3 /* --ro-bind COVER PATH */

/* A file that is covered, and which file it was. */
typedef struct
{
  char *path;
  guint64 inode;
  struct timespec changed; /* inode numbers are used again */
} GadgetCovered;

static void
covered_free (gpointer data)
{
  GadgetCovered *covered = data;

  g_free (covered->path);
  g_free (covered);
}

static void
identify (GadgetCovered *self, const GStatBuf *info)
{
  self->inode = info->st_ino;
  self->changed = info->st_ctim;
}

static gboolean
is_same (const GadgetCovered *self, const GStatBuf *info)
{
  return self->inode == info->st_ino && self->changed.tv_sec == info->st_ctim.tv_sec
         && self->changed.tv_nsec == info->st_ctim.tv_nsec;
}

void
_gadget_launch_cover (GadgetLaunch *self, GPtrArray *argv, const char *path)
{
  GadgetCovered *covered;
  GStatBuf info;

  if (g_lstat (path, &info) != 0)
    return;
  covered = g_new0 (GadgetCovered, 1);
  covered->path = g_strdup (path);
  identify (covered, &info);
  if (self->covered == NULL)
    self->covered = g_ptr_array_new_with_free_func (covered_free);
  g_ptr_array_add (self->covered, covered);
  _gadget_argv_add (argv, "--ro-bind", COVER, path, NULL);
}

static void
uncover (GadgetLaunch *self, const char *path)
{
  char **argv = self->argv;

  for (guint i = 0; argv[i] != NULL && argv[i + 1] != NULL && argv[i + 2] != NULL; i++)
    if (g_str_equal (argv[i], "--ro-bind") && g_str_equal (argv[i + 1], COVER)
        && g_str_equal (argv[i + 2], path))
      {
        for (guint j = 0; j < N_WORDS; j++)
          g_free (argv[i + j]);
        do
          argv[i] = argv[i + N_WORDS];
        while (argv[i++] != NULL);
        return;
      }
}

gboolean
gadget_launch_refresh_covers (GadgetLaunch *self, gboolean patient)
{
  gboolean changed = FALSE;

  for (guint i = self->covered != NULL ? self->covered->len : 0; i > 0; i--)
    {
      GadgetCovered *covered = g_ptr_array_index (self->covered, i - 1);
      GStatBuf info;
      const gboolean there = g_lstat (covered->path, &info) == 0;

      if (there && is_same (covered, &info))
        continue;
      changed = TRUE;
      if (there && patient)
        {
          identify (covered, &info);
          continue;
        }
      uncover (self, covered->path);
      g_ptr_array_remove_index (self->covered, i - 1);
    }
  for (guint i = 0; i < self->sources->len && changed; i++)
    lseek (g_array_index (self->sources, int, i), 0, SEEK_SET); /* bubblewrap has read the filter; a
                                                                   pipe cannot seek */
  return changed;
}
