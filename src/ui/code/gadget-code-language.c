/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and rules of languages. Common languages are in a table, so that their names are known at
 * once. For others, and for all rules, the list of GtkSourceView's languages is needed: each is a
 * file, and reading the beginnings of all of them takes longer than a frame, so it is done in a
 * thread. The thread uses a language manager of its own, which is handed to the main thread when it
 * is done. */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-language.h"

#include <glib/gi18n.h>

/* A common language, by one of the words for it. */
typedef struct
{
  const char *word; /* lower case; the table is sorted by it, in ASCII order */
  const char *id;   /* (nullable): the id in GtkSourceView */
  const char *name;
  const char *file; /* the suffix of a file with its period, or a whole file name */
} Known;

static const Known known[] = {
  { "ascii", NULL, N_ ("Text"), ".txt" },
  { "asm", NULL, "Assembly", ".s" },
  { "assembly", NULL, "Assembly", ".s" },
  { "awk", "awk", "AWK", ".awk" },
  { "bash", "sh", N_ ("Shell"), ".sh" },
  { "bat", "dosbatch", "Batch", ".bat" },
  { "blp", "blueprint", "Blueprint", ".blp" },
  { "c", "c", "C", ".c" },
  { "c#", "c-sharp", "C#", ".cs" },
  { "c++", "cpp", "C++", ".cpp" },
  { "cc", "cpp", "C++", ".cc" },
  { "clj", NULL, "Clojure", ".clj" },
  { "clojure", NULL, "Clojure", ".clj" },
  { "cmake", "cmake", "CMake", "CMakeLists.txt" },
  { "cmd", "dosbatch", "Batch", ".bat" },
  { "console", "sh", N_ ("Shell"), ".sh" },
  { "cpp", "cpp", "C++", ".cpp" },
  { "cs", "c-sharp", "C#", ".cs" },
  { "csharp", "c-sharp", "C#", ".cs" },
  { "css", "css", "CSS", ".css" },
  { "csv", "csv", "CSV", ".csv" },
  { "cuda", "cuda", "CUDA", ".cu" },
  { "cxx", "cpp", "C++", ".cxx" },
  { "dart", "dart", "Dart", ".dart" },
  { "diff", "diff", "Diff", ".diff" },
  { "docker", "docker", "Dockerfile", "Dockerfile" },
  { "dockerfile", "docker", "Dockerfile", "Dockerfile" },
  { "dot", "dot", "Graphviz", ".dot" },
  { "dotenv", NULL, ".env", ".env" },
  { "elisp", "commonlisp", "Emacs Lisp", ".el" },
  { "elixir", "elixir", "Elixir", ".ex" },
  { "elm", NULL, "Elm", ".elm" },
  { "env", NULL, ".env", ".env" },
  { "erlang", "erlang", "Erlang", ".erl" },
  { "ex", "elixir", "Elixir", ".ex" },
  { "exs", "elixir", "Elixir", ".exs" },
  { "f#", "fsharp", "F#", ".fs" },
  { "fish", "fish", "Fish", ".fish" },
  { "fortran", "fortran", "Fortran", ".f90" },
  { "fs", "fsharp", "F#", ".fs" },
  { "fsharp", "fsharp", "F#", ".fs" },
  { "gdscript", "gdscript", "GDScript", ".gd" },
  { "glsl", "glsl", "GLSL", ".glsl" },
  { "go", "go", "Go", ".go" },
  { "golang", "go", "Go", ".go" },
  { "graphql", NULL, "GraphQL", ".graphql" },
  { "groovy", "groovy", "Groovy", ".groovy" },
  { "h", "c", "C", ".h" },
  { "haskell", "haskell", "Haskell", ".hs" },
  { "hcl", "terraform", "HCL", ".hcl" },
  { "hpp", "cpp", "C++", ".hpp" },
  { "hs", "haskell", "Haskell", ".hs" },
  { "htm", "html", "HTML", ".html" },
  { "html", "html", "HTML", ".html" },
  { "http", NULL, "HTTP", ".http" },
  { "ini", "ini", "INI", ".ini" },
  { "java", "java", "Java", ".java" },
  { "javascript", "js", "JavaScript", ".js" },
  { "js", "js", "JavaScript", ".js" },
  { "json", "json", "JSON", ".json" },
  { "json5", "json", "JSON5", ".json5" },
  { "jsonc", "json", "JSON", ".json" },
  { "jsonl", "json", "JSON Lines", ".jsonl" },
  { "jsx", "jsx", "JSX", ".jsx" },
  { "julia", "julia", "Julia", ".jl" },
  { "kotlin", "kotlin", "Kotlin", ".kt" },
  { "ksh", "sh", N_ ("Shell"), ".sh" },
  { "kt", "kotlin", "Kotlin", ".kt" },
  { "latex", "latex", "LaTeX", ".tex" },
  { "less", "less", "Less", ".less" },
  { "lisp", "commonlisp", "Lisp", ".lisp" },
  { "lua", "lua", "Lua", ".lua" },
  { "make", "makefile", "Makefile", "Makefile" },
  { "makefile", "makefile", "Makefile", "Makefile" },
  { "markdown", "markdown", "Markdown", ".md" },
  { "matlab", "matlab", "MATLAB", ".m" },
  { "md", "markdown", "Markdown", ".md" },
  { "mermaid", NULL, "Mermaid", ".mmd" },
  { "meson", "meson", "Meson", "meson.build" },
  { "mjs", "js", "JavaScript", ".mjs" },
  { "mysql", "sql", "SQL", ".sql" },
  { "nginx", NULL, "nginx", ".conf" },
  { "nim", NULL, "Nim", ".nim" },
  { "nix", "nix", "Nix", ".nix" },
  { "objc", "objc", "Objective-C", ".m" },
  { "objective-c", "objc", "Objective-C", ".m" },
  { "objectivec", "objc", "Objective-C", ".m" },
  { "ocaml", "ocaml", "OCaml", ".ml" },
  { "pascal", "pascal", "Pascal", ".pas" },
  { "patch", "diff", "Diff", ".patch" },
  { "perl", "perl", "Perl", ".pl" },
  { "php", "php", "PHP", ".php" },
  { "pl", "perl", "Perl", ".pl" },
  { "plain", NULL, N_ ("Text"), ".txt" },
  { "plaintext", NULL, N_ ("Text"), ".txt" },
  { "postgres", "sql", "SQL", ".sql" },
  { "postgresql", "sql", "SQL", ".sql" },
  { "powershell", "powershell", "PowerShell", ".ps1" },
  { "prolog", "prolog", "Prolog", ".pl" },
  { "properties", "ini", "Properties", ".properties" },
  { "proto", "proto", "Protobuf", ".proto" },
  { "protobuf", "proto", "Protobuf", ".proto" },
  { "ps1", "powershell", "PowerShell", ".ps1" },
  { "pwsh", "powershell", "PowerShell", ".ps1" },
  { "py", "python3", "Python", ".py" },
  { "python", "python3", "Python", ".py" },
  { "python3", "python3", "Python", ".py" },
  { "r", "r", "R", ".R" },
  { "rb", "ruby", "Ruby", ".rb" },
  { "rs", "rust", "Rust", ".rs" },
  { "ruby", "ruby", "Ruby", ".rb" },
  { "rust", "rust", "Rust", ".rs" },
  { "sass", "scss", "Sass", ".sass" },
  { "scala", "scala", "Scala", ".scala" },
  { "scheme", "scheme", "Scheme", ".scm" },
  { "scss", "scss", "SCSS", ".scss" },
  { "sh", "sh", N_ ("Shell"), ".sh" },
  { "sh-session", "sh", N_ ("Shell"), ".sh" },
  { "shell", "sh", N_ ("Shell"), ".sh" },
  { "shell-session", "sh", N_ ("Shell"), ".sh" },
  { "shellsession", "sh", N_ ("Shell"), ".sh" },
  { "sol", "solidity", "Solidity", ".sol" },
  { "solidity", "solidity", "Solidity", ".sol" },
  { "sql", "sql", "SQL", ".sql" },
  { "sqlite", "sql", "SQL", ".sql" },
  { "svelte", "html", "Svelte", ".svelte" },
  { "svg", "xml", "SVG", ".svg" },
  { "swift", "swift", "Swift", ".swift" },
  { "terminal", "sh", N_ ("Shell"), ".sh" },
  { "terraform", "terraform", "Terraform", ".tf" },
  { "tex", "latex", "LaTeX", ".tex" },
  { "text", NULL, N_ ("Text"), ".txt" },
  { "tf", "terraform", "Terraform", ".tf" },
  { "toml", "toml", "TOML", ".toml" },
  { "ts", "typescript", "TypeScript", ".ts" },
  { "tsx", "typescript-jsx", "TSX", ".tsx" },
  { "txt", NULL, N_ ("Text"), ".txt" },
  { "typescript", "typescript", "TypeScript", ".ts" },
  { "vala", "vala", "Vala", ".vala" },
  { "vb", "vbnet", "VB.NET", ".vb" },
  { "verilog", "verilog", "Verilog", ".v" },
  { "vhdl", "vhdl", "VHDL", ".vhd" },
  { "vim", NULL, "Vim script", ".vim" },
  { "vue", "html", "Vue", ".vue" },
  { "wasm", NULL, "WebAssembly", ".wat" },
  { "wat", NULL, "WebAssembly", ".wat" },
  { "xml", "xml", "XML", ".xml" },
  { "yaml", "yaml", "YAML", ".yaml" },
  { "yml", "yaml", "YAML", ".yaml" },
  { "zig", "zig", "Zig", ".zig" },
  { "zsh", "sh", N_ ("Shell"), ".sh" },
};

