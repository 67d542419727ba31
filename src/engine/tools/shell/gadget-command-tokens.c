/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A rule that allows a command consists of the words that the command begins with; any arguments
 * may follow. That is safe only where arguments cannot name another program to run. Therefore only
 * programs in plain_programs and subcommands may be allowed by name, which lists what is known to
 * be safe and not what is forbidden, and some options make a command unfit wherever they stand. */

#define G_LOG_DOMAIN "gadget-command-line"

#include "config.h"

#include "gadget-command-tokens.h"

#include <string.h>

/* These texts say why a program is never allowed by its name. */
#define SHELL "it runs the text that it is given"
#define INTERPRETER "it runs the program that it is given"
#define WRAPPER "it runs the command that it is given"
#define BUILDER "it runs what its file, or an option, says"
#define ELSEWHERE "it runs the command that it is given on another machine or in a container"
#define EDITOR "it can start any program from within"
#define EVALUATES "the shell evaluates what is in its words"
#define SCOPE "it changes what the words behind it mean"

static const struct
{
  const char *program;
  const char *reason;
} runs_anything[] = {
  { "sh", SHELL },
  { "ash", SHELL },
  { "bash", SHELL },
  { "busybox", SHELL },
  { "csh", SHELL },
  { "dash", SHELL },
  { "elvish", SHELL },
  { "fish", SHELL },
  { "ksh", SHELL },
  { "mksh", SHELL },
  { "nu", SHELL },
  { "pwsh", SHELL },
  { "rbash", SHELL },
  { "tcsh", SHELL },
  { "toybox", SHELL },
  { "xonsh", SHELL },
  { "zsh", SHELL },
  { "eval", SHELL },
  { "trap", SHELL },
  { "awk", INTERPRETER },
  { "bc", INTERPRETER },
  { "bun", INTERPRETER },
  { "clisp", INTERPRETER },
  { "deno", INTERPRETER },
  { "elixir", INTERPRETER },
  { "erl", INTERPRETER },
  { "expect", INTERPRETER },
  { "gawk", INTERPRETER },
  { "gdb", INTERPRETER },
  { "ghci", INTERPRETER },
  { "gjs", INTERPRETER },
  { "groovy", INTERPRETER },
  { "guile", INTERPRETER },
  { "irb", INTERPRETER },
  { "java", INTERPRETER },
  { "jshell", INTERPRETER },
  { "julia", INTERPRETER },
  { "lldb", INTERPRETER },
  { "lua", INTERPRETER },
  { "luajit", INTERPRETER },
  { "m4", INTERPRETER },
  { "mawk", INTERPRETER },
  { "node", INTERPRETER },
  { "nodejs", INTERPRETER },
  { "ocaml", INTERPRETER },
  { "octave", INTERPRETER },
  { "perl", INTERPRETER },
  { "php", INTERPRETER },
  { "psql", INTERPRETER },
  { "pypy", INTERPRETER },
  { "pypy3", INTERPRETER },
  { "python", INTERPRETER },
  { "python2", INTERPRETER },
  { "python3", INTERPRETER },
  { "R", INTERPRETER },
  { "racket", INTERPRETER },
  { "Rscript", INTERPRETER },
  { "ruby", INTERPRETER },
  { "runghc", INTERPRETER },
  { "sbcl", INTERPRETER },
  { "scala", INTERPRETER },
  { "sed", INTERPRETER },
  { "source", INTERPRETER },
  { "sqlite3", INTERPRETER },
  { "swift", INTERPRETER },
  { "tclsh", INTERPRETER },
  { ".", INTERPRETER },
  { "agetty", WRAPPER },
  { "apt", WRAPPER },
  { "at", WRAPPER },
  { "batch", WRAPPER },
  { "builtin", WRAPPER },
  { "bwrap", WRAPPER },
  { "chroot", WRAPPER },
  { "chrt", WRAPPER },
  { "command", WRAPPER },
  { "coproc", WRAPPER },
  { "crontab", WRAPPER },
  { "dbus-run-session", WRAPPER },
  { "direnv", WRAPPER },
  { "doas", WRAPPER },
  { "entr", WRAPPER },
  { "env", WRAPPER },
  { "exec", WRAPPER },
  { "fakeroot", WRAPPER },
  { "fd", WRAPPER },
  { "find", WRAPPER },
  { "firejail", WRAPPER },
  { "flatpak-spawn", WRAPPER },
  { "flock", WRAPPER },
  { "ionice", WRAPPER },
  { "linux32", WRAPPER },
  { "ltrace", WRAPPER },
  { "nice", WRAPPER },
  { "nohup", WRAPPER },
  { "npx", WRAPPER },
  { "nsenter", WRAPPER },
  { "numactl", WRAPPER },
  { "parallel", WRAPPER },
  { "perf", WRAPPER },
  { "pipx", WRAPPER },
  { "pkexec", WRAPPER },
  { "prlimit", WRAPPER },
  { "proot", WRAPPER },
  { "run-parts", WRAPPER },
  { "run0", WRAPPER },
  { "runuser", WRAPPER },
  { "script", WRAPPER },
  { "setarch", WRAPPER },
  { "setpriv", WRAPPER },
  { "setsid", WRAPPER },
  { "stdbuf", WRAPPER },
  { "strace", WRAPPER },
  { "su", WRAPPER },
  { "sudo", WRAPPER },
  { "systemd-run", WRAPPER },
  { "tar", WRAPPER },
  { "taskset", WRAPPER },
  { "tee", WRAPPER },
  { "time", WRAPPER },
  { "timeout", WRAPPER },
  { "unshare", WRAPPER },
  { "uvx", WRAPPER },
  { "valgrind", WRAPPER },
  { "watch", WRAPPER },
  { "xargs", WRAPPER },
  { "xvfb-run", WRAPPER },
  { "zip", WRAPPER },
  { "ant", BUILDER },
  { "cc", BUILDER },
  { "clang", BUILDER },
  { "cmake", BUILDER },
  { "g++", BUILDER },
  { "gcc", BUILDER },
  { "gmake", BUILDER },
  { "gradle", BUILDER },
  { "just", BUILDER },
  { "ld", BUILDER },
  { "make", BUILDER },
  { "mvn", BUILDER },
  { "ninja", BUILDER },
  { "rake", BUILDER },
  { "scons", BUILDER },
  { "tox", BUILDER },
  { "adb", ELSEWHERE },
  { "ansible", ELSEWHERE },
  { "distrobox", ELSEWHERE },
  { "docker", ELSEWHERE },
  { "kubectl", ELSEWHERE },
  { "mosh", ELSEWHERE },
  { "podman", ELSEWHERE },
  { "rsync", ELSEWHERE },
  { "scp", ELSEWHERE },
  { "sftp", ELSEWHERE },
  { "ssh", ELSEWHERE },
  { "telnet", ELSEWHERE },
  { "toolbox", ELSEWHERE },
  { "ed", EDITOR },
  { "emacs", EDITOR },
  { "ex", EDITOR },
  { "less", EDITOR },
  { "man", EDITOR },
  { "more", EDITOR },
  { "nano", EDITOR },
  { "vi", EDITOR },
  { "vim", EDITOR },
  { "view", EDITOR },
  { "alias", SCOPE },
  { "declare", SCOPE },
  { "enable", SCOPE },
  { "export", SCOPE },
  { "hash", SCOPE },
  { "local", SCOPE },
  { "mapfile", SCOPE },
  { "popd", SCOPE },
  { "cd", SCOPE },
  { "printf", EVALUATES },
  { "pushd", SCOPE },
  { "read", EVALUATES },
  { "readarray", SCOPE },
  { "readonly", SCOPE },
  { "set", SCOPE },
  { "shopt", SCOPE },
  { "test", EVALUATES },
  { "typeset", SCOPE },
  { "unset", EVALUATES },
  { "let", EVALUATES },
  { "[", EVALUATES },
};

