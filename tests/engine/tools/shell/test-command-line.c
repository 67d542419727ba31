/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is read of a line, what may be allowed of it, and the tricks by which a line does something
 * else than it begins with. The rules that are tried against each are the ones of a user who allows
 * "git status", "git log", "meson test", "ls", "cat" and "echo". */

#include "config.h"

#include "tools/shell/gadget-command-line.h"
#include "tools/shell/gadget-command-tokens.h"

#include <gio/gio.h>
#include <string.h>

static const char *const allowed_prefixes[] = { "git status", "git log", "meson test", "ls",
                                                "cat",        "echo",    "grep",       "sort" };

typedef enum
{
  UNREAD, /* not understood */
  ASKED,  /* understood, and some part is not allowed */
  ALLOWED,
} Outcome;

static Outcome
judge (const char *line)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);

  if (commands == NULL)
    return UNREAD;
  for (guint i = 0; i < commands->len; i++)
    {
      const char *const *words = g_ptr_array_index (commands, i);
      gboolean found = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (allowed_prefixes); k++)
        found = found || gadget_command_tokens_has_prefix (words, allowed_prefixes[k]);
      if (!found || !gadget_command_tokens_may_allow (words))
        return ASKED;
    }
  return ALLOWED;
}

static const struct
{
  const char *line;
  Outcome outcome;
} lines[] = {
  /* What is plainly allowed, in all its spellings. */
  { "git status", ALLOWED },
  { "git status --short", ALLOWED },
  { "  git   status  ", ALLOWED },
  { "git\tstatus", ALLOWED },
  { "git status\n", ALLOWED },
  { "\n\ngit status\n\n", ALLOWED },
  { "git 'status'", ALLOWED },
  { "git \"status\"", ALLOWED },
  { "'git' status", ALLOWED },
  { "g'i't status", ALLOWED },
  { "g\\it status", ALLOWED },
  { "\"g\"\"it\" st\\atus", ALLOWED },
  { "git status;", ALLOWED },
  { "git status &", ALLOWED },
  { "git status && git log", ALLOWED },
  { "git status || git log", ALLOWED },
  { "git status; git log", ALLOWED },
  { "git status;git log", ALLOWED },
  { "git status\ngit log", ALLOWED },
  { "git status & git log", ALLOWED },
  { "git log | cat", ALLOWED },
  { "git log |\n cat", ALLOWED },
  { "git log &&\n\n cat a", ALLOWED },
  { "ls | cat | sort", ALLOWED },
  { "ls *.c", ALLOWED },
  { "ls ~/Projects", ALLOWED },
  { "ls src/[ab]?.c", ALLOWED },
  { "echo 'a; rm -rf /'", ALLOWED },
  { "echo \"a && rm -rf /\"", ALLOWED },
  { "echo 'a | b > c < d $(e) `f`'", ALLOWED },
  { "echo a\\;b", ALLOWED },
  { "echo a\\&\\&b", ALLOWED },
  { "echo \\$HOME", ALLOWED },
  { "echo \"\\$HOME \\` \\\\ \\\" \\n\"", ALLOWED },
  { "echo '$HOME'", ALLOWED },
  { "echo 'line one\nline two'", ALLOWED },
  { "echo a=b", ALLOWED },
  { "echo a#b", ALLOWED },
  { "echo !", ALLOWED },
  { "echo if then", ALLOWED },
  { "echo 'naïve café'", ALLOWED },
  { "git status 2>&1", ALLOWED },
  { "git status >/dev/null", ALLOWED },
  { "git status 2>/dev/null | cat", ALLOWED },
  { "git status 2> /dev/null", ALLOWED },
  { "git status >/dev/null 2>&1", ALLOWED },
  { "cat </dev/null", ALLOWED },
  { "cat -- --exec", ASKED }, /* too careful, and well so */
  { "meson test -C build --suite abort", ALLOWED },
  { "grep -rn 'x;y' src", ALLOWED },

  /* A part that nobody allowed. */
  { "git push", ASKED },
  { "git", ASKED },
  { "git statusx", ASKED },
  { "git stat*", ASKED },
  { "git -c core.pager=sh status", ASKED },
  { "git -C /etc status", ASKED },
  { "git --exec-path=/tmp status", ASKED },
  { "gitk status", ASKED },
  { "GIT status", ASKED },
  { "./git status", ASKED },
  { "/tmp/git status", ASKED },
  { "../bin/git status", ASKED },
  { "git status && rm -rf x", ASKED },
  { "git status || rm -rf x", ASKED },
  { "git status; rm -rf x", ASKED },
  { "git status;rm -rf x", ASKED },
  { "git status | sh", ASKED },
  { "git status | xargs rm", ASKED },
  { "git status & rm x", ASKED },
  { "git status\nrm x", ASKED },
  { "git status\n\n\nrm x", ASKED },
  { "rm x; git status", ASKED },
  { "rm x | git status", ASKED },
  { "echo rm -rf x | sh", ASKED },
  { "echo a | tee b", ASKED },
  { "cd /tmp && git status", ASKED },
  { "sh -c 'git status'", ASKED },
  { "bash -c \"git status\"", ASKED },
  { "env git status", ASKED },
  { "command git status", ASKED },
  { "builtin echo a", ASKED },
  { "exec git status", ASKED },
  { "eval git status", ASKED },
  { "eval 'rm x'", ASKED },
  { "source ./git status", ASKED },
  { ". ./x", ASKED },
  { "sudo git status", ASKED },
  { "nohup git status", ASKED },
  { "timeout 5 git status", ASKED },
  { "xargs git status", ASKED },
  { "find . -exec git status ';'", ASKED },
  { "alias git=rm", ASKED },
  { "alias git=rm; git status", ASKED },
  { "export PATH=/tmp; git status", ASKED },
  { "set -a; git status", ASKED },
  { "shopt -s expand_aliases; git status", ASKED },
  { "hash -p /tmp/x git; git status", ASKED },
  { "enable -f /tmp/x.so git; git status", ASKED },
  { "trap 'rm x' EXIT; git status", ASKED },
  { "printf -v PATH /tmp; git status", ASKED },
  { "read -r git; git status", ASKED },
  { "unset PATH; git status", ASKED },
  { "test -v 'a[$(rm x)]'; git status", ASKED },
  { "g\xd1\x96t status", ASKED },     /* a Cyrillic i */
  { "\xef\xbd\x87it status", ASKED }, /* a wide g */

  /* Options that start something. */
  { "meson test --wrapper 'sh -c evil'", ASKED },
  { "meson test --wrapper='sh -c evil'", ASKED },
  { "meson test --wrap=evil", ASKED },
  { "meson test --gdb --gdb-path=/tmp/x", ASKED },
  { "meson test '--wrapper=evil'", ASKED },
  { "meson test --wr\\apper=evil", ASKED },
  { "sort --compress-program=/tmp/x a", ASKED },
  { "sort --compress-prog /tmp/x a", ASKED },
  { "git log --output=/tmp/x", ASKED },
  { "git log --ext-diff", ASKED },
  { "git log --outp=x", ASKED },
  { "git log --open-files-in-pager=sh", ASKED },

  /* Expansions and substitutions. */
  { "git status $(rm x)", UNREAD },
  { "git status \"$(rm x)\"", UNREAD },
  { "git status `rm x`", UNREAD },
  { "git status \"`rm x`\"", UNREAD },
  { "git status $HOME", UNREAD },
  { "git status ${x:=`rm y`}", UNREAD },
  { "git status \"${x@P}\"", UNREAD },
  { "git status $((a[$(rm x)]))", UNREAD },
  { "git status $[1+1]", UNREAD },
  { "git $x", UNREAD },
  { "$git status", UNREAD },
  { "g${x}it status", UNREAD },
  { "git$IFS'status'", UNREAD },
  { "$'git' status", UNREAD },
  { "git $'status\\x3b rm x'", UNREAD },
  { "git $\"status\"", UNREAD },
  { "git status <(rm x)", UNREAD },
  { "git status >(rm x)", UNREAD },
  { "echo $", UNREAD },
  { "git {status,push}", UNREAD },
  { "{git,rm} status", UNREAD },
  { "echo a{1..3}", UNREAD },
  { "*/git status", UNREAD },
  { "gi? status", UNREAD },
  { "g[i]t status", UNREAD },
  { "~/git status", UNREAD },
  { "~root/git status", UNREAD },

  /* Redirections. */
  { "git status > x", UNREAD },
  { "git status >x", UNREAD },
  { "git status >> x", UNREAD },
  { "git status 2> x", UNREAD },
  { "git status &> x", UNREAD },
  { "git status >& x", UNREAD },
  { "git status >| x", UNREAD },
  { "git status <> x", UNREAD },
  { "cat < x", UNREAD },
  { "cat <<< x", UNREAD },
  { "cat << EOF\nrm x\nEOF", UNREAD },
  { "cat <<-'EOF'\nrm x\nEOF", UNREAD },
  { "git status 2>&1x", UNREAD },
  { "git status 2>&1>x", UNREAD },
  { "git status 12>&1", UNREAD },
  { "git status >/dev/null/../x", UNREAD },
  { "git status >/dev/nullx", UNREAD },
  { "git status >/dev/null'x'", UNREAD },
  { "git status >/dev/tcp/a/1", UNREAD },
  { "git status ''2>&1", UNREAD },
  { "git status {fd}>x", UNREAD },
  { ">/dev/null git status", UNREAD },
  { ">x git status", UNREAD },
  { "exec 3<>/dev/tcp/a/1", UNREAD },

  /* Groups, functions, keywords, assignments. */
  { "(git status)", UNREAD },
  { "git status; (rm x)", UNREAD },
  { "{ git status; }", UNREAD },
  { "git() { rm x; }; git status", UNREAD },
  { "function git { rm x; }", UNREAD },
  { "git () ( rm x )", UNREAD },
  { "if git status; then rm x; fi", UNREAD },
  { "while git status; do rm x; done", UNREAD },
  { "for x in a; do rm x; done", UNREAD },
  { "case a in a) rm x;; esac", UNREAD },
  { "select x in a; do rm x; done", UNREAD },
  { "until git status; do rm x; done", UNREAD },
  { "time git status", UNREAD },
  { "coproc git status", UNREAD },
  { "! git status", UNREAD },
  { "[[ -n x ]] && rm x", UNREAD },
  { "((a=1))", UNREAD },
  { "LD_PRELOAD=/tmp/x.so git status", UNREAD },
  { "PATH=/tmp git status", UNREAD },
  { "GIT_PAGER='sh -c x' git log", UNREAD },
  { "a+=b git status", UNREAD },
  { "a[0]=b git status", UNREAD },
  { "x=1", UNREAD },

  /* Operators that are none of ours, and what is missing. */
  { "git status |& cat", UNREAD },
  { "git status ;; cat", UNREAD },
  { "git status ;& cat", UNREAD },
  { "git status &&& cat", UNREAD },
  { "git status ||| cat", UNREAD },
  { "git status &&", UNREAD },
  { "git status |", UNREAD },
  { "git status && ; cat", UNREAD },
  { "&& git status", UNREAD },
  { "| git status", UNREAD },
  { "; git status", UNREAD },
  { "", UNREAD },
  { "   ", UNREAD },
  { "\n", UNREAD },
  { "''", UNREAD },
  { "'' git status", UNREAD },

  /* Quotes that do not close, lines that go on, comments. */
  { "git status 'x", UNREAD },
  { "git status \"x", UNREAD },
  { "git status \"x\\\"", UNREAD },
  { "git status 'x\\'' rm y'", ALLOWED }, /* all of it is one word */
  { "git status \\", UNREAD },
  { "git \\\nstatus", UNREAD },
  { "git stat\\\nus", UNREAD },
  { "git \"stat\\\nus\"", UNREAD },
  { "git status # rm x", UNREAD },
  { "#git status", UNREAD },
  { "git status #\nrm x", UNREAD },

  /* Characters that are not what they look like. */
  { "git status\r", UNREAD },
  { "git status\rrm x", UNREAD },
  { "git status \x1b[2K\x1b[1Grm x", UNREAD },
  { "git status \x07", UNREAD },
  { "git status \x7f", UNREAD },
  { "git status \xe2\x80\xae"
    "txt.exe",
    UNREAD },                                         /* right to left override */
  { "git status \xe2\x81\xa6x\xe2\x81\xa9", UNREAD }, /* isolates */
  { "git\xe2\x80\x8b status", UNREAD },               /* zero width space */
  { "git\xc2\xa0status", UNREAD },                    /* no-break space */
  { "git status\xe2\x80\xa8rm x", UNREAD },           /* line separator */
  { "git status\xc2\x85rm x", UNREAD },               /* next line */
  { "git status \xef\xbb\xbf", UNREAD },              /* byte order mark */
  { "git status \xc2\xad", UNREAD },                  /* soft hyphen */
  { "git status \xf3\xa0\x81\xa1", UNREAD },          /* a tag */
  { "git status \xee\x80\x80", UNREAD },              /* private use */
  { "git status \xff\xfe", UNREAD },                  /* not UTF-8 */
  { "git status \xc0\xbb rm", UNREAD },               /* overlong ; */
};

