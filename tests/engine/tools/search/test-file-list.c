/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The names of a folder's files, and what a part of one could mean. */

#include "config.h"

#include "test-store.h"
#include "test-wait.h"
#include "tools/search/gadget-file-list.h"
#include "wait.h"

#include <glib/gstdio.h>

typedef struct
{
  char *folder;
  GadgetFileList *list;
} Fixture;

static void
put (Fixture *self, const char *path, const char *text)
{
  g_autofree char *full = g_build_filename (self->folder, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

static GadgetFileList *
read_list (const char *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GadgetRipgrep) ripgrep = gadget_ripgrep_new ();
  g_autoptr (GAsyncResult) result = NULL;

  gadget_file_list_read_async (ripgrep, folder, cancellable, test_result_cb, &result);
  wait_until (result != NULL);
  return gadget_file_list_read_finish (result, error);
}

static char *
match (Fixture *self, const char *query, guint max)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_auto (GStrv) found = NULL;

  gadget_file_list_match_async (self->list, query, max, NULL, test_result_cb, &result);
  wait_until (result != NULL);
  found = gadget_file_list_match_finish (result, NULL);
  return g_strjoinv (" ", found);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  static const char *const paths[] = {
    "README.md",           "meson.build",        "main.c",
    "src/main.c",          "src/domain.c",       "src/workspace/gadget-file-list.c",
    "src/ui/window.c",     "build/main.o",       ".hidden/main.c",
    "docs/Main Window.md", "src/ui/meson.build",
  };
  g_autoptr (GError) error = NULL;

  self->folder = test_dir_new ();
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    put (self, paths[i], "x");
  put (self, ".gitignore", "build/\n");
  self->list = read_list (self->folder, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gadget_file_list_unref (self->list);
  test_dir_free (self->folder);
}

static void
test_match (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *query;
    const char *found;
  } cases[] = {
    { "main.c", "main.c src/main.c src/domain.c" },
    { "MAIN", "main.c src/main.c docs/Main Window.md src/domain.c" },
    { "window", "src/ui/window.c docs/Main Window.md" },
    { "src/m", "src/main.c src/ui/meson.build" },
    { "ui/", "src/ui/window.c src/ui/meson.build" },
    { "gfl", "src/workspace/gadget-file-list.c" },
    { "lwg", "" },
    { "wgfl", "src/workspace/gadget-file-list.c" },
    { "main.o", "" },
    { "hidden", "" },
    { "nothing like it", "" },
  };
  g_autofree char *all = match (self, "", 100);
  g_autofree char *top = match (self, "", 3);
  g_autofree char *one = match (self, "main.c", 1);

  g_assert_cmpstr (all, ==,
                   "README.md main.c meson.build docs/Main Window.md src/domain.c src/main.c "
                   "src/ui/meson.build src/ui/window.c src/workspace/gadget-file-list.c");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = match (self, cases[i].query, 8);

      g_assert_cmpstr (found, ==, cases[i].found);
    }
  g_assert_cmpstr (top, ==, "README.md main.c meson.build");
  g_assert_cmpstr (one, ==, "main.c");
}

static void
test_stopped (Fixture *self, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other = NULL;
  g_autofree char *missing = g_build_filename (self->folder, "missing", NULL);

  g_cancellable_cancel (cancellable);
  g_assert_null (read_list (self->folder, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (read_list (missing, NULL, &other));
  g_assert_nonnull (other);
}

#define add(path, function)                                                                        \
  g_test_add ("/engine/file-list/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("match", test_match);
  add ("stopped", test_stopped);

  return g_test_run ();
}
