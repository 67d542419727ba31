/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Protects the files of the workspace that a configuration names (see gadget-sandbox-git-names.c):
 * each that exists is mounted read-only for a command. But the folders that contain it can be
 * moved, and files that do not exist can be created. So after the command the files are checked to
 * which the names lead then: a file that is not in its earlier state, and is not the mounted file,
 * is set aside as NAME.from-command. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_MOUNTS 64
#define MAX_LINKS 32

/* The hooks of githooks(5). */
static const char *const hooks[] = {
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "commit-msg",
  "prepare-commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "pre-receive",
  "update",
  "proc-receive",
  "post-receive",
  "post-update",
  "push-to-checkout",
  "reference-transaction",
  "pre-auto-gc",
  "post-rewrite",
  "sendemail-validate",
  "fsmonitor-watchman",
  "post-index-change",
  "p4-changelist",
  "p4-prepare-changelist",
  "p4-post-changelist",
  "p4-pre-submit",
};

/* The file that a name leads to, or a link on the way there. */
typedef struct
{
  char *path;  /* below the workspace, without links on its way */
  mode_t type; /* 0 for nothing */
  gboolean whole;
  gboolean mounted;
  char *state; /* "" for nothing */
  char *way;   /* (nullable): the folders that lead to a mounted target */
} Target;

struct _GadgetGitNamedFiles
{
  char *workspace;
  GPtrArray *names;    /* (element-type GadgetGitName) */
  GHashTable *targets; /* (element-type utf8 Target): by path */
  GHashTable *states;  /* (element-type utf8) (unowned): the states of TARGETS */
};

static void
target_free (gpointer data)
{
  Target *target = data;

  g_free (target->path);
  g_free (target->state);
  g_free (target->way);
  g_free (target);
}

static GHashTable *
new_targets (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, target_free);
}

/* --- Where a name leads ------------------------------------------------------------------------
 */

static void
add_target (const char *workspace, const char *path, mode_t type, gboolean whole,
            GHashTable *targets)
{
  Target *target;
  const char *below = path + strlen (workspace);

  if (!gadget_path_is_within (path, workspace) || *below == '\0')
    return;
  target = g_hash_table_lookup (targets, below + 1);
  if (target != NULL)
    {
      target->whole = target->whole || whole;
      return;
    }
  target = g_new0 (Target, 1);
  target->path = g_strdup (below + 1);
  target->type = type;
  target->whole = whole;
  g_hash_table_insert (targets, target->path, target);
}

static void
add_end (const char *workspace, const char *path, mode_t type, gboolean whole, GHashTable *targets)
{
  if (type == S_IFDIR && !whole)
    return;
  if (!whole || !gadget_path_is_within (workspace, path))
    {
      add_target (workspace, path, type, whole, targets);
      return;
    }
  /* The folder contains the workspace: only the hooks that git looks for in it count, not all
   * files. */
  for (guint i = 0; i < G_N_ELEMENTS (hooks); i++)
    {
      g_autofree char *hook = g_build_filename (path, hooks[i], NULL);

      add_target (workspace, hook, _gadget_git_get_type (hook, NULL), FALSE, targets);
    }
}

/* Follows a name as the kernel does: a component before ".." may be a link. */
static void
trace (const char *workspace, const GadgetGitName *name, GHashTable *targets)
{
  g_autofree char *rest = g_strdup (name->path);
  g_autofree char *at = g_strdup ("/");
  mode_t type = S_IFDIR;
  guint n_links = 0;

  while (*rest != '\0')
    {
      const gsize length = strcspn (rest, "/");
      g_autofree char *part = g_strndup (rest, length);
      g_autofree char *behind = g_strdup (rest + length + strspn (rest + length, "/"));
      g_autofree char *next =
          g_str_equal (part, "..") ? g_path_get_dirname (at) : g_build_filename (at, part, NULL);
      g_autofree char *target = NULL;

      g_set_str (&rest, behind);
      if (*part == '\0' || g_str_equal (part, "."))
        continue;
      type = _gadget_git_get_type (next, NULL);
      if (type == S_IFLNK)
        {
          target = g_file_read_link (next, NULL);
          add_target (workspace, next, S_IFLNK, FALSE, targets);
          if (target == NULL || ++n_links > MAX_LINKS)
            return;
          g_free (rest);
          rest = g_strconcat (target, "/", behind, NULL);
          if (g_path_is_absolute (target))
            g_set_str (&at, "/");
          continue;
        }
      if (type == 0)
        {
          g_autofree char *missing = g_build_filename (next, rest, NULL);
          g_autofree char *path = g_canonicalize_filename (missing, "/");

          add_end (workspace, path, 0, name->whole, targets);
          return;
        }
      g_set_str (&at, next);
    }
  add_end (workspace, at, type, name->whole, targets);
}

