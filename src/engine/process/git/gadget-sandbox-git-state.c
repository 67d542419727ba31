/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Describes repositories: which one a place is, and the state of each part of it that can make git
 * run something. Runs in threads. */

#include "config.h"

#include "gadget-sandbox-git-guard-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The prefix of a file's checksum in its state. */
#define SUM "sha256:"

static const char *const part_names[GADGET_GIT_N_PARTS] = { "config",  "config.worktree",
                                                            "hooks",   "commondir",
                                                            "remotes", "branches" };

const char *
_gadget_git_part_get_name (GadgetGitPart part)
{
  return part_names[part];
}

gboolean
_gadget_git_part_is_folder (GadgetGitPart part)
{
  return part == GADGET_GIT_PART_HOOKS || part == GADGET_GIT_PART_REMOTES
         || part == GADGET_GIT_PART_BRANCHES;
}

/* Appends which folder PATH (nullable) leads to, independent of its name. */
static void
append_target (GString *text, const char *path)
{
  GStatBuf info;

  if (path != NULL && g_stat (path, &info) == 0)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            (guint64) info.st_dev, (guint64) info.st_ino);
}

char *
_gadget_git_identify (const char *folder, const char *name)
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

char *
_gadget_git_identify_place (const GadgetGitPlace *place, const char *base)
{
  /* The base is a link itself, so that "." must follow it. */
  return _gadget_git_identify (base, place->type == S_IFDIR ? "." : ".git");
}

/* Returns (transfer full) (nullable) a checksum of the file's content, if NAME is still the file of
 * INFO. */
static char *
sum_up (const char *folder, const char *name, const struct stat *info)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guchar buffer[16384];
  struct stat now;
  gssize n;

  if (fd < 0 || fstat (fd, &now) != 0 || now.st_ino != info->st_ino || !S_ISREG (now.st_mode))
    return NULL;
  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    g_checksum_update (sum, buffer, n);
  return n == 0 ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

gboolean
_gadget_git_has_other_name (const char *state)
{
  return strstr (state, " " SUM) != NULL;
}

/* The keys are the beginnings of the lines for files with a checksum. */
GHashTable *
_gadget_git_find_sums (const char *state)
{
  g_autoptr (GHashTable) sums = NULL;

  if (state == NULL || !_gadget_git_has_other_name (state))
    return NULL;
  sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (const char *line = state; *line != '\0'; line += strcspn (line, "\n"), line += *line == '\n')
    {
      const char *sum = g_strstr_len (line, (gssize) strcspn (line, "\n"), " " SUM);

      if (sum != NULL)
        g_hash_table_add (sums, g_strndup (line, (gsize) (sum + 1 - line)));
    }
  return g_steal_pointer (&sums);
}

/* The ctime of a file also changes when a hard link is added or removed. If the file has several,
 * others may come and go, so a checksum of the content is used instead. */
void
_gadget_git_append_state (GString *text, const char *folder, const char *name, GHashTable *sums)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *target = NULL;
  g_autofree char *start = NULL;
  g_autofree char *sum = NULL;
  GStatBuf info;

  if (g_lstat (path, &info) != 0)
    return;
  start = g_strdup_printf ("%s %o %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " ", name,
                           (guint) info.st_mode, (guint64) info.st_ino, (gint64) info.st_size);
  g_string_append (text, start);
  if (S_ISREG (info.st_mode)
      && (info.st_nlink > 1 || (sums != NULL && g_hash_table_contains (sums, start))))
    sum = sum_up (folder, name, &info);
  if (sum != NULL)
    {
      g_string_append_printf (text, SUM "%s\n", sum);
      return;
    }
  if (S_ISLNK (info.st_mode))
    target = g_file_read_link (path, NULL);
  g_string_append_printf (text, "%" G_GINT64_FORMAT ".%ld %s\n", (gint64) info.st_ctim.tv_sec,
                          info.st_ctim.tv_nsec, target != NULL ? target : "");
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

char *
_gadget_git_find_common (const char *git)
{
  g_autofree char *path = _gadget_git_read_path (git, part_names[GADGET_GIT_PART_COMMONDIR]);

  return path != NULL ? _gadget_git_resolve (git, path) : NULL;
}

char *
_gadget_git_describe_part (const char *git, GadgetGitPart part, const char *before)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) sums = _gadget_git_find_sums (before);
  g_autofree char *path = g_build_filename (git, part_names[part], NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!_gadget_git_part_is_folder (part) || _gadget_git_get_type (path, NULL) != S_IFDIR)
    {
      g_autofree char *common =
          part == GADGET_GIT_PART_COMMONDIR ? _gadget_git_find_common (git) : NULL;

      _gadget_git_append_state (text, git, part_names[part], sums);
      append_target (text, common);
      return g_string_free_and_steal (g_steal_pointer (&text));
    }
  dir = _gadget_git_open_dir (path);
  if (dir == NULL)
    _gadget_git_append_state (text, git, part_names[part], sums);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort_values (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    _gadget_git_append_state (text, path, g_ptr_array_index (names, i), sums);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/**
 * _gadget_git_state_new:
 * @place: a repository, or a file or link that stands for one
 * @base: a path of _gadget_git_dup_base () to the folder that contains @place, or its parts if
 *   @place is a folder
 *
 * Returns: (transfer full) (nullable): the state, or %NULL if nothing is there
 */
GadgetGitState *
_gadget_git_state_new (const GadgetGitPlace *place, const char *base)
{
  char *identity = _gadget_git_identify_place (place, base);
  GadgetGitState *self;

  if (identity == NULL)
    return NULL;
  self = g_new0 (GadgetGitState, 1);
  self->identity = identity;
  for (guint i = 0; i < GADGET_GIT_N_PARTS && place->type == S_IFDIR; i++)
    self->parts[i] = _gadget_git_describe_part (base, i, NULL);
  if (place->type == S_IFDIR)
    self->orders = _gadget_git_orders_new (base);
  return self;
}

void
_gadget_git_state_free (GadgetGitState *self)
{
  g_free (self->identity);
  for (guint i = 0; i < GADGET_GIT_N_PARTS; i++)
    g_free (self->parts[i]);
  g_clear_pointer (&self->orders, _gadget_git_orders_free);
  g_free (self);
}
