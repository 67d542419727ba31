/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists the files that the configurations of repositories name: files that they include, folders of
 * hooks, and each word of a value that may be a program or a script. The effective configuration
 * counts, so included files are read as well, under whatever condition, and so are the user's own
 * settings and those of repositories that contain the workspace.
 *
 * Too many names do little harm, a missing one does much: every value counts except those that are
 * known to be data. A word counts if a file has that name, or if it looks like a path. The number
 * of words is not limited, since some could be hidden behind the limit. A command cannot add many:
 * a configuration that it writes is set aside unless it names nothing, see
 * gadget-sandbox-git-config.c. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-git-private.h"

#include <stdlib.h>
#include <string.h>

/* Git fails at more levels than this. */
#define MAX_INCLUDE_DEPTH 10

typedef struct
{
  GPtrArray *names;
  GHashTable *known; /* (element-type utf8): keys of NAMES, against duplicates */
  GHashTable *read;  /* (element-type utf8): configuration files that were read, each with its
                        root */
  GHashTable *texts; /* (element-type filename utf8): the text of each file; NULL for nothing */
  guint depth;       /* nesting of files that include each other */
  gboolean is_new;   /* a command made these repositories */
} Reader;

/* A configuration file while it is read. */
typedef struct
{
  Reader *reader;
  const char *root;   /* folder in which programs are run */
  const char *folder; /* folder of the file */
  char *section;      /* (nullable): section of a file of Mercurial and other systems */
} Source;

static const char *const data_sections[] = {
  "advice",   "author",  "branch",     "color",   "column", "committer", "extensions",
  "fetch",    "gc",      "http",       "i18n",    "init",   "lfs",       "maintenance",
  "pack",     "pull",    "push",       "rerere",  "safe",   "scalar",    "status",
  "url",      "user",    "svn-remote", "gitflow", "index",  "log",       "blame",
  "transfer", "feature", "receive",    "rebase",  "stash",  "tag",
};

static const char *const data_keys[] = {
  "core.worktree", "core.excludesfile",      "core.attributesfile", "core.autocrlf",
  "core.eol",      "core.commentchar",       "commit.template",     "mailmap.file",
  "gpg.format",    "gpg.allowedsignersfile", "merge.tool",          "diff.tool",
  "remote.url",    "remote.pushurl",         "remote.fetch",        "remote.push",
  "submodule.url", "submodule.active",       "submodule.branch",    "credential.username",
};

/* Settings in sections of data that name programs. */
static const char *const program_keys[] = {
  "gc.recentobjectshook", "lfs.path", "lfs.args", "lfs.clean", "lfs.smudge",
};

/* Settings that name folders of hooks, including those that a new repository gets. */
static const char *const hook_keys[] = { "core.hookspath", "gitflow.hooks", "init.templatedir" };

