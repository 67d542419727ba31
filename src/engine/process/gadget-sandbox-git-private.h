/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to what protects Git repositories. */

#pragma once

#include "gadget-sandbox-git.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetGitPlace:
 * @path: below the workspace: of a ".git", or of a folder that is a repository itself; "" for the
 *   workspace
 * @type: what is there: %S_IFDIR, %S_IFREG or %S_IFLNK
 *
 * A repository, or a file or link that stands for one.
 */
typedef struct
{
  char *path;
  mode_t type;
} GadgetGitPlace;

/**
 * GadgetGitPlaces:
 * @list: (element-type GadgetGitPlace): the nearest first
 * @others: (element-type utf8): folders of other version control systems, and links to such, below
 *   the workspace
 * @listed: (element-type utf8 GadgetGitFolder): by path: folders that need not be listed again; not
 *   changed after the search
 * @whole: all folders were looked at
 * @remembered: not all were, but what a complete search found earlier is among them
 */
typedef struct
{
  GPtrArray *list;
  GPtrArray *others;
  GHashTable *listed;
  gboolean whole;
  gboolean remembered;
} GadgetGitPlaces;

/**
 * GadgetGitFolder:
 * @below: names of the folders in it, and of links in the place of another version control
 *   system's, each with a NUL behind it
 * @n_names: how many there are of files and folders
 * @may_be_repository: it has a ".git" or a "HEAD", or could not be listed
 * @closed: what is in it cannot all be seen
 * @lasts: while @device, @inode and @changed are the same, so is the rest
 *
 * A folder of the workspace as it was listed.
 */
typedef struct
{
  GString *below;
  guint n_names;
  gboolean may_be_repository;
  gboolean closed;
  gboolean lasts;
  dev_t device;
  ino_t inode;
  struct timespec changed;
} GadgetGitFolder;

/**
 * GadgetGitName:
 * @path: an absolute path, which may have links and ".." in it
 * @whole: if it is a folder, what is in it counts
 *
 * A file that a configuration names.
 */
typedef struct
{
  char *path;
  gboolean whole;
} GadgetGitName;

/* --- gadget-sandbox-git-files.c --- */

/* No links are followed. -1 or NULL as from the functions that they stand for. */
int              _gadget_git_open_at         (int                    folder,
                                              const char            *name,
                                              int                    flags);
int              _gadget_git_dup             (int                    fd);
GDir            *_gadget_git_open_dir        (const char            *path);

/* BASE is of _gadget_git_dup_base (), which is a link itself. */
int              _gadget_git_reopen          (const char            *base,
                                              int                    flags);

/* Gives it another name, "NAME.from-command" or one like that, also in a folder that was made
 * read-only. Returns whether it has it now. */
gboolean         _gadget_git_set_aside       (int                    folder,
                                              const char            *name);

/* Tells whether the file at PATH was changed, a link not being followed. A program cannot set the
 * time that says so. */
gboolean         _gadget_git_changed_since   (const char            *path,
                                              const struct timespec *begun);
gboolean         _gadget_git_is_since        (const struct stat     *info,
                                              const struct timespec *begun);

/* The error of another function that opens something for that. */
void             _gadget_git_note_lacking    (const GError          *error);

/* Whether one of these has failed in this thread since the beginning, since there are too many open
 * files: the errno, or 0. */
void             _gadget_git_begin_looking   (void);
int              _gadget_git_get_lacking     (void);

/* For gadget_git_count_steps (). */
void             _gadget_git_note_step       (void);

/* --- gadget-sandbox-git-folder.c --- */
GadgetGitFolder *_gadget_git_folder_list     (int                    top,
                                              const char            *path,
                                              const struct timespec *begun,
                                              dev_t                  device,
                                              guint                  max_names);
gboolean         _gadget_git_folder_is_same  (const GadgetGitFolder *self,
                                              int                    top,
                                              const char            *path);
void             _gadget_git_folder_unref    (GadgetGitFolder       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitFolder, _gadget_git_folder_unref)

/* --- gadget-sandbox-git-find.c --- */
GadgetGitPlaces *_gadget_git_find_before     (const char            *workspace);
GadgetGitPlaces *_gadget_git_find_around     (const char            *workspace,
                                              const char            *path);
