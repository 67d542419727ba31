/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: one file. */

#pragma once

#include "gadget-tree.h"

G_BEGIN_DECLS

/* The bytes of what NAME in FOLDER is, which ENTRY was seen to be. */
gboolean _gadget_keep_content    (GadgetBlobs           *blobs,
                                  int                    folder,
                                  const char            *name,
                                  const GadgetTreeEntry *entry,
                                  guint64                max_size,
                                  GadgetHash            *hash,
                                  GadgetKept            *kept,
                                  GCancellable          *cancellable,
                                  GError               **error);

/* The same of its attributes. */
GadgetEntryFlags _gadget_keep_attributes (GadgetBlobs   *blobs,
                                          int            folder,
                                          const char    *name,
                                          GadgetHash    *hash);

/**
 * GadgetParentFolder:
 * @root: the folder that paths are relative to, or -1
 * @path: (nullable): the parent of the last one that was looked at
 * @fd: that folder, or -1
 * @n_uses: how often it was used
 *
 * For many files in the same folders, one after the other: a folder stays open for some of them.
 */
typedef struct
{
  int root;
  char *path;
  int fd;
  guint n_uses;
} GadgetParentFolder;

void     _gadget_parent_folder_clear (GadgetParentFolder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GadgetParentFolder, _gadget_parent_folder_clear)

gboolean _gadget_file_state_read_in (GadgetParentFolder *parent,
                                     const char         *path,
                                     GadgetBlobs        *blobs,
                                     guint64             max_size,
                                     GadgetFileState    *state,
                                     guint64            *inode,
                                     GError            **error);

/* How PATH, relative to the folder ROOT, is now. Its content is kept, up to MAX_SIZE. INODE (out)
 * (optional) is 0 for what is not there. */
gboolean _gadget_file_state_read (int                    root,
                                  const char            *path,
                                  GadgetBlobs           *blobs,
                                  guint64                max_size,
                                  GadgetFileState       *state,
                                  guint64               *inode,
                                  GError               **error);

G_END_DECLS
