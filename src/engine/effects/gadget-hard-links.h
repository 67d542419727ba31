/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to applying states: files with several hard links. */

#pragma once

#include "gadget-blobs.h"
#include "gadget-undo-entry.h"

G_BEGIN_DECLS

/* Knows which of the files that are applied are hard links of each other. */
typedef struct _GadgetHardLinks GadgetHardLinks;

/* @entries are the chosen ones below the folder @root, whose descriptor is @fd; both must outlive
 * the object. With @redo the files are to be as the turn left them, else as they were before it. */
GadgetHardLinks *_gadget_hard_links_new   (GadgetBlobs           *blobs,
                                           int                    fd,
                                           const char            *root,
                                           GPtrArray             *entries,
                                           gboolean               redo);
void             _gadget_hard_links_free  (GadgetHardLinks       *self);

/* Makes @name in @folder a hard link of the file that @target describes, if that already is in its
 * final state under another name. Returns FALSE without an error if it is not, or if the link
 * cannot be made; with G_IO_ERROR_BUSY if @name has changed since it was inspected. */
gboolean         _gadget_hard_links_link  (GadgetHardLinks       *self,
                                           int                    folder,
                                           const char            *name,
                                           const GadgetUndoEntry *entry,
                                           const GadgetFileState *target,
                                           GError               **error);

/* Returns whether @target has, or had, several hard links. */
gboolean         _gadget_hard_links_has   (GadgetHardLinks       *self,
                                           const GadgetFileState *target);

/* Returns how many hard links the file is to have. The number before the turn is exact. For the
 * state after the turn only the turn's own entries count, since replacing a file under one name
 * does not show under its other names. */
guint            _gadget_hard_links_count (GadgetHardLinks       *self,
                                           const GadgetFileState *target);

/* Notes that the file @target is now in its final state at @path. */
void             _gadget_hard_links_add   (GadgetHardLinks       *self,
                                           const GadgetFileState *target,
                                           const char            *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetHardLinks, _gadget_hard_links_free)

G_END_DECLS
