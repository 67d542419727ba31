/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: reads the state of one file and keeps its content. */

#pragma once

#include "gadget-tree.h"

G_BEGIN_DECLS

/* Returns the bits of %GADGET_MODE_LIST for a file, also for an O_PATH descriptor; 0 without an
 * access list. */
guint32  _gadget_read_list_bits      (int                    fd);

/* Keeps the content of the file or link @name in @folder, whose stat data is @entry; adds the bits
 * of %GADGET_MODE_LIST to it. Sets @kept to GADGET_KEPT_UNREAD, without an error, for anything
 * larger than @max_size bytes or without content. Fails with a #GIOErrorEnum. */
gboolean _gadget_keep_content        (GadgetBlobs           *blobs,
                                      int                    folder,
                                      const char            *name,
                                      GadgetTreeEntry       *entry,
                                      guint64                max_size,
                                      GadgetHash            *hash,
                                      GadgetKept            *kept,
                                      GCancellable          *cancellable,
                                      GError               **error);

/**
 * GadgetParentFolder:
 * @root: descriptor of the folder that paths are relative to, or -1
 * @path: (nullable): the parent folder of the file that was read last
 * @fd: the descriptor of that folder, or -1
 * @n_uses: how often @fd was used
 *
 * Speeds up reading many files of the same folders one after the other: the last parent folder
 * stays open for a number of uses. @root belongs to the caller.
 */
typedef struct
{
  int root;
  char *path;
  int fd;
  guint n_uses;
} GadgetParentFolder;

void     _gadget_parent_folder_clear (GadgetParentFolder    *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GadgetParentFolder, _gadget_parent_folder_clear)

/* Reads the current state of @path, relative to the root of @parent, and keeps its content up to
 * @max_size bytes. A file that does not exist is GADGET_FILE_NONE. @inode (out) (optional) is set
 * to 0 for it. Fails with a #GIOErrorEnum. */
gboolean _gadget_file_state_read     (GadgetParentFolder    *parent,
                                      const char            *path,
                                      GadgetBlobs           *blobs,
                                      guint64                max_size,
                                      GadgetFileState       *state,
                                      guint64               *inode,
                                      GError               **error);

G_END_DECLS