/* Programs that process their arguments and start nothing. */
static const char *const plain_programs[] = {
  "arch",   "base64", "basename", "cal",     "cat",       "cksum",     "cmp",      "column",
  "comm",   "cut",    "date",     "df",      "diff",      "dirname",   "du",       "echo",
  "expand", "factor", "false",    "file",    "fold",      "free",      "grep",     "egrep",
  "fgrep",  "groups", "head",     "hexdump", "hostname",  "id",        "jq",       "locale",
  "ls",     "lscpu",  "md5sum",   "mkdir",   "nl",        "nm",        "nproc",    "od",
  "paste",  "pgrep",  "pr",       "ps",      "pwd",       "readelf",   "readlink", "realpath",
  "rev",    "rg",     "seq",      "sha1sum", "sha256sum", "sha512sum", "size",     "sleep",
  "sort",   "stat",   "strings",  "sum",     "tac",       "tail",      "touch",    "tr",
  "tree",   "true",   "tsort",    "tty",     "uname",     "unexpand",  "uniq",     "uptime",
  "users",  "wc",     "which",    "who",     "whoami",    "xxd",       NULL
};

/* Programs with subcommands. @never lists the subcommands that run what they are told to, or that
 * change what other subcommands run later. */
static const struct
{
  const char *program;
  const char *never;
} subcommands[] = {
  { "apt-cache", "" },
  { "bundle", " config exec console open " },
  { "cargo", " run xtask config script install login " },
  { "composer", " exec run run-script config global create-project " },
  { "dotnet", " run exec tool script watch msbuild nuget new " },
  { "gh", " alias api codespace config cs extension ext auth ssh-key " },
  { "git",
    " bisect config filter-branch rebase submodule difftool mergetool credential daemon hook grep"
    " for-each-repo maintenance send-email gui citool svn p4 instaweb fast-import archive clone"
    " fetch pull push ls-remote fetch-pack send-pack upload-pack receive-pack remote-ext shell var"
    " web--browse worktree am quiltimport cvsserver cvsimport help imap-send init "
    "interpret-trailers"
    " scalar request-pull update-index sh-setup " },
  { "go", " run generate tool env install get work " },
  { "hg", " alias config bisect serve " },
  { "meson", " devenv init wrap rewrite env2mfile " },
  { "npm", " exec x explore init create config set edit run run-script rum urn link install-test "
           "publish adduser login repo docs bugs c " },
  { "pip", " config download " },
  { "pnpm", " exec dlx create config run env init set x " },
  { "poetry", " run config shell self env " },
  { "rustup", " run default override toolchain self " },
  { "uv", " run tool x python self " },
  { "yarn", " exec dlx create config run node set plugin explore " },
};