/* --- What is there -----------------------------------------------------------------------------
 */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

/* Returns (transfer full) (nullable) (element-type utf8) the sorted names in a folder; NULL if it
 * cannot be listed. */
static GPtrArray *
list_folder (const char *folder)
{
  GPtrArray *names;
  g_autoptr (GDir) dir = _gadget_git_open_dir (folder);
  const char *name;

  if (dir == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort_values (names, compare_names);
  return names;
}

static void
append_state_of (GString *text, const char *path, GHashTable *sums)
{
  g_autofree char *parent = g_path_get_dirname (path);

  _gadget_git_append_state (text, parent, strrchr (path, '/') + 1, sums);
}

/* There is no limit: files that are left out could be changed. */
static void
append_tree (GString *text, const char *folder, GHashTable *sums)
{
  g_autoptr (GPtrArray) names = list_folder (folder);

  if (names == NULL)
    append_state_of (text, folder, sums);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (_gadget_git_get_type (path, NULL) == S_IFDIR)
        append_tree (text, path, sums);
      else
        _gadget_git_append_state (text, folder, name, sums);
    }
}

/* Describes the folders that lead to a target. If these are the same, a mounted target is
 * unchanged: only the user can have written to it. */
static char *
describe_way (const char *workspace, const Target *target)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) parts = g_strsplit (target->path, "/", -1);
  g_autofree char *folder = g_strdup (workspace);

  for (guint i = 0; parts[i + 1] != NULL; i++)
    {
      g_autofree char *next = g_build_filename (folder, parts[i], NULL);
      GStatBuf info;

      if (g_lstat (next, &info) == 0)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                                (guint64) info.st_dev, (guint64) info.st_ino);
      g_set_str (&folder, next);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static char *
describe (const char *workspace, const Target *target, const char *before)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) sums = _gadget_git_find_sums (before);
  g_autofree char *path = g_build_filename (workspace, target->path, NULL);

  if (target->type == S_IFDIR)
    append_tree (text, path, sums);
  else
    append_state_of (text, path, sums);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Returns (transfer container) (element-type Target) the targets, the outer ones first. */
static GPtrArray *
sort_targets (GHashTable *targets)
{
  g_autoptr (GPtrArray) paths = g_hash_table_get_keys_as_ptr_array (targets);
  GPtrArray *sorted = g_ptr_array_new ();

  g_ptr_array_sort_values (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (sorted, g_hash_table_lookup (targets, g_ptr_array_index (paths, i)));
  return sorted;
}

/* --- Before ------------------------------------------------------------------------------------
 */

static GHashTable *
trace_all (const char *workspace, GPtrArray *names)
{
  GHashTable *targets = new_targets ();

  for (guint i = 0; i < names->len; i++)
    trace (workspace, g_ptr_array_index (names, i), targets);
  return targets;
}

static void
note_states (GadgetGitNamedFiles *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->targets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_hash_table_add (self->states, ((Target *) value)->state);
}

GadgetGitNamedFiles *
_gadget_git_named_new (const char *workspace, const GadgetGitPlaces *places)
{
  GadgetGitNamedFiles *self = g_new0 (GadgetGitNamedFiles, 1);
  GHashTableIter iter;
  gpointer value;

  self->workspace = g_strdup (workspace);
  self->names = _gadget_git_list_names (workspace, places, FALSE);
  self->targets = trace_all (workspace, self->names);
  self->states = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_iter_init (&iter, self->targets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((Target *) value)->state = describe (workspace, value, NULL);
  note_states (self);
  return self;
}

GVariant *
_gadget_git_named_save (const GadgetGitNamedFiles *self)
{
  GVariantBuilder names = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ayb)"));
  GVariantBuilder targets = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ayubbaymay)"));
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < self->names->len; i++)
    {
      const GadgetGitName *name = g_ptr_array_index (self->names, i);

      g_variant_builder_add (&names, "(^ayb)", name->path, name->whole);
    }
  g_hash_table_iter_init (&iter, self->targets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Target *target = value;

      g_variant_builder_add (&targets, "(^ayubb^aym^ay)", target->path, (guint32) target->type,
                             target->whole, target->mounted, target->state, target->way);
    }
  return g_variant_new (GADGET_GIT_NAMED_TYPE, &names, &targets);
}