static GtkSourceLanguageManager *manager; /* (nullable): NULL until it is loaded */
static GList *waiting;                    /* of GTask: to be returned when it is loaded */
static gboolean loading;

static int
compare_word (gconstpointer word, gconstpointer entry)
{
  return strcmp (word, ((const Known *) entry)->word);
}

static const Known *
find_known (const char *word)
{
  g_autofree char *lower = g_ascii_strdown (word, -1);

  return bsearch (lower, known, G_N_ELEMENTS (known), sizeof (Known), compare_word);
}

/* --- The list of all languages --- */

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GtkSourceLanguageManager) fresh = gtk_source_language_manager_new ();

  /* This reads the files of all languages. */
  gtk_source_language_manager_get_language_ids (fresh);
  g_task_return_pointer (task, g_steal_pointer (&fresh), g_object_unref);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GList *tasks = g_steal_pointer (&waiting);

  manager = g_task_propagate_pointer (G_TASK (result), NULL);
  loading = FALSE;
  for (GList *at = tasks; at != NULL; at = at->next)
    g_task_return_boolean (at->data, TRUE);
  g_list_free_full (tasks, g_object_unref);
}

/**
 * gadget_code_language_load:
 * @callback: called when the list is loaded, unless this returns %TRUE
 *
 * Returns: whether the list is loaded already
 */
