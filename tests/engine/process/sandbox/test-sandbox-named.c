/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a configuration of the user's names in the folder is run by the user's own git, and so it is
 * not for commands to write. Each attack is made without a sandbox as well, and works there. */

#include "config.h"

#include "test-sandbox.h"
#include "process/git/gadget-sandbox-git.h"

#include <glib/gstdio.h>
#include <string.h>

#define OWN                                                                                        \
  "export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x "        \
  "GIT_COMMITTER_EMAIL=x; "
#define REPOSITORY OWN "git init -q .; echo a > a; git add a; git commit -qm one; "

/* "put FILE" plants a program that leaves a trace. */
#define EVIL                                                                                       \
  OWN "put () { mkdir -p \"$(dirname $1)\"; printf '#!/bin/sh\ntouch %s/evil\ncat\n' \"$PWD\" "    \
      "> $1; chmod +x $1; }; exec 2>/dev/null; "
#define KEPT "mkdir -p tools; printf '#!/bin/sh\ncat\n' > tools/run; chmod +x tools/run; "
#define FILTER "echo '* filter=x' > .gitattributes; "

/* What the user has, what a command then plants, what the user does, and what is told. */
static const struct
{
  const char *name;
  const char *before;
  const char *plant;
  const char *look;
  const char *told;
} attacks[] = {
  { "include", "git config include.path ../.gitconfig; echo > .gitconfig",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> .gitconfig", "git status", "" },
  { "include-renamed", "git config include.path ../.gitconfig; echo > .gitconfig",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD > n; mv -f n .gitconfig || rm -f .gitconfig",
    "git status", "" },
  { "include-missing", "git config include.path ../.gitconfig",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD > .gitconfig", "git status", ".gitconfig" },
  { "include-of-include",
    "git config includeIf.onbranch:master.path ../one; "
    "printf '[include]\npath = \"two\" ; x\n' > one",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD > two", "git status", "two" },
  { "include-by-link",
    "mkdir shared; echo > shared/config; ln -s shared/config team; "
    "git config include.path ../team",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD > n; cp n shared/config; rm team; cp n team",
    "git status", "team" },
  { "fsmonitor", KEPT "git config core.fsmonitor tools/run", "put tools/run", "git status", "" },
  { "fsmonitor-moved", KEPT "git config core.fsmonitor ./tools/run", "mv tools t; put tools/run",
    "git status", "tools/run" },
  { "script-missing", "git config core.fsmonitor 'sh -e run'", "put run", "git status", "run" },
  { "folder-missing", "mkdir tools; git config core.fsmonitor 'cd tools && ./run'", "put tools/run",
    "git status", "tools/run" },
  { "fsmonitor-missing", "git config core.fsmonitor ./tools/run", "put tools/run", "git status",
    "tools/run" },
  { "read-only-folder", "git config core.fsmonitor ./tools/run", "put tools/run; chmod 555 tools",
    "git status", "tools/run" },
  { "textconv", KEPT "git config diff.x.textconv 'sh tools/run'; echo '* diff=x' > .gitattributes",
    "put tools/run; echo b >> a", "git diff", "" },
  { "external", KEPT "git config diff.external \"$PWD/tools/run\"", "put tools/run; echo b >> a",
    "git diff", "" },
  { "clean", KEPT FILTER "git config filter.x.clean 'cd tools && ./run %f'",
    "put tools/run; echo b >> a", "git diff", "" },
  { "smudge-top",
    KEPT FILTER "git config filter.x.smudge '\"$(git rev-parse --show-toplevel)/tools/run\"'",
    "put tools/run; rm a", "git checkout a", "" },
  { "hooks", "mkdir .githooks; git config core.hooksPath .githooks", "put .githooks/pre-commit",
    "git commit --allow-empty -m x", "" },
  { "hooks-top", "git config core.hooksPath \"$PWD\"", "put pre-commit",
    "git commit --allow-empty -m x", "pre-commit" },
  { "hooks-by-user", "mkdir .githooks; git config core.hooksPath \"~daemon/../..$PWD/.githooks\"",
    "put .githooks/pre-commit", "git commit --allow-empty -m x", "" },
  { "hooks-by-prefix", "mkdir .githooks; git config core.hooksPath \"%(prefix)/..$PWD/.githooks\"",
    "put .githooks/pre-commit", "git commit --allow-empty -m x", "" },
  { "include-by-user", "git config include.path \"~daemon/../..$PWD/.gitconfig\"",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD > .gitconfig", "git status", ".gitconfig" },
  { "husky",
    "mkdir -p .husky/_; printf '. \"$(dirname \"$0\")/h\"' > .husky/_/pre-commit; "
    "printf 'sh \"$(dirname $(dirname \"$0\"))/pre-commit\"' > .husky/_/h; "
    "chmod +x .husky/_/*; echo '*' > .husky/_/.gitignore; echo : > .husky/pre-commit; "
    "git config core.hooksPath .husky/_",
    "put .husky/pre-commit; put .husky/_/pre-commit; put .husky/_/h",
    "git commit --allow-empty -m x", "" },
  { "husky-missing", "git config core.hooksPath .husky/_", "put .husky/_/pre-commit",
    "git commit --allow-empty -m x", ".husky" },
  { "hook-link", KEPT "ln -s ../../tools/run .git/hooks/pre-commit", "put tools/run",
    "git commit --allow-empty -m x", "" },
  { "alias", KEPT "git config alias.ci '!tools/run'", "put tools/run", "git ci </dev/null", "" },
  { "lfs", FILTER KEPT "git config filter.x.process 'tools/run filter-process'",
    "put tools/run; "
    "echo b >> a",
    "timeout 5 git diff </dev/null", "" },
  { "merge",
    KEPT "git config merge.x.driver 'tools/run %A'; echo '* merge=x' > .gitattributes; "
         "git checkout -qb b; echo b > a; git commit -qam b; git checkout -q -; echo c > a; "
         "git commit -qam c",
    "put tools/run", "git merge b </dev/null", "" },
  { "worktree",
    KEPT "git add .; git commit -qm two; git config core.fsmonitor tools/run; "
         "git worktree add -q tree",
    "put tree/tools/run", "cd tree; git status", "" },
  { "submodule",
    "git init -q ../lib; git -C ../lib commit -q --allow-empty -m x; "
    "git -c protocol.file.allow=always submodule --quiet add ../lib deep/lib; git commit -qm two; "
    "git -C deep/lib config core.fsmonitor ./run",
    "put deep/lib/run", "git status", "deep/lib/run" },
  { "config-worktree",
    KEPT "git config extensions.worktreeConfig true; "
         "git config --worktree core.fsmonitor tools/run",
    "put tools/run", "git status", "" },
  { "config-linked", "mv .git/config conf; ln -s ../conf .git/config",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> conf", "git status", "" },
  { "config-linked-moved", "mkdir c; mv .git/config c/conf; ln -s ../c/conf .git/config",
    "put r; cp -r c d; printf '[core]\nfsmonitor=%s/r\n' $PWD >> d/conf; mv c e; mv d c",
    "git status", "c/conf" },
  { "separate", "mv .git store; echo 'gitdir: store' > .git",
    "put r; git config -f store/config core.fsmonitor $PWD/r", "git status", "" },
  { "attributes",
    KEPT "git config filter.x.clean tools/run; git config core.attributesFile attributes",
    "put tools/run; echo '* filter=x' > attributes; echo b >> a", "git diff", "" },
  { "global-linked",
    "git config --global user.name x; mv ~/.gitconfig dot; ln -s \"$PWD/dot\" ~/.gitconfig",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> dot", "git status", "" },
  { "global-linked-folder",
    "mkdir -p ~/.config own; ln -sfn \"$PWD/own\" ~/.config/git; git config -f own/config "
    "user.name x",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> own/config", "git status", "" },
  { "global", KEPT "git config --global core.hooksPath .githooks", "put .githooks/pre-commit",
    "git commit --allow-empty -m x", ".githooks" },
  { "address", "git config protocol.ext.allow always; git remote add x 'ext::sh tools/run'",
    "put tools/run", "git fetch x", "tools/run" },
  { "address-of-url",
    "git config protocol.ext.allow always; git remote add x up:x; "
    "git config 'url.ext::sh tools/run .insteadOf' up:",
    "put tools/run", "git fetch x", "tools/run" },
  { "address-of-branch",
    "git config protocol.ext.allow always; git config branch.master.merge refs/heads/x; "
    "git config branch.master.remote 'ext::sh tools/run'",
    "put tools/run", "git fetch", "tools/run" },
  { "address-of-remotes",
    "git config protocol.ext.allow always; mkdir -p .git/remotes; "
    "echo 'URL: ext::sh tools/run' > .git/remotes/origin",
    "put tools/run", "git fetch", "tools/run" },
  { "address-of-branches",
    "git config protocol.ext.allow always; mkdir -p .git/branches; "
    "echo 'ext::sh tools/run' > .git/branches/x",
    "put tools/run", "git fetch x", "tools/run" },
  { "new-remotes", "git config protocol.ext.allow always",
    "put r; mkdir -p .git/remotes; echo \"URL: ext::sh $PWD/r\" > .git/remotes/origin", "git fetch",
    ".git" },
  { "new-branches", "git config protocol.ext.allow always",
    "put r; mkdir -p .git/branches; echo \"ext::sh $PWD/r\" > .git/branches/x", "git fetch x",
    ".git" },
  { "linked-remotes", "git config protocol.ext.allow always",
    "put r; mkdir o; echo \"URL: ext::sh $PWD/r\" > o/origin; ln -s ../o .git/remotes", "git fetch",
    ".git" },
  { "path", FILTER "mkdir tools; git config filter.x.clean 'PATH=./tools:$PATH cleaner'",
    "put tools/cleaner; echo b >> a", "git diff", "" },
  { "path-missing", FILTER "git config filter.x.clean 'PATH=$PWD/tools:$PATH sed s/a/b/'",
    "put tools/sed; echo b >> a", "git diff", "tools" },
  { "path-of-env", FILTER "git config filter.x.clean 'env PATH=tools:/bin:/usr/bin cleaner'",
    "put tools/cleaner; echo b >> a", "git diff", "tools" },
  { "path-of-top",
    FILTER
    "git config filter.x.clean 'PATH=\"$(git rev-parse --show-toplevel)/tools:$PATH\" cleaner'",
    "put tools/cleaner; echo b >> a", "git diff", "tools" },
  { "path-here", FILTER "git config filter.x.clean 'PATH=.:$PATH; cleaner'",
    "put cleaner; echo b >> a", "git diff", "cleaner" },
  { "variable", "git config core.fsmonitor '$PWD/tools/run'", "put tools/run", "git status",
    "tools/run" },
  { "python-folder",
    FILTER "mkdir tools; echo > tools/__main__.py; git config filter.x.clean 'python3 tools'",
    "echo 'open (\"evil\", \"w\")' > tools/__main__.py; echo b >> a", "git diff", "" },
  { "other-name-hook", "printf '#!/bin/sh\n' > run; chmod +x run; ln run .git/hooks/pre-commit",
    "printf 'touch evil\n' >> run", "git commit --allow-empty -m x", ".git" },
  { "other-name-config", "cp .git/config conf; ln -f conf .git/config",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> conf", "git status", ".git" },
  { "other-name-include", "echo > one; ln one two; git config include.path ../one",
    "put r; printf '[core]\nfsmonitor=%s/r\n' $PWD >> two", "git status", "one" },
  { "other-name-gone", KEPT "ln tools/run other; git config core.fsmonitor tools/run",
    "printf 'touch evil\n' >> other; rm other", "git status", "tools/run" },
  { "module", FILTER "git config filter.x.clean 'python3 -m tool'",
    "echo 'open (\"evil\", \"w\")' > tool.py; echo b >> a", "git diff", "tool.py" },
  { "module-folder", FILTER "git config filter.x.clean 'python3 -mtool.clean'",
    "mkdir tool; echo 'open (\"evil\", \"w\")' > tool/clean.py; echo b >> a", "git diff", "tool" },
  { "top-missing", "git config core.fsmonitor '\"$(git rev-parse --git-common-dir)/../tools/run\"'",
    "put tools/run", "git status", "tools/run" },
  { "own-new", "git config --global core.fsmonitor ./tools/run",
    "git init -q new; put new/tools/run", "cd new; git status", "new/tools/run" },
  { "moved", "git init -q sub; git -C sub config core.hooksPath .githooks",
    "mv sub sub2; put sub2/.githooks/pre-commit", "cd sub2; git commit --allow-empty -m x",
    "sub2/.githooks" },
  { "moved-program", "git init -q sub; cd sub; " KEPT "git config core.fsmonitor tools/run",
    "mv sub sub2; mv sub2/tools sub2/t; put sub2/tools/run", "cd sub2; git status",
    "sub2/tools/run" },
  { "moved-file",
    "git init -q ../lib; git -C ../lib commit -q --allow-empty -m x; "
    "git -c protocol.file.allow=always submodule --quiet add ../lib lib; "
    "git -C lib config core.hooksPath .githooks; git -C lib config --unset core.worktree",
    "mkdir new; cp lib/.git new/.git; put new/.githooks/pre-commit",
    "cd new; git commit --allow-empty -m x", "new/.githooks" },
  { "bare-worktree",
    "mv .git .bare; git -C .bare config core.bare true; echo 'gitdir: ./.bare' > .git; "
    "git worktree add -q own; git config core.fsmonitor ./run",
    "mkdir y; cp own/.git y/.git; put y/run", "cd y; git status", "y/run" },
  { "above", "cd ..; rm -rf x/.git; git init -q .; git config core.fsmonitor x/run", "put run",
    "git status", "run" },
  { "hooks-unreadable", NULL,
    "git init -q new; put new/.git/hooks/pre-commit; "
    "chmod 311 new/.git/hooks",
    "cd new; git commit --allow-empty -m x", "new/.git" },
  { "hooks-closed",
    "git config core.hooksPath .git/x/h; git config include.path ../none; mkdir -p .git/x/h",
    "mv .git/x .git/o; put .git/x/h/pre-commit; chmod 311 .git/x/h",
    "git commit --allow-empty -m x", ".git/x/h" },
  { "hooks-closed-moved",
    "for i in a b; do git init -q r$i; git -C r$i config core.hooksPath .git/x/h; "
    "mkdir -p r$i/.git/x/h; done",
    "mv rb rc; mv rc/.git/x rc/.git/o; put rc/.git/x/h/pre-commit; chmod 311 rc/.git/x/h",
    "cd rc; git commit --allow-empty -m x", "rc/.git/x/h" },
  { "config-read-only", NULL,
    "git init -q new; put r; git -C new config core.fsmonitor $PWD/r; "
    "chmod 555 new/.git",
    "cd new; git status", "new/.git" },
};

static char *
run (TestSandbox *self, GadgetSandbox *sandbox, const char *command)
{
  g_autoptr (TestProcess) process = test_process_start (command, self->workspace, sandbox, 20000);

  test_process_wait (process);
  g_assert_no_error (process->error);
  g_test_message ("%s", process->output->str);
  return g_strdup (process->result->disarmed);
}

static void
prepare (TestSandbox *self, const char *before)
{
  g_autofree char *command = g_strconcat (REPOSITORY, before != NULL ? before : "", NULL);
  g_autofree char *projects = g_path_get_dirname (self->workspace);
  g_autofree char *global = g_build_filename (self->home, ".gitconfig", NULL);
  g_autofree char *output = NULL;

  test_remove_tree (projects);
  g_remove (global);
  g_assert_cmpint (g_mkdir_with_parents (self->workspace, 0700), ==, 0);
  output = run (self, NULL, command);
}

/* The user's own git. */
static gboolean
is_run (TestSandbox *self, const char *look)
{
  g_autofree char *evil = g_build_filename (self->workspace, "evil", NULL);
  g_autofree char *command = g_strconcat (OWN, look, NULL);
  g_autofree char *output = run (self, NULL, command);

  return g_file_test (evil, G_FILE_TEST_EXISTS);
}

static void
test_attacks (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (attacks); i++)
    {
      g_autofree char *command = g_strconcat (EVIL, attacks[i].plant, NULL);
      g_autofree char *told = NULL;
      g_autofree char *output = NULL;

      g_test_message ("%s", attacks[i].name);
      prepare (self, attacks[i].before);
      output = run (self, NULL, command);
      g_assert_true (is_run (self, attacks[i].look));

      prepare (self, attacks[i].before);
      told = run (self, self->sandbox, command);
      g_assert_cmpstr (told, ==, attacks[i].told);
      g_assert_false (is_run (self, attacks[i].look));
    }
}

#define MANY(text) "for i in {1..6}; do " text "; done; "
#define SETTING(i) "git -C " i " config core.fsmonitor $PWD/r"
#define COMMIT_IN(i) "git -C " i " commit -q --allow-empty -m x"

/* With so much of something that the rest could be missed; the first command may prepare that. */
static const struct
{
  const char *name;
  const char *before;
  const char *first; /* (nullable) */
  const char *plant;
  const char *look;
} floods[] = {
  { "names", "rm -rf .git; git init -q b; cd b; " KEPT "git config core.fsmonitor tools/run",
    "git init -q .; { echo '[core]'; printf 'name ='; for i in {1..700}; do printf ' x%s.y' $i; "
    "done; echo; } >> .git/config",
    "put b/tools/run", "cd b; git status -s" },
  { "others", NULL, NULL, "for i in {1..90}; do mkdir -p d$i/.hg; echo x > d$i/.hg/hgrc; done",
    "ls d*/.hg/hgrc && touch evil" },
  { "words-of-others", NULL, NULL,
    MANY ("mkdir -p d$i/.hg; for j in {1..150}; do echo \"x$i$j = ./x$i.$j\"; done > d$i/.hg/hgrc"),
    "ls d*/.hg/hgrc && touch evil" },
  { "names-aside", "git config include.path ../.gitconfig", NULL,
    "touch .gitconfig.from-command .gitconfig.from-command-{2..1000}; put r; "
    "printf '[core]\nfsmonitor=%s/r\n' $PWD > .gitconfig",
    "git status -s" },
  { "folders", NULL, NULL, "put r; mkdir d{1..900}; " MANY ("git init -q z$i; " SETTING ("z$i")),
    "for i in z*; do git -C $i status -s; done" },
  { "folders-before",
    MANY ("git init -q z$i; mkdir z$i/tools; echo > z$i/tools/run; chmod +x z$i/tools/run; "
          "git -C z$i config core.fsmonitor tools/run"),
    "mkdir d{1..900}", MANY ("put z$i/tools/run"), "for i in z*; do git -C $i status -s; done" },
  { "repositories", NULL, "mkdir -p d{1..900}/.git",
    "put r; " MANY ("git init -q z$i; " SETTING ("z$i")),
    "for i in z*; do git -C $i status -s; done" },
  { "modules", NULL, NULL,
    "p=.git/modules/a/b/c/d/e/f/g; put r; git init -q sub; " COMMIT_IN (
        "sub") "; "
               "mkdir -p $p; cp -r sub/.git/* $p; git add sub; rm -rf sub/.git; "
               "echo gitdir: ../$p > sub/.git; git config -f $p/config core.worktree $PWD/sub; "
               "git config -f $p/config core.fsmonitor $PWD/r",
    "git status -s" },
  { "hooks",
    "mkdir -p {a{1..32},z/{1..3}}/.git/{hooks,objects,refs}; "
    "touch {a{1..32},z/{1..3}}/.git/{HEAD,config}",
    "touch z/{1..3}/.git/hooks/update; touch z/{1..3}/.git/hooks/{1..600}.sample",
    "chmod +x z/*/.git/hooks/update",
    "for i in z/*; do test ! -x $i/.git/hooks/update || touch evil; done" },
  { "own-settings",
    "mkdir z{1..24}; for i in z*; do cp -r .git $i; done; "
    "git config --global core.hooksPath .githooks",
    NULL, "for i in z*; do put $i/.githooks/pre-commit; done",
    "for i in z*; do " COMMIT_IN ("$i") "; done" },
  { "own-settings-new", "git config --global core.hooksPath .githooks", NULL,
    "git init -q new; put new/.githooks/pre-commit", COMMIT_IN ("new") },
};

static void
test_flooded (TestSandbox *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (floods); i++)
    {
      g_autofree char *first =
          g_strconcat (EVIL, floods[i].first != NULL ? floods[i].first : ":", NULL);
      g_autofree char *plant = g_strconcat (EVIL, floods[i].plant, NULL);

      g_test_message ("%s", floods[i].name);
      for (guint j = 0; j < 2; j++)
        {
          GadgetSandbox *sandbox = j == 0 ? NULL : self->sandbox;
          g_autofree char *told_first = NULL;
          g_autofree char *told = NULL;

          prepare (self, floods[i].before);
          told_first = run (self, sandbox, first);
          told = run (self, sandbox, plant);
          if (is_run (self, floods[i].look) == (j == 0))
            continue;
          g_test_message ("%s: %s", floods[i].name, j == 0 ? "is no attack" : "is run");
          g_test_fail ();
        }
    }
}

static void
assert_named (TestSandbox *self, const char *name, gboolean expected)
{
  g_autofree char *path = g_build_filename (self->workspace, name, NULL);

  g_test_message ("%s", name);
  g_assert_true (gadget_git_may_run_file (self->workspace, path) == expected);
}

/* A configuration as long as they may be is looked at in no time: for each letter once. */
static void
test_long (TestSandbox *self, gconstpointer data)
{
  g_autofree char *value = g_strnfill (1000000, 'a');
  g_autofree char *config = g_strdup_printf ("[core]\nfsmonitor = ./run %s\n", value);
  const gint64 begun = g_get_monotonic_time ();

  test_sandbox_make_repository (self->workspace, ".git");
  test_write_file (self->workspace, ".git/config", config);
  assert_named (self, "run", TRUE);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 30 * G_TIME_SPAN_SECOND);
}

/* Work goes on, and what is named stays as the user has it, also what the user changes meanwhile.
 */
static void
test_work (TestSandbox *self, gconstpointer data)
{
  static const char before[] = REPOSITORY KEPT FILTER
      "git config filter.x.clean 'tools/run %f'; mkdir .githooks lib docs; "
      "git config core.hooksPath .githooks; git config alias.l 'log -- lib'; "
      "git config branch.docs.remote .; git config user.name docs; "
      "git config blame.ignoreRevsFile .ignore-revs; "
      "git config submodule.active .; echo > .ignore-revs; "
      "echo : > .githooks/pre-commit; ln .githooks/pre-commit other-name; git add .; git commit "
      "-qm two; git init -q sub; cd sub; " KEPT "git config core.fsmonitor tools/run";
  static const char work[] = OWN
      "echo b >> a && git commit -qam three && git config core.hooksPath && "
      "git checkout -q -b other && echo x > tools/more && echo x > lib/x && echo x > docs/x && "
      "echo x >> .ignore-revs && rm other-name && mv lib lib2 && git stash -q && mv sub moved && "
      "echo fine > result";
  g_autofree char *told = NULL;
  g_autofree char *output = NULL;
  g_autofree char *result = NULL;
  g_autofree char *program = NULL;

  if (self->sandbox == NULL)
    return;
  output = run (self, NULL, before);
  told = run (self, self->sandbox, work);
  g_assert_cmpstr (told, ==, "");
  result = g_build_filename (self->workspace, "result", NULL);
  g_assert_true (g_file_test (result, G_FILE_TEST_EXISTS));
  program = g_build_filename (self->workspace, "moved", "tools", "run", NULL);
  g_assert_true (g_file_test (program, G_FILE_TEST_IS_EXECUTABLE));
}

/* A worktree that a command adds has the hooks and programs of the repository; other ones are set
 * aside. */
static void
test_worktree (TestSandbox *self, gconstpointer data)
{
  static const char before[] = REPOSITORY KEPT
      "mkdir .githooks; printf '#!/bin/sh\ntouch hooked\n' > .githooks/pre-commit; "
      "chmod +x .githooks/pre-commit; git config core.hooksPath .githooks; "
      "git config core.fsmonitor tools/run; git add .; git commit -qm two; "
      "git checkout -qb other; echo 'touch evil' >> .githooks/pre-commit; git commit -qam three; "
      "git checkout -q -; rm -f hooked evil";
  g_autofree char *output = NULL;
  g_autofree char *told = NULL;
  g_autofree char *told_other = NULL;
  g_autofree char *user = NULL;

  if (self->sandbox == NULL)
    return;
  output = run (self, NULL, before);
  told = run (self, self->sandbox,
              OWN "git worktree add -q tree && test -z \"$(git -C tree status -s)\"");
  g_assert_cmpstr (told, ==, "");
  told_other = run (self, self->sandbox, OWN "git worktree add -q tree2 other");
  g_assert_cmpstr (told_other, ==, "tree2/.githooks");
  user = run (self, NULL,
              OWN "cd tree && git commit -q --allow-empty -m x && test -e hooked && "
                  "cd ../tree2 && git commit -q --allow-empty -m x && test ! -e evil");
}

/* The user, or an editor, saves such a file while a command runs: that is no work of the command.
 */
static void
test_user_writes (TestSandbox *self, gconstpointer data)
{
  g_autoptr (GadgetGitGuard) guard = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *found = NULL;

  if (self->sandbox == NULL)
    return;
  before = run (self, NULL, REPOSITORY KEPT "git config core.fsmonitor tools/run");

  g_autoptr (TestProcess) process =
      test_process_start ("echo ready; read x", self->workspace, self->sandbox, 20000);

  test_process_wait_output (process, "ready");
  after = run (self, NULL, "cp tools/run n; mv n tools/run; echo ': ' >> tools/run");
  test_process_abort (process);
  test_process_wait (process);
  g_assert_cmpstr (process->result->disarmed, ==, "");
}

/* Mercurial and others follow a link in the place of their folder. */
static void
test_links_of_others (TestSandbox *self, gconstpointer data)
{
  g_autofree char *own = NULL;
  g_autofree char *told = NULL;
  g_autofree char *later = NULL;
  g_autofree char *moved = NULL;
  g_autofree char *left = NULL;

  if (self->sandbox == NULL)
    return;
  test_write_file (self->workspace, "store/hgrc", "[hooks]\npre-status = ./check.sh\n");
  test_write_file (self->workspace, "own/file", "");
  own = run (self, NULL, "ln -s ../store own/.hg");
  test_sandbox_assert (self, self->workspace, "no",
                       "(echo evil > store/hgrc) 2>/dev/null || echo no");
  told = run (self, self->sandbox,
              "mkdir -p e a b c; echo x > e/hgrc; ln -s ../e a/.hg; ln -s $PWD/e b/.SL; "
              "echo x > own/check.sh");
  g_assert_cmpstr (told, ==, "a/.hg, b/.SL, e/hgrc, own/check.sh");
  /* Where the folders were listed after an earlier command. */
  later = run (self, self->sandbox, "sleep 0.1; mkdir f; echo x > f/hgrc; ln -s ../f c/.hg");
  g_assert_cmpstr (later, ==, "c/.hg, f/hgrc");
  moved = run (self, self->sandbox, "mv own own2; echo x > own2/check.sh");
  g_assert_cmpstr (moved, ==, "own2/check.sh");
  left = g_build_filename (self->workspace, "own2", ".hg", NULL);
  g_assert_true (g_file_test (left, G_FILE_TEST_IS_SYMLINK));
}

/* Mercurial, Jujutsu, Breezy and others. */
static void
test_others (TestSandbox *self, gconstpointer data)
{
  g_autofree char *told = NULL;

  if (self->sandbox == NULL)
    return;
  test_write_file (self->workspace, ".hg/hgrc",
                   "[hooks]\npre-status = ./check.sh\n%include ../team.hgrc\n"
                   "[extensions]\nx = tools/x.py\n[paths]\ndefault = ../other\n");
  test_write_file (self->workspace, "check.sh", "kept");
  test_write_file (self->workspace, "tools/x.py", "kept");
  test_write_file (self->workspace, ".jj/repo/config.toml",
                   "[fix.tools.x]\ncommand = [\"./fmt\"]\n");
  test_write_file (self->workspace, ".bzr/branch/branch.conf", "post_commit = ./after\n");
  test_write_file (self->workspace, "sub/.hg/requires", "");
  test_write_file (self->workspace, "own/.hg/hgrc", "[hooks]\npre-status = ./own.sh\n");
  test_sandbox_assert (self, self->workspace, "0",
                       "exec 2>/dev/null; n=0; for f in .hg/hgrc check.sh tools/x.py "
                       ".jj/repo/config.toml .bzr/branch/branch.conf; do (echo evil > $f) && "
                       "n=$((n+1)); mv $f $f.away && n=$((n+1)); done; echo $n");
  told =
      run (self, self->sandbox,
           "echo x > fmt; echo x > after; echo x > team.hgrc; echo x > sub/.hg/hgrc; "
           "mkdir -p new/.hg; echo x > new/.hg/hgrc; mv .hg away; mkdir .hg; echo x > .hg/hgrc; "
           "echo x > other.py; mv own moved; echo x > moved/own.sh; mkdir -p .sl .pijul "
           "_darcs/prefs .repo/repo; echo x > .sl/config; "
           "echo x > .pijul/config; echo x > _darcs/prefs/defaults; echo x > .repo/repo/main.py");
  g_assert_cmpstr (told, ==,
                   ".hg/hgrc, .pijul/config, .repo/repo, .sl/config, _darcs/prefs/defaults, after, "
                   "fmt, moved/own.sh, new/.hg/hgrc, sub/.hg/hgrc, team.hgrc");
}

/* What the file tools ask for. */
static void
test_files (TestSandbox *self, gconstpointer data)
{
  g_autofree char *output = NULL;

  if (self->sandbox == NULL)
    return;
  output = run (self, NULL,
                REPOSITORY KEPT "git config core.hooksPath .husky/_; "
                                "git config include.path ../.gitconfig; "
                                "git config filter.x.clean 'tools/run %f'; "
                                "git config gc.recentObjectsHook ./recent; "
                                "git config lfs.customtransfer.x.path ./transfer; "
                                "git config lfs.customtransfer.y.path python3; "
                                "git config lfs.customtransfer.y.args send.py; "
                                "git init -q --bare docs; mkdir docs2 worktree; "
                                "git init -q --separate-git-dir=store worktree");
  assert_named (self, ".gitconfig", TRUE);
  assert_named (self, ".husky/_/h", TRUE);
  assert_named (self, ".husky/pre-commit", TRUE);
  assert_named (self, "tools/run", TRUE);
  assert_named (self, "recent", TRUE);
  assert_named (self, "transfer", TRUE);
  assert_named (self, "send.py", TRUE);
  assert_named (self, "tools/other", FALSE);
  assert_named (self, "docs/config", TRUE);
  assert_named (self, "docs/hooks/update", TRUE);
  assert_named (self, "docs2/config", FALSE);
  assert_named (self, "store/config", TRUE);
  assert_named (self, "a", FALSE);
  assert_named (self, ".gitattributes", FALSE);

  /* Whatever else there is. */
  g_free (output);
  output =
      run (self, NULL,
           "mkdir d{1..900}; " MANY ("git init -q z$i; " SETTING ("z$i")) "mkdir d{901..1800}");
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *command = g_strdup_printf ("git -C z%u config core.fsmonitor ./run", i);
      g_autofree char *name = g_strdup_printf ("z%u/run", i);
      g_autofree char *said = run (self, NULL, command);

      assert_named (self, name, TRUE);
    }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/sandbox-named/" path, TestSandbox, NULL, test_sandbox_set_up, function,     \
              test_sandbox_tear_down)

int
main (int argc, char **argv)
{
  test_sandbox_init (&argc, &argv);
  ADD ("attacks", test_attacks);
  ADD ("flooded", test_flooded);
  ADD ("long", test_long);
  ADD ("work", test_work);
  ADD ("worktree", test_worktree);
  ADD ("user-writes", test_user_writes);
  ADD ("others", test_others);
  ADD ("links-of-others", test_links_of_others);
  ADD ("files", test_files);
  return test_sandbox_finish ();
}