/* Options with which otherwise plain programs start another program or load code: grep and sort
 * have some of their own, build tools accept wrappers. Long options may be abbreviated, as getopt
 * and argparse allow, so that any prefix of these counts. */
static const char *const starting_options[] = { "--wrapper",
                                                "--exec",
                                                "--exec-batch",
                                                "--to-command",
                                                "--checkpoint-action",
                                                "--use-compress-program",
                                                "--compress-program",
                                                "--pre",
                                                "--pre-glob",
                                                "--upload-pack",
                                                "--receive-pack",
                                                "--exec-path",
                                                "--open-files-in-pager",
                                                "--ext-diff",
                                                "--extcmd",
                                                "--eval",
                                                "--rsh",
                                                "--use-askpass",
                                                "--gdb",
                                                "--gdb-path",
                                                "--toolexec",
                                                "--vettool",
                                                "--config",
                                                "--config-env",
                                                "--init-command",
                                                "--interpreter",
                                                "--shell",
                                                "--pager",
                                                "--script-shell",
                                                "--node-options",
                                                "--require",
                                                "--import",
                                                "--rcfile",
                                                "--init-file",
                                                "--output",
                                                "--hostname-bin",
                                                "--editor",
                                                "--textconv",
                                                "--filters",
                                                "--magic-file",
                                                "--plugin",
                                                "--prefix-command",
                                                "--run-command",
                                                "--root",
                                                "--userconfig",
                                                "--globalconfig",
                                                "--run-under",
                                                "--signing-key",
                                                "--gpg-sign" };
static const char *const starting_short_options[] = { "-exec",    "-execdir",  "-ok",
                                                      "-okdir",   "-toolexec", "-vettool",
                                                      "-wrapper", "-fplugin" };

static gboolean
starts_something (const char *word)
{
  if (g_str_has_prefix (word, "--"))
    {
      const gsize length = strcspn (word, "=");

      for (guint i = 0; length > 2 && i < G_N_ELEMENTS (starting_options); i++)
        if (strncmp (starting_options[i], word, length) == 0)
          return TRUE;
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (starting_short_options); i++)
    if (g_str_has_prefix (word, starting_short_options[i]))
      return TRUE;
  return FALSE;
}