static void
test_lines (void)
{
  static const char *const names[] = { "unread", "asked", "allowed" };
  guint n_wrong = 0;

  g_assert_cmpuint (G_N_ELEMENTS (lines), >=, 150);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const Outcome outcome = judge (lines[i].line);
      g_autofree char *shown = g_strescape (lines[i].line, NULL);

      if (outcome == lines[i].outcome)
        continue;
      n_wrong++;
      g_test_message ("\"%s\" is %s and should be %s", shown, names[outcome],
                      names[lines[i].outcome]);
    }
  g_assert_cmpuint (n_wrong, ==, 0);
}

/* Every line that is not read says why. */
static void
test_reasons (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const char *reason = NULL;
      g_autoptr (GPtrArray) commands = gadget_command_line_read (lines[i].line, &reason);

      g_assert_true ((commands == NULL) == (reason != NULL));
    }
}

static void
assert_words (const char *line, const char *joined)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_nonnull (commands);
  for (guint i = 0; i < commands->len; i++)
    {
      g_autofree char *words = g_strjoinv ("|", g_ptr_array_index (commands, i));

      g_string_append_printf (text, "%s%s", i > 0 ? " / " : "", words);
    }
  g_assert_cmpstr (text->str, ==, joined);
}

static void
test_words (void)
{
  assert_words ("a b c", "a|b|c");
  assert_words ("a 'b c' \"d e\" f\\ g", "a|b c|d e|f g");
  assert_words ("a '' \"\"", "a||");
  assert_words ("a 'b'\\''c'", "a|b'c");
  assert_words ("a \"b\\\"c\\n\"", "a|b\"c\\n");
  assert_words ("a;b&&c||d|e&f\ng", "a / b / c / d / e / f / g");
  assert_words ("a 2>&1 b", "a|b");
  assert_words ("a 2 1 12", "a|2|1|12");
  assert_words ("a\\ b c", "a b|c");
}

