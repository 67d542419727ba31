/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "slow-pdf.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *home;
static char *program;
static char *seconds;

void
slow_pdf_init (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *script = NULL;

  home = g_dir_make_tmp ("gadget-home-XXXXXX", NULL);
  folder = g_build_filename (home, ".local", "bin", NULL);
  path = g_strconcat (folder, ":", g_getenv ("PATH"), NULL);
  program = g_build_filename (folder, "pdftotext", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  seconds = g_strdup_printf ("8%06d", (int) getpid ());
  script = g_strdup_printf ("#!/bin/sh\nexec sleep %s\n", seconds);
  g_assert_true (g_file_set_contents (program, script, -1, NULL));
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("PATH", path, TRUE);
}

/* A file, and the folders around it as far as they are empty then. */
void
slow_pdf_clear (void)
{
  static const char *const folders[] = { ".local/bin", ".local", "." };

  g_unlink (program);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (home, folders[i], NULL);

      g_rmdir (folder);
    }
  g_rmdir (home);
  g_clear_pointer (&program, g_free);
  g_clear_pointer (&home, g_free);
  g_clear_pointer (&seconds, g_free);
}

char *
slow_pdf_make (const char *folder)
{
  char *path = g_build_filename (folder, "slow.pdf", NULL);

  g_assert_true (g_file_set_contents (path, "%PDF-1.7", -1, NULL));
  return path;
}

/* Tests run beside each other: it is known by how long it would sleep. */
gboolean
slow_pdf_is_read (void)
{
  GDir *folder = g_dir_open ("/proc", 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (!found && folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "cmdline", NULL);
      g_autofree char *line = NULL;
      gsize length = 0;

      found = g_ascii_isdigit (*name) && g_file_get_contents (path, &line, &length, NULL)
              && length > sizeof "sleep" && g_str_equal (line, "sleep")
              && g_str_equal (line + sizeof "sleep", seconds);
    }
  g_clear_pointer (&folder, g_dir_close);
  return found;
}
