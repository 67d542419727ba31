/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a configuration of the user's names in the folder is run by the user's own git, and so it is
 * not for commands to write. Each attack is made without a sandbox as well, and works there. */

#include "config.h"

#include "process/git/gadget-sandbox-git.h"
#include "sandbox-named-fixture.h"
#include "test-sandbox.h"

#include <glib/gstdio.h>

/* "put FILE" plants a program that leaves a trace. */
#define EVIL                                                                                       \
  OWN "put () { mkdir -p \"$(dirname $1)\"; printf '#!/bin/sh\ntouch %s/evil\ncat\n' \"$PWD\" "    \
      "> $1; chmod +x $1; }; exec 2>/dev/null; "

/* A program that git takes for the other side of a connection waits for git, which waits for it:
 * "fetch" stops at the trace. */
#define LOOK                                                                                       \
  OWN "fetch () { git fetch \"$@\" & "                                                             \
      "while [ ! -e evil ] && kill -0 $!; do sleep 0.05; done; kill $!; }; "

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
    "put tools/run", "fetch x", "tools/run" },
  { "address-of-url",
    "git config protocol.ext.allow always; git remote add x up:x; "
    "git config 'url.ext::sh tools/run .insteadOf' up:",
    "put tools/run", "fetch x", "tools/run" },
  { "address-of-branch",
    "git config protocol.ext.allow always; git config branch.master.merge refs/heads/x; "
    "git config branch.master.remote 'ext::sh tools/run'",
    "put tools/run", "fetch", "tools/run" },
  { "address-of-remotes",
    "git config protocol.ext.allow always; mkdir -p .git/remotes; "
    "echo 'URL: ext::sh tools/run' > .git/remotes/origin",
    "put tools/run", "fetch", "tools/run" },
  { "address-of-branches",
    "git config protocol.ext.allow always; mkdir -p .git/branches; "
    "echo 'ext::sh tools/run' > .git/branches/x",
    "put tools/run", "fetch x", "tools/run" },
  { "new-remotes", "git config protocol.ext.allow always",
    "put r; mkdir -p .git/remotes; echo \"URL: ext::sh $PWD/r\" > .git/remotes/origin", "fetch",
    ".git" },
  { "new-branches", "git config protocol.ext.allow always",
    "put r; mkdir -p .git/branches; echo \"ext::sh $PWD/r\" > .git/branches/x", "fetch x", ".git" },
  { "linked-remotes", "git config protocol.ext.allow always",
    "put r; mkdir o; echo \"URL: ext::sh $PWD/r\" > o/origin; ln -s ../o .git/remotes", "fetch",
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
  output = sandbox_named_run (self, NULL, command);
}

/* The user's own git. */
static gboolean
is_run (TestSandbox *self, const char *look)
{
  g_autofree char *evil = g_build_filename (self->workspace, "evil", NULL);
  g_autofree char *command = g_strconcat (LOOK, look, NULL);
  g_autofree char *output = sandbox_named_run (self, NULL, command);

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
      output = sandbox_named_run (self, NULL, command);
      g_assert_true (is_run (self, attacks[i].look));

      prepare (self, attacks[i].before);
      told = sandbox_named_run (self, self->sandbox, command);
      g_assert_cmpstr (told, ==, attacks[i].told);
      g_assert_false (is_run (self, attacks[i].look));
    }
}

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
          told_first = sandbox_named_run (self, sandbox, first);
          told = sandbox_named_run (self, sandbox, plant);
          if (is_run (self, floods[i].look) == (j == 0))
            continue;
          g_test_message ("%s: %s", floods[i].name, j == 0 ? "is no attack" : "is run");
          g_test_fail ();
        }
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
  return test_sandbox_finish ();
}