static void
assert_prefix (const char *line, const char *prefix)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autofree char *found = NULL;

  g_assert_nonnull (commands);
  found = gadget_command_tokens_dup_prefix (g_ptr_array_index (commands, 0));
  g_assert_cmpstr (found, ==, prefix);
}

static void
test_prefix (void)
{
  static const char *const none[] = {
    "sh -c x",      "bash x",          "/bin/sh -c x",   "env x",         "sudo x",
    "python -c x",  "python3.13 x",    "node -e x",      "perl -e x",     "xargs x",
    "find . -exec", "find .",          "ssh host",       "make",          "make test",
    "awk x",        "sed -n 1p x",     "tar xf x",       "./dev test",    "/usr/bin/git status",
    "git",          "git -c a status", "git bisect run", "git config a",  "git rebase -x a",
    "git grep x",   "git fetch",       "cargo run",      "npm run x",     "npm exec x",
    "npx x",        "go run .",        "uv run x",       "unknown thing", "rm x",
    "cd x",         "printf x",        "eval x",         "timeout 5 ls",  "watch ls",
    "docker run x", "vim x",           "less x",         "command ls",    "busybox ls",
    "gcc x.c",      "cmake --build .", "ninja -C build", "test -f x",     "git status --exec",
    "clang-19 a.c", "lua5.4 x",        "ldd a"
  };

  assert_prefix ("git status --short", "git status");
  assert_prefix ("git commit -m 'a; b'", "git commit");
  assert_prefix ("meson test -C build", "meson test");
  assert_prefix ("cargo test", "cargo test");
  assert_prefix ("npm test", "npm test");
  assert_prefix ("ls", "ls");
  assert_prefix ("ls -la src", "ls");
  assert_prefix ("cat src/main.c", "cat");
  assert_prefix ("rg -n pattern", "rg");
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    assert_prefix (none[i], NULL);
}