gboolean
gadget_code_language_load (GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  if (manager != NULL)
    return TRUE;
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_code_language_load);
  waiting = g_list_append (waiting, task);
  if (!loading)
    {
      g_autoptr (GTask) reader = g_task_new (NULL, NULL, read_cb, NULL);

      loading = TRUE;
      g_task_set_name (reader, "gadget-code languages");
      g_task_run_in_thread (reader, read_thread);
    }
  return FALSE;
}

/* Finds a language by its id or name in GtkSourceView, or by the suffix of its files. */
static GtkSourceLanguage *
find_other (const char *word)
{
  const char *const *ids = gtk_source_language_manager_get_language_ids (manager);
  g_autofree char *file = g_strdup_printf ("code.%s", word);

  for (guint i = 0; ids != NULL && ids[i] != NULL; i++)
    {
      GtkSourceLanguage *language = gtk_source_language_manager_get_language (manager, ids[i]);

      if (!gtk_source_language_get_hidden (language)
          && (g_ascii_strcasecmp (ids[i], word) == 0
              || g_ascii_strcasecmp (gtk_source_language_get_name (language), word) == 0))
        return language;
    }
  return gtk_source_language_manager_guess_language (manager, file, NULL);
}

/**
 * gadget_code_language_find:
 * @word: (nullable): the word of the fence
 *
 * Returns: (nullable) (transfer none): the language; %NULL also while the list is not loaded
 */
