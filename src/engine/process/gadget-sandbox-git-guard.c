/* SPDX-License-Identifier: GPL-3.0-or-later */

/* After a command it is looked at what it made, or changed where no mount could protect it:
 *
 *   hooks lose the right to be executed, which git says when it passes one over;
 *   a configuration that can run something is set aside as config.from-command, and so are hooks
 *   whose folder cannot be read;
 *   a "commondir" is set aside, which moves hooks and configuration elsewhere, unless that is a
 *   repository of the workspace, which is looked at itself: a worktree has one;
 *   a .git that is a link, or a file that leads anywhere but to a submodule's repository in
 *   .git/modules, or to a worktree's in .git/worktrees, is set aside as .git.from-command;
 *   what a rebase under way would run is taken out of it, see gadget-sandbox-git-orders.c;
 *   what a configuration names in the workspace is set aside, see gadget-sandbox-git-named.c.
 *
 * Either is told. What was there before is left alone, also under another name; what a mount
 * protected is not looked at again, except further down, where a folder on the way to it can have
 * been moved. A .git that leads elsewhere than before, since something on its way was changed, is
 * not what it was. Where there were more folders than could be looked at before, what is not known
 * counts as new if the file system says that it was made since, and of what is not new as changed
 * what the file system says was changed since. Everything is done by descriptors of the folders
 * that were looked at, since another command in the workspace may run. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"
#include "gadget-sandbox-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef enum
{
  PART_CONFIG,
  PART_CONFIG_WORKTREE,
  PART_HOOKS,
  PART_COMMONDIR,
  N_PARTS,
} Part;

static const char *const part_names[N_PARTS] = { "config", "config.worktree", "hooks",
                                                 "commondir" };

/* What a place was before. */
typedef struct
{
  char *identity;
  char *parts[N_PARTS];    /* each as it was; "" for nothing */
  gboolean kept[N_PARTS];  /* by a mount, and nobody could move it */
  GadgetGitOrders *orders; /* (nullable) */
} Known;

struct _GadgetGitGuard
{
  char *workspace;
  gboolean whole_names;
  GadgetGitPlaces *places;
  GadgetGitNamed *named;
  GHashTable *known;         /* (element-type utf8 Known): by path */
  GHashTable *before;        /* (element-type utf8 Known): by identity: one may have been moved */
  GHashTable *others;        /* (element-type utf8): paths, of the places' */
  GHashTable *others_before; /* (element-type utf8): identities of the same */
  GHashTable *looked_at;     /* (element-type utf8): paths of repositories, after the command */
  struct timespec begun;     /* by the clock of files */
  GadgetGitNote *note;       /* (nullable) */
  char *found;               /* (nullable): by somebody else, and not told yet */
  gpointer held;             /* (nullable) */
  GDestroyNotify destroy_held;
};

static void
known_free (gpointer data)
{
  Known *known = data;

  g_free (known->identity);
  for (guint i = 0; i < N_PARTS; i++)
    g_free (known->parts[i]);
  g_clear_pointer (&known->orders, _gadget_git_orders_free);
  g_free (known);
}

/* --- What is there -----------------------------------------------------------------------------
 */

/* Which folder PATH leads to, whatever its name is. */
static void
append_target (GString *text, const char *path)
{
  GStatBuf info;

  if (path != NULL && g_stat (path, &info) == 0)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            (guint64) info.st_dev, (guint64) info.st_ino);
}

/* Type, identity, what a file or link says, and where it leads: what was there before has all of
 * it. */
static char *
identify (const char *folder, const char *name)
{
  g_autoptr (GString) identity = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *target = NULL;
  GStatBuf info;

  if (g_lstat (path, &info) != 0)
    return NULL;
  if (S_ISLNK (info.st_mode))
    {
      text = g_file_read_link (path, NULL);
      target = _gadget_git_resolve (folder, name);
    }
  else if (S_ISREG (info.st_mode))
    {
      text = _gadget_git_read (folder, name);
      target = _gadget_git_follow (folder);
    }
  g_string_append_printf (identity, "%o %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s",
                          (guint) (info.st_mode & S_IFMT), (guint64) info.st_dev,
                          (guint64) info.st_ino, text != NULL ? text : "");
  append_target (identity, target);
  return g_string_free_and_steal (g_steal_pointer (&identity));
}