static void
assert_denial (const char *line, const char *denial)
{
  g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);
  g_autofree char *found = NULL;

  g_assert_nonnull (commands);
  found = gadget_command_tokens_dup_denial (g_ptr_array_index (commands, 0));
  g_assert_cmpstr (found, ==, denial);
  g_assert_true (gadget_command_line_mentions (line, found));
}

static void
test_denial (void)
{
  assert_denial ("git push origin main", "git push");
  assert_denial ("/usr/bin/git push", "git push");
  assert_denial ("git -C x push", "git");
  assert_denial ("rm -rf x", "rm");
  assert_denial ("sh -c x", "sh");
  assert_denial ("./dev test", "dev");
}

/* What is never offered is never allowed either, whoever wrote the rule. */
static void
test_may_allow (void)
{
  static const char *const never[] = { "sh",   "bash",  "env",     "sudo",      "python3",
                                       "node", "xargs", "find",    "ssh",       "make",
                                       "eval", "./x",   "/bin/ls", "python3.12" };

  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    {
      const char *const words[] = { never[i], "a", NULL };

      g_assert_false (gadget_command_tokens_may_allow (words));
      g_assert_true (strchr (never[i], '/') != NULL
                     || gadget_command_tokens_runs_anything (never[i]) != NULL);
    }
}