/* Plain programs that write to a file: one that a short option names, which may follow other
 * options in the same word, or a second file argument. */
static const struct
{
  const char *program;
  const char *options;
  gboolean second; /* a second file argument is written to */
} writers[] = {
  { "sort", "o", FALSE }, { "tree", "o", FALSE }, { "file", "C", FALSE },
  { "uniq", "", TRUE },   { "xxd", "", TRUE },
};

/* This also matches values of options; too strict is fine here. */
static gboolean
writes_something (const char *const *words)
{
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      guint n_files = 0;

      if (!g_str_equal (words[0], writers[i].program))
        continue;
      for (guint k = 1; words[k] != NULL; k++)
        if (*words[k] != '-')
          n_files++;
        else if (words[k][1] != '-' && strpbrk (words[k], writers[i].options) != NULL)
          return TRUE;
      return writers[i].second && n_files > 1;
    }
  return FALSE;
}

const char *
gadget_command_tokens_get_base (const char *program)
{
  const char *slash;

  g_return_val_if_fail (program != NULL, NULL);

  slash = strrchr (program, '/');
  return slash != NULL ? slash + 1 : program;
}

const char *
gadget_command_tokens_runs_anything (const char *program)
{
  const char *name = gadget_command_tokens_get_base (program);
  /* A version may follow the name: python3.13, lua5.4, clang-19. */
  const gsize stem = strcspn (name, "-0123456789.");

  g_return_val_if_fail (program != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (runs_anything); i++)
    {
      const char *known = runs_anything[i].program;

      if (g_str_equal (known, name))
        return runs_anything[i].reason;
      if (strspn (name + stem, "-0123456789.") == strlen (name + stem) && stem > 1
          && strlen (known) == stem && strncmp (known, name, stem) == 0)
        return runs_anything[i].reason;
    }
  return NULL;
}

static const char *
find_never (const char *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (subcommands); i++)
    if (g_str_equal (subcommands[i].program, program))
      return subcommands[i].never;
  return NULL;
}

static gboolean
is_subcommand (const char *word)
{
  return word != NULL && g_ascii_islower (*word)
         && strspn (word, G_CSET_a_2_z G_CSET_DIGITS "-") == strlen (word) && strlen (word) <= 30;
}

/* Only plain names may be allowed: a program given with a folder, such as "./dev", can be rewritten
 * by anybody who may write to that folder. */
gboolean
gadget_command_tokens_may_allow (const char *const *words)
{
  g_return_val_if_fail (words != NULL && words[0] != NULL, FALSE);

  if (strchr (words[0], '/') != NULL || gadget_command_tokens_runs_anything (words[0]) != NULL)
    return FALSE;
  for (guint i = 1; words[i] != NULL; i++)
    if (starts_something (words[i]))
      return FALSE;
  return !writes_something (words);
}

char *
gadget_command_tokens_dup_prefix (const char *const *words)
{
  const char *never;
  g_autofree char *spaced = NULL;

  if (!gadget_command_tokens_may_allow (words))
    return NULL;
  if (g_strv_contains (plain_programs, words[0]))
    return g_strdup (words[0]);
  never = find_never (words[0]);
  if (never == NULL || !is_subcommand (words[1]))
    return NULL;
  spaced = g_strdup_printf (" %s ", words[1]);
  return strstr (never, spaced) == NULL ? g_strdup_printf ("%s %s", words[0], words[1]) : NULL;
}

char *
gadget_command_tokens_dup_denial (const char *const *words)
{
  const char *program;

  g_return_val_if_fail (words != NULL && words[0] != NULL, NULL);

  program = gadget_command_tokens_get_base (words[0]);
  if (find_never (program) != NULL && is_subcommand (words[1]))
    return g_strdup_printf ("%s %s", program, words[1]);
  return g_strdup (program);
}

gboolean
gadget_command_tokens_has_prefix (const char *const *words, const char *prefix)
{
  g_auto (GStrv) wanted = NULL;

  g_return_val_if_fail (words != NULL && prefix != NULL, FALSE);

  wanted = g_strsplit (prefix, " ", -1);
  if (wanted[0] == NULL || *wanted[0] == '\0')
    return FALSE;
  for (guint i = 0; wanted[i] != NULL; i++)
    if (words[i] == NULL || !g_str_equal (words[i], wanted[i]))
      return FALSE;
  return TRUE;
}