void
_gadget_git_append_state (GString *text, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *target = NULL;
  GStatBuf info;

  if (g_lstat (path, &info) != 0)
    return;
  if (S_ISLNK (info.st_mode))
    target = g_file_read_link (path, NULL);
  g_string_append_printf (
      text, "%s %o %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%ld %s\n", name,
      (guint) info.st_mode, (guint64) info.st_ino, (gint64) info.st_size,
      (gint64) info.st_ctim.tv_sec, info.st_ctim.tv_nsec, target != NULL ? target : "");
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

/* (nullable): the real path of the folder that "commondir" names. */
static char *
find_common (const char *git)
{
  g_autofree char *path = _gadget_git_read_path (git, part_names[PART_COMMONDIR]);

  return path != NULL ? _gadget_git_resolve (git, path) : NULL;
}

/* As it is: "" for nothing. It changes with whatever a command could do to it. */
static char *
describe_part (const char *git, Part part)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = g_build_filename (git, part_names[part], NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (part != PART_HOOKS || _gadget_git_get_type (path, NULL) != S_IFDIR)
    {
      g_autofree char *common = part == PART_COMMONDIR ? find_common (git) : NULL;

      _gadget_git_append_state (text, git, part_names[part]);
      append_target (text, common);
      return g_string_free_and_steal (g_steal_pointer (&text));
    }
  dir = _gadget_git_open_dir (path);
  if (dir == NULL)
    _gadget_git_append_state (text, git, part_names[part]);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort_values (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    _gadget_git_append_state (text, path, g_ptr_array_index (names, i));
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* The folder that its parts are in, or, of a file or link, the one that it is in itself. */
static int
open_folder (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  g_autofree char *folder =
      place->type == S_IFDIR ? g_strdup (place->path) : g_path_get_dirname (place->path);
  g_autofd int fd = _gadget_git_open (self->workspace, g_str_equal (folder, ".") ? "" : folder);
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISDIR (info.st_mode))
    return -1;
  return g_steal_fd (&fd);
}

static char *
identify_place (const GadgetGitPlace *place, const char *base)
{
  /* With a name behind it, since the base itself is a link. */
  return identify (base, place->type == S_IFDIR ? "." : ".git");
}

/* --- Before ------------------------------------------------------------------------------------
 */

static void
note_place (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  g_autofd int fd = open_folder (self, place);
  g_autofree char *base = _gadget_git_dup_base (fd);
  char *identity = fd >= 0 ? identify_place (place, base) : NULL;
  Known *known;

  if (identity == NULL)
    return;
  known = g_new0 (Known, 1);
  known->identity = identity;
  for (guint i = 0; i < N_PARTS && place->type == S_IFDIR; i++)
    known->parts[i] = describe_part (base, i);
  if (place->type == S_IFDIR)
    known->orders = _gadget_git_orders_new (base);
  g_hash_table_insert (self->known, g_strdup (place->path), known);
  g_hash_table_insert (self->before, known->identity, known);
}

static void
note_other (GadgetGitGuard *self, char *path)
{
  g_autofree char *full = g_build_filename (self->workspace, path, NULL);
  char *identity = identify (full, ".");

  g_hash_table_add (self->others, path);
  if (identity != NULL)
    g_hash_table_add (self->others_before, identity);
}

static void
make_tables (GadgetGitGuard *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, known_free);
  self->before = g_hash_table_new (g_str_hash, g_str_equal);
  self->looked_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->others = g_hash_table_new (g_str_hash, g_str_equal);
  self->others_before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * gadget_git_guard_new:
 * @workspace: canonical path
 */
GadgetGitGuard *
gadget_git_guard_new (const char *workspace)
{
  GadgetGitGuard *self = g_new0 (GadgetGitGuard, 1);

  self->workspace = g_strdup (workspace);
  self->places = _gadget_git_find_before (workspace);
  self->named = _gadget_git_named_new (workspace, self->places);
  make_tables (self);
  clock_gettime (CLOCK_REALTIME_COARSE, &self->begun);
  for (guint i = 0; i < self->places->list->len; i++)
    note_place (self, g_ptr_array_index (self->places->list, i));
  for (guint i = 0; i < self->places->others->len; i++)
    note_other (self, g_ptr_array_index (self->places->others, i));
  return self;
}

/* What is kept until it was looked at. */
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

/* What is directly in the workspace, and what a mount is made of. */
static void
note_kept (GadgetGitGuard *self, const GadgetGitPlace *place)
{
  Known *known = g_hash_table_lookup (self->known, place->path);
  g_autofree char *path = g_build_filename (self->workspace, place->path, NULL);

  for (guint i = 0; known != NULL && i < N_PARTS; i++)
    known->kept[i] = _gadget_git_get_type (path, part_names[i])
                     == (mode_t) (i == PART_HOOKS ? S_IFDIR : S_IFREG);
}

/**
 * gadget_git_guard_protect:
 * @cancellable: (nullable): after a stop nothing is made in a repository any more
 * @mount: (scope call): called for each path that is to be a mount of its own
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

/* --- On the disk -------------------------------------------------------------------------------
 */

static void
save_known (const char *path, const Known *known, GVariantBuilder *builder)
{
  GVariantBuilder parts = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aay"));
  GVariantBuilder kept = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ab"));

  for (guint i = 0; i < N_PARTS; i++)
    {
      g_variant_builder_add (&parts, "^ay", known->parts[i] != NULL ? known->parts[i] : "");
      g_variant_builder_add (&kept, "b", known->kept[i]);
    }
  g_variant_builder_add (
      builder, "(^ay^ayaayab@m" GADGET_GIT_ORDERS_TYPE ")", path, known->identity, &parts, &kept,
      g_variant_new_maybe (G_VARIANT_TYPE (GADGET_GIT_ORDERS_TYPE),
                           known->orders != NULL ? _gadget_git_orders_save (known->orders) : NULL));
}

static GVariant *
save_keys (GHashTable *table)
{
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (table, NULL);

  return g_variant_new_bytestring_array ((const char *const *) keys, -1);
}

static GVariant *
save (GadgetGitGuard *self)
{
  GVariantBuilder known =
      G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")"));
  GHashTableIter iter;
  gpointer path;
  gpointer value;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, &path, &value))
    save_known (path, value, &known);
  return g_variant_new (
      "(^aybxxbba(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")@aay@aay@" GADGET_GIT_NAMED_TYPE ")",
      self->workspace, self->whole_names, (gint64) self->begun.tv_sec, (gint64) self->begun.tv_nsec,
      self->places->whole, self->places->remembered, &known, save_keys (self->others),
      save_keys (self->others_before), _gadget_git_named_save (self->named));
}

