/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "test-process.h"

G_BEGIN_DECLS

/* A sandbox that works here, and a home folder with a workspace in it. */
typedef struct
{
  GadgetSandbox *sandbox; /* NULL when there is none here: the test is skipped */
  char *home;             /* $HOME of this test */
  char *workspace;        /* inside of it */
} TestSandbox;

/* Makes $HOME, before anything asks GLib for it; and removes it. */
void   test_sandbox_make_home   (void);
void   test_sandbox_remove_home (void);

/* The same for a program of tests, which the second one runs. */
void   test_sandbox_init     (int           *argc,
                              char        ***argv);
int    test_sandbox_finish   (void);

void   test_sandbox_set_up   (TestSandbox   *self,
                              gconstpointer  data);
void   test_sandbox_tear_down (TestSandbox  *self,
                               gconstpointer data);

/* The output of a command in the sandbox, without the last newlines. */
char  *test_sandbox_run      (TestSandbox   *self,
                              const char    *workspace,
                              const char    *command);
void   test_sandbox_assert   (TestSandbox   *self,
                              const char    *workspace,
                              const char    *expected,
                              const char    *command);

/* Runs a command there, and returns (transfer full) what was made harmless after it. */
char  *test_sandbox_run_told (TestSandbox   *self,
                              const char    *command);

/* A Git repository, as small as can be, at GIT in FOLDER. */
void   test_sandbox_make_repository (const char *folder,
                                     const char *git);

/* (transfer full) (nullable): the text of a file in the workspace. */
char  *test_sandbox_dup_file (TestSandbox   *self,
                              const char    *name);

/* (transfer full): a folder that commands of this sandbox see although it is not given to them, as
 * they see the compilers in a home folder. Where the build is, an ordinary user has no other. */
char  *test_sandbox_show_folder (TestSandbox  *self);

/* Puts the program of try-call.c into the workspace. */
void   test_sandbox_install_try_call (TestSandbox *self);

/* Writes a file, with the folders that it is in. */
void   test_write_file       (const char    *folder,
                              const char    *name,
                              const char    *text);
void   test_remove_tree      (const char    *path);

G_END_DECLS