static void
load_target (GadgetGitNamedFiles *self, GVariant *state)
{
  Target *target = g_new0 (Target, 1);
  guint32 type;

  g_variant_get (state, "(^ayubb^aym^ay)", &target->path, &type, &target->whole, &target->mounted,
                 &target->state, &target->way);
  target->type = type;
  g_hash_table_replace (self->targets, target->path, target);
}

GadgetGitNamedFiles *
_gadget_git_named_load (const char *workspace, GVariant *state)
{
  GadgetGitNamedFiles *self = g_new0 (GadgetGitNamedFiles, 1);
  g_autoptr (GVariant) names = g_variant_get_child_value (state, 0);
  g_autoptr (GVariant) targets = g_variant_get_child_value (state, 1);

  self->workspace = g_strdup (workspace);
  self->names = _gadget_git_names_new ();
  self->targets = new_targets ();
  self->states = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; i < g_variant_n_children (names); i++)
    {
      g_autofree char *path = NULL;
      gboolean whole;

      g_variant_get_child (names, i, "(^ayb)", &path, &whole);
      _gadget_git_names_add (self->names, path, whole);
    }
  for (gsize i = 0; i < g_variant_n_children (targets); i++)
    {
      g_autoptr (GVariant) target = g_variant_get_child_value (targets, i);

      load_target (self, target);
    }
  note_states (self);
  return self;
}

void
_gadget_git_named_free (GadgetGitNamedFiles *self)
{
  g_free (self->workspace);
  g_ptr_array_unref (self->names);
  g_hash_table_unref (self->states);
  g_hash_table_unref (self->targets);
  g_free (self);
}

static gboolean
mount_target (GadgetGitNamedFiles *self, const Target *target, GadgetGitFunc mount,
              gpointer user_data)
{
  g_autofree char *path = g_build_filename (self->workspace, target->path, NULL);
  g_autofd int fd = _gadget_git_open (self->workspace, target->path);
  const gboolean near = strchr (target->path, '/') == NULL;
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0 || (info.st_mode & S_IFMT) != target->type)
    return FALSE;
  mount (path, near ? -1 : g_steal_fd (&fd), TRUE, user_data);
  return TRUE;
}

void
_gadget_git_named_protect (GadgetGitNamedFiles *self, GadgetGitFunc mount, gpointer user_data)
{
  g_autoptr (GPtrArray) sorted = sort_targets (self->targets);
  const Target *outer = NULL;
  guint n_mounts = 0;

  for (guint i = 0; i < sorted->len && n_mounts < MAX_MOUNTS; i++)
    {
      Target *target = g_ptr_array_index (sorted, i);

      if (outer != NULL && gadget_path_is_within (target->path, outer->path))
        target->mounted = TRUE;
      else if (target->type == S_IFREG || target->type == S_IFDIR)
        {
          target->mounted = mount_target (self, target, mount, user_data);
          n_mounts += target->mounted;
          if (target->mounted && target->whole)
            outer = target;
        }
      if (target->mounted)
        target->way = describe_way (self->workspace, target);
    }
}

/* --- After -------------------------------------------------------------------------------------
 */

/* Returns whether TARGET is in its earlier state, or in that of a target of the same name whose
 * folder was moved. */
static gboolean
is_same (GadgetGitNamedFiles *self, const Target *target)
{
  const Target *before = g_hash_table_lookup (self->targets, target->path);
  g_autofree char *now = NULL;

  if (before != NULL && before->mounted && before->type == target->type
      && !_gadget_git_has_other_name (before->state))
    {
      g_autofree char *way = describe_way (self->workspace, target);

      if (g_str_equal (way, before->way))
        return TRUE;
    }
  now = describe (self->workspace, target, before != NULL ? before->state : NULL);
  return g_hash_table_contains (self->states, now)
         && (*now != '\0' || (before != NULL && before->type == target->type));
}

