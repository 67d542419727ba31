/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where a workspace has repositories: a ".git" of any kind, and a folder that git takes for one by
 * what is in it ("bare", gitrepository-layout(5)). Folders are looked at breadth first, as many as
 * can be while somebody waits; what git itself looks into, submodules, is found wherever it is. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"
#include "gadget-sandbox-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PLACES 256
#define MAX_FOLDERS 400
#define MAX_NAMES 10000
#define MAX_MODULES 64
#define MODULE_DEPTH 4
/* The nearest folders are looked at however slow the disk is. */
#define MIN_FOLDERS 32
#define MAX_OTHERS 64
/* A configuration of a thousand branches is smaller. */
#define MAX_TEXT (1024 * 1024)

typedef struct
{
  const char *workspace;
  GadgetGitPlaces *places;
  GHashTable *known; /* (element-type utf8): paths of the places */
  GQueue folders;    /* (element-type utf8): still to be looked at */
  guint n_folders;
  guint n_names;
  guint n_modules;
} Search;

mode_t
_gadget_git_get_type (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf info;

  return g_lstat (path, &info) == 0 ? info.st_mode & S_IFMT : 0;
}

char *
_gadget_git_read (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  g_autofree char *text = NULL;
  struct stat info;
  gsize size;
  gsize length = 0;
  gssize n = 1;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISREG (info.st_mode) || info.st_size > MAX_TEXT)
    return NULL;
  size = (gsize) info.st_size;
  text = g_malloc (size + 1);
  while (length < size && n > 0)
    {
      n = read (fd, text + length, size - length);
      length += n > 0 ? (gsize) n : 0;
    }
  text[length] = '\0';
  return strlen (text) == length ? g_steal_pointer (&text) : NULL;
}

char *
_gadget_git_read_line (const char *folder, const char *name)
{
  char *text = _gadget_git_read (folder, name);

  if (text == NULL)
    return NULL;
  text[strcspn (text, "\r\n")] = '\0';
  return g_strchomp (text);
}

char *
_gadget_git_resolve (const char *base, const char *path)
{
  /* As the kernel does it: what comes before ".." may be a link. */
  g_autofree char *absolute =
      g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (base, path, NULL);

  return realpath (absolute, NULL);
}

static void
place_free (gpointer data)
{
  GadgetGitPlace *place = data;

  g_free (place->path);
  g_free (place);
}

void
_gadget_git_places_free (GadgetGitPlaces *self)
{
  g_ptr_array_unref (self->list);
  g_ptr_array_unref (self->others);
  g_free (self);
}

static char *
join (const char *folder, const char *name)
{
  return *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
}

/* Returns whether it is a new one. */
static gboolean
add_place (Search *self, const char *path, mode_t type)
{
  GadgetGitPlace *place;

  if ((type != S_IFDIR && type != S_IFREG && type != S_IFLNK)
      || self->places->list->len >= MAX_PLACES || g_hash_table_contains (self->known, path))
    return FALSE;
  place = g_new0 (GadgetGitPlace, 1);
  place->path = g_strdup (path);
  place->type = type;
  g_ptr_array_add (self->places->list, place);
  g_hash_table_add (self->known, place->path);
  return TRUE;
}

static gboolean
is_repository (const char *folder)
{
  return _gadget_git_get_type (folder, "HEAD") != 0
         && (_gadget_git_get_type (folder, "commondir") != 0
             || (_gadget_git_get_type (folder, "objects") != 0
                 && _gadget_git_get_type (folder, "refs") != 0));
}

static void add_git (Search *self, const char *path);

/* Of submodules git has the repositories there; their names may have slashes. */
static void
add_modules (Search *self, const char *path, guint depth)
{
  g_autofree char *folder = g_build_filename (self->workspace, path, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (_gadget_git_get_type (folder, NULL) != S_IFDIR)
    return;
  dir = _gadget_git_open_dir (folder);
  while (dir != NULL && self->n_modules < MAX_MODULES && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = join (path, name);
      g_autofree char *full = g_build_filename (folder, name, NULL);
      g_autofree char *modules = join (below, "modules");
      const gboolean found = _gadget_git_get_type (full, "HEAD") == S_IFREG;

      if (_gadget_git_get_type (full, NULL) != S_IFDIR)
        continue;
      self->n_modules += found;
      if (found)
        add_place (self, below, S_IFDIR);
      if (depth > 0)
        add_modules (self, found ? modules : below, depth - 1);
    }
}

/* What the index of the repository GIT names; FOLDER is its working folder. */
static void
add_submodules (Search *self, const char *git, const char *folder)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  _gadget_git_index_list (git, paths);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *below = join (folder, g_ptr_array_index (paths, i));
      g_autofree char *path = join (below, ".git");

      add_git (self, path);
    }
}

