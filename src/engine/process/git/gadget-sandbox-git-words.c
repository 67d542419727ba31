/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the files that a value of a configuration names, if the value is a program or is given to a
 * shell: each word of it that is a file, or looks like a path. Files that do not exist yet count as
 * well. Runs in threads. */

#include "config.h"

#include "gadget-sandbox-git-private.h"

#include <pwd.h>
#include <string.h>

/* Prefixes of a path: it need not exist; it is relative to where git is installed. */
#define OPTIONAL ":(optional)"
#define PREFIX "%(prefix)"

typedef struct
{
  const char *root; /* folder in which the program is run */
  gboolean is_new;
  GadgetGitNameFunc found;
  gpointer user_data;
} Words;

/* The word after one of these is a file, or will be. */
static const char *const interpreters[] = {
  "sh",   "bash", "dash", "zsh", "ksh",  "fish", "python", "python3", "node",
  "perl", "ruby", "php",  "lua", "deno", "bun",  "tclsh",  "source",  ".",
};

static gboolean
is_interpreter (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (interpreters); i++)
    if (g_str_equal (word, interpreters[i]))
      return TRUE;
  return FALSE;
}

/* Returns (transfer full) (nullable) the home folder of USER, "" for this user; NULL if there is no
 * such user. */
static char *
find_home (const char *user)
{
  struct passwd entry;
  struct passwd *found = NULL;
  char buffer[16384];

  if (*user == '\0')
    return g_strdup (g_get_home_dir ());
  return getpwnam_r (user, &entry, buffer, sizeof buffer, &found) == 0 && found != NULL
             ? g_strdup (found->pw_dir)
             : NULL;
}

/* Expands a "pathname" as git-config(1) describes it. */
char *
_gadget_git_locate (const char *base, const char *word)
{
  const gsize length = strcspn (word, "/");
  g_autofree char *user = NULL;
  g_autofree char *home = NULL;

  if (g_str_has_prefix (word, OPTIONAL))
    return _gadget_git_locate (base, word + strlen (OPTIONAL));
  if (g_str_has_prefix (word, PREFIX "/"))
    return g_build_filename ("/usr", word + length, NULL);
  if (*word == '~')
    {
      user = g_strndup (word + 1, length - 1);
      home = find_home (user);
    }
  if (home != NULL)
    return g_build_filename (home, word + length, NULL);
  return g_path_is_absolute (word) ? g_strdup (word) : g_build_filename (base, word, NULL);
}

static gboolean
is_there (const char *path)
{
  return _gadget_git_get_type (path, NULL) != 0;
}

/* In words like "$(git rev-parse --show-toplevel)/tools/x" or "$PWD/tools/x" the end may be a
 * path. */
static gboolean
add_end_of_word (const Words *self, const char *word)
{
  for (const char *slash = strchr (word, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *path = g_build_filename (self->root, slash + 1, NULL);

      if (slash[1] == '\0' || !is_there (path))
        continue;
      self->found (path, FALSE, self->user_data);
      return TRUE;
    }
  return FALSE;
}

/* Adds the ends of an absolute path, none of which exists yet, as paths below the root. */
static void
add_missing_ends (const Words *self, const char *word)
{
  for (const char *slash = word; *word == '/' && slash != NULL; slash = strchr (slash + 1, '/'))
    {
      g_autofree char *path = g_build_filename (self->root, slash + 1, NULL);

      self->found (path, FALSE, self->user_data);
    }
}

/* Python searches for a module in the folder in which it is run. */
static void
add_module (const Words *self, const char *module)
{
  g_autofree char *slashes = g_strdelimit (g_strdup (module), ".", '/');
  g_autofree char *top = g_strndup (module, strcspn (module, "."));
  g_autofree char *folder = g_build_filename (self->root, top, NULL);
  g_autofree char *file = g_strdup_printf ("%s/%s.py", self->root, slashes);

  if (*top == '\0')
    return;
  self->found (folder, TRUE, self->user_data);
  self->found (file, FALSE, self->user_data);
}

/* Node.js and Python also accept the folder of a program, or its name without the suffix. */
static void
add_ends_of_script (const Words *self, const char *path)
{
  static const char *const ends[] = { ".js", ".cjs", ".json", ".node" };
  static const char *const files[] = { "package.json", "index.js", "index.json", "__main__.py" };
  const gboolean is_folder = _gadget_git_get_type (path, NULL) == S_IFDIR;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *file = g_strconcat (path, ends[i], NULL);

      self->found (file, FALSE, self->user_data);
    }
  for (guint i = 0; is_folder && i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *file = g_build_filename (path, files[i], NULL);

      self->found (file, FALSE, self->user_data);
    }
}

