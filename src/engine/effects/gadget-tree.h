/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: how a workspace was at one moment. */

#pragma once

#include "gadget-blobs.h"
#include "store/gadget-store-changes.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetEntryFlags:
 * @GADGET_ENTRY_HASHED: the hash is that of its content
 * @GADGET_ENTRY_RACY: it was hashed so soon after it changed that a further change might not show
 *   in its times: it is read again the next time
 * @GADGET_ENTRY_REFUSED: its content is not kept, since it is too large or there is no room
 * @GADGET_ENTRY_NO_ROOM: besides: it is not too large
 * @GADGET_ENTRY_PLAIN: it has no attributes
 * @GADGET_ENTRY_ATTRIBUTES: it has some, and they are kept
 * @GADGET_ENTRY_WAITING: it has not changed since an earlier look, which had no time to keep it
 */
typedef enum
{
  GADGET_ENTRY_HASHED = 1 << 0,
  GADGET_ENTRY_RACY = 1 << 1,
  GADGET_ENTRY_REFUSED = 1 << 2,
  GADGET_ENTRY_NO_ROOM = 1 << 3,
  GADGET_ENTRY_PLAIN = 1 << 4,
  GADGET_ENTRY_ATTRIBUTES = 1 << 5,
  GADGET_ENTRY_WAITING = 1 << 6,
} GadgetEntryFlags;

/* One name in a folder; times in nanoseconds since 1970. */
typedef struct
{
  gint64 mtime;
  gint64 ctime;
  guint64 ino;
  guint64 size;
  guint32 mode;
  guint32 name; /* where it is in the folder's names */
  guint32 flags;
  guint32 uid;
  guint32 gid;
  guint32 n_links;
  GadgetHash hash;
  GadgetHash attributes;
} GadgetTreeEntry;

/* The names in one folder, in the order in which they were read. Shared by the trees in which it
 * is the same; only the thread that owns the trees changes it, and only hashes and flags. */
typedef struct
{
  gatomicrefcount ref_count;
  char *path; /* relative to the workspace, "" for itself */
  GadgetTreeEntry *entries;
  guint n_entries;
  char *names;
  gsize names_length;
  guint n_unkept; /* entries of which something is still to be kept */
  gint64 mtime;   /* the folder's own, when its names were read */
  gint64 ctime;
  gboolean racy; /* names may have changed in the same moment */
} GadgetTreeFolder;

typedef struct
{
  GHashTable *folders;     /* path → GadgetTreeFolder */
  GadgetTreeEntry top;     /* the workspace itself */
  GHashTable *skipped;     /* paths of folders that were not looked into */
  GHashTable *assumed;     /* paths of files of which an earlier look says how they were */
  guint n_entries;
  gint64 seen_begin; /* when the look at it began and was over; 0 for one from disk */
  gint64 seen_end;
} GadgetTree;

GadgetTree            *_gadget_tree_new         (void);
void                   _gadget_tree_free        (GadgetTree             *self);
void                   _gadget_tree_add         (GadgetTree             *self,
                                                 GadgetTreeFolder       *folder);
const GadgetTreeEntry *_gadget_tree_find        (const GadgetTree       *self,
                                                 const char             *path);

GadgetTreeFolder      *_gadget_tree_folder_new  (const char             *path,
                                                 const GArray           *entries,
                                                 const GString          *names);
GadgetTreeFolder      *_gadget_tree_folder_ref  (GadgetTreeFolder       *self);
void                   _gadget_tree_folder_unref (GadgetTreeFolder      *self);
const char            *_gadget_tree_get_name    (const GadgetTreeFolder *folder,
                                                 const GadgetTreeEntry  *entry);

void                   _gadget_entry_set_stat   (GadgetTreeEntry        *self,
                                                 const struct stat      *info);
gboolean               _gadget_entry_has_content (const GadgetTreeEntry *self);
gboolean               _gadget_entry_has_attributes (const GadgetTreeEntry *self);
gboolean               _gadget_entry_lacks_content (const GadgetTreeEntry *self);
gboolean               _gadget_entry_lacks_attributes (const GadgetTreeEntry *self);
gboolean               _gadget_entry_same_stat  (const GadgetTreeEntry  *a,
                                                 const GadgetTreeEntry  *b);
gboolean               _gadget_entry_is_unkept  (const GadgetTreeEntry  *self);
void                   _gadget_entry_to_state   (const GadgetTreeEntry  *self,
                                                 GadgetFileState        *state);

/* What differs, as GadgetChange, with the moments at which the trees were seen. */
GPtrArray             *_gadget_tree_compare     (const GadgetTree       *old_tree,
                                                 const GadgetTree       *new_tree);

/* Of a look at the folder TOP that was over only after a command had begun at that moment (of the kernel's clock, in
 * nanoseconds): makes the tree what it was then. What was touched since is taken from OLD_TREE
 * (nullable), the look before it, and is among the assumed. Returns whether all of it is known. */
/* (transfer full): of a name in a folder of the tree. */
char                  *_gadget_tree_make_path   (const char             *folder,
                                                 const char             *name);
gboolean               _gadget_tree_rewind      (GadgetTree             *self,
                                                 const GadgetTree       *old_tree,
                                                 gint64                  since,
                                                 int                     top);
guint                  _gadget_tree_count_unkept (const GadgetTree      *self);

/* Adds the contents that are kept to a set of GadgetHash. */
void                   _gadget_tree_add_hashes  (const GadgetTree       *self,
                                                 GHashTable             *used);

gboolean               _gadget_tree_save        (const GadgetTree       *self,
                                                 const char             *path,
                                                 GError                **error);
GadgetTree            *_gadget_tree_load        (const char             *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetTree, _gadget_tree_free)

G_END_DECLS
