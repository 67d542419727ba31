/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Searches a workspace for repositories: a ".git" of any kind, and a folder that git takes for a
 * repository by its content ("bare", gitrepository-layout(5)).
 *
 * After a command all folders are searched, however many there are: a command can create as many as
 * it likes, and must not be able to hide something behind them. Before a command the user waits, so
 * the search covers the nearest folders, breadth first, the submodules, into which git itself
 * looks, and what the last complete search of this process has found. Before the first command
 * there is no such search, and this one takes longer. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-file-clock.h"
#include "common/gadget-path.h"
#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of a search for which the user waits. */
#define MAX_PLACES 256
#define MAX_FOLDERS 400
#define MAX_NAMES 10000
#define MAX_MODULES 64
#define MODULE_DEPTH 4
/* The nearest folders are searched however slow the disk is. */
#define MIN_FOLDERS 32
/* Time limits of a search before a command, for slow disks; the second one as long as no search was
 * complete yet. */
#define NEAR_MS 100
#define FIRST_MS 500
/* In bytes; a configuration with a thousand branches is smaller. */
#define MAX_TEXT (1024 * 1024)

typedef struct
{
  const char *workspace;
  GadgetGitPlaces *places;
  GHashTable *known;            /* (element-type utf8): the paths of PLACES->list */
  GHashTable *known_others;     /* (element-type utf8): the paths of PLACES->others */
  GQueue folders;               /* (element-type utf8): to be searched */
  gboolean all;                 /* without any limit */
  gboolean closed;              /* there is a folder that cannot be listed */
  gboolean left_out;            /* there may be further submodules */
  const struct timespec *begun; /* (nullable): start of the command that may have closed folders */
  int top;                      /* O_PATH descriptor of the workspace; or -1 */
  dev_t device;                 /* see _gadget_git_folder_list () */
  GHashTable *listed_before;    /* (nullable) (unowned): of the search that is remembered */
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
  gsize length;
  g_autofree char *text = fd >= 0 ? _gadget_git_read_all (fd, MAX_TEXT, &length) : NULL;

  return text != NULL && strlen (text) == length ? g_steal_pointer (&text) : NULL;
}

/* Parses the path like git does: spaces, and line ends that are not at the end, belong to it. */
static char *
dup_path (const char *text)
{
  gsize length = strlen (text);

  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    length--;
  return length > 0 ? g_strndup (text, length) : NULL;
}

char *
_gadget_git_read_path (const char *folder, const char *name)
{
  g_autofree char *text = _gadget_git_read (folder, name);

  return text != NULL ? dup_path (text) : NULL;
}

char *
_gadget_git_follow (const char *folder)
{
  g_autofree char *text = _gadget_git_read_path (folder, ".git");

  if (text == NULL || !g_str_has_prefix (text, "gitdir: "))
    return NULL;
  return _gadget_git_resolve (folder, text + strlen ("gitdir: "));
}

char *
_gadget_git_resolve (const char *base, const char *path)
{
  /* The kernel resolves the path, because a component before ".." may be a link. */
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
  g_hash_table_unref (self->listed);
  g_free (self);
}

GadgetGitPlaces *
_gadget_git_places_new (void)
{
  GadgetGitPlaces *self = g_new0 (GadgetGitPlaces, 1);

  self->list = g_ptr_array_new_with_free_func (place_free);
  self->others = g_ptr_array_new_with_free_func (g_free);
  self->listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) _gadget_git_folder_unref);
  return self;
}

void
_gadget_git_places_add (GadgetGitPlaces *self, const char *path, mode_t type)
{
  GadgetGitPlace *place = g_new0 (GadgetGitPlace, 1);

  place->path = g_strdup (path);
  place->type = type;
  g_ptr_array_add (self->list, place);
}

static char *
join (const char *folder, const char *name)
{
  return *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
}

/* Returns whether the place is new. */
static gboolean
add_place (Search *self, const char *path, mode_t type)
{
  if ((type != S_IFDIR && type != S_IFREG && type != S_IFLNK)
      || (!self->all && self->places->list->len >= MAX_PLACES)
      || !g_hash_table_add (self->known, g_strdup (path)))
    return FALSE;
  _gadget_git_places_add (self->places, path, type);
  return TRUE;
}

/* Adds a folder of another version control system, which would also follow a link in its place.
 * Returns the type of PATH. */
