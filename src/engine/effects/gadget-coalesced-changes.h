/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: all changes of a turn to one file, coalesced into one. */

#pragma once

#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

/**
 * GadgetCoalescedChange:
 * @root: the folder that @path is relative to
 * @before: the state of the file before the first change
 * @after: the state in which the last change left it
 * @interleaved: whether somebody else changed the file, or may have, between two of the changes
 *
 * The change of one file by a turn.
 */
typedef struct
{
  char *root;
  char *path;
  GadgetFileState before;
  GadgetFileState after;
  gboolean interleaved;
} GadgetCoalescedChange;

void       _gadget_coalesced_change_free (GadgetCoalescedChange *self);

/* Coalesces the changes (GadgetChange) of one turn; changes made by undo and redo are left out.
 * Returns: (transfer full) (element-type GadgetCoalescedChange): in no particular order. */
GPtrArray *_gadget_coalesce_changes      (GPtrArray             *changes);

G_END_DECLS