GadgetGitPlaces *_gadget_git_find_all        (const char            *workspace,
                                              const struct timespec *begun);
GadgetGitPlaces *_gadget_git_places_new      (void);
void             _gadget_git_places_add      (GadgetGitPlaces       *self,
                                              const char            *path,
                                              mode_t                 type);
void             _gadget_git_places_free     (GadgetGitPlaces       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitPlaces, _gadget_git_places_free)

/* The type of what is there, not following links; 0 for nothing. NAME may be NULL. */
mode_t           _gadget_git_get_type        (const char            *folder,
                                              const char            *name);

/* (nullable): what a small file says; nothing else is opened, and nobody waits. */
char            *_gadget_git_read            (const char            *folder,
                                              const char            *name);

/* (nullable): the path that a file consists of. */
char            *_gadget_git_read_path       (const char            *folder,
                                              const char            *name);

/* (nullable): the real path of the repository that the file ".git" in FOLDER stands for. */
char            *_gadget_git_follow          (const char            *folder);

/* (nullable): the real path of PATH, which is relative to BASE. */
char            *_gadget_git_resolve         (const char            *base,
                                              const char            *path);

/* --- gadget-sandbox-git-remembered.c --- */
void             _gadget_git_remember        (const char            *workspace,
                                              const GadgetGitPlaces *places);
GadgetGitPlaces *_gadget_git_dup_remembered  (const char            *workspace);

/* --- gadget-sandbox-git-index.c --- */

/* Adds to PATHS (element-type utf8) those of repositories in the working folder that the index of
 * the repository GIT names. */
void             _gadget_git_index_list      (const char            *git,
                                              GPtrArray             *paths);

/* --- gadget-sandbox-git-config.c --- */

/* Whether the configuration of the repository GIT, a real path, names nothing that could be run,
 * and no folder outside of WORKSPACE. */
gboolean         _gadget_git_is_harmless     (const char            *text,
                                              const char            *git,
                                              const char            *workspace);

/* Tells whether a setting, "section.key" in lower case, never names a program or a file. */
gboolean         _gadget_git_is_plain        (const char            *name);

/* --- gadget-sandbox-git-settings.c --- */

/* The names are in lower case; VALUE may be changed. */
typedef void (*GadgetGitSettingFunc)         (const char            *section,
                                              const char            *key,
                                              const char            *value,
                                              gpointer               user_data);
void             _gadget_git_settings_parse  (const char            *text,
                                              GadgetGitSettingFunc   func,
                                              gpointer               user_data);

/* --- gadget-sandbox-git-words.c --- */
typedef void (*GadgetGitNameFunc)            (const char            *path,
                                              gboolean               whole,
                                              gpointer               user_data);
void             _gadget_git_find_words      (const char            *value,
                                              const char            *root,
                                              gboolean               is_new,
                                              GadgetGitNameFunc      found,
                                              gpointer               user_data);

/* (transfer full): WORD as a path, which may begin with "~/" and its like, relative to BASE. */
char            *_gadget_git_locate          (const char            *base,
                                              const char            *word);

/* --- gadget-sandbox-git-names.c --- */
GPtrArray       *_gadget_git_list_names      (const char            *workspace,
                                              const GadgetGitPlaces *places,
                                              gboolean               is_new);

GPtrArray       *_gadget_git_names_new       (void);
void             _gadget_git_names_add       (GPtrArray             *names,
                                              const char            *path,
                                              gboolean               whole);

/* Whether a folder of that name is of another version control system. */
gboolean         _gadget_git_is_other        (const char            *name);
const char      *_gadget_git_get_other       (guint                  index);

/* --- gadget-sandbox-git-named.c --- */

/* The files that configurations name, as they are before a command. */
typedef struct _GadgetGitNamed GadgetGitNamed;

/* PATH is below the workspace. */
typedef void (*GadgetGitFoundFunc)           (const char            *path,
                                              gpointer               user_data);

GadgetGitNamed  *_gadget_git_named_new       (const char            *workspace,
                                              const GadgetGitPlaces *places);
void             _gadget_git_named_free      (GadgetGitNamed        *self);

