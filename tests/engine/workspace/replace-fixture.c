/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "replace-fixture.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

static void
set_up (Fixture *fixture, gconstpointer named)
{
  fixture->root = test_dir_new ();
  fixture->need_owner = TRUE;
  fixture->path = g_build_filename (fixture->root, "file", NULL);
  g_assert_true (g_file_set_contents (fixture->path, "old", -1, NULL));
  g_assert_cmpint (chmod (fixture->path, 0644), ==, 0);
  gadget_replacement_force_names (GPOINTER_TO_INT (named));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gadget_replacement_force_names (FALSE);
  g_free (fixture->path);
  test_dir_free (fixture->root);
}

GadgetFileVersion
replace_stamp_of (const char *path, const char *content)
{
  GadgetFileVersion version = { 0 };
  struct stat info;

  if (lstat (path, &info) == 0)
    gadget_file_version_init (&version, &info);
  if (content != NULL)
    gadget_file_version_set_content (&version, content, strlen (content));
  return version;
}

GadgetReplacement *
replace_begin (Fixture *fixture, const char *path, const GadgetFileVersion *expected,
               GError **error)
{
  GadgetPathLookup *lookup = gadget_path_lookup_find (fixture->root, path, TRUE, error);

  g_assert_nonnull (lookup);
  return gadget_replacement_new (lookup, expected, fixture->need_owner, error);
}

guint
replace_count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

void
replace_add (const char *name, void (*function) (Fixture *, gconstpointer))
{
  g_autofree char *nameless = g_strdup_printf ("/engine/replace/%s", name);
  g_autofree char *named = g_strdup_printf ("/engine/replace/%s/hidden-names", name);

  g_test_add (nameless, Fixture, GINT_TO_POINTER (FALSE), set_up, function, tear_down);
  g_test_add (named, Fixture, GINT_TO_POINTER (TRUE), set_up, function, tear_down);
}
