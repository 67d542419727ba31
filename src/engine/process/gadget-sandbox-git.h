/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetGitFunc:
 * @path: where a mount is wanted, an absolute path
 * @fd: (transfer full): what is to be there, or -1 for what is there by its name
 *
 * Called for each, the outer ones first.
 */
typedef void (*GadgetGitFunc) (const char *path, int fd, gboolean read_only, gpointer user_data);

/* What a workspace's repositories looked like before a command; see the sources. */
typedef struct _GadgetGitGuard GadgetGitGuard;

GadgetGitGuard *gadget_git_guard_new     (const char     *workspace);
void            gadget_git_guard_protect (GadgetGitGuard *self,
                                          GCancellable   *cancellable,
                                          GadgetGitFunc   mount,
                                          gpointer        user_data);
char           *gadget_git_guard_check   (GadgetGitGuard *self);
void            gadget_git_guard_free    (GadgetGitGuard *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitGuard, gadget_git_guard_free)

/* What is found is told by its path, and not by that below the workspace. */
void            gadget_git_guard_set_whole_names (GadgetGitGuard *self,
                                                  gboolean        whole);

/* On the disk, until it is freed, in case that this program does not come to the check. */
void            gadget_git_guard_note            (GadgetGitGuard *self,
                                                  const char     *folder);

/* Takes something that is kept until then. */
void            gadget_git_guard_hold            (GadgetGitGuard *self,
                                                  gpointer        held,
                                                  GDestroyNotify  destroy);

/* What gadget_git_guard_check() is to tell as well. */
void            gadget_git_guard_add_found       (GadgetGitGuard *self,
                                                  const char     *found);
char           *gadget_git_notes_settle          (const char     *folder,
                                                  const char     *workspace);
void            gadget_git_notes_settle_in_background (char      *folder);

gboolean        gadget_git_names_file            (const char     *workspace,
                                                  const char     *path);

/* Several, (element-type GadgetGitGuard): one for each folder that was given. */
GPtrArray      *gadget_git_guards_new    (void);
char           *gadget_git_guards_check  (GPtrArray      *guards,
                                          gboolean       *lacking);

/* What this thread does from now on is counted there, with g_atomic_int_inc (); NULL for nowhere. A
 * file system that answers, however slowly, makes the number grow. */
void            gadget_git_count_steps   (int            *n_steps);

G_END_DECLS