static void
test_mentions (void)
{
  static const struct
  {
    const char *line;
    const char *prefix;
    gboolean found;
  } cases[] = {
    { "git push", "git push", TRUE },
    { "git  push origin", "git push", TRUE },
    { "git -C x push", "git push", TRUE },
    { "/usr/bin/git push", "git push", TRUE },
    { "ls; git push", "git push", TRUE },
    { "ls && (git push)", "git push", TRUE },
    { "sh -c 'git push'", "git push", TRUE },
    { "sh -c \"sh -c 'git push'\"", "git push", TRUE },
    { "g\\it pu''sh", "git push", TRUE },
    { "GIT PUSH", "git push", TRUE },
    { "echo $(git push)", "git push", TRUE },
    { "echo `git push`", "git push", TRUE },
    { "x=1 git push", "git push", TRUE },
    { "x=git push", "git push", TRUE },
    { "git\\\n push", "git push", TRUE },
    { "git\tpush", "git push", TRUE },
    { "if true; then git push; fi", "git push", TRUE },
    { "git\xe2\x80\x8b push", "git push", TRUE },
    { "git${IFS}push", "git push", TRUE },
    { "rm -rf x", "rm", TRUE },
    { "xargs rm", "rm", TRUE },
    { "git pull", "git push", FALSE },
    { "git", "git push", FALSE },
    { "push git", "git push", FALSE },
    { "gitpush", "git push", FALSE },
    { "grm x", "rm", FALSE },
    { "", "rm", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].line);
      g_assert_cmpint (gadget_command_line_mentions (cases[i].line, cases[i].prefix), ==,
                       cases[i].found);
    }
}

/* --- Beside a real shell ---------------------------------------------------------------------- */

/* Runs each line in a shell without any command: what it would have run is written down, one line
 * of quoted words a command, after the number of the line. "||" is left out of the lines, so that
 * all of their commands run; which of them first is not said. */
#define RECORDER                                                                                   \
  "command_not_found_handle () { local w=$n x; for x; do w+=\" <$x>\"; done;"                      \
  " printf '%s\\n' \"$w\" >&7; }\n"                                                                \
  "set -f; PATH=/nonexistent; exec 7>&1; n=0\n"                                                    \
  "while IFS= read -r -d '' line; do n=$((n + 1)); ( eval \"$line\" ) </dev/null >/dev/null 2>&1"  \
  "; done; wait\n"