void
gadget_git_guard_note (GadgetGitGuard *self, const char *folder)
{
  g_clear_pointer (&self->note, _gadget_git_note_free);
  self->note = _gadget_git_note_new (folder, save (self));
}

static void
load_known (GadgetGitGuard *self, GVariant *state)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GVariant) kept = NULL;
  g_autoptr (GVariant) orders = NULL;
  char *path;
  Known *known = g_new0 (Known, 1);

  g_variant_get (state, "(^ay^ay^aay@abm@" GADGET_GIT_ORDERS_TYPE ")", &path, &known->identity,
                 &parts, &kept, &orders);
  for (guint i = 0; i < MIN (N_PARTS, g_strv_length (parts)); i++)
    known->parts[i] = g_strdup (parts[i]);
  for (guint i = 0; i < MIN (N_PARTS, g_variant_n_children (kept)); i++)
    g_variant_get_child (kept, i, "b", &known->kept[i]);
  known->orders = orders != NULL ? _gadget_git_orders_load (orders) : NULL;
  g_hash_table_insert (self->known, path, known);
  g_hash_table_insert (self->before, known->identity, known);
}

static void
load_others (GadgetGitGuard *self, const char *const *others, const char *const *identities)
{
  for (guint i = 0; others[i] != NULL; i++)
    {
      char *path = g_strdup (others[i]);

      g_ptr_array_add (self->places->others, path);
      g_hash_table_add (self->others, path);
    }
  for (guint i = 0; identities[i] != NULL; i++)
    g_hash_table_add (self->others_before, g_strdup (identities[i]));
}

