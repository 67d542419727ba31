/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interfaces between the source files of the guard of Git repositories. */

#pragma once

#include "gadget-sandbox-git-private.h"

G_BEGIN_DECLS

/* The parts of a repository that can make git run something. */
typedef enum
{
  GADGET_GIT_PART_CONFIG,
  GADGET_GIT_PART_CONFIG_WORKTREE,
  GADGET_GIT_PART_HOOKS,
  GADGET_GIT_PART_COMMONDIR,
  GADGET_GIT_PART_REMOTES,
  GADGET_GIT_PART_BRANCHES,
  GADGET_GIT_N_PARTS,
} GadgetGitPart;

/**
 * GadgetGitState:
 * @identity: which file or folder it is, of _gadget_git_identify_place ()
 * @parts: a description of each part; "" if there is none
 * @kept: whether a mount protects the part, so that no command can have changed or moved it
 * @orders: (nullable): what an unfinished rebase was going to run
 *
 * The state of a place before a command.
 */
typedef struct
{
  char *identity;
  char *parts[GADGET_GIT_N_PARTS];
  gboolean kept[GADGET_GIT_N_PARTS];
  GadgetGitRebaseTodo *orders;
} GadgetGitState;

struct _GadgetGitGuard
{
  char *workspace;
  gboolean whole_names;
  GadgetGitPlaces *places;
  GadgetGitNamedFiles *named;
  GHashTable *known;         /* (element-type utf8 GadgetGitState): the places by path */
  GHashTable *before;        /* (element-type utf8 GadgetGitState) (unowned): the same by identity,
                                since a place may be moved */
  GHashTable *others;        /* (element-type utf8) (unowned): the strings of PLACES->others */
  GHashTable *others_before; /* (element-type utf8): the identities of OTHERS */
  GHashTable *looked_at;     /* (element-type utf8): paths of the repositories that are found after
                                the command */
  struct timespec begun;     /* when the command began, by the clock that sets file times */
  GadgetGitNote *note;       /* (nullable) */
  char *found;               /* (nullable): found by an earlier check, and not reported yet */
  gpointer held;             /* (nullable): destroyed after the check */
  GDestroyNotify destroy_held;
};

/* --- gadget-sandbox-git-guard.c --- */

/* Returns (transfer full) a guard without a workspace that knows no repository. */
GadgetGitGuard *_gadget_git_guard_new_empty         (void);

/* --- gadget-sandbox-git-state.c --- */
/* Returns the file name of the part. */
const char     *_gadget_git_part_get_name           (GadgetGitPart         part);

/* Returns whether the content of the part is that of a folder. */
gboolean        _gadget_git_part_is_folder          (GadgetGitPart         part);

/* Return (transfer full) (nullable) an identity: the type, device and inode, the text of a file or
 * link, and the folder that it leads to. It is the same before and after a command only if all of
 * these are. */
char           *_gadget_git_identify                (const char           *folder,
                                                     const char           *name);
char           *_gadget_git_identify_place          (const GadgetGitPlace *place,
                                                     const char           *base);

/* Returns (transfer full) (nullable) the real path of the folder that "commondir" names. */
char           *_gadget_git_find_common             (const char           *git);

/* Returns (transfer full) a description of the part, "" for nothing, which changes with every
 * change that a command could make. BEFORE (nullable) is the description before the command. */
char           *_gadget_git_describe_part           (const char           *git,
                                                     GadgetGitPart         part,
                                                     const char           *before);
GadgetGitState *_gadget_git_state_new               (const GadgetGitPlace *place,
                                                     const char           *base);
void            _gadget_git_state_free              (GadgetGitState       *self);

/* --- gadget-sandbox-git-disarm.c --- */

/* Disarms the parts of a repository that are not in the state KNOWN (nullable), of before the
 * command; NULL if the command created the repository. All three functions return whether there was
 * something that could have been run. */
gboolean        _gadget_git_guard_disarm_repository (GadgetGitGuard       *self,
                                                     const char           *git,
                                                     const GadgetGitState *known);

/* Disarms a repository that existed before the command, in an unknown state. */
gboolean        _gadget_git_guard_disarm_unknown    (GadgetGitGuard       *self,
                                                     const char           *git);

/* Sets a ".git" in FOLDER aside that is a link or a file, and may lead anywhere. */
gboolean        _gadget_git_guard_set_aside         (GadgetGitGuard       *self,
                                                     const GadgetGitPlace *place,
                                                     const char           *folder);

G_END_DECLS
