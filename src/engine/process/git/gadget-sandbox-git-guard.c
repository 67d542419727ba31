/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Checks the repositories after a command, and disarms what the command created, or changed where
 * no mount could protect it:
 *
 *   hooks lose the permission to be executed, and git reports that it ignores them;
 *   a configuration that can run something is set aside as config.from-command, and so are hooks
 *   whose folder cannot be read;
 *   files beside it with an address of a remote or branch that names a program are set aside too;
 *   a "commondir", which moves hooks and configuration elsewhere, is set aside unless it names a
 *   repository of the workspace, which is checked itself: a worktree has one;
 *   a .git that is a link is set aside as .git.from-command, and so is a file, unless it leads to a
 *   submodule's repository in the "modules" of a repository in the workspace, or to a worktree's in
 *   its "worktrees";
 *   what an unfinished rebase would run is removed from it, see gadget-sandbox-git-rebase-todo.c;
 *   files of the workspace that a configuration names are set aside, see
 *   gadget-sandbox-git-named.c.
 *
 * All of this is reported. What existed before is left alone, also under another path. What a mount
 * protected is not checked again, except further down, where a folder on the way to it may have
 * been moved. A .git that leads elsewhere than before, because something on its way was changed, is
 * not in its earlier state. If there were too many folders to search all before the command, a
 * repository that is not known counts as new if the file system says that it was created since; and
 * of one that is not new, those parts count as changed that the file system says were changed
 * since. Everything is done through descriptors of the folders that were examined, since another
 * command in the workspace may run. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-guard-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <time.h>
#include <unistd.h>

static int
open_below (GadgetGitGuard *self, const char *folder)
{
  g_autofd int fd = _gadget_git_open (self->workspace, g_str_equal (folder, ".") ? "" : folder);
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISDIR (info.st_mode))
    return -1;
  return g_steal_fd (&fd);
}

/* Opens the folder that contains the parts of the place; for a file or link, the folder that
 * contains it. */
static int
open_folder (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  g_autofree char *folder =
      place->type == S_IFDIR ? g_strdup (place->path) : g_path_get_dirname (place->path);

  return open_below (self, folder);
}

/* Opens the folder that contains PATH. */
static int
open_parent (GadgetGitGuard *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return open_below (self, folder);
}

/* --- Before ------------------------------------------------------------------------------------
 */

static void
note_place (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  g_autofd int fd = open_folder (self, place);
  g_autofree char *base = _gadget_git_dup_base (fd);
  GadgetGitState *known = fd >= 0 ? _gadget_git_state_new (place, base) : NULL;

  if (known == NULL)
    return;
  g_hash_table_insert (self->known, g_strdup (place->path), known);
  g_hash_table_insert (self->before, known->identity, known);
}

static void
note_other (GadgetGitGuard *self, char *path)
{
  g_autofd int fd = open_parent (self, path);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autofree char *name = g_path_get_basename (path);
  char *identity = fd >= 0 ? _gadget_git_identify (base, name) : NULL;

  g_hash_table_add (self->others, path);
  if (identity != NULL)
    g_hash_table_add (self->others_before, identity);
}

static void
free_state (gpointer state)
{
  _gadget_git_state_free (state);
}

GadgetGitGuard *
_gadget_git_guard_new_empty (void)
{
  GadgetGitGuard *self = g_new0 (GadgetGitGuard, 1);

  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_state);
  self->before = g_hash_table_new (g_str_hash, g_str_equal);
  self->looked_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->others = g_hash_table_new (g_str_hash, g_str_equal);
  self->others_before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/**
 * gadget_git_guard_new:
 * @workspace: canonical path
 *
 * Searches the workspace for repositories, and notes their state.
 *
 * Returns: (transfer full): the guard
 */
GadgetGitGuard *
gadget_git_guard_new (const char *workspace)
{
  GadgetGitGuard *self = _gadget_git_guard_new_empty ();

  self->workspace = g_strdup (workspace);
  self->places = _gadget_git_find_before (workspace);
  self->named = _gadget_git_named_new (workspace, self->places);
  clock_gettime (CLOCK_REALTIME_COARSE, &self->begun);
  for (guint i = 0; i < self->places->list->len; i++)
    note_place (self, g_ptr_array_index (self->places->list, i));
  for (guint i = 0; i < self->places->others->len; i++)
    note_other (self, g_ptr_array_index (self->places->others, i));
  return self;
}

/* Releases what is only needed until the check. */
static void
end (GadgetGitGuard *self)
{
  g_clear_pointer (&self->note, _gadget_git_note_free);
  if (self->held != NULL)
    self->destroy_held (g_steal_pointer (&self->held));
}

void
gadget_git_guard_hold (GadgetGitGuard *self, gpointer held, GDestroyNotify destroy)
{
  self->held = held;
  self->destroy_held = destroy;
}

/* gadget_git_guard_free: removes the note of the guard from the disk, destroys what
 * gadget_git_guard_hold () took, and frees the guard. Nothing is checked. Blocks. */