#define GADGET_GIT_NAMED_TYPE "(a(ayb)a(ayubbaymay))"

GVariant        *_gadget_git_named_save      (const GadgetGitNamed  *self);
GadgetGitNamed  *_gadget_git_named_load      (const char            *workspace,
                                              GVariant              *state);

/* Says what is to be mounted. */
void             _gadget_git_named_protect   (GadgetGitNamed        *self,
                                              GadgetGitFunc          mount,
                                              gpointer               user_data);

/* After the command: sets aside what is not as it was, and tells each. The command made the MADE
 * places; those that are MOVED were elsewhere. */
void             _gadget_git_named_check     (GadgetGitNamed        *self,
                                              const GadgetGitPlaces *made,
                                              const GadgetGitPlaces *moved,
                                              GadgetGitFoundFunc     found,
                                              gpointer               user_data);

/* The same for PLACES that were there, but were not known: what was changed since. */
void             _gadget_git_named_check_unknown (GadgetGitNamed        *self,
                                                  const GadgetGitPlaces *places,
                                                  const struct timespec *begun,
                                                  GadgetGitFoundFunc     found,
                                                  gpointer               user_data);

/* --- gadget-sandbox-git-state.c --- */

/* (nullable) (element-type utf8): which files are described by their sums in such a text; NULL for
 * none. */
GHashTable      *_gadget_git_find_sums       (const char            *state);

/* Adds what changes with whatever is done to a file; nothing if there is none. SUMS (nullable) are
 * of what was there earlier. */
void             _gadget_git_append_state    (GString               *text,
                                              const char            *folder,
                                              const char            *name,
                                              GHashTable            *sums);

/* Tells whether a file in such a text has another name, by which it can be written though it is
 * mounted read-only. */
gboolean         _gadget_git_has_other_name  (const char            *state);

/* --- gadget-sandbox-git-guard-save.c --- */

#define GADGET_GIT_GUARD_TYPE                                                                      \
  "(aybxxbba(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")aayaay" GADGET_GIT_NAMED_TYPE ")"

/* (nullable): NULL for what is none. */
GadgetGitGuard  *_gadget_git_guard_load      (GVariant              *state);

/* --- gadget-sandbox-git-note.c --- */
typedef struct _GadgetGitNote GadgetGitNote;

GadgetGitNote   *_gadget_git_note_new        (const char            *folder,
                                              GVariant              *state);
void             _gadget_git_note_free       (GadgetGitNote         *self);

/* --- gadget-sandbox-git-orders.c --- */

/* What the rebase that is under way in a repository was to run, before a command. */
typedef struct _GadgetGitOrders GadgetGitOrders;

#define GADGET_GIT_ORDERS_TYPE "a(maymayb)"

GadgetGitOrders *_gadget_git_orders_new      (const char            *git);
GVariant        *_gadget_git_orders_save     (const GadgetGitOrders *self);
GadgetGitOrders *_gadget_git_orders_load     (GVariant              *state);
void             _gadget_git_orders_free     (GadgetGitOrders       *self);

/* After it: takes what it added out; with BEGUN (nullable), only of what was changed since. BEFORE
 * may be NULL. Returns whether there was something. */
gboolean         _gadget_git_orders_disarm   (const GadgetGitOrders *before,
                                              const char            *git,
                                              const struct timespec *begun);

/* --- gadget-sandbox-git.c --- */

/* An O_PATH descriptor of what is there, by way of no link; or -1. */
int              _gadget_git_open            (const char            *workspace,
                                              const char            *path);

/* A path to what a descriptor is of, whatever is moved meanwhile. */
char            *_gadget_git_dup_base        (int                    fd);

/* Whether it is the workspace itself or its own ".git". */
gboolean         _gadget_git_place_is_near   (const GadgetGitPlace  *place);

/* Says what is to be mounted; returns how many of the places, from the first, are protected. What
 * is missing is made, until it is stopped. */
guint            _gadget_git_protect         (const char            *workspace,
                                              const GadgetGitPlaces *places,
                                              GCancellable          *cancellable,
                                              GadgetGitFunc          mount,
                                              gpointer               user_data);

G_END_DECLS
