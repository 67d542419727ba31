/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tells which addresses may be opened, and detects links whose text names another host than the one
 * that they lead to. Addresses are taken apart as a browser would: a backslash ends a host, and
 * what is before the last "@" is a user name. An address that cannot be parsed counts as another
 * host. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-host.h"

#include <string.h>

#define MAX_HOST 200

static gboolean
has_prefix (const char *text, const char *prefix)
{
  return g_ascii_strncasecmp (text, prefix, strlen (prefix)) == 0;
}

/* Normalizes a host for comparison and display: ASCII only, so that no letter looks like another
 * one. (transfer full) */
static char *
normalize (const char *host)
{
  g_autofree char *ascii = g_hostname_to_ascii (host);
  g_autofree char *small = NULL;
  gsize length;

  if (ascii == NULL || !g_str_is_ascii (ascii))
    {
      g_free (ascii);
      ascii = g_uri_escape_string (host, NULL, FALSE);
    }
  small = g_ascii_strdown (ascii, -1);
  length = strlen (small);
  if (length > 0 && small[length - 1] == '.')
    small[--length] = '\0';
  if (length > MAX_HOST)
    small[MAX_HOST] = '\0';
  return g_steal_pointer (&small);
}

/* Returns the host of the part of an address after "://". (transfer full) */
static char *
dup_host (const char *at)
{
  g_autofree char *authority = g_strndup (at, strcspn (at, "/\\?#"));
  char *host = strrchr (authority, '@');
  char *port;

  host = host != NULL ? host + 1 : authority;
  port = strrchr (host, ':');
  if (port != NULL && strchr (port, ']') == NULL)
    *port = '\0';
  return normalize (host);
}

/* Returns the receiver of a mailto address. (transfer full) */
static char *
dup_receiver (const char *at)
{
  g_autofree char *raw = g_strndup (at, strcspn (at, "?"));
  g_autofree char *receiver = g_uri_unescape_string (raw, NULL);
  const char *name = receiver != NULL ? receiver : raw;
  const char *domain = strrchr (name, '@');
  g_autofree char *before = NULL;
  g_autofree char *local = NULL;
  g_autofree char *host = NULL;

  if (domain == NULL)
    return normalize (name);
  before = g_strndup (name, (gsize) (domain - name));
  local = g_uri_escape_string (before, "@+,;=!", FALSE);
  host = normalize (domain + 1);
  return g_strconcat (local, "@", host, NULL);
}

/* Tells whether @host looks like a host, as "example.org", but not "3.5" or "main.c": the last part
 * has at least two characters, all of them letters. */
static gboolean
is_like_host (const char *host)
{
  static const char *const names_of_files[] = { "cfg",  "conf", "cpp", "css",  "csv",  "go",
                                                "gz",   "hpp",  "htm", "html", "java", "jpg",
                                                "js",   "json", "jsx", "log",  "pdf",  "png",
                                                "svg",  "toml", "ts",  "tsx",  "txt",  "xml",
                                                "yaml", "yml",  NULL };
  const char *last = strrchr (host, '.');
  g_autofree char *small = NULL;

  if (g_hostname_is_ip_address (host))
    return TRUE;
  if (last == NULL || last == host || strstr (host, "..") != NULL)
    return FALSE;
  for (const char *p = host; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("-.", *p) == NULL && (guchar) *p < 0x80)
      return FALSE;
  for (const char *p = last + 1; *p != '\0'; p++)
    if (!g_ascii_isalpha (*p) && (guchar) *p < 0x80)
      return FALSE;
  small = g_ascii_strdown (last + 1, -1);
  return strlen (small) >= 2 && !g_strv_contains (names_of_files, small);
}

/* --- Names of files -----------------------------------------------------------------------------
 */

/* Tells whether @word ends like the name of a file. Readers take "README.md" for a file, but ".md"
 * is also the domain of Moldova, as ".rs" is that of Serbia and ".pl" of Poland, where shops and
 * banks are. So the suffix alone is not enough: it must be one of these, and either the name is one
 * that only files have, or the link leads to a file with just that name in a repository on a site
 * that hosts code. No other site can be hidden in this way: its host is none of those, and the text
 * is at most the name of a file. Suffixes of programs and archives (".zip", ".app", ".com") are not
 * here: "invoice.zip" is what an attacker would use. */
static gboolean
has_ending_of_file (const char *word)
{
  static const char *const endings[] = { ".cc", ".md", ".ml", ".pl", ".ps", ".py",
                                         ".rs", ".sh", ".so", ".tf", NULL };
  const char *ending = strrchr (word, '.');

  return ending != NULL && ending > word && g_strv_contains (endings, ending);
}

