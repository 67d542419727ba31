/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Describes a repository by its HEAD, read from its files, see gitrepository-layout(5). Git itself
 * is not run: a repository's configuration names programs that git runs even for "git status", and
 * nobody has allowed this folder to run any. So it is not known here which files are changed. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-git-head.h"

#include "gadget-sandbox-git-guard-private.h"

#include <string.h>

/* In bytes. A longer name is not told. */
#define MAX_BRANCH 40
#define BRANCHES "refs/heads/"
#define SHORT_HASH 8

/* The file or folder that is there while something goes on, and what it is called. */
static const char *const states[][2] = {
  { "MERGE_HEAD", "merge" },    { "rebase-merge", "rebase" },
  { "rebase-apply", "rebase" }, { "CHERRY_PICK_HEAD", "cherry-pick" },
  { "REVERT_HEAD", "revert" },  { "BISECT_LOG", "bisection" },
};

/* Returns the folder with the files of the repository that FOLDER itself is the top of. */
static char *
find_at (const char *folder)
{
  const mode_t type = _gadget_git_get_type (folder, ".git");

  if (type == S_IFREG)
    return _gadget_git_follow (folder);
  return type == S_IFDIR ? g_build_filename (folder, ".git", NULL) : NULL;
}

/* Sets TOP to the folder that has the repository. */
static char *
find (const char *folder, char **top)
{
  g_autofree char *here = g_strdup (folder);

  for (;;)
    {
      char *git = find_at (here);
      g_autofree char *parent = g_path_get_dirname (here);

      if (git != NULL)
        {
          *top = g_steal_pointer (&here);
          return git;
        }
      if (g_str_equal (parent, here))
        return NULL;
      g_set_str (&here, parent);
    }
}

static gboolean
is_hash (const char *text)
{
  return strlen (text) >= 40 && strspn (text, "0123456789abcdef") == strlen (text);
}

/* Sets KNOWN to whether "packed-refs" could be read, or does not exist. Returns the hash that it
 * has for REF: its lines are "HASH REF". */
static char *
find_packed (const char *common, const char *ref, gboolean *known)
{
  g_autofree char *text = _gadget_git_read (common, "packed-refs");
  g_autofree char *end = g_strdup_printf (" %s", ref);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  *known = text != NULL || _gadget_git_get_type (common, "packed-refs") == 0;
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_suffix (lines[i], end))
      return g_strndup (lines[i], strlen (lines[i]) - strlen (end));
  return NULL;
}

static char *
find_hash (const char *git, const char *ref, gboolean *known)
{
  g_autofree char *common = _gadget_git_find_common (git);
  const char *refs = common != NULL ? common : git;
  g_autofree char *hash = _gadget_git_read_path (refs, ref);

  *known = hash != NULL;
  if (hash == NULL)
    hash = find_packed (refs, ref, known);
  return hash != NULL && is_hash (hash) ? g_steal_pointer (&hash) : NULL;
}

/* A reference leads to a file of the repository and to no other one, see git-check-ref-format(1).
 */
static gboolean
is_branch (const char *ref)
{
  return g_str_has_prefix (ref, BRANCHES) && strstr (ref, "..") == NULL
         && strstr (ref, "/.") == NULL && strstr (ref, "//") == NULL
         && !g_str_has_suffix (ref, "/");
}

/* The name of a branch may be a sentence, which a model would read as one. */
static gboolean
is_name (const char *branch)
{
  for (const char *c = branch; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-_./+#@", *c) == NULL)
      return FALSE;
  return *branch != '\0' && strlen (branch) <= MAX_BRANCH;
}

static void
append_branch (GString *text, const char *ref)
{
  const char *branch = ref + strlen (BRANCHES);

  if (is_name (branch))
    g_string_append_printf (text, ", branch \"%s\"", branch);
  else
    g_string_append (text, ", on a branch");
}

static void
append_commit (GString *text, const char *hash, gboolean known)
{
  if (hash != NULL)
    g_string_append_printf (text, "Its last commit was %.*s when this chat was opened.", SHORT_HASH,
                            hash);
  else if (known)
    g_string_append (text, "The branch had no commit when this chat was opened.");
}

static void
append_state (GString *text, const char *git)
{
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (_gadget_git_get_type (git, states[i][0]) != 0)
      {
        g_string_append_printf (text, " A %s is going on.", states[i][1]);
        return;
      }
}

/**
 * gadget_git_head_find_top:
 * @folder: an absolute path
 *
 * Returns: (transfer full) (nullable): the folder at or above @folder that has a repository, or
 *   %NULL
 */
char *
gadget_git_head_find_top (const char *folder)
{
  g_autofree char *top = NULL;
  g_autofree char *git = find (folder, &top);

  return git != NULL ? g_steal_pointer (&top) : NULL;
}

/**
 * gadget_git_head_describe:
 * @folder: an absolute path
 *
 * Nothing of the repository is told but the name of its branch, if that has no blanks and no
 * characters that need quoting, and the hash of its last commit: a repository may come from
 * anywhere, and the text is for a model.
 *
 * Returns: (transfer full) (nullable): two lines about the repository that @folder is in, or %NULL
 *   if there is none or it cannot be read
 */
char *
gadget_git_head_describe (const char *folder)
{
  g_autofree char *top = NULL;
  g_autofree char *git = find (folder, &top);
  g_autofree char *head = git != NULL ? _gadget_git_read_path (git, "HEAD") : NULL;
  g_autofree char *found = NULL;
  g_autoptr (GString) text = NULL;
  gboolean known = TRUE;
  const char *ref;

  if (head == NULL)
    return NULL;
  ref = g_str_has_prefix (head, "ref: ") ? head + strlen ("ref: ") : NULL;
  if (ref != NULL ? !is_branch (ref) : !is_hash (head))
    return NULL;
  found = ref != NULL ? find_hash (git, ref, &known) : g_strdup (head);

  text = g_string_new (g_str_equal (top, folder) ? "The folder is a Git repository"
                                                 : "The folder is in a Git repository");
  if (ref != NULL)
    append_branch (text, ref);
  else
    g_string_append (text, ", on no branch");
  g_string_append (text, ".\n");
  append_commit (text, found, known);
  append_state (text, git);
  return g_string_free_and_steal (g_steal_pointer (&text));
}