/* Returns -1 if it is not a regular file. */
static int
open_file (const char *path, struct stat *info)
{
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY | O_NONBLOCK);

  return fd >= 0 && fstat (fd, info) == 0 && S_ISREG (info->st_mode) ? g_steal_fd (&fd) : -1;
}

/* The files are read and not mapped, since other commands may write to them meanwhile. */
static gboolean
have_same_content (int fd, int other)
{
  char block[16384];
  char expected[sizeof block];
  gssize n;

  while ((n = read (fd, block, sizeof block)) > 0)
    for (gssize at = 0; at < n;)
      {
        const gssize n_read = read (other, expected, (gsize) (n - at));

        if (n_read <= 0 || memcmp (block + at, expected, (gsize) n_read) != 0)
          return FALSE;
        at += n_read;
      }
  return n == 0 && read (other, expected, 1) == 0;
}

static gboolean
is_copy_of_file (const char *path, const char *original)
{
  struct stat info;
  struct stat known;
  g_autofd int fd = open_file (path, &info);
  g_autofd int other = open_file (original, &known);

  return fd >= 0 && other >= 0 && info.st_mode == known.st_mode && info.st_size == known.st_size
         && have_same_content (fd, other);
}

/* Returns whether everything in PATH is the same in ORIGINAL. A folder at PATH may lack files of
 * ORIGINAL. */
static gboolean
is_copy_of (const char *path, const char *original)
{
  g_autoptr (GPtrArray) names = NULL;

  if (_gadget_git_get_type (path, NULL) != S_IFDIR)
    return is_copy_of_file (path, original);
  names = list_folder (path);
  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *below = g_build_filename (path, g_ptr_array_index (names, i), NULL);
      g_autofree char *other = g_build_filename (original, g_ptr_array_index (names, i), NULL);

      if (!is_copy_of (below, other))
        return FALSE;
    }
  return gadget_git_get_fd_shortage () == 0;
}

/* Returns whether TARGET is a copy of an unchanged target with the same name: a worktree gets the
 * same programs and hooks that the repository has. */
static gboolean
is_copy (GadgetGitNamedFiles *self, const Target *target)
{
  g_autofree char *name = g_path_get_basename (target->path);
  g_autofree char *path = g_build_filename (self->workspace, target->path, NULL);
  GHashTableIter iter;
  gpointer value;

  if (target->type != S_IFREG && target->type != S_IFDIR)
    return FALSE;
  g_hash_table_iter_init (&iter, self->targets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Target *known = value;
      g_autofree char *known_name = g_path_get_basename (known->path);
      g_autofree char *original = g_build_filename (self->workspace, known->path, NULL);

      if (known->type == target->type && g_str_equal (known_name, name) && is_same (self, known)
          && is_copy_of (path, original))
        return TRUE;
    }
  return FALSE;
}

static gboolean
set_aside (GadgetGitNamedFiles *self, const Target *target)
{
  g_autofree char *parent = g_path_get_dirname (target->path);
  g_autofree char *name = g_path_get_basename (target->path);
  g_autofd int fd = _gadget_git_open (self->workspace, g_str_equal (parent, ".") ? "" : parent);

  return fd >= 0 && _gadget_git_set_aside (fd, name);
}

/* Adds the files that repositories would run which the command created or moved. */
static void
add_places (GadgetGitNamedFiles *self, const GadgetGitPlaces *places, gboolean made)
{
  g_autoptr (GPtrArray) names = _gadget_git_list_names (self->workspace, places, made);

  g_ptr_array_set_free_func (names, NULL);
  g_ptr_array_extend_and_steal (self->names, g_steal_pointer (&names));
}

/* Returns whether a file, or anything in a folder, was changed since BEGUN. */
static gboolean
is_changed_since (const char *path, mode_t type, const struct timespec *begun)
{
  g_autoptr (GPtrArray) names = NULL;

  if (_gadget_git_changed_since (path, begun))
    return TRUE;
  names = type == S_IFDIR ? list_folder (path) : NULL;
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      g_autofree char *below = g_build_filename (path, g_ptr_array_index (names, i), NULL);

      if (is_changed_since (below, _gadget_git_get_type (below, NULL), begun))
        return TRUE;
    }
  return FALSE;
}

