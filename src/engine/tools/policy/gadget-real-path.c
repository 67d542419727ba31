/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-real-path"

#include "config.h"

#include "gadget-real-path.h"

#include "common/gadget-blocking.h"

#include <errno.h>
#include <stdlib.h>

/* realpath () alone does not tell a dangling link from a missing file, so the path is shortened
 * until something exists; a dangling link has no real path. */
static char *
resolve (const char *path)
{
  g_autofree char *canonical = g_canonicalize_filename (path, "/");
  g_autofree char *rest = g_strdup ("");

  for (;;)
    {
      char *real = realpath (canonical, NULL);

      if (real != NULL)
        {
          g_autofree char *found = g_build_filename (real, rest, NULL);

          free (real);
          return g_canonicalize_filename (found, "/");
        }
      if (errno != ENOENT || g_file_test (canonical, G_FILE_TEST_IS_SYMLINK)
          || g_str_equal (canonical, "/"))
        return g_strdup ("");

      g_autofree char *name = g_path_get_basename (canonical);
      char *longer = g_build_filename (name, *rest != '\0' ? rest : NULL, NULL);
      char *parent = g_path_get_dirname (canonical);

      g_free (rest);
      rest = longer;
      g_free (canonical);
      canonical = parent;
    }
}

static gpointer
resolve_all (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  char **paths = data;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      g_strv_builder_take (builder, resolve (paths[i]));
    }
  return g_strv_builder_end (builder);
}

static void
free_strv (gpointer strv)
{
  g_strfreev (strv);
}

void
gadget_real_paths_async (const char *const *paths, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (paths != NULL);

  gadget_blocking_run_async (cancellable, resolve_all, g_strdupv ((char **) paths), free_strv,
                             free_strv, callback, user_data);
}

char **
gadget_real_paths_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}