static mode_t
add_other (Search *self, const char *path)
{
  const mode_t type = _gadget_git_get_type (self->workspace, path);

  if ((type == S_IFDIR || type == S_IFLNK)
      && g_hash_table_add (self->known_others, g_strdup (path)))
    g_ptr_array_add (self->places->others, g_strdup (path));
  return type;
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

/* Adds the repositories of submodules, whose names may contain slashes, or of worktrees in the
 * folder at PATH. */
static void
add_modules (Search *self, const char *path, guint depth)
{
  g_autofree char *folder = g_build_filename (self->workspace, path, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (_gadget_git_get_type (folder, NULL) != S_IFDIR)
    return;
  dir = _gadget_git_open_dir (folder);
  self->left_out = self->left_out || dir == NULL;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (self->n_modules >= MAX_MODULES)
        {
          self->left_out = TRUE;
          return;
        }

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
      else if (!found || _gadget_git_get_type (full, "modules") != 0)
        self->left_out = TRUE;
    }
}

/* Adds the submodules that the index of the repository GIT names; FOLDER is its working folder. */
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

/* Returns (transfer full) (nullable) the repository that a ".git" file in PARENT names, if it is in
 * the workspace. */
static char *
follow_file (Search *self, const char *parent)
{
  g_autofree char *git = _gadget_git_follow (parent);

  return git != NULL && gadget_path_is_within (git, self->workspace) ? g_steal_pointer (&git)
                                                                     : NULL;
}

static void
push_folder (Search *self, const char *path)
{
  g_autofree char *full = g_build_filename (self->workspace, path, NULL);

  if (_gadget_git_get_type (full, NULL) == S_IFDIR)
    g_queue_push_tail (&self->folders, g_strdup (path));
}

/* PATH is that of a ".git". */
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
      g_autofree char *worktrees = join (path, "worktrees");

      add_modules (self, modules, MODULE_DEPTH);
      add_modules (self, worktrees, 0);
      /* The name of a submodule may contain any number of slashes. */
      if (self->all)
        {
          push_folder (self, modules);
          push_folder (self, worktrees);
        }
      git = g_steal_pointer (&full);
    }
  else if (type == S_IFREG)
    git = follow_file (self, parent);
  if (git != NULL)
    add_submodules (self, git, folder);
}

static void
look_at_repository (Search *self, const char *path)
{
  g_autofree char *git = join (path, ".git");
  g_autofree char *full = g_build_filename (self->workspace, path, NULL);

  add_git (self, git);
  if (is_repository (full))
    add_place (self, path, S_IFDIR);
}

/* Queues the folders in it behind all that are queued already. */
static void
add_folders (Search *self, const char *path, const GadgetGitFolder *folder)
{
  const char *end = folder->below->str + folder->below->len;

  for (const char *name = folder->below->str; name < end; name += strlen (name) + 1)
    {
      g_autofree char *below = join (path, name);

      if (!_gadget_git_is_other (name) || add_other (self, below) != S_IFLNK)
        g_queue_push_tail (&self->folders, g_steal_pointer (&below));
    }
}

/* Returns (transfer full) the content of the folder, listed now or by an earlier search. */
static GadgetGitFolder *
list_folder (Search *self, const char *path)
{
  GadgetGitFolder *known =
      self->listed_before != NULL ? g_hash_table_lookup (self->listed_before, path) : NULL;
  const guint max_names = self->all ? G_MAXUINT : MAX_NAMES - MIN (self->n_names, MAX_NAMES);

  if (known != NULL && _gadget_git_folder_is_same (known, self->top, path))
    return g_atomic_rc_box_acquire (known);
  return _gadget_git_folder_list (self->top, path, self->begun, self->device, max_names);
}

static void
look_at_next (Search *self)
{
  g_autofree char *path = g_queue_pop_head (&self->folders);
  g_autoptr (GadgetGitFolder) folder = list_folder (self, path);

  _gadget_git_note_step ();
  self->n_folders++;
  self->n_names += folder->n_names;
  self->closed = self->closed || folder->closed;
  if (folder->may_be_repository)
    look_at_repository (self, path);
  add_folders (self, path, folder);
  if (folder->lasts)
    g_hash_table_insert (self->places->listed, g_steal_pointer (&path), g_steal_pointer (&folder));
}

static Search *
search_new (const char *workspace, const GadgetGitPlaces *remembered)
{
  Search *self = g_new0 (Search, 1);
  struct stat info;

  self->workspace = workspace;
  self->top = _gadget_git_open_at (AT_FDCWD, workspace, O_PATH | O_DIRECTORY);
  if (self->top >= 0 && fstat (self->top, &info) == 0 && gadget_file_clock_is_own (self->top))
    self->device = info.st_dev;
  self->listed_before = remembered != NULL ? remembered->listed : NULL;
  self->places = _gadget_git_places_new ();
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->known_others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->folders);
  g_queue_push_tail (&self->folders, g_strdup (""));
  return self;
}