/* What it finds is told with whole names: nobody knows any more which folder it was. */
GadgetGitGuard *
_gadget_git_guard_load (GVariant *state)
{
  GadgetGitGuard *self;
  g_autoptr (GVariant) known = NULL;
  g_autoptr (GVariant) named = NULL;
  g_auto (GStrv) others = NULL;
  g_auto (GStrv) identities = NULL;
  gint64 seconds;
  gint64 nanoseconds;

  if (!g_variant_is_normal_form (state))
    return NULL;
  self = g_new0 (GadgetGitGuard, 1);
  self->places = _gadget_git_places_new ();
  make_tables (self);
  g_variant_get (
      state, "(^aybxxbb@a(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")^aay^aay@" GADGET_GIT_NAMED_TYPE ")",
      &self->workspace, NULL, &seconds, &nanoseconds, &self->places->whole,
      &self->places->remembered, &known, &others, &identities, &named);
  self->whole_names = TRUE;
  self->begun.tv_sec = seconds;
  self->begun.tv_nsec = nanoseconds;
  for (gsize i = 0; i < g_variant_n_children (known); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (known, i);

      load_known (self, child);
    }
  load_others (self, (const char *const *) others, (const char *const *) identities);
  self->named = _gadget_git_named_load (self->workspace, named);
  return self;
}

/* --- After -------------------------------------------------------------------------------------
 */

static gboolean
set_aside_in (const char *folder, const char *name)
{
  g_autofd int fd = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

  return fd >= 0 && _gadget_git_set_aside (fd, name);
}

/* The right is taken from the file itself, whatever has its name by then. */
static gboolean
take_right (int folder, const char *name)
{
  g_autofd int fd = _gadget_git_open_at (folder, name, O_PATH);
  g_autofree char *path = _gadget_git_dup_base (fd);
  struct stat info;

  return fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (info.st_mode & 0111) != 0
         && chmod (path, info.st_mode & 0666) == 0;
}

static guint
disarm_hooks (const char *git)
{
  g_autofree char *hooks = g_build_filename (git, "hooks", NULL);
  const mode_t type = _gadget_git_get_type (hooks, NULL);
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, hooks, O_RDONLY | O_DIRECTORY);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autoptr (GDir) dir = fd >= 0 ? _gadget_git_open_dir (base) : NULL;
  const char *name;
  guint n_disarmed = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_suffix (name, ".sample"))
        continue;
      if (_gadget_git_get_type (base, name) != S_IFREG)
        n_disarmed += _gadget_git_set_aside (fd, name) ? 1 : 0;
      else
        n_disarmed += take_right (fd, name) ? 1 : 0;
    }
  /* Hooks behind a link are where nothing could be said about them; nor can it of a folder that
   * only says what is asked for by its name. */
  if (type == S_IFLNK || (type == S_IFDIR && dir == NULL && _gadget_git_get_lacking () == 0))
    n_disarmed += set_aside_in (git, "hooks") ? 1 : 0;
  return n_disarmed;
}

static gboolean
disarm_config (GadgetGitGuard *self, const char *git, const char *name)
{
  g_autofree char *config = g_build_filename (git, name, NULL);
  g_autofree char *text = _gadget_git_read (git, name);

  if (_gadget_git_get_type (config, NULL) == 0 || _gadget_git_get_lacking () != 0
      || (text != NULL && _gadget_git_is_harmless (text, git, self->workspace)))
    return FALSE;
  return set_aside_in (git, name);
}

