/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the guard of Git repositories. */

#pragma once

#include "gadget-sandbox-git-private.h"

G_BEGIN_DECLS

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
 * @identity: of _gadget_git_identify_place ()
 * @parts: each as it was; "" for nothing
 * @kept: by a mount, and nobody could move it
 * @orders: (nullable): what a rebase was to run
 *
 * What a place was before a command.
 */
typedef struct
{
  char *identity;
  char *parts[GADGET_GIT_N_PARTS];
  gboolean kept[GADGET_GIT_N_PARTS];
  GadgetGitOrders *orders;
} GadgetGitState;

struct _GadgetGitGuard
{
  char *workspace;
  gboolean whole_names;
  GadgetGitPlaces *places;
  GadgetGitNamed *named;
  GHashTable *known;         /* (element-type utf8 GadgetGitState): by path */
  GHashTable *before;        /* the same by identity: a place may have been moved */
  GHashTable *others;        /* (element-type utf8): paths, of the places' */
  GHashTable *others_before; /* (element-type utf8): identities of the same */
  GHashTable *looked_at;     /* (element-type utf8): paths of repositories, after the command */
  struct timespec begun;     /* by the clock of files */
  GadgetGitNote *note;       /* (nullable) */
  char *found;               /* (nullable): by somebody else, and not told yet */
  gpointer held;             /* (nullable) */
  GDestroyNotify destroy_held;
};

/* --- gadget-sandbox-git-guard.c --- */

/* Without a workspace, and knowing no repository. */
GadgetGitGuard *_gadget_git_guard_new_empty         (void);

/* --- gadget-sandbox-git-state.c --- */
const char     *_gadget_git_part_get_name           (GadgetGitPart         part);

/* Whether what counts of it is what is in a folder. */
gboolean        _gadget_git_part_is_folder          (GadgetGitPart         part);

/* (nullable): type, identity, what a file or link says, and where it leads: what was there before
 * has all of it. */
char           *_gadget_git_identify                (const char           *folder,
                                                     const char           *name);
char           *_gadget_git_identify_place          (const GadgetGitPlace *place,
                                                     const char           *base);

/* (nullable): the real path of the folder that "commondir" names. */
char           *_gadget_git_find_common             (const char           *git);

/* A part as it is: "" for nothing. The text changes with whatever a command could do to it. BEFORE
 * (nullable) is the text of before. */
char           *_gadget_git_describe_part           (const char           *git,
                                                     GadgetGitPart         part,
                                                     const char           *before);
GadgetGitState *_gadget_git_state_new               (const GadgetGitPlace *place,
                                                     const char           *base);
void            _gadget_git_state_free              (GadgetGitState       *self);

/* --- gadget-sandbox-git-disarm.c --- */

/* Each returns whether there was something that could have been run. KNOWN may be NULL: then the
 * command made the repository. */
gboolean        _gadget_git_guard_disarm_repository (GadgetGitGuard       *self,
                                                     const char           *git,
                                                     const GadgetGitState *known);

/* The same for a repository of which nothing is known but that it was there. */
gboolean        _gadget_git_guard_disarm_unknown    (GadgetGitGuard       *self,
                                                     const char           *git);

/* The same for a ".git" that is a link, or a file, to who knows where. */
gboolean        _gadget_git_guard_set_aside         (GadgetGitGuard       *self,
                                                     const GadgetGitPlace *place,
                                                     const char           *folder);

G_END_DECLS
