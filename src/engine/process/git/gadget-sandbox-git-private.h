/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interfaces between the source files that protect Git repositories. All of these functions block
 * and run in threads. */

#pragma once

#include "gadget-sandbox-git.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetGitPlace:
 * @path: a path below the workspace, either of a ".git" or of a folder that is a repository itself;
 *   "" for the workspace
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
 * @others: (element-type utf8): folders of other version control systems, and links to such
 *   folders, as paths below the workspace
 * @listed: (element-type utf8 GadgetGitFolder): the folders, by path, that need not be listed
 *   again; not changed after the search
 * @whole: the search covered all folders
 * @remembered: the search did not cover all folders, but the list includes what an earlier complete
 *   search found
 *
 * The repositories of a workspace.
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
 * @below: the names of the folders in it, and of links in place of a folder of another version
 *   control system, each followed by a NUL
 * @n_names: number of files and folders in it
 * @may_be_repository: it contains a ".git" or a "HEAD", or could not be listed
 * @closed: not all of its content can be seen
 * @lasts: as long as @device, @inode and @changed are the same, the rest is valid
 * @device: st_dev of the folder
 * @inode: st_ino of the folder
 * @changed: st_ctim of the folder
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
 * @path: an absolute path, which may contain links and ".."
 * @whole: if @path is a folder, all of its content counts
 *
 * A file that a configuration names.
 */
typedef struct
{
  char *path;
  gboolean whole;
} GadgetGitName;

/* --- gadget-sandbox-git-files.c --- */

/* Like openat (), fcntl () with F_DUPFD_CLOEXEC, and g_dir_open (), but links are not followed by
 * the first, and a lack of file descriptors is noted. -1 or NULL on failure. */
int                  _gadget_git_open_at             (int                        folder,
                                                      const char                *name,
                                                      int                        flags);
int                  _gadget_git_dup                 (int                        fd);
GDir                *_gadget_git_open_dir            (const char                *path);

/* Returns (transfer full) (nullable) the content of a regular file of at most MAX_SIZE bytes, with a
 * NUL behind it. The file is read and not mapped, since other processes may truncate it meanwhile;
 * LENGTH is what could be read. */
char                *_gadget_git_read_all            (int                        fd,
                                                      gsize                      max_size,
                                                      gsize                     *length);

/* Opens a path that _gadget_git_dup_base () returned, which is a link itself. */
int                  _gadget_git_reopen              (const char                *base,
                                                      int                        flags);

/* Renames the entry NAME of FOLDER to "NAME.from-command" or similar, also in a folder that was
 * made read-only. Returns whether that worked. */
gboolean             _gadget_git_set_aside           (int                        folder,
                                                      const char                *name);

/* Return whether the file was changed since BEGUN, by its ctime, which no program can set. A link
 * at PATH is not followed. */
gboolean             _gadget_git_changed_since       (const char                *path,
                                                      const struct timespec     *begun);
gboolean             _gadget_git_is_since            (const struct stat         *info,
                                                      const struct timespec     *begun);

/* Counts one step, see gadget_git_count_steps (). */
void                 _gadget_git_note_step           (void);

/* --- gadget-sandbox-git-folder.c --- */
GadgetGitFolder     *_gadget_git_folder_list         (int                        top,
                                                      const char                *path,
                                                      const struct timespec     *begun,
                                                      dev_t                      device,
                                                      guint                      max_names);
gboolean             _gadget_git_folder_is_same      (const GadgetGitFolder     *self,
                                                      int                        top,
                                                      const char                *path);
void                 _gadget_git_folder_unref        (GadgetGitFolder           *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitFolder, _gadget_git_folder_unref)

/* --- gadget-sandbox-git-find.c --- */
GadgetGitPlaces     *_gadget_git_find_before         (const char                *workspace);
GadgetGitPlaces     *_gadget_git_find_around         (const char                *workspace,
                                                      const char                *path);
GadgetGitPlaces     *_gadget_git_find_all            (const char                *workspace,
                                                      const struct timespec     *begun);
/* _new () returns empty places (transfer full); _add () appends a copy of PATH to the list. */
GadgetGitPlaces     *_gadget_git_places_new          (void);
void                 _gadget_git_places_add          (GadgetGitPlaces           *self,
                                                      const char                *path,
                                                      mode_t                     type);
void                 _gadget_git_places_free         (GadgetGitPlaces           *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetGitPlaces, _gadget_git_places_free)

/* Returns the file type of what is there, not following links; 0 for nothing. NAME may be NULL. */
mode_t               _gadget_git_get_type            (const char                *folder,
                                                      const char                *name);

/* Returns (transfer full) (nullable) the text of a regular file of at most 1 MiB without NULs. It
 * never waits for a pipe or device. */