static gboolean
is_usual_name (const char *word)
{
  static const char *const names[] = {
    "agents.md",   "authors.md",      "build.rs",   "changelog.md", "claude.md", "configure.sh",
    "conftest.py", "contributing.md", "install.md", "install.sh",   "lib.rs",    "license.md",
    "main.py",     "main.rs",         "main.tf",    "manage.py",    "mod.rs",    "readme.md",
    "security.md", "setup.py",        "setup.sh",   "skill.md",     "test.py",   "test.sh",
    "tests.py",    "tests.rs",        "todo.md",    "utils.py",     NULL
  };
  g_autofree char *small = g_ascii_strdown (word, -1);

  return g_strv_contains (names, small);
}

/* Tells whether @host hosts code and the path of @address is "owner/project/…/word". */
static gboolean
is_in_repository (const char *word, const char *address, const char *host)
{
  static const char *const sites[] = {
    "bitbucket.org", "codeberg.org",     "gist.github.com",           "git.sr.ht", "github.com",
    "gitlab.com",    "gitlab.gnome.org", "raw.githubusercontent.com", NULL
  };
  const char *path;
  g_autofree char *bare = NULL;
  g_auto (GStrv) parts = NULL;
  guint n;

  if (!g_strv_contains (sites, host) || strchr (address, '\\') != NULL)
    return FALSE;
  path = strchr (strstr (address, "://") + 3, '/');
  if (path == NULL)
    return FALSE;
  bare = g_strndup (path + 1, strcspn (path + 1, "?#"));
  parts = g_strsplit (bare, "/", -1);
  n = g_strv_length (parts);
  return n >= 3 && g_str_equal (parts[n - 1], word);
}

/* --- Words --------------------------------------------------------------------------------------
 */

/* Returns where the link leads according to @word, or NULL when the word does not say. @alone: the
 * text has no other words. (transfer full) (nullable) */
static char *
dup_claim (const char *word, gboolean alone)
{
  const char *scheme = strstr (word, "://");
  g_autofree char *host = NULL;

  if (has_prefix (word, "mailto:"))
    return dup_receiver (word + strlen ("mailto:"));
  if (scheme != NULL && scheme > word)
    return dup_host (scheme + 3);
  host = g_strndup (word, strcspn (word, "/\\?#:"));
  if (strchr (host, '@') != NULL)
    return is_like_host (strrchr (host, '@') + 1) ? dup_receiver (host) : NULL;
  if ((alone || has_prefix (host, "www.")) && is_like_host (host))
    return normalize (host);
  return NULL;
}

/* Tells whether the word is the name of a file and nothing more; "docs/main.rs" could be a path of
 * a site too. */
static gboolean
is_file (const char *word, const char *address, const char *host)
{
  return strpbrk (word, "/\\:@?#") == NULL && !has_prefix (word, "www.")
         && has_ending_of_file (word)
         && (is_usual_name (word)
             || (strstr (address, "://") != NULL && is_in_repository (word, address, host)));
}

static const char *
skip_www (const char *host)
{
  return has_prefix (host, "www.") ? host + 4 : host;
}

gboolean
gadget_markdown_host_is_web (const char *address)
{
  const char *host = has_prefix (address, "http://") || has_prefix (address, "https://")
                         ? strstr (address, "://") + 3
                         : "";

  return strchr ("/\\?#", *host) == NULL;
}

gboolean
gadget_markdown_host_may_open (const char *address)
{
  return gadget_markdown_host_is_web (address) || has_prefix (address, "mailto:");
}

char *
gadget_markdown_host_find_other (const char *shown, const char *address)
{
  const char *scheme = strstr (address, "://");
  g_autofree char *host = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *text = NULL;

  /* A fast exit: most link texts have nothing of an address. */
  if (strpbrk (shown, ".@:") == NULL)
    return NULL;
  if (has_prefix (address, "mailto:"))
    host = dup_receiver (address + strlen ("mailto:"));
  else if (scheme != NULL)
    host = dup_host (scheme + 3);
  else
    return NULL;
  text = g_strdup (shown);
  words = g_strsplit_set (g_strstrip (text), " \t\n", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *word = words[i] + strspn (words[i], "(<[\"'");
      gsize length = strlen (word);
      g_autofree char *claim = NULL;

      while (length > 0 && strchr (".,;:!?)>]\"'", word[length - 1]) != NULL)
        word[--length] = '\0';
      claim = dup_claim (word, g_strv_length (words) == 1);
      if (claim != NULL && !g_str_equal (skip_www (claim), skip_www (host))
          && !is_file (word, address, host))
        return g_steal_pointer (&host);
    }
  return NULL;
}
