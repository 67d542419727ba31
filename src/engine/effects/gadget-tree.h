/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the state of a workspace at one moment. */

#pragma once

#include "gadget-blobs.h"
#include "store/gadget-store-changes.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetEntryFlags:
 * @GADGET_ENTRY_HASHED: @hash is that of the content
 * @GADGET_ENTRY_RACY: the entry was hashed so soon after a change that a further change might not
 *   show in its times; it is read again the next time
 * @GADGET_ENTRY_REFUSED: the content is not kept, since it is too large or there is no room
 * @GADGET_ENTRY_NO_ROOM: set besides %GADGET_ENTRY_REFUSED when the content is not too large
 * @GADGET_ENTRY_WAITING: the entry has not changed since an earlier snapshot that had no time to
 *   keep it, or was found by the first snapshot
 *
 * Flags of the knowledge about an entry besides its stat data. Saved trees have the values; earlier
 * versions used the two that are missing.
 */
typedef enum
{
  GADGET_ENTRY_HASHED = 1 << 0,
  GADGET_ENTRY_RACY = 1 << 1,
  GADGET_ENTRY_REFUSED = 1 << 2,
  GADGET_ENTRY_NO_ROOM = 1 << 3,
  GADGET_ENTRY_WAITING = 1 << 6,
} GadgetEntryFlags;

/* One name in a folder. Times are in nanoseconds since 1970. The mode is st_mode, and for a file
 * whose content is kept %GADGET_MODE_LIST as well. */
typedef struct
{
  gint64 mtime;
  gint64 ctime;
  guint64 ino;
  guint64 size;
  guint32 mode;
  guint32 name; /* offset in the names of its folder */
  guint32 flags;
  GadgetHash hash;
} GadgetTreeEntry;

/* The names in one folder, in the order in which they were read. Trees in which the folder is the
 * same share it. Only the thread that owns the trees changes it, and only hashes and flags. */
typedef struct
{
  gatomicrefcount ref_count;
  char *path; /* relative to the workspace; "" for the workspace itself */
  GadgetTreeEntry *entries;
  guint n_entries;
  char *names;
  gsize names_length;
  guint n_unkept; /* entries whose content is still to be kept */
  gint64 mtime;   /* the folder's own times when its names were read, in nanoseconds */
  gint64 ctime;
  gboolean racy; /* names may have changed within the granularity of these times */
} GadgetTreeFolder;

/* A workspace at one moment. */
typedef struct
{
  GHashTable *folders; /* path → GadgetTreeFolder */
  GadgetTreeEntry top; /* the workspace itself */
  GHashTable *skipped; /* paths of folders that were not scanned */
  GHashTable *assumed; /* paths of files whose state comes from an earlier snapshot */
  guint n_entries;
  gint64 seen_begin; /* when the scan began and ended; 0 for a tree loaded from disk */
  gint64 seen_end;
} GadgetTree;

/* _gadget_tree_add () takes the folder. _gadget_tree_find () returns NULL for what is not in the
 * tree; the entry belongs to the tree. */
GadgetTree            *_gadget_tree_new         (void);
void                   _gadget_tree_free        (GadgetTree             *self);
void                   _gadget_tree_add         (GadgetTree             *self,
                                                 GadgetTreeFolder       *folder);
const GadgetTreeEntry *_gadget_tree_find        (const GadgetTree       *self,
                                                 const char             *path);

/* Copies @entries (GadgetTreeEntry) and @names, into which the entries' name offsets point. */
GadgetTreeFolder      *_gadget_tree_folder_new  (const char             *path,
                                                 const GArray           *entries,
                                                 const GString          *names);
GadgetTreeFolder      *_gadget_tree_folder_ref  (GadgetTreeFolder       *self);
void                   _gadget_tree_folder_unref (GadgetTreeFolder      *self);
const char            *_gadget_tree_get_name    (const GadgetTreeFolder *folder,
                                                 const GadgetTreeEntry  *entry);

/* Copies stat data into the entry; hash and flags stay. */
void                   _gadget_entry_set_stat   (GadgetTreeEntry        *self,
                                                 const struct stat      *info);
/* Returns whether the stat data of both show no change. */
gboolean               _gadget_entry_same_stat  (const GadgetTreeEntry  *a,
                                                 const GadgetTreeEntry  *b);
/* Returns whether the entry has a content that is still to be kept. */
gboolean               _gadget_entry_is_unkept  (const GadgetTreeEntry  *self);
/* Sets the state that the entry describes; seen_begin and seen_end stay 0. */
void                   _gadget_entry_to_state   (const GadgetTreeEntry  *self,
                                                 GadgetFileState        *state);

/* Returns: (transfer full) (element-type GadgetChange): what differs, with the moments at which the
 * two trees were seen. */
GPtrArray             *_gadget_tree_compare     (const GadgetTree       *old_tree,
                                                 const GadgetTree       *new_tree);

/* For paths relative to the workspace, which is "". _make_path () joins the path of a folder and a
 * name in it (transfer full); _dup_parent () returns the first and _get_base_name () the second. */
char                  *_gadget_tree_make_path   (const char             *folder,
                                                 const char             *name);
char                  *_gadget_tree_dup_parent  (const char             *path);
const char            *_gadget_tree_get_base_name (const char           *path);
/* Turns the tree of a scan during which a command began into the tree at that moment, @since, in
 * nanoseconds of the kernel's clock for file times. @top is the workspace's descriptor. What was
 * touched after @since is taken from @old_tree (nullable), the snapshot before it, and noted in the
 * assumed paths. Returns whether all of it is known. */
gboolean               _gadget_tree_rewind      (GadgetTree             *self,
                                                 const GadgetTree       *old_tree,
                                                 gint64                  since,
                                                 int                     top);
/* Returns how many entries are still to be kept. */
guint                  _gadget_tree_count_unkept (const GadgetTree      *self);

/* Adds the hashes of all kept contents to @used, a set of GadgetHash. */
void                   _gadget_tree_add_hashes  (const GadgetTree       *self,
                                                 GHashTable             *used);

/* Loads and saves a tree, at a path of the data folder. Saving fails with a GFileError. Loading
 * returns NULL when there is no usable file. */
gboolean               _gadget_tree_save        (const GadgetTree       *self,
                                                 const char             *path,
                                                 GError                **error);
GadgetTree            *_gadget_tree_load        (const char             *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTree, _gadget_tree_free)

G_END_DECLS
