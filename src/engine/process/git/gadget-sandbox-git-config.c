/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decides whether a configuration is harmless: what "git init", "git clone" and "git submodule"
 * write is allowed, and nothing that names a program or another file. It is a list of what is
 * allowed, not of what is forbidden. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-git-private.h"

#include <string.h>

static const char *const sections[] = { "[core]",       "[remote \"",    "[branch \"",
                                        "[submodule]",  "[submodule \"", "[user]",
                                        "[extensions]", "[init]",        "[pull]" };

/* Settings in lower case; none of them names a program or a file. */
static const char *const plain[] = {
  "core.repositoryformatversion",
  "core.filemode",
  "core.bare",
  "core.logallrefupdates",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.symlinks",
  "core.autocrlf",
  "remote.url",
  "remote.fetch",
  "remote.promisor",
  "remote.partialclonefilter",
  "remote.tagopt",
  "remote.prune",
  "branch.remote",
  "branch.merge",
  "branch.rebase",
  "submodule.active",
  "submodule.url",
  "submodule.branch",
  "submodule.fetch",
  "user.name",
  "user.email",
  "extensions.objectformat",
  "extensions.refstorage",
  "extensions.partialclone",
  "init.defaultbranch",
  "pull.rebase",
};

gboolean
_gadget_git_is_data_setting (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (g_str_equal (name, plain[i]))
      return TRUE;
  return FALSE;
}

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

/* Returns whether the working folder of a submodule, to which git writes what is checked out, is in
 * the workspace. */
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
is_known_section (const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (is_section (line, sections[i]))
      return TRUE;
  return FALSE;
}

/* Returns (transfer full) "section.key", in lower case. */
static char *
dup_name (const char *section, const char *line)
{
  g_autofree char *key = g_strndup (line, strcspn (line, " \t="));
  g_autofree char *name =
      g_strdup_printf ("%.*s.%s", (int) strcspn (section + 1, " ]"), section + 1, key);

  return g_ascii_strdown (name, -1);
}

gboolean
_gadget_git_is_harmless (const char *text, const char *git, const char *workspace)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const char *section = "[]";

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      g_autofree char *name = NULL;

      if (strchr (line, '\\') != NULL || strstr (line, "::") != NULL)
        return FALSE;
      if (*line == '\0' || *line == '#' || *line == ';')
        continue;
      if (is_known_section (line))
        {
          section = line;
          continue;
        }
      name = dup_name (section, line);
      if (!_gadget_git_is_data_setting (name)
          && (!g_str_equal (name, "core.worktree") || !is_harmless_worktree (line, git, workspace)))
        return FALSE;
    }
  return TRUE;
}
