/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The home folder is hidden from commands, but people keep compilers and package managers in it.
 * This file decides what is shown of it: a list of known folders, and what the user adds. Each
 * entry is shown only if it exists, read-only, at its own path (scripts name their interpreters by
 * absolute paths).
 *
 * The list names folders of programs and libraries, not those that hold settings beside them
 * (.cargo/bin, not .cargo). Since tokens end up in such folders all the same, files that are named
 * like credentials are masked. A folder of secrets, or one that contains such a folder, is never
 * shown, even if the user adds it. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "common/gadget-secret-places.h"
#include "gadget-sandbox-tools.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define MASK_DEPTH 3
#define MAX_ENTRIES 4000
#define MAX_SEARCHED 64

typedef struct
{
  const char *path;     /* below the home folder */
  const char *searched; /* (nullable): pattern of the folders that PATH gets: "*" is every folder,
                           "+" the highest version */
  const char *variable; /* (nullable): environment variable with its location, for Gadget and for
                           the tools */
} Known;

static const Known known[] = {
  { ".local/bin", "", NULL },
  { ".local/lib", NULL, NULL },
  { ".cargo/bin", "", NULL },
  { ".cargo/registry", NULL, NULL },
  { ".cargo/git", NULL, NULL },
  { ".rustup", NULL, "RUSTUP_HOME" },
  { ".nvm/versions", "node/+/bin", NULL },
  { ".local/share/fnm", "node-versions/+/installation/bin", NULL },
  { ".volta", "bin", "VOLTA_HOME" },
  { ".npm-global", "bin", NULL },
  { ".local/share/pnpm", "", "PNPM_HOME" },
  { ".yarn/bin", "", NULL },
  { ".bun/bin", "", NULL },
  { ".deno/bin", "", NULL },
  { ".local/share/uv", NULL, NULL },
  { ".local/share/pipx", NULL, NULL },
  { ".local/pipx", NULL, NULL },
  { ".local/share/pypoetry", NULL, NULL },
  { ".pyenv", "versions/+/bin", "PYENV_ROOT" },
  { "miniconda3", "bin", NULL },
  { "miniforge3", "bin", NULL },
  { "go/bin", "", NULL },
  { "go/pkg/mod", NULL, NULL },
  { ".local/go", "bin", NULL },
  { ".local/share/mise/installs", "*/latest/bin", NULL },
  { ".asdf", "installs/*/+/bin", "ASDF_DATA_DIR" },
  { ".rbenv", "versions/+/bin", "RBENV_ROOT" },
  { ".local/share/gem", "ruby/+/bin", NULL },
  { ".sdkman/candidates", "*/current/bin", NULL },
  { ".ghcup/bin", "", NULL },
  { ".ghcup/ghc", NULL, NULL },
  { ".opam", "default/bin", "OPAMROOT" },
  { ".juliaup", "bin", NULL },
  { ".dotnet", "", "DOTNET_ROOT" },
  { ".swiftly/bin", "", NULL },
  { ".zvm", "bin", NULL },
};

static void
folder_free (gpointer data)
{
  GadgetToolFolder *folder = data;

  g_free (folder->path);
  g_free (folder->real);
  g_strfreev (folder->searched);
  g_free (folder);
}

static void
clear (gpointer data)
{
  GadgetSandboxTools *self = data;

  g_ptr_array_unref (self->folders);
  g_ptr_array_unref (self->masked);
  g_ptr_array_unref (self->variables);
  g_ptr_array_unref (self->refused);
}

/* --- PATH --------------------------------------------------------------------------------------
 */

static int
compare_versions (gconstpointer a, gconstpointer b)
{
  return -strverscmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_folders (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && names->len < MAX_ENTRIES && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_versions);
  return names;
}

/* Follows the pattern, one name at a time. For "+" only the first name that leads to a folder
 * counts, which is the highest version. Returns whether something was found. */
