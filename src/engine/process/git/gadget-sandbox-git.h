/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetGitFunc:
 * @path: where a mount is wanted, an absolute path
 * @fd: (transfer full): what is to be mounted there, or -1 for what @path itself names
 * @read_only: whether the mount is read-only
 * @user_data: for the function
 *
 * Called for each mount, the outer ones first.
 */
typedef void (*GadgetGitFunc) (const char *path, int fd, gboolean read_only, gpointer user_data);

/* The state of a workspace's repositories before a command, with which they are checked after it.
 * gadget-sandbox-git.c and gadget-sandbox-git-guard.c explain it. These functions block: call them
 * in a thread. */
typedef struct _GadgetGitGuard GadgetGitGuard;

GadgetGitGuard *gadget_git_guard_new                  (const char     *workspace);
void            gadget_git_guard_protect              (GadgetGitGuard *self,
                                                       GCancellable   *cancellable,
                                                       GadgetGitFunc   mount,
                                                       gpointer        user_data);
char           *gadget_git_guard_check                (GadgetGitGuard *self);
void            gadget_git_guard_free                 (GadgetGitGuard *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitGuard, gadget_git_guard_free)

/* With WHOLE, findings are reported by their absolute paths instead of paths below the
 * workspace. */
void            gadget_git_guard_set_whole_names      (GadgetGitGuard *self,
                                                       gboolean        whole);

/* Keeps a note of SELF in FOLDER on the disk until SELF is freed, in case this process ends before
 * the check. */
void            gadget_git_guard_note                 (GadgetGitGuard *self,
                                                       const char     *folder);

/* Takes HELD, which is destroyed after the check. */
void            gadget_git_guard_hold                 (GadgetGitGuard *self,
                                                       gpointer        held,
                                                       GDestroyNotify  destroy);

/* Adds FOUND (nullable), which gadget_git_guard_check () is to report as well. */
void            gadget_git_guard_add_found            (GadgetGitGuard *self,
                                                       const char     *found);
char           *gadget_git_notes_check               (const char     *folder,
                                                       const char     *workspace);
void            gadget_git_notes_check_in_background (char           *folder);

gboolean        gadget_git_may_run_file               (const char     *workspace,
                                                       const char     *path);

/* Several guards (element-type GadgetGitGuard), one for each folder that was given to a command. */
GPtrArray      *gadget_git_guards_new                 (void);
char           *gadget_git_guards_check               (GPtrArray      *guards,
                                                       gboolean       *lacking);

/* From now on the steps that this thread makes are counted in N_STEPS, with g_atomic_int_inc ();
 * NULL ends that. As long as the file system answers, however slowly, the number grows. */
void            gadget_git_count_steps                (int            *n_steps);

/* Without file descriptors a thread sees less than there is. _get_ returns EMFILE or ENFILE if a
 * function of the guard has failed in this thread since _reset_ because too many files were open;
 * otherwise 0. _note_ adds the ERROR (nullable) of another function, if it lacked descriptors. */
void            gadget_git_note_fd_shortage           (const GError   *error);
void            gadget_git_reset_fd_shortage          (void);
int             gadget_git_get_fd_shortage            (void);

G_END_DECLS