static gboolean
is_listed (const char *word, const char *const *list, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (word, list[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_data (const char *section, const char *key)
{
  g_autofree char *name = g_strconcat (section, ".", key, NULL);

  if (is_listed (name, program_keys, G_N_ELEMENTS (program_keys)))
    return FALSE;
  return is_listed (section, data_sections, G_N_ELEMENTS (data_sections))
         || is_listed (name, data_keys, G_N_ELEMENTS (data_keys))
         || _gadget_git_is_data_setting (name);
}

/* Returns whether the value contains an address like "ext::./program", which a remote, a branch or
 * a submodule may have. */
static gboolean
is_run_as_address (const char *value)
{
  return strstr (value, "::") != NULL;
}

static gboolean
is_of_hooks (const char *section, const char *key)
{
  g_autofree char *name = g_strconcat (section, ".", key, NULL);

  return is_listed (name, hook_keys, G_N_ELEMENTS (hook_keys));
}

static void
name_free (gpointer data)
{
  GadgetGitName *name = data;

  g_free (name->path);
  g_free (name);
}

GPtrArray *
_gadget_git_names_new (void)
{
  return g_ptr_array_new_with_free_func (name_free);
}

void
_gadget_git_names_add (GPtrArray *names, const char *path, gboolean whole)
{
  GadgetGitName *name = g_new0 (GadgetGitName, 1);

  name->path = g_strdup (path);
  name->whole = whole;
  g_ptr_array_add (names, name);
}

static void
add_name (Reader *self, const char *path, gboolean whole)
{
  g_autofree char *key = g_strconcat (whole ? "/" : "", path, NULL);

  if (g_hash_table_add (self->known, g_steal_pointer (&key)))
    _gadget_git_names_add (self->names, path, whole);
}

static void
name_cb (const char *path, gboolean whole, gpointer user_data)
{
  add_name (user_data, path, whole);
}

static void
add_words (Source *self, const char *value)
{
  _gadget_git_find_paths_in_value (value, self->root, self->reader->is_new, name_cb, self->reader);
}

/* --- Git's configuration -----------------------------------------------------------------------
 */

static void read_file (Reader *self, const char *path, const char *root);

static void
add_include (Source *self, const char *value)
{
  g_autofree char *path = _gadget_git_locate (self->folder, value);

  if (*value == '\0')
    return;
  add_name (self->reader, path, FALSE);
  read_file (self->reader, path, self->root);
}

static void
add_hooks (Source *self, const char *value)
{
  g_autofree char *path = _gadget_git_locate (self->root, value);
  g_autofree char *name = g_path_get_basename (path);

  if (*value == '\0')
    return;
  add_name (self->reader, path, TRUE);
  /* Hooks of husky run files that are beside their folder. */
  if (g_str_equal (name, "_"))
    {
      g_autofree char *parent = g_path_get_dirname (path);

      add_name (self->reader, parent, TRUE);
    }
}

static void
setting_cb (const char *section, const char *key, const char *value, gpointer user_data)
{
  Source *self = user_data;
  const gboolean includes = g_str_equal (section, "include") || g_str_equal (section, "includeif");

  if (includes && g_str_equal (key, "path"))
    add_include (self, value);
  else if (is_of_hooks (section, key))
    add_hooks (self, value);
  else if (!is_data (section, key) || is_run_as_address (value))
    add_words (self, value);
}

/* Returns the text of the file (nullable), owned by SELF. The same file may be read for several
 * roots. */
static const char *
get_text (Reader *self, const char *path)
{
  g_autofree char *real = NULL;
  char *text = NULL;

  if (g_hash_table_lookup_extended (self->texts, path, NULL, (gpointer *) &text))
    return text;
  real = realpath (path, NULL);
  text = real != NULL ? _gadget_git_read (real, NULL) : NULL;
  g_hash_table_insert (self->texts, g_strdup (path), text);
  return text;
}

static void
read_file (Reader *self, const char *path, const char *root)
{
  g_autofree char *key = g_strconcat (root, "\n", path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *text = get_text (self, path);
  Source source = { self, root, folder, NULL };

  if (text == NULL || self->depth > MAX_INCLUDE_DEPTH
      || !g_hash_table_add (self->read, g_steal_pointer (&key)))
    return;
  self->depth++;
  _gadget_git_settings_parse (text, setting_cb, &source);
  self->depth--;
}

/* Reads a configuration, which may be a link to a file that is under version control. */
static void
read_file_in (Reader *self, const char *folder, const char *name, const char *root)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (_gadget_git_get_type (path, NULL) == S_IFLNK)
    add_name (self, path, FALSE);
  read_file (self, path, root);
}

/* Adds the targets of hooks that are links, often to files that are under version control. */
static void
add_hook_links (Reader *self, const char *git)
{
  g_autofree char *hooks = g_build_filename (git, "hooks", NULL);
  g_autofree char *target = g_file_read_link (hooks, NULL);
  g_autoptr (GDir) dir = target == NULL ? _gadget_git_open_dir (hooks) : NULL;
  const char *name;

  if (target != NULL)
    {
      g_autofree char *path = _gadget_git_locate (git, target);

      add_name (self, path, TRUE);
    }
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (hooks, name, NULL);
      g_autofree char *leads = g_file_read_link (path, NULL);
      g_autofree char *file = leads != NULL ? _gadget_git_locate (hooks, leads) : NULL;

      if (file != NULL)
        add_name (self, file, FALSE);
    }
}

/* Each line of such a file may be the address of a remote, or contain it after "URL:". */
static void
read_addresses (Reader *self, const char *common, const char *name, const char *root)
{
  g_autofree char *path = g_build_filename (common, name, NULL);
  g_autoptr (GDir) dir = _gadget_git_open_dir (path);
  Source source = { self, root, path, NULL };
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *text = _gadget_git_read (path, file);

      if (text != NULL && is_run_as_address (text))
        add_words (&source, text);
    }
}

static void
read_for_root (Reader *self, const char *git, const char *common, const char *root)
{
  g_autofree char *global = g_build_filename (g_get_user_config_dir (), "git", "config", NULL);

  read_file_in (self, common, "config", root);
  read_file_in (self, git, "config.worktree", root);
  read_addresses (self, common, "remotes", root);
  read_addresses (self, common, "branches", root);
  read_file (self, "/etc/gitconfig", root);
  read_file (self, global, root);
  read_file_in (self, g_get_home_dir (), ".gitconfig", root);
}

static void
worktree_cb (const char *section, const char *key, const char *value, gpointer user_data)
{
  if (g_str_equal (section, "core") && g_str_equal (key, "worktree"))
    g_set_str (user_data, value);
}

/* Returns (transfer full) (nullable) the working folder, if the configuration sets another one. */
static char *
find_worktree (const char *git)
{
  static const char *const files[] = { "config", "config.worktree" };
  g_autofree char *worktree = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = _gadget_git_read (git, files[i]);

      if (text != NULL)
        _gadget_git_settings_parse (text, worktree_cb, &worktree);
    }
  return worktree != NULL ? _gadget_git_resolve (git, worktree) : NULL;
}