static gboolean
add_searched (const char *path, const char *const *pattern, GStrvBuilder *found, guint *n_found)
{
  g_autoptr (GPtrArray) names = NULL;
  gboolean any = FALSE;

  if (*pattern == NULL || **pattern == '\0')
    {
      if (*n_found >= MAX_SEARCHED || !g_file_test (path, G_FILE_TEST_IS_DIR))
        return FALSE;
      g_strv_builder_add (found, path);
      *n_found += 1;
      return TRUE;
    }
  if (!g_str_equal (*pattern, "*") && !g_str_equal (*pattern, "+"))
    {
      g_autofree char *child = g_build_filename (path, *pattern, NULL);

      return add_searched (child, pattern + 1, found, n_found);
    }
  names = list_folders (path);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *child = g_build_filename (path, g_ptr_array_index (names, i), NULL);

      if (!add_searched (child, pattern + 1, found, n_found))
        continue;
      any = TRUE;
      if (g_str_equal (*pattern, "+"))
        break;
    }
  return any;
}

static GStrv
list_searched (const char *path, const char *pattern)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();
  guint n_found = 0;

  if (pattern != NULL)
    {
      g_auto (GStrv) names = g_strsplit (pattern, "/", -1);

      add_searched (path, (const char *const *) names, found, &n_found);
    }
  return g_strv_builder_end (found);
}

/* --- What is not shown -------------------------------------------------------------------------
 */

static gboolean
is_secret (const char *real, const char *home)
{
  g_autofree char *real_home = realpath (home, NULL);

  if (gadget_path_is_within (real_home != NULL ? real_home : home, real))
    return TRUE;
  for (guint i = 0; gadget_secret_folders[i] != NULL; i++)
    {
      g_autofree char *name = g_build_filename (home, gadget_secret_folders[i], NULL);
      g_autofree char *folder = realpath (name, NULL);

      if (folder != NULL
          && (gadget_path_is_within (real, folder) || gadget_path_is_within (folder, real)))
        return TRUE;
    }
  return FALSE;
}

static void
mask (GadgetSandboxTools *self, const char *path, guint depth, guint *n_entries)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && *n_entries < MAX_ENTRIES && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      const gboolean listed = g_strv_contains (gadget_secret_files, name);
      GStatBuf info;

      *n_entries += 1;
      if ((!listed && depth == 0) || g_lstat (child, &info) != 0)
        continue;
      if (listed && S_ISREG (info.st_mode))
        g_ptr_array_add (self->masked, g_steal_pointer (&child));
      else if (depth > 0 && S_ISDIR (info.st_mode))
        mask (self, child, depth - 1, n_entries);
    }
}

/* --- Finding -----------------------------------------------------------------------------------
 */

static gboolean
has_folder (GadgetSandboxTools *self, const char *path)
{
  for (guint i = 0; i < self->folders->len; i++)
    if (g_str_equal (((GadgetToolFolder *) g_ptr_array_index (self->folders, i))->path, path))
      return TRUE;
  return FALSE;
}

static void
add_folder (GadgetSandboxTools *self, const char *home, const char *path, const char *searched)
{
  g_autofree char *real = realpath (path, NULL);
  GadgetToolFolder *folder;
  guint n_entries = 0;

  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_DIR) || has_folder (self, path))
    return;
  if (is_secret (real, home) || !g_path_is_absolute (path))
    {
      g_ptr_array_add (self->refused, g_strdup (path));
      return;
    }
  folder = g_new0 (GadgetToolFolder, 1);
  folder->path = g_strdup (path);
  folder->real = g_steal_pointer (&real);
  folder->searched = list_searched (path, searched);
  g_ptr_array_add (self->folders, folder);
  mask (self, path, MASK_DEPTH, &n_entries);
}

static char *
expand (const char *home, const char *path)
{
  if (g_str_equal (path, "~") || g_str_has_prefix (path, "~/"))
    return g_build_filename (home, path + 1, NULL);
  return g_canonicalize_filename (path, "/");
}

static gboolean
is_removed (const char *home, const char *path, const char *const *changes)
{
  for (guint i = 0; changes != NULL && changes[i] != NULL; i++)
    if (*changes[i] == '-')
      {
        g_autofree char *removed = expand (home, changes[i] + 1);

        if (g_str_equal (removed, path))
          return TRUE;
      }
  return FALSE;
}