void
gadget_git_guard_free (GadgetGitGuard *self)
{
  end (self);
  g_free (self->found);
  g_free (self->workspace);
  g_hash_table_unref (self->others);
  g_hash_table_unref (self->others_before);
  g_hash_table_unref (self->looked_at);
  _gadget_git_places_free (self->places);
  _gadget_git_named_free (self->named);
  g_hash_table_unref (self->before);
  g_hash_table_unref (self->known);
  g_free (self);
}

/* Notes which parts of a place directly in the workspace are protected by a mount. */
static void
note_kept (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  GadgetGitState *known = g_hash_table_lookup (self->known, place->path);
  g_autofree char *path = g_build_filename (self->workspace, place->path, NULL);

  for (guint i = 0; known != NULL && i < GADGET_GIT_N_PARTS; i++)
    known->kept[i] = _gadget_git_get_type (path, _gadget_git_part_get_name (i))
                         == (mode_t) (i == GADGET_GIT_PART_HOOKS ? S_IFDIR : S_IFREG)
                     && !_gadget_git_has_other_name (known->parts[i]);
}

/**
 * gadget_git_guard_protect:
 * @self: the guard
 * @cancellable: (nullable): after a cancellation nothing is created in a repository any more
 * @mount: (scope call): called for each path that is to be a mount of its own
 * @user_data: for @mount
 *
 * Protects the repositories by mounts.
 */
void
gadget_git_guard_protect (GadgetGitGuard *self, GCancellable *cancellable, GadgetGitFunc mount,
                          gpointer user_data)
{
  const guint n =
      _gadget_git_protect (self->workspace, self->places, cancellable, mount, user_data);

  for (guint i = 0; i < n; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (self->places->list, i);

      if (place->type == S_IFDIR && _gadget_git_place_is_near (place))
        note_kept (self, place);
    }
  _gadget_git_named_protect (self->named, mount, user_data);
}

/* --- After -------------------------------------------------------------------------------------
 */

/* Returns whether a place was created after the command began. A folder that is a repository itself
 * may have got its parts among other files that existed before, so its last change counts. The last
 * change of a ".git" folder counts only if an earlier complete search is remembered: then an older
 * repository would be known, also by another path. Otherwise its last change may be a commit, and
 * the time of its creation counts. */
static gboolean
is_new_here (GadgetGitGuard *self, const GadgetGitPlace *place, int fd, const char *base)
{
  const gboolean is_git =
      g_str_equal (place->path, ".git") || g_str_has_suffix (place->path, "/.git");
  g_autofree char *path = g_build_filename (base, place->type == S_IFDIR ? "." : ".git", NULL);
  struct statx info = { 0 };

  if (self->places->remembered || !is_git || place->type != S_IFDIR)
    return _gadget_git_changed_since (path, &self->begun);
  if (statx (fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_BTIME, &info) != 0
      || (info.stx_mask & STATX_BTIME) == 0)
    return FALSE;
  return info.stx_btime.tv_sec > self->begun.tv_sec
         || (info.stx_btime.tv_sec == self->begun.tv_sec
             && (gint64) info.stx_btime.tv_nsec >= (gint64) self->begun.tv_nsec);
}

/* Returns whether a repository that is found now was not there before. It may have been, if not all
 * folders were searched before. */
static gboolean
is_new (GadgetGitGuard *self, const GadgetGitPlace *place, int fd, const char *base)
{
  return self->places->whole || g_hash_table_contains (self->known, place->path)
         || _gadget_git_place_is_near (place) || is_new_here (self, place, fd, base);
}

/* The places that were not known, or were elsewhere, before the command. */
typedef struct
{
  GadgetGitPlaces *made;    /* created by the command */
  GadgetGitPlaces *moved;   /* existed elsewhere; their configurations name other files now */
  GadgetGitPlaces *unknown; /* existed, but were not found before */
} Met;

/* Returns whether the same repository had this path before. */
static gboolean
is_where_it_was (GadgetGitGuard *self, const GadgetGitPlace *place, const char *identity)
{
  const GadgetGitState *known = g_hash_table_lookup (self->known, place->path);

  return known != NULL && g_str_equal (known->identity, identity);
}

static gboolean
disarm (GadgetGitGuard *self, const GadgetGitPlace *place, Met *met)
{
  g_autofd int fd = open_folder (self, place);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autofree char *now = fd >= 0 ? _gadget_git_identify_place (place, base) : NULL;
  const GadgetGitState *known = now != NULL ? g_hash_table_lookup (self->before, now) : NULL;

  /* If descriptors are lacking it is not known to be another repository. */
  if (now == NULL || gadget_git_get_fd_shortage () != 0)
    return FALSE;
  if (known != NULL)
    {
      if (!is_where_it_was (self, place, now))
        _gadget_git_places_add (met->moved, place->path, place->type);
      return place->type == S_IFDIR && _gadget_git_guard_disarm_repository (self, base, known);
    }
  if (!is_new (self, place, fd, base))
    {
      _gadget_git_places_add (met->unknown, place->path, place->type);
      return place->type == S_IFDIR && _gadget_git_guard_disarm_unknown (self, base);
    }
  /* The repository that a ".git" file stands for may have existed before. */
  _gadget_git_places_add (place->type == S_IFREG ? met->moved : met->made, place->path,
                          place->type);
  return place->type == S_IFDIR ? _gadget_git_guard_disarm_repository (self, base, NULL)
                                : _gadget_git_guard_set_aside (self, place, base);
}