static void
read_repository (Reader *self, const char *git, const char *root)
{
  g_autofree char *name = _gadget_git_read_path (git, "commondir");
  g_autofree char *found = name != NULL ? _gadget_git_resolve (git, name) : NULL;
  const char *common = found != NULL ? found : git;
  g_autofree char *worktree = find_worktree (git);

  read_for_root (self, git, common, root);
  if (worktree != NULL)
    read_for_root (self, git, common, worktree);
  add_hook_links (self, common);
}

/* TYPE is that of the ".git" at PATH, or of a folder that is a repository itself. */
static void
read_place (Reader *self, const char *path, mode_t type)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *git = type == S_IFREG ? _gadget_git_follow (parent) : realpath (path, NULL);

  if (git != NULL)
    read_repository (self, git, g_str_equal (name, ".git") ? parent : path);
}

/* --- Other version control systems -------------------------------------------------------------
 */

/* The files in the folders of other version control systems that make these run something. A slash
 * at the end means everything in that folder. */
static const struct
{
  const char *folder;
  const char *files[6];
} others[] = {
  { ".hg", { "hgrc", "hgrc-not-shared", "sharedpath" } },
  { ".jj", { "repo", "repo/config.toml", "repo/config-id", "workspace-config.toml" } },
  { ".bzr",
    { "branch/branch.conf", "branch/location", "branch/control.conf", "branch.conf",
      "control.conf" } },
  { ".sl", { "config", "config-not-shared", "sharedpath" } },
  { ".pijul", { "config" } },
  { "_darcs", { "prefs/defaults" } },
  { ".repo", { "repo/", "manifests.git/hooks/" } },
};

/**
 * _gadget_git_get_other:
 * @index: 0 for the first
 *
 * Returns: (nullable): the name of the folder of another version control system; %NULL if @index is
 *   too large
 */
const char *
_gadget_git_get_other (guint index)
{
  return index < G_N_ELEMENTS (others) ? others[index].folder : NULL;
}

/* Some file systems do not distinguish upper and lower case. */
gboolean
_gadget_git_is_other (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_ascii_strcasecmp (name, others[i].folder) == 0)
      return TRUE;
  return FALSE;
}