/* The first word, if it is a bare name, is searched for in $PATH. In a new repository, which may
 * contain a file with any name, only words with a slash count. */
static void
add_word (const Words *self, const char *word, gboolean is_first, gboolean like_path,
          GPtrArray *folders)
{
  g_autofree char *path = _gadget_git_locate (self->root, word);

  if (self->is_new && strchr (word, '/') == NULL)
    return;
  if (*word == '-' || (is_first && !like_path) || strspn (word, "./") == strlen (word))
    return;
  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *below = g_build_filename (g_ptr_array_index (folders, i), word, NULL);

      if (like_path || is_there (below))
        self->found (below, FALSE, self->user_data);
    }
  if (_gadget_git_get_type (path, NULL) == S_IFDIR)
    g_ptr_array_add (folders, g_steal_pointer (&path));
  else if (is_there (path))
    self->found (path, FALSE, self->user_data);
  else if (like_path && !add_end_of_word (self, word))
    {
      self->found (path, FALSE, self->user_data);
      add_missing_ends (self, word);
    }
}

/* Splits a value as a shell would, and further at SEPARATORS; with "=" among these "a=b" is two
 * words. Returns (transfer full) (element-type utf8) the words. */
static GPtrArray *
split_words (const char *value, const char *separators)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);

  for (;; value++)
    {
      if (*value != '\0' && strchr (separators, *value) == NULL)
        {
          if (*value == '\\' && value[1] != '\0')
            value++;
          g_string_append_c (word, *value);
          continue;
        }
      if (word->len > 0)
        g_ptr_array_add (words, g_strdup (word->str));
      g_string_truncate (word, 0);
      if (*value == '\0')
        return words;
    }
}

/* Handles options like "-Ffile" and "-r./file". */
static void
add_joined_option (const Words *self, const char *word)
{
  const char *name = word + strlen ("-x");
  g_autofree char *path = NULL;

  if (!g_ascii_isalpha (word[1]) || *name == '\0')
    return;
  path = _gadget_git_locate (self->root, name);
  if (_gadget_git_get_type (path, NULL) == S_IFREG || strpbrk (name, "/.") != NULL)
    self->found (path, FALSE, self->user_data);
}

static void
add_all_words (const Words *self, const char *value, const char *separators)
{
  g_autoptr (GPtrArray) words = split_words (value, separators);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  gboolean is_script = FALSE;
  gboolean is_python = FALSE;
  gboolean finds_ends = FALSE;
  const char *before = "";

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = g_ptr_array_index (words, i);
      g_autofree char *name = g_path_get_basename (word);

      if (is_python && g_str_equal (before, "-m"))
        add_module (self, word);
      else if (is_python && g_str_has_prefix (word, "-m"))
        add_module (self, word + 2);
      is_python = is_python || g_str_has_prefix (name, "python");
      before = word;

      if (finds_ends && *word != '-' && strspn (word, "./") != strlen (word))
        {
          g_autofree char *path = _gadget_git_locate (self->root, word);

          add_ends_of_script (self, path);
        }
      if (strstr (word, "://") == NULL)
        add_word (self, word, i == 0 && *value != '!', is_script || strpbrk (word, "/.") != NULL,
                  folders);
      if (*word == '-')
        add_joined_option (self, word);
      if (*word != '-' || g_str_equal (word, "-c"))
        {
          is_script = is_interpreter (name);
          finds_ends =
              is_script && (g_str_equal (name, "node") || g_str_has_prefix (name, "python"));
        }
    }
}

/* --- Folders of programs ---------------------------------------------------------------------- */

/* Returns (transfer full) VALUE with "~" for "$HOME", "." for "$PWD", and without other variables
 * that are followed by a slash: the rest of such a path may exist. */