static char *
make_line (GRand *random)
{
  static const char *const pieces[] = {
    "a",  "b",    "c1",   " ",          " ",     " ",   "'",   "\"",  "\\",       ";",
    "&&", "|",    "&",    "\n",         "\t",    "$",   "$x",  "`",   "(",        ")",
    "<",  ">",    "2>&1", ">/dev/null", "2",     "1",   "{",   "}",   "=",        "x=",
    "#",  "!",    "a b",  "'a b'",      "\"a\"", "\\n", "-x",  "a=b", "\xc3\xa9", "\\'",
    "''", "$(b)", "if",   "then",       "fi",    "[",   "a;b", "\\\n"
  };
  GString *line = g_string_new ("a");
  const int n = g_rand_int_range (random, 1, 14);

  for (int i = 0; i < n; i++)
    g_string_append (line, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
  return g_string_free_and_steal (line);
}

static int
compare_text (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static void
expect_commands (GPtrArray *expected, guint number, const GPtrArray *commands)
{
  for (guint i = 0; i < commands->len; i++)
    {
      char **words = g_ptr_array_index (commands, i);
      g_autoptr (GString) text = g_string_new (NULL);

      g_string_printf (text, "%u", number);
      for (guint k = 0; words[k] != NULL; k++)
        g_string_append_printf (text, " <%s>", words[k]);
      /* Words may hold lines; the records are compared as lines. */
      g_auto (GStrv) parts = g_strsplit (text->str, "\n", -1);

      for (guint k = 0; parts[k] != NULL; k++)
        g_ptr_array_add (expected, g_strdup (parts[k]));
    }
}

static GPtrArray *
run_recorder (GBytes *script)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) shell =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        "bash", "--norc", "--noprofile", "-c", RECORDER, NULL);
  g_autoptr (GBytes) output = NULL;
  g_auto (GStrv) records = NULL;
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  g_assert_no_error (error);
  g_subprocess_communicate (shell, script, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  records = g_strsplit (g_bytes_get_data (output, NULL), "\n", -1);
  for (guint i = 0; records[i] != NULL; i++)
    if (records[i + 1] != NULL) /* nothing follows the last line's end */
      g_ptr_array_add (found, g_strdup (records[i]));
  return found;
}

static gboolean
is_recorded (const GPtrArray *commands)
{
  for (guint i = 0; i < commands->len; i++)
    {
      const char *const *words = g_ptr_array_index (commands, i);

      if (strchr (words[0], '/') != NULL || g_str_equal (words[0], "["))
        return FALSE;
    }
  return TRUE;
}

/* What was read of a line is what a shell does with it. */
static void
test_beside_shell (void)
{
  const guint32 seed = g_test_rand_int ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GByteArray) script = g_byte_array_new ();
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GBytes) input = NULL;
  guint n = 0;

  g_test_message ("seed %u", seed);
  while (n < 400)
    {
      g_autofree char *line = make_line (random);
      g_autoptr (GPtrArray) commands = gadget_command_line_read (line, NULL);

      /* What the shell has itself, or looks for in a folder, says nothing to the recorder. */
      if (commands == NULL || !is_recorded (commands) || strstr (line, "||") != NULL)
        continue;
      g_byte_array_append (script, (const guint8 *) line, (guint) strlen (line) + 1);
      expect_commands (expected, ++n, commands);
    }
  input = g_byte_array_free_to_bytes (g_steal_pointer (&script));
  found = run_recorder (input);
  g_ptr_array_sort (expected, compare_text);
  g_ptr_array_sort (found, compare_text);
  for (guint i = 0; i < MIN (expected->len, found->len); i++)
    g_assert_cmpstr (expected->pdata[i], ==, found->pdata[i]);
  g_assert_cmpuint (expected->len, ==, found->len);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/command-line/lines", test_lines);
  g_test_add_func ("/engine/command-line/reasons", test_reasons);
  g_test_add_func ("/engine/command-line/words", test_words);
  g_test_add_func ("/engine/command-line/prefix", test_prefix);
  g_test_add_func ("/engine/command-line/denial", test_denial);
  g_test_add_func ("/engine/command-line/may-allow", test_may_allow);
  g_test_add_func ("/engine/command-line/mentions", test_mentions);
  g_test_add_func ("/engine/command-line/beside-shell", test_beside_shell);
  return g_test_run ();
}