GtkSourceLanguage *
gadget_code_language_find (const char *word)
{
  const Known *entry;

  if (manager == NULL || word == NULL || *word == '\0')
    return NULL;
  entry = find_known (word);
  if (entry == NULL)
    return find_other (word);
  return entry->id != NULL ? gtk_source_language_manager_get_language (manager, entry->id) : NULL;
}

/**
 * gadget_code_language_find_for_file:
 * @name: the name of a file, or its path
 *
 * Returns: (nullable) (transfer none): the language of files with such a name; %NULL also while the
 * list is not loaded
 */
GtkSourceLanguage *
gadget_code_language_find_for_file (const char *name)
{
  g_autofree char *base = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (manager == NULL)
    return NULL;
  base = g_path_get_basename (name);
  return gtk_source_language_manager_guess_language (manager, base, NULL);
}

/**
 * gadget_code_language_get_id:
 * @word: (nullable): the word of the fence
 *
 * Returns: (nullable) (transfer none): the id of the rules of a common language
 */
const char *
gadget_code_language_get_id (const char *word)
{
  const Known *entry = word != NULL ? find_known (word) : NULL;

  return entry != NULL ? entry->id : NULL;
}

/**
 * gadget_code_language_get_name:
 * @word: (nullable): the word of the fence
 *
 * Returns: (transfer none): the name for people; "Text" without a word, and @word itself when the
 * language is not known (yet)
 */
const char *
gadget_code_language_get_name (const char *word)
{
  const Known *entry;
  GtkSourceLanguage *language;

  if (word == NULL || *word == '\0')
    return _ ("Text");
  entry = find_known (word);
  if (entry != NULL)
    return _ (entry->name);
  language = gadget_code_language_find (word);
  return language != NULL ? gtk_source_language_get_name (language) : word;
}

/**
 * gadget_code_language_dup_file_name:
 * @word: (nullable): the word of the fence
 *
 * Returns: (transfer full): a suggestion for the name of a file
 */
char *
gadget_code_language_dup_file_name (const char *word)
{
  const Known *entry = word != NULL ? find_known (word) : NULL;
  GtkSourceLanguage *language;
  const char *suffix = NULL;

  if (entry != NULL && entry->file[0] != '.')
    return g_strdup (entry->file);
  if (entry != NULL)
    return g_strconcat ("code", entry->file, NULL);
  language = gadget_code_language_find (word);
  if (language != NULL)
    suffix = gtk_source_language_get_metadata (language, "suggested-suffix");
  if (language != NULL && suffix == NULL)
    {
      g_auto (GStrv) globs = gtk_source_language_get_globs (language);

      if (globs != NULL && globs[0] != NULL && g_str_has_prefix (globs[0], "*."))
        return g_strconcat ("code", globs[0] + 1, NULL);
    }
  return g_strconcat ("code", suffix != NULL ? suffix : ".txt", NULL);
}