static GadgetGitPlaces *
search_end (Search *self)
{
  GadgetGitPlaces *places = self->places;

  g_clear_fd (&self->top, NULL);
  g_queue_clear_full (&self->folders, g_free);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->known_others);
  g_free (self);
  return places;
}

static void
add_remembered (Search *self, const GadgetGitPlaces *remembered)
{
  self->all = TRUE;
  self->places->remembered = TRUE;
  for (guint i = 0; i < remembered->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (remembered->list, i);
      g_autofree char *full = g_build_filename (self->workspace, place->path, NULL);

      add_place (self, place->path, _gadget_git_get_type (full, NULL));
    }
  for (guint i = 0; i < remembered->others->len; i++)
    add_other (self, g_ptr_array_index (remembered->others, i));
}

/* If files could not be opened the search is not complete, and nothing is remembered. */
static void
remember (Search *self)
{
  if (gadget_git_get_fd_shortage () == 0)
    _gadget_git_remember (self->workspace, self->places);
}

static void
search_near (Search *self, const GadgetGitPlaces *remembered, guint limit_ms)
{
  const gint64 end = g_get_monotonic_time () + limit_ms * G_TIME_SPAN_MILLISECOND;

  while (!g_queue_is_empty (&self->folders) && (self->all || self->n_folders < MAX_FOLDERS)
         && (self->n_folders < MIN_FOLDERS || g_get_monotonic_time () < end))
    look_at_next (self);
  self->places->whole = g_queue_is_empty (&self->folders) && !self->closed
                        && (self->all
                            || (self->n_names < MAX_NAMES && self->places->list->len < MAX_PLACES
                                && !self->left_out));
  if (self->places->whole)
    remember (self);
  else if (remembered != NULL)
    add_remembered (self, remembered);
}

/**
 * _gadget_git_find_before:
 * @workspace: canonical path
 *
 * Finds the nearest repositories, and those that are remembered, within a limited time.
 *
 * Returns: (transfer full): the repositories
 */
GadgetGitPlaces *
_gadget_git_find_before (const char *workspace)
{
  g_autoptr (GadgetGitPlaces) remembered = _gadget_git_dup_remembered (workspace);
  Search *search = search_new (workspace, remembered);

  search->all = remembered == NULL;
  search_near (search, remembered, remembered != NULL ? NEAR_MS : FIRST_MS);
  return search_end (search);
}

/* FULL is the workspace or a folder below it. */
static void
look_around (Search *self, const char *full)
{
  const char *below = full + strlen (self->workspace);
  const char *name;

  below += *below == '/';
  look_at_repository (self, below);
  for (guint i = 0; (name = _gadget_git_get_other (i)) != NULL; i++)
    {
      g_autofree char *path = join (below, name);

      add_other (self, path);
    }
}

/* Returns (transfer full) the parent of PATH, and frees PATH. */
static char *
go_up (char *path)
{
  char *parent = g_path_get_dirname (path);

  g_free (path);
  return parent;
}

/**
 * _gadget_git_find_around:
 * @workspace: canonical path
 * @path: a path below it
 *
 * Like _gadget_git_find_before (), but always includes the repositories of the folders that contain
 * @path.
 *
 * Returns: (transfer full): the repositories
 */
GadgetGitPlaces *
_gadget_git_find_around (const char *workspace, const char *path)
{
  g_autoptr (GadgetGitPlaces) remembered = _gadget_git_dup_remembered (workspace);
  g_autofree char *full = g_path_get_dirname (path);
  Search *search = search_new (workspace, remembered);

  for (; gadget_path_is_within (full, workspace); full = go_up (full))
    look_around (search, full);
  search_near (search, remembered, NEAR_MS);
  return search_end (search);
}

/**
 * _gadget_git_find_all:
 * @workspace: canonical path
 * @begun: when the command began that has ended now
 *
 * Finds all repositories, however long it takes, also in folders that the command has made
 * unreadable. They are remembered for the next search.
 *
 * Returns: (transfer full): the repositories
 */
GadgetGitPlaces *
_gadget_git_find_all (const char *workspace, const struct timespec *begun)
{
  g_autoptr (GadgetGitPlaces) remembered = _gadget_git_dup_remembered (workspace);
  Search *search = search_new (workspace, remembered);

  search->begun = begun;
  search->all = search->places->whole = TRUE;
  while (!g_queue_is_empty (&search->folders))
    look_at_next (search);
  remember (search);
  return search_end (search);
}