char                *_gadget_git_read                (const char                *folder,
                                                      const char                *name);

/* Returns (transfer full) (nullable) the path that is the content of a file. */
char                *_gadget_git_read_path           (const char                *folder,
                                                      const char                *name);

/* Returns (transfer full) (nullable) the real path of the repository that the file ".git" in FOLDER
 * names. */
char                *_gadget_git_follow              (const char                *folder);

/* Returns (transfer full) (nullable) the real path of PATH, which may be relative to BASE. */
char                *_gadget_git_resolve             (const char                *base,
                                                      const char                *path);

/* --- gadget-sandbox-git-remembered.c --- */
/* _remember () keeps a copy of PLACES for WORKSPACE; _dup_remembered () returns a copy of it. */
void                 _gadget_git_remember            (const char                *workspace,
                                                      const GadgetGitPlaces     *places);
GadgetGitPlaces     *_gadget_git_dup_remembered      (const char                *workspace);

/* --- gadget-sandbox-git-index.c --- */

/* Adds to PATHS (element-type utf8) the submodules that the index of the repository GIT names, as
 * paths below the working folder. */
void                 _gadget_git_index_list          (const char                *git,
                                                      GPtrArray                 *paths);

/* --- gadget-sandbox-git-config.c --- */

/* Returns whether the configuration TEXT of the repository GIT, a real path, names nothing that
 * could be run, and no folder outside of WORKSPACE. */
gboolean             _gadget_git_is_harmless         (const char                *text,
                                                      const char                *git,
                                                      const char                *workspace);

/* Returns whether a setting, "section.key" in lower case, never names a program or a file. */
gboolean             _gadget_git_is_data_setting     (const char                *name);

/* --- gadget-sandbox-git-settings.c --- */

/* Called for each setting. SECTION and KEY are in lower case; the function may modify VALUE. */
typedef void (*GadgetGitSettingFunc)         (const char            *section,
                                              const char            *key,
                                              const char            *value,
                                              gpointer               user_data);
void                 _gadget_git_settings_parse      (const char                *text,
                                                      GadgetGitSettingFunc       func,
                                                      gpointer                   user_data);

/* --- gadget-sandbox-git-words.c --- */
/* Called for each path that a word may be. With WHOLE, all of a folder counts. */
typedef void (*GadgetGitNameFunc)            (const char            *path,
                                              gboolean               whole,
                                              gpointer               user_data);
void                 _gadget_git_find_paths_in_value (const char                *value,
                                                      const char                *root,
                                                      gboolean                   is_new,
                                                      GadgetGitNameFunc          found,
                                                      gpointer                   user_data);

/* Returns (transfer full) the path of WORD, which may begin with "~/" and the like, relative to
 * BASE. */
char                *_gadget_git_locate              (const char                *base,
                                                      const char                *word);

/* --- gadget-sandbox-git-names.c --- */
GPtrArray           *_gadget_git_list_names          (const char                *workspace,
                                                      const GadgetGitPlaces     *places,
                                                      gboolean                   is_new);

/* _new () returns an empty array (element-type GadgetGitName) (transfer full); _add () appends to
 * it. */
GPtrArray           *_gadget_git_names_new           (void);
void                 _gadget_git_names_add           (GPtrArray                 *names,
                                                      const char                *path,
                                                      gboolean                   whole);

/* _is_other () returns whether a folder of that name belongs to another version control system. */
gboolean             _gadget_git_is_other            (const char                *name);
const char          *_gadget_git_get_other           (guint                      index);

/* --- gadget-sandbox-git-named.c --- */

/* The files that configurations name, in their state before a command. */
typedef struct _GadgetGitNamedFiles GadgetGitNamedFiles;

/* Called for each file that was set aside; PATH is below the workspace. */
typedef void (*GadgetGitFoundFunc)           (const char            *path,
                                              gpointer               user_data);

/* Notes the state of all files that the configurations of PLACES name (transfer full). */
GadgetGitNamedFiles *_gadget_git_named_new           (const char                *workspace,
                                                      const GadgetGitPlaces     *places);
void                 _gadget_git_named_free          (GadgetGitNamedFiles       *self);

#define GADGET_GIT_NAMED_TYPE "(a(ayb)a(ayubbaymay))"

/* _save () returns a floating variant of type %GADGET_GIT_NAMED_TYPE; _load () makes the object
 * from one (transfer full). */
GVariant            *_gadget_git_named_save          (const GadgetGitNamedFiles *self);
GadgetGitNamedFiles *_gadget_git_named_load          (const char                *workspace,
                                                      GVariant                  *state);

/* Calls MOUNT for each file that is to be read-only. */
void                 _gadget_git_named_protect       (GadgetGitNamedFiles       *self,
                                                      GadgetGitFunc              mount,
                                                      gpointer                   user_data);