/* (nullable): below the workspace, if PATH, a real one, is of a repository in it that is looked at
 * by itself. */
static const char *
find_looked_at (GadgetGitGuard *self, const char *path)
{
  const char *below;

  if (path == NULL || !gadget_path_is_within (path, self->workspace))
    return NULL;
  below = path + strlen (self->workspace);
  return *below == '/' && g_hash_table_contains (self->looked_at, below + 1) ? below + 1 : NULL;
}

static gboolean
disarm_common (GadgetGitGuard *self, const char *git)
{
  g_autofree char *common = find_common (git);

  return _gadget_git_get_type (git, part_names[PART_COMMONDIR]) != 0
         && find_looked_at (self, common) == NULL && set_aside_in (git, part_names[PART_COMMONDIR]);
}

/* Returns whether there was something in it that could have been run. */
static gboolean
disarm_part (GadgetGitGuard *self, const char *git, Part part)
{
  if (part == PART_HOOKS)
    return disarm_hooks (git) > 0;
  if (part == PART_COMMONDIR)
    return disarm_common (self, git);
  return disarm_config (self, git, part_names[part]);
}

static gboolean
disarm_repository (GadgetGitGuard *self, const char *git, const Known *known)
{
  gboolean found = FALSE;

  for (guint i = 0; i < N_PARTS; i++)
    {
      g_autofree char *now = NULL;

      if (known != NULL && known->kept[i])
        continue;
      now = describe_part (git, i);
      if (*now != '\0' && (known == NULL || g_strcmp0 (now, known->parts[i]) != 0))
        found = disarm_part (self, git, i) || found;
    }
  return _gadget_git_orders_disarm (known != NULL ? known->orders : NULL, git, NULL) || found;
}

/* Submodules and worktrees have their repository in that of the whole. */
static gboolean
leads_to_part (GadgetGitGuard *self, const char *folder)
{
  g_autofree char *git = _gadget_git_follow (folder);
  const char *below = find_looked_at (self, git);

  return below != NULL
         && (strstr (below, ".git/modules/") != NULL || strstr (below, ".git/worktrees/") != NULL);
}

/* A link, of either kind, to who knows where. */
static gboolean
set_aside (GadgetGitGuard *self, const GadgetGitPlace *place, const char *folder)
{
  if (place->type == S_IFREG && leads_to_part (self, folder))
    return FALSE;
  return set_aside_in (folder, ".git");
}

/* A folder that is a repository itself may have got these parts beside what was there. The last
 * change of a repository counts when it would be known if it had been there, or in another place;
 * the last change of another repository may be a commit. */
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

/* A repository that is met now may have been there if not all folders were looked at before. */
static gboolean
is_new (GadgetGitGuard *self, const GadgetGitPlace *place, int fd, const char *base)
{
  return self->places->whole || g_hash_table_contains (self->known, place->path)
         || _gadget_git_place_is_near (place) || is_new_here (self, place, fd, base);
}

static gboolean
is_part_changed_since (GadgetGitGuard *self, const char *git, Part part)
{
  g_autofree char *path = g_build_filename (git, part_names[part], NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (_gadget_git_changed_since (path, &self->begun))
    return TRUE;
  if (part != PART_HOOKS || _gadget_git_get_type (path, NULL) != S_IFDIR)
    return FALSE;
  dir = _gadget_git_open_dir (path);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *hook = g_build_filename (path, name, NULL);

      if (_gadget_git_changed_since (hook, &self->begun))
        return TRUE;
    }
  return FALSE;
}

/* A repository of which nothing is known but that it was there. */
static gboolean
disarm_unknown (GadgetGitGuard *self, const char *git)
{
  gboolean found = FALSE;

  for (guint i = 0; i < N_PARTS; i++)
    if (is_part_changed_since (self, git, i))
      found = disarm_part (self, git, i) || found;
  return _gadget_git_orders_disarm (NULL, git, &self->begun) || found;
}

