/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What "git init", "git clone" and "git submodule" write into a configuration is let through, and
 * nothing that names a program or another file: a list of the known, not of the forbidden. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"
#include "gadget-sandbox-private.h"

#include <string.h>

static const char *const sections[] = { "[core]",       "[remote \"",    "[branch \"",
                                        "[submodule]",  "[submodule \"", "[user]",
                                        "[extensions]", "[init]",        "[pull]" };

static const char *const names[] = {
  "repositoryformatversion",
  "filemode",
  "bare",
  "logallrefupdates",
  "ignorecase",
  "precomposeunicode",
  "symlinks",
  "url",
  "fetch",
  "remote",
  "merge",
  "rebase",
  "active",
  "name",
  "email",
  "objectformat",
  "refstorage",
  "partialclone",
  "promisor",
  "partialclonefilter",
  "defaultbranch",
  "tagopt",
  "autocrlf",
  "prune",
};

static gboolean
is_section (const char *line, const char *section)
{
  const gsize length = strlen (section);
  const char *quote;

  if (section[length - 1] == ']')
    return g_str_equal (line, section);
  if (!g_str_has_prefix (line, section))
    return FALSE;
  quote = strchr (line + length, '"');
  return quote != NULL && g_str_equal (quote, "\"]");
}

/* The working folder of a submodule: where git writes what is checked out. */
static gboolean
is_harmless_worktree (const char *line, const char *git, const char *workspace)
{
  const char *equals = strchr (line, '=');
  g_autofree char *value = equals != NULL ? g_strstrip (g_strdup (equals + 1)) : NULL;
  g_autofree char *folder = NULL;

  if (value == NULL || *value == '\0' || strpbrk (value, "\"#;") != NULL)
    return FALSE;
  folder = _gadget_git_resolve (git, value);
  return folder != NULL && gadget_path_is_within (folder, workspace);
}

static gboolean
is_known_name (const char *line)
{
  const gsize length = strcspn (line, " \t=");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (length == strlen (names[i]) && g_ascii_strncasecmp (line, names[i], length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_known_section (const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (is_section (line, sections[i]))
      return TRUE;
  return FALSE;
}

gboolean
_gadget_git_is_harmless (const char *text, const char *git, const char *workspace)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      const gsize length = strcspn (line, " \t=");

      if (strchr (line, '\\') != NULL || strstr (line, "::") != NULL)
        return FALSE;
      if (*line == '\0' || *line == '#' || *line == ';' || is_known_section (line)
          || is_known_name (line))
        continue;
      if (length != strlen ("worktree") || g_ascii_strncasecmp (line, "worktree", length) != 0
          || !is_harmless_worktree (line, git, workspace))
        return FALSE;
    }
  return TRUE;
}