static void
check_target (GadgetGitNamedFiles *self, const Target *target, gboolean changed,
              GadgetGitFoundFunc found, gpointer user_data)
{
  if (target->type != 0 && changed && gadget_git_get_fd_shortage () == 0
      && set_aside (self, target))
    found (target->path, user_data);
}

void
_gadget_git_named_check (GadgetGitNamedFiles *self, const GadgetGitPlaces *made,
                         const GadgetGitPlaces *moved, GadgetGitFoundFunc found, gpointer user_data)
{
  g_autoptr (GHashTable) targets = NULL;
  g_autoptr (GPtrArray) sorted = NULL;

  add_places (self, made, TRUE);
  if (moved->list->len + moved->others->len > 0)
    add_places (self, moved, FALSE);
  targets = trace_all (self->workspace, self->names);
  sorted = sort_targets (targets);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Target *target = g_ptr_array_index (sorted, i);

      check_target (self, target, !is_same (self, target) && !is_copy (self, target), found,
                    user_data);
    }
}

void
_gadget_git_named_check_unknown (GadgetGitNamedFiles *self, const GadgetGitPlaces *places,
                                 const struct timespec *begun, GadgetGitFoundFunc found,
                                 gpointer user_data)
{
  g_autoptr (GPtrArray) names = _gadget_git_list_names (self->workspace, places, FALSE);
  g_autoptr (GHashTable) targets = trace_all (self->workspace, names);
  g_autoptr (GPtrArray) sorted = sort_targets (targets);

  for (guint i = 0; i < sorted->len; i++)
    {
      const Target *target = g_ptr_array_index (sorted, i);
      g_autofree char *path = g_build_filename (self->workspace, target->path, NULL);

      if (!g_hash_table_contains (self->targets, target->path))
        check_target (self, target, is_changed_since (path, target->type, begun), found, user_data);
    }
}

/* Returns whether a path below the workspace belongs to the repository that the workspace itself
 * may be, see gitrepository-layout(5). */
static gboolean
is_part_of_repository (const char *below)
{
  static const char *const parts[] = {
    "HEAD",    "config",    "config.worktree", "commondir",    "hooks",     "remotes",
    "modules", "worktrees", "rebase-merge",    "rebase-apply", "sequencer", "branches",
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (gadget_path_is_within (below, parts[i]))
      return TRUE;
  return FALSE;
}

/* Returns whether PATH is in a repository, whatever its folder is called. */
static gboolean
is_in_repository (const char *workspace, const GadgetGitPlaces *places, const char *path)
{
  const char *below = path + strlen (workspace);

  below += strspn (below, "/");
  for (guint i = 0; i < places->list->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (places->list, i);

      if (*place->path == '\0' ? is_part_of_repository (below)
                               : gadget_path_is_within (below, place->path))
        return TRUE;
    }
  return FALSE;
}

/**
 * gadget_git_may_run_file:
 * @workspace: the folder of a chat
 * @path: a real path in it
 *
 * Finds out whether the user's version control runs the content of a file, or would if the file
 * were created: because a configuration names it, or because it is in a repository. Accesses the
 * file system: call it in a thread.
 *
 * Returns: whether it does
 */
gboolean
gadget_git_may_run_file (const char *workspace, const char *path)
{
  g_autofree char *real = _gadget_git_resolve ("/", workspace);
  g_autoptr (GadgetGitPlaces) places = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GHashTable) targets = NULL;
  GHashTableIter iter;
  gpointer value;

  if (real == NULL || !gadget_path_is_within (path, real))
    return FALSE;
  places = _gadget_git_find_around (real, path);
  if (is_in_repository (real, places, path))
    return TRUE;
  names = _gadget_git_list_names (real, places, FALSE);
  targets = trace_all (real, names);
  g_hash_table_iter_init (&iter, targets);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Target *target = value;
      g_autofree char *full = g_build_filename (real, target->path, NULL);

      if (target->whole ? gadget_path_is_within (path, full) : g_str_equal (path, full))
        return TRUE;
    }
  return FALSE;
}