/* Sorts PATH, a folder of another version control system or a link to one, into MET. */
static void
meet_other (GadgetGitGuard *self, const char *path, Met *met)
{
  g_autofd int fd = open_parent (self, path);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *now = g_build_filename (base, name, NULL);
  g_autofree char *identity = NULL;
  GadgetGitPlaces *places;

  if (g_hash_table_contains (self->others, path))
    return;
  identity = fd >= 0 ? _gadget_git_identify (base, name) : NULL;
  if (identity != NULL && g_hash_table_contains (self->others_before, identity))
    places = met->moved;
  else if (identity == NULL || self->places->whole || _gadget_git_changed_since (now, &self->begun))
    places = met->made;
  else
    places = met->unknown;
  g_ptr_array_add (places->others, g_strdup (path));
}

/* The report of what was found, for the user and the model. */
typedef struct
{
  GadgetGitGuard *guard;
  GString *text;
} Found;

static void
append_path (const char *path, gpointer user_data)
{
  Found *found = user_data;
  const gboolean whole = found->guard->whole_names;

  if (found->text->len > 0)
    g_string_append (found->text, ", ");
  if (whole)
    g_string_append_printf (found->text, "%s/", found->guard->workspace);
  g_string_append (found->text, *path != '\0' || whole ? path : ".");
}

static void
note_looked_at (GadgetGitGuard *self, const GadgetGitPlaces *places)
{
  g_hash_table_remove_all (self->looked_at);
  for (guint i = 0; i < places->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (places->list, i);

      if (place->type == S_IFDIR)
        g_hash_table_add (self->looked_at, g_strdup (place->path));
    }
}

/**
 * gadget_git_guard_check:
 *
 * After the command: disarms what would be run outside of the sandbox.
 *
 * Returns: (transfer full) (nullable): where something was found, for the user and the model; %NULL
 *   if nothing was
 */
char *
gadget_git_guard_check (GadgetGitGuard *self)
{
  g_autoptr (GadgetGitPlaces) places = _gadget_git_find_all (self->workspace, &self->begun);
  g_autoptr (GadgetGitPlaces) made = _gadget_git_places_new ();
  g_autoptr (GadgetGitPlaces) moved = _gadget_git_places_new ();
  g_autoptr (GadgetGitPlaces) unknown = _gadget_git_places_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  Found found = { self, text };
  Met met = { made, moved, unknown };

  if (self->found != NULL)
    g_string_append (text, self->found);
  note_looked_at (self, places);
  for (guint i = 0; i < places->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (places->list, i);

      if (disarm (self, place, &met))
        append_path (place->path, &found);
    }
  for (guint i = 0; i < places->others->len; i++)
    meet_other (self, g_ptr_array_index (places->others, i), &met);
  _gadget_git_named_check (self->named, made, moved, append_path, &found);
  if (unknown->list->len + unknown->others->len > 0)
    _gadget_git_named_check_unknown (self->named, unknown, &self->begun, append_path, &found);
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}

void
gadget_git_guard_add_found (GadgetGitGuard *self, const char *found)
{
  g_set_str (&self->found, found);
}

void
gadget_git_guard_set_whole_names (GadgetGitGuard *self, gboolean whole)
{
  self->whole_names = whole;
}

static void
free_guard (gpointer guard)
{
  gadget_git_guard_free (guard);
}

GPtrArray *
gadget_git_guards_new (void)
{
  return g_ptr_array_new_with_free_func (free_guard);
}

/**
 * gadget_git_guards_check:
 * @guards: (element-type GadgetGitGuard): the guards
 * @lacking: (out): whether there were too few file descriptors to see everything, so that the check
 *   must be repeated
 *
 * Checks all guards, see gadget_git_guard_check ().
 *
 * Returns: (transfer full) (nullable): what was found
 */
char *
gadget_git_guards_check (GPtrArray *guards, gboolean *lacking)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  gadget_git_reset_fd_shortage ();
  for (guint i = 0; i < guards->len; i++)
    {
      g_autofree char *text = gadget_git_guard_check (g_ptr_array_index (guards, i));

      if (text != NULL)
        g_strv_builder_add (found, text);
    }
  *lacking = gadget_git_get_fd_shortage () != 0;
  /* Released here rather than in gadget_git_guard_free (), since this runs in the thread. */
  for (guint i = 0; i < guards->len && !*lacking; i++)
    end (g_ptr_array_index (guards, i));
  list = g_strv_builder_end (found);
  return *list != NULL ? g_strjoinv (", ", list) : NULL;
}