/* Where the repository is that a file stands for, if that is in the workspace. */
static char *
follow_file (Search *self, const char *parent)
{
  g_autofree char *line = _gadget_git_read_line (parent, ".git");
  g_autofree char *git = NULL;

  if (line == NULL || !g_str_has_prefix (line, "gitdir: "))
    return NULL;
  git = _gadget_git_resolve (parent, line + strlen ("gitdir: "));
  return git != NULL && gadget_path_is_within (git, self->workspace) ? g_steal_pointer (&git)
                                                                     : NULL;
}

/* PATH is of a ".git". */
static void
add_git (Search *self, const char *path)
{
  g_autofree char *full = g_build_filename (self->workspace, path, NULL);
  g_autofree char *parent = g_path_get_dirname (full);
  g_autofree char *git = NULL;
  g_autofree char *folder = g_strndup (path, strlen (path) - strlen (".git"));
  const mode_t type = _gadget_git_get_type (full, NULL);

  if (!add_place (self, path, type))
    return;
  if (g_str_has_suffix (folder, "/"))
    folder[strlen (folder) - 1] = '\0';
  if (type == S_IFDIR)
    {
      g_autofree char *modules = join (path, "modules");

      add_modules (self, modules, MODULE_DEPTH);
      git = g_steal_pointer (&full);
    }
  else if (type == S_IFREG)
    git = follow_file (self, parent);
  if (git != NULL)
    add_submodules (self, git, folder);
}

static gboolean
is_folder (const char *folder, const struct dirent *entry)
{
  return entry->d_type == DT_DIR
         || (entry->d_type == DT_UNKNOWN
             && _gadget_git_get_type (folder, entry->d_name) == S_IFDIR);
}

/* The folders in it come behind all that wait already. */
static void
add_folders (Search *self, const char *path, const char *full)
{
  const int fd = _gadget_git_open_at (AT_FDCWD, full, O_RDONLY | O_DIRECTORY);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;

  while (dir != NULL && self->n_names < MAX_NAMES && (entry = readdir (dir)) != NULL)
    {
      self->n_names++;
      if (!is_folder (full, entry) || strcmp (entry->d_name, ".") == 0
          || strcmp (entry->d_name, "..") == 0 || strcmp (entry->d_name, ".git") == 0)
        continue;
      g_queue_push_tail (&self->folders, join (path, entry->d_name));
      if (_gadget_git_is_other (entry->d_name) && self->places->others->len < MAX_OTHERS)
        g_ptr_array_add (self->places->others, join (path, entry->d_name));
    }
  if (dir != NULL)
    closedir (dir);
}

static void
look_at_folder (Search *self, const char *path)
{
  g_autofree char *full = g_build_filename (self->workspace, path, NULL);
  g_autofree char *git = join (path, ".git");

  add_git (self, git);
  if (is_repository (full))
    add_place (self, path, S_IFDIR);
  add_folders (self, path, full);
}

/**
 * _gadget_git_find:
 * @workspace: canonical path
 * @limit_ms: how long it may look
 */
GadgetGitPlaces *
_gadget_git_find (const char *workspace, guint limit_ms)
{
  const gint64 end = g_get_monotonic_time () + limit_ms * G_TIME_SPAN_MILLISECOND;
  GadgetGitPlaces *places = g_new0 (GadgetGitPlaces, 1);
  Search search = { .workspace = workspace, .places = places, .folders = G_QUEUE_INIT };

  places->list = g_ptr_array_new_with_free_func (place_free);
  places->others = g_ptr_array_new_with_free_func (g_free);
  search.known = g_hash_table_new (g_str_hash, g_str_equal);
  g_queue_push_tail (&search.folders, g_strdup (""));
  while (!g_queue_is_empty (&search.folders) && search.n_folders < MAX_FOLDERS
         && (search.n_folders < MIN_FOLDERS || g_get_monotonic_time () < end))
    {
      g_autofree char *path = g_queue_pop_head (&search.folders);

      search.n_folders++;
      look_at_folder (&search, path);
    }
  places->whole = g_queue_is_empty (&search.folders) && search.n_names < MAX_NAMES
                  && places->list->len < MAX_PLACES;
  g_queue_clear_full (&search.folders, g_free);
  g_hash_table_unref (search.known);
  return places;
}