static void
add_known (GadgetSandboxTools *self, const char *home, const Known *entry,
           const char *const *changes)
{
  const char *place = entry->variable != NULL ? g_getenv (entry->variable) : NULL;
  const guint n_before = self->folders->len;
  g_autofree char *path = place != NULL && g_path_is_absolute (place)
                              ? g_canonicalize_filename (place, NULL)
                              : g_build_filename (home, entry->path, NULL);

  if (is_removed (home, path, changes))
    return;
  add_folder (self, home, path, entry->searched);
  if (self->folders->len > n_before && entry->variable != NULL)
    g_ptr_array_add (self->variables, g_strconcat (entry->variable, "=", path, NULL));
}

/* If an added folder has a "bin", PATH gets that; otherwise it gets the folder itself. */
static void
add_asked (GadgetSandboxTools *self, const char *home, const char *asked)
{
  g_autofree char *path = expand (home, asked);
  g_autofree char *bin = g_build_filename (path, "bin", NULL);

  add_folder (self, home, path, g_file_test (bin, G_FILE_TEST_IS_DIR) ? "bin" : "");
}

static void
add_variables (GadgetSandboxTools *self, const char *home)
{
  g_autofree char *base = g_build_filename (home, ".local", NULL);
  g_autofree char *lib = g_build_filename (base, "lib", NULL);
  g_autofree char *uv = g_build_filename (home, ".local/share/uv", NULL);

  if (has_folder (self, lib))
    g_ptr_array_add (self->variables, g_strconcat ("PYTHONUSERBASE=", base, NULL));
  if (has_folder (self, uv))
    {
      g_ptr_array_add (self->variables,
                       g_strconcat ("UV_PYTHON_INSTALL_DIR=", uv, "/python", NULL));
      g_ptr_array_add (self->variables, g_strconcat ("UV_TOOL_DIR=", uv, "/tools", NULL));
    }
}

/**
 * gadget_sandbox_tools_find:
 * @home: the home folder
 * @changes: (nullable): the user's changes: a path (which may begin with "~/") is shown in
 *   addition, "-" followed by a path removes a known folder
 *
 * Finds the tools. Accesses the file system for some milliseconds: call it in a thread, or before
 * there is a window.
 *
 * Returns: (transfer full): the tools
 */
GadgetSandboxTools *
gadget_sandbox_tools_find (const char *home, const char *const *changes)
{
  GadgetSandboxTools *self;

  g_return_val_if_fail (home != NULL && g_path_is_absolute (home), NULL);

  self = g_atomic_rc_box_new0 (GadgetSandboxTools);
  self->folders = g_ptr_array_new_with_free_func (folder_free);
  self->masked = g_ptr_array_new_with_free_func (g_free);
  self->variables = g_ptr_array_new_with_free_func (g_free);
  self->refused = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; changes != NULL && changes[i] != NULL; i++)
    if (*changes[i] != '-' && *changes[i] != '\0')
      add_asked (self, home, changes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    add_known (self, home, &known[i], changes);
  add_variables (self, home);
  return self;
}

/* gadget_sandbox_tools_ref () and gadget_sandbox_tools_unref () may be called on any thread. The
 * latter takes a gpointer because it is also used as a GDestroyNotify. */
GadgetSandboxTools *
gadget_sandbox_tools_ref (GadgetSandboxTools *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gadget_sandbox_tools_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * gadget_sandbox_tools_dup_path:
 * @self: (nullable): the tools
 * @rest: what follows the tool folders
 *
 * Returns: (transfer full): the value of PATH
 */
char *
gadget_sandbox_tools_dup_path (GadgetSandboxTools *self, const char *rest)
{
  g_autoptr (GString) path = g_string_new (NULL);

  for (guint i = 0; self != NULL && i < self->folders->len; i++)
    {
      const GadgetToolFolder *folder = g_ptr_array_index (self->folders, i);

      for (guint j = 0; folder->searched[j] != NULL; j++)
        if (strchr (folder->searched[j], ':') == NULL)
          g_string_append_printf (path, "%s:", folder->searched[j]);
    }
  g_string_append (path, rest);
  return g_string_free_and_steal (g_steal_pointer (&path));
}