/* The places that were not known, or not there, before the command. */
typedef struct
{
  GadgetGitPlaces *made;    /* the command made these */
  GadgetGitPlaces *moved;   /* what these say was there, and names other files now */
  GadgetGitPlaces *unknown; /* these were there */
} Met;

/* Whether the same was under this name before. */
static gboolean
is_where_it_was (GadgetGitGuard *self, const GadgetGitPlace *place, const char *identity)
{
  const Known *known = g_hash_table_lookup (self->known, place->path);

  return known != NULL && g_str_equal (known->identity, identity);
}

static gboolean
disarm (GadgetGitGuard *self, const GadgetGitPlace *place, Met *met)
{
  g_autofd int fd = open_folder (self, place);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autofree char *now = fd >= 0 ? identify_place (place, base) : NULL;
  const Known *known = now != NULL ? g_hash_table_lookup (self->before, now) : NULL;

  /* What could not be opened is not known to be another one. */
  if (now == NULL || _gadget_git_get_lacking () != 0)
    return FALSE;
  if (known != NULL)
    {
      if (!is_where_it_was (self, place, now))
        _gadget_git_places_add (met->moved, place->path, place->type);
      return place->type == S_IFDIR && disarm_repository (self, base, known);
    }
  if (!is_new (self, place, fd, base))
    {
      _gadget_git_places_add (met->unknown, place->path, place->type);
      return place->type == S_IFDIR && disarm_unknown (self, base);
    }
  /* What a file stands for may have been there. */
  _gadget_git_places_add (place->type == S_IFREG ? met->moved : met->made, place->path,
                          place->type);
  return place->type == S_IFDIR ? disarm_repository (self, base, NULL)
                                : set_aside (self, place, base);
}

/* PATH is of a folder of another version control system. */
static void
meet_other (GadgetGitGuard *self, const char *path, Met *met)
{
  const GadgetGitPlace place = { (char *) path, S_IFDIR };
  g_autofd int fd = _gadget_git_open (self->workspace, path);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autofree char *identity = NULL;
  GadgetGitPlaces *places;

  if (g_hash_table_contains (self->others, path))
    return;
  identity = fd >= 0 ? identify (base, ".") : NULL;
  if (identity != NULL && g_hash_table_contains (self->others_before, identity))
    places = met->moved;
  else
    places = fd < 0 || is_new (self, &place, fd, base) ? met->made : met->unknown;
  g_ptr_array_add (places->others, g_strdup (path));
}

/* What was found, for people and models. */
typedef struct
{
  GadgetGitGuard *guard;
  GString *text;
} Found;

static void
tell (const char *path, gpointer user_data)
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
 * After the command: takes from repositories what would be run outside of the sandbox.
 *
 * Returns: (transfer full) (nullable): where something was found, for people and models; NULL when
 *   there is nothing
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
        tell (place->path, &found);
    }
  for (guint i = 0; i < places->others->len; i++)
    meet_other (self, g_ptr_array_index (places->others, i), &met);
  _gadget_git_named_check (self->named, made, moved, tell, &found);
  if (unknown->list->len + unknown->others->len > 0)
    _gadget_git_named_check_unknown (self->named, unknown, &self->begun, tell, &found);
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
 * @lacking: (out): whether there were too few descriptors to see all, so that it is to be done
 * again
 *
 * The same for all of them.
 */
char *
gadget_git_guards_check (GPtrArray *guards, gboolean *lacking)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  _gadget_git_begin_looking ();
  for (guint i = 0; i < guards->len; i++)
    {
      g_autofree char *text = gadget_git_guard_check (g_ptr_array_index (guards, i));

      if (text != NULL)
        g_strv_builder_add (found, text);
    }
  *lacking = _gadget_git_get_lacking () != 0;
  /* Here, in the thread. */
  for (guint i = 0; i < guards->len && !*lacking; i++)
    end (g_ptr_array_index (guards, i));
  list = g_strv_builder_end (found);
  return *list != NULL ? g_strjoinv (", ", list) : NULL;
}
