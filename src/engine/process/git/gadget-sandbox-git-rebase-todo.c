/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Checks unfinished rebases. The user's next "git rebase --continue" runs what a rebase has left to
 * do: "exec" lines in rebase-merge/git-rebase-todo, and programs that are named as the strategy of
 * a merge, both there and, for a series of picked commits, in sequencer/opts. (The other state of a
 * rebase names no program, git-rebase(1), and neither does what "git am" and "git rebase --apply"
 * keep in rebase-apply.)
 *
 * A command may legitimately start a rebase and leave it unfinished, or continue one of the user's.
 * So in a list that the command has changed, lines are removed that are neither known to be
 * harmless nor were there before, and the others stay; the whole list is set aside as
 * git-rebase-todo.from-command. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef enum
{
  LIST,
  STRATEGY,
  OPTIONS,
  N_FILES,
} File;

static const struct
{
  const char *folder;
  const char *name;
} files[N_FILES] = {
  { "rebase-merge", "git-rebase-todo" },
  { "rebase-merge", "strategy" },
  { "sequencer", "opts" },
};

/* The instructions of git's sequencer, except "exec" and "x". */
static const char *const harmless[] = {
  "pick", "p",      "revert", "edit",  "e",    "reword", "r",          "fixup",
  "f",    "squash", "s",      "break", "b",    "label",  "l",          "reset",
  "t",    "merge",  "m",      "noop",  "drop", "d",      "update-ref", "u",
};

struct _GadgetGitRebaseTodo
{
  char *states[N_FILES]; /* "" or NULL for nothing */
  char *texts[N_FILES];  /* (nullable) */
  gboolean links[N_FILES];
};

static char *
describe (const char *folder, const char *name)
{
  g_autoptr (GString) state = g_string_new (NULL);

  _gadget_git_append_state (state, folder, name, NULL);
  return g_string_free_and_steal (g_steal_pointer (&state));
}

/* Returns a descriptor of the folder, or -1 if it does not exist or is a link. */
static int
open_folder (const char *git, File file)
{
  g_autofree char *path = g_build_filename (git, files[file].folder, NULL);

  return _gadget_git_open_at (AT_FDCWD, path, O_PATH | O_DIRECTORY);
}

GadgetGitRebaseTodo *
_gadget_git_orders_new (const char *git)
{
  GadgetGitRebaseTodo *self = g_new0 (GadgetGitRebaseTodo, 1);

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofd int fd = open_folder (git, i);
      g_autofree char *folder = _gadget_git_dup_base (fd);

      if (fd < 0)
        {
          self->links[i] = _gadget_git_get_type (git, files[i].folder) == S_IFLNK;
          continue;
        }
      self->states[i] = describe (folder, files[i].name);
      self->texts[i] = _gadget_git_read (folder, files[i].name);
    }
  return self;
}

GVariant *
_gadget_git_orders_save (const GadgetGitRebaseTodo *self)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (GADGET_GIT_ORDERS_TYPE));

  for (guint i = 0; i < N_FILES; i++)
    g_variant_builder_add (&builder, "(m^aym^ayb)", self->states[i], self->texts[i],
                           self->links[i]);
  return g_variant_builder_end (&builder);
}

GadgetGitRebaseTodo *
_gadget_git_orders_load (GVariant *state)
{
  GadgetGitRebaseTodo *self = g_new0 (GadgetGitRebaseTodo, 1);

  for (guint i = 0; i < MIN (N_FILES, g_variant_n_children (state)); i++)
    g_variant_get_child (state, i, "(m^aym^ayb)", &self->states[i], &self->texts[i],
                         &self->links[i]);
  return self;
}

void
_gadget_git_orders_free (GadgetGitRebaseTodo *self)
{
  for (guint i = 0; i < N_FILES; i++)
    {
      g_free (self->states[i]);
      g_free (self->texts[i]);
    }
  g_free (self);
}

/* --- After -------------------------------------------------------------------------------------
 */