static void
read_line (Source *self, const char *line)
{
  const char *equals = strchr (line, '=');

  if (*line == '#' || *line == ';')
    return;
  if (g_str_has_prefix (line, "%include "))
    {
      g_autofree char *path = _gadget_git_locate (self->folder, line + strlen ("%include "));

      add_name (self->reader, path, FALSE);
      return;
    }
  if (*line == '[' && equals == NULL && g_str_has_suffix (line, "]"))
    {
      g_free (self->section);
      self->section = g_strndup (line + 1, strlen (line) - 2);
      return;
    }
  if (g_strcmp0 (self->section, "paths") != 0)
    add_words (self, equals != NULL ? equals + 1 : line);
}

/* Reads lines of settings. The syntax does not matter further: all words of a value count. */
static void
read_other (Reader *self, const char *path, const char *root)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = _gadget_git_read (path, NULL);
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  Source source = { self, root, folder, NULL };

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    read_line (&source, g_strstrip (lines[i]));
  g_free (source.section);
}

static void
read_other_place (Reader *self, const char *path)
{
  g_autofree char *root = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    for (guint j = 0;
         g_ascii_strcasecmp (name, others[i].folder) == 0 && others[i].files[j] != NULL; j++)
      {
        g_autofree char *file = g_build_filename (path, others[i].files[j], NULL);

        add_name (self, file, g_str_has_suffix (file, "/"));
        if (!self->is_new)
          read_other (self, file, root);
      }
}

/* --- All ---------------------------------------------------------------------------------------
 */

/* Reads the repositories that contain the workspace. */
static void
read_above (Reader *self, const char *workspace)
{
  g_autofree char *folder = g_path_get_dirname (workspace);

  while (!g_str_equal (folder, "/"))
    {
      g_autofree char *git = g_build_filename (folder, ".git", NULL);
      g_autofree char *parent = g_path_get_dirname (folder);
      const mode_t type = _gadget_git_get_type (git, NULL);

      if (type != 0)
        read_place (self, git, type);
      g_free (folder);
      folder = g_steal_pointer (&parent);
    }
}

/* Adds the user's own settings, which may be links to files of the workspace. */
static void
add_own_settings (Reader *self)
{
  static const char *const in_home[] = { ".gitconfig", ".hgrc", ".jjconfig.toml" };
  static const char *const in_config[] = { "git/config",         "hg/hgrc",
                                           "jj/config.toml",     "jj/conf.d/",
                                           "breezy/breezy.conf", "breezy/locations.conf" };

  for (guint i = 0; i < G_N_ELEMENTS (in_home); i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), in_home[i], NULL);

      add_name (self, path, FALSE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (in_config); i++)
    {
      g_autofree char *path = g_build_filename (g_get_user_config_dir (), in_config[i], NULL);

      add_name (self, path, g_str_has_suffix (path, "/"));
    }
}

/**
 * _gadget_git_list_names:
 * @workspace: canonical path
 * @places: the repositories
 * @is_new: a command created these repositories, so that their configurations, which were checked,
 *   name no file. Then only what they would run because of the user's own settings is listed, as
 *   far as it is a path
 *
 * Returns: (transfer full) (element-type GadgetGitName): the files that the configurations of these
 *   repositories, and of those that contain the workspace, name
 */
GPtrArray *
_gadget_git_list_names (const char *workspace, const GadgetGitPlaces *places, gboolean is_new)
{
  Reader reader = { .names = _gadget_git_names_new (), .is_new = is_new };

  reader.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < places->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (places->list, i);
      g_autofree char *path = g_build_filename (workspace, place->path, NULL);

      read_place (&reader, path, place->type);
    }
  for (guint i = 0; i < places->others->len; i++)
    {
      g_autofree char *path =
          g_build_filename (workspace, g_ptr_array_index (places->others, i), NULL);

      read_other_place (&reader, path);
    }
  if (!is_new)
    {
      add_own_settings (&reader);
      read_above (&reader, workspace);
    }
  g_hash_table_unref (reader.known);
  g_hash_table_unref (reader.read);
  g_hash_table_unref (reader.texts);
  return reader.names;
}
