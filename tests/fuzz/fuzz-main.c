/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs a fuzz target over all files of the folders named, and over every beginning of each, since
 * that is how streams are cut. */

#include "config.h"

#include "fuzz.h"

#include <stdio.h>

#define MAX_CUTS 600

static guint
run_file (const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  if (!g_file_get_contents (path, &data, &length, NULL))
    return 0;
  for (gsize cut = 0; cut < MIN (length, MAX_CUTS); cut++)
    LLVMFuzzerTestOneInput ((const guint8 *) data, cut);
  LLVMFuzzerTestOneInput ((const guint8 *) data, length);
  return 1;
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GDir) dir = g_dir_open (argv[i], 0, NULL);
      const char *name;
      guint n = 0;

      g_assert_nonnull (dir);
      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (argv[i], name, NULL);

          n += run_file (path);
        }
      g_assert_cmpuint (n, >, 0);
      printf ("%s: %u files\n", argv[i], n);
    }
  return 0;
}