/* After the command: sets aside the files that are not in their earlier state, and calls FOUND for
 * each. The command created the places in MADE; those in MOVED were elsewhere before. */
void                 _gadget_git_named_check         (GadgetGitNamedFiles       *self,
                                                      const GadgetGitPlaces     *made,
                                                      const GadgetGitPlaces     *moved,
                                                      GadgetGitFoundFunc         found,
                                                      gpointer                   user_data);

/* For PLACES that existed before the command but were not known: sets aside the files that were
 * changed since BEGUN, and calls FOUND for each. */
void                 _gadget_git_named_check_unknown (GadgetGitNamedFiles       *self,
                                                      const GadgetGitPlaces     *places,
                                                      const struct timespec     *begun,
                                                      GadgetGitFoundFunc         found,
                                                      gpointer                   user_data);

/* --- gadget-sandbox-git-state.c --- */

/* Returns (transfer full) (nullable) (element-type utf8) the files that STATE describes by
 * checksums; NULL for none. STATE is a text of _gadget_git_append_state (). */
GHashTable          *_gadget_git_find_sums           (const char                *state);

/* Appends a description of the file to TEXT that changes with every change of the file; nothing if
 * there is no file. SUMS (nullable), of _gadget_git_find_sums (), are those of an earlier state. */
void                 _gadget_git_append_state        (GString                   *text,
                                                      const char                *folder,
                                                      const char                *name,
                                                      GHashTable                *sums);

/* Returns whether a file in STATE has further hard links, by which it can be written although it is
 * mounted read-only. */
gboolean             _gadget_git_has_other_name      (const char                *state);

/* --- gadget-sandbox-git-guard-save.c --- */

#define GADGET_GIT_GUARD_TYPE                                                                      \
  "(aybxxbba(ayayaayabm" GADGET_GIT_ORDERS_TYPE ")aayaay" GADGET_GIT_NAMED_TYPE ")"

/* Returns (transfer full) (nullable) the guard that STATE describes; NULL if STATE is not valid. */
GadgetGitGuard      *_gadget_git_guard_load          (GVariant                  *state);

/* --- gadget-sandbox-git-note.c --- */
/* A guard's state in a file on the disk, locked by this process. gadget-sandbox-git-note.c explains
 * it. */
typedef struct _GadgetGitNote GadgetGitNote;

GadgetGitNote       *_gadget_git_note_new            (const char                *folder,
                                                      GVariant                  *state);
void                 _gadget_git_note_free           (GadgetGitNote             *self);

/* --- gadget-sandbox-git-rebase-todo.c --- */

/* The state of an unfinished rebase in a repository before a command: what it was going to run. */
typedef struct _GadgetGitRebaseTodo GadgetGitRebaseTodo;

#define GADGET_GIT_ORDERS_TYPE "a(maymayb)"

/* _new () reads it from the repository GIT (transfer full). _save () returns a floating variant of
 * type %GADGET_GIT_ORDERS_TYPE; _load () makes the object from one (transfer full). */
GadgetGitRebaseTodo *_gadget_git_orders_new          (const char                *git);
GVariant            *_gadget_git_orders_save         (const GadgetGitRebaseTodo *self);
GadgetGitRebaseTodo *_gadget_git_orders_load         (GVariant                  *state);
void                 _gadget_git_orders_free         (GadgetGitRebaseTodo       *self);

/* After the command: removes what the command added; with BEGUN (nullable), only from files that
 * were changed since. BEFORE may be NULL. Returns whether there was something to remove. */
gboolean             _gadget_git_orders_disarm       (const GadgetGitRebaseTodo *before,
                                                      const char                *git,
                                                      const struct timespec     *begun);

/* --- gadget-sandbox-git.c --- */

/* Returns an O_PATH descriptor of PATH below WORKSPACE, without following any link; or -1. */
int                  _gadget_git_open                (const char                *workspace,
                                                      const char                *path);

/* Returns (transfer full) a path to the file of a descriptor, which is valid however the file is
 * renamed. */
char                *_gadget_git_dup_base            (int                        fd);

/* Returns whether PLACE is the workspace itself or its own ".git". */
gboolean             _gadget_git_place_is_near       (const GadgetGitPlace      *place);

/* Calls MOUNT for each path that is to be a mount; returns how many of PLACES, counted from the
 * first, are protected. Creates missing files in repositories unless CANCELLABLE is cancelled. */
guint                _gadget_git_protect             (const char                *workspace,
                                                      const GadgetGitPlaces     *places,
                                                      GCancellable              *cancellable,
                                                      GadgetGitFunc              mount,
                                                      gpointer                   user_data);

G_END_DECLS