static gboolean
is_harmless (const char *line)
{
  const gsize length = strcspn (line, " \t\r");

  if (!g_ascii_isalpha (*line)) /* a comment, whatever its first character is, or an error */
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    if (length == strlen (harmless[i]) && strncmp (line, harmless[i], length) == 0)
      return TRUE;
  return FALSE;
}

/* Returns (transfer full) the lines of the list that stay. */
static char *
clean_list (const char *text, const char *before)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) old = g_strsplit (before != NULL ? before : "", "\n", -1);
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    if (is_harmless (lines[i] + strspn (lines[i], " \t"))
        || g_strv_contains ((const char *const *) old, lines[i]))
      g_strv_builder_add (left, lines[i]);
  list = g_strv_builder_end (left);
  return g_strjoinv ("\n", list);
}

/* A strategy is the end of a program's name; if it contains a path, it can be any program. */
static gboolean
names_no_program (File file, const char *text)
{
  g_autofree char *lower = g_ascii_strdown (text, -1);

  if (strchr (text, '/') == NULL)
    return TRUE;
  return file == OPTIONS && strstr (lower, "strategy") == NULL;
}

static void
write_list (const char *path, const char *text)
{
  g_autofd int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

  /* If not all of it can be written, git reports an error in the list. */
  if (fd >= 0)
    (void) !write (fd, text, strlen (text));
}

/* If it cannot be renamed it is removed: git would run it. */
static void
take_away (int folder, const char *name)
{
  if (!_gadget_git_set_aside (folder, name))
    unlinkat (folder, name, 0);
}

static gboolean
disarm (int fd, const char *folder, File file, const char *before)
{
  g_autofree char *path = g_build_filename (folder, files[file].name, NULL);
  g_autofree char *text = _gadget_git_read (folder, files[file].name);
  g_autofree char *clean = NULL;

  if (gadget_git_get_fd_shortage () != 0)
    return FALSE;
  if (text != NULL && file == LIST)
    clean = clean_list (text, before);
  if (text != NULL && (file == LIST ? g_str_equal (clean, text) : names_no_program (file, text)))
    return FALSE;
  take_away (fd, files[file].name);
  if (clean != NULL)
    write_list (path, clean);
  return TRUE;
}

static gboolean
is_changed (const GadgetGitRebaseTodo *before, const char *folder, File file,
            const struct timespec *begun)
{
  g_autofree char *state = describe (folder, files[file].name);
  g_autofree char *path = g_build_filename (folder, files[file].name, NULL);

  if (*state == '\0' || (before != NULL && g_strcmp0 (state, before->states[file]) == 0))
    return FALSE;
  return begun == NULL || _gadget_git_changed_since (path, begun);
}

/* Returns whether there was a new link in place of the folder. */
static gboolean
take_link_away (const GadgetGitRebaseTodo *before, const char *git, File file,
                const struct timespec *begun)
{
  g_autofree char *link = g_build_filename (git, files[file].folder, NULL);
  g_autofd int fd = -1;

  if (_gadget_git_get_type (link, NULL) != S_IFLNK || (before != NULL && before->links[file])
      || (begun != NULL && !_gadget_git_changed_since (link, begun)))
    return FALSE;
  fd = _gadget_git_reopen (git, O_PATH | O_DIRECTORY);
  if (fd >= 0)
    take_away (fd, files[file].folder);
  return fd >= 0;
}

gboolean
_gadget_git_orders_disarm (const GadgetGitRebaseTodo *before, const char *git,
                           const struct timespec *begun)
{
  gboolean found = FALSE;

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofd int fd = open_folder (git, i);
      g_autofree char *folder = _gadget_git_dup_base (fd);

      if (fd < 0)
        found = take_link_away (before, git, i, begun) || found;
      else if (is_changed (before, folder, i, begun))
        found = disarm (fd, folder, i, before != NULL ? before->texts[i] : NULL) || found;
    }
  return found;
}
