/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is read of a line, what may be allowed of it, and the tricks by which a line does something
 * else than it begins with. The rules that are tried against each are the ones of a user who allows
 * "git status", "git log", "meson test", "ls", "cat" and "echo". */

#include "config.h"

#include "tools/shell/gadget-command-line.h"
#include "tools/shell/gadget-command-tokens.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/command-line/lines", test_lines);
  g_test_add_func ("/engine/command-line/reasons", test_reasons);
  return g_test_run ();
}