static char *
drop_variables (const char *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (*value != '\0')
    {
      gsize length = 1;

      while (*value == '$' && (g_ascii_isalnum (value[length]) || value[length] == '_'))
        length++;
      if (length == 1 || value[length] != '/')
        {
          g_string_append_c (text, *value++);
          continue;
        }
      if (g_str_has_prefix (value, "$HOME/"))
        g_string_append_c (text, '~');
      else if (g_str_has_prefix (value, "$PWD/"))
        g_string_append_c (text, '.');
      value += length;
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Adds a folder of a list like PATH: "tools", "~/bin", "${x}/tools",
 * "$(git rev-parse --show-toplevel)/tools". Every file in it may be run, also one that has the name
 * of a program of the system; if it is the workspace itself, the files that WORDS name. */
static void
add_folder (const Words *self, const char *folder, GPtrArray *words)
{
  const char *end = folder;
  g_autofree char *path = NULL;

  for (const char *at = folder; *at != '\0'; at++)
    if (*at == ')' || *at == '}')
      end = at + 1;
  if (*end == '\0' || *end == '$')
    return;
  path = *end == '/' && !is_there (end) ? g_build_filename (self->root, end, NULL)
                                        : _gadget_git_locate (self->root, end);
  self->found (path, TRUE, self->user_data);
  for (guint i = 0; i < words->len; i++)
    {
      g_autofree char *program = g_build_filename (path, g_ptr_array_index (words, i), NULL);

      self->found (program, FALSE, self->user_data);
    }
}

/* Returns (transfer full) the word that begins at AT, as a shell would split it, without its
 * quotes. */
static char *
dup_word (const char *at)
{
  g_autoptr (GString) word = g_string_new (NULL);
  guint depth = 0;
  gboolean quoted = FALSE;

  for (; *at != '\0' && (quoted || depth > 0 || strchr (" \t;&|", *at) == NULL); at++)
    {
      if (*at == '"' || *at == '\'')
        quoted = !quoted;
      else
        g_string_append_c (word, *at);
      depth += *at == '(';
      depth -= *at == ')' && depth > 0;
    }
  return g_string_free_and_steal (g_steal_pointer (&word));
}

static gboolean
is_list_of_folders (const char *name, gsize length)
{
  static const char *const ends[] = { "PATH", "LIB", "--exec-path" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const gsize end = strlen (ends[i]);

      if (length >= end && strncmp (name + length - end, ends[i], end) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Handles lists of folders: "PATH=tools:$PATH program", "PYTHONPATH=lib", "PERL5LIB=lib". */
static void
add_folders (const Words *self, const char *value)
{
  g_autoptr (GPtrArray) words = split_words (value, " \t\r\n\"'`;|&()$");

  for (const char *equals = strchr (value, '='); equals != NULL; equals = strchr (equals + 1, '='))
    {
      g_autofree char *word = NULL;
      g_auto (GStrv) folders = NULL;

      if (!is_list_of_folders (value, (gsize) (equals - value)))
        continue;
      word = dup_word (equals + 1);
      folders = g_strsplit (word, ":", -1);
      for (guint i = 0; folders[i] != NULL; i++)
        add_folder (self, folders[i], words);
    }
}

/**
 * _gadget_git_find_words:
 * @value: a value of a configuration
 * @root: the folder in which the program of @value is run
 * @is_new: a command created the repository
 * @found: (scope call): called for each path that a word of @value may be
 * @user_data: for @found
 *
 * Finds the files that @value names.
 */
void
_gadget_git_find_paths_in_value (const char *value, const char *root, gboolean is_new,
                                 GadgetGitNameFunc found, gpointer user_data)
{
  const Words words = { root, is_new, found, user_data };
  g_autofree char *text = drop_variables (value);

  add_folders (&words, text);
  add_all_words (&words, text, " \t\r\n\"'`;|&()<>{}[],!$");
  /* Lists of folders, settings, and names after a "python:". */
  if (strpbrk (text, "=:") != NULL)
    add_all_words (&words, text, " \t\r\n\"'`;|&()<>{}[],!$=:");
  /* Names that contain spaces. */
  if (strchr (text, ' ') != NULL)
    add_all_words (&words, text, "\"'\n");
}
