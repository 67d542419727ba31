/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what all effects of a turn did to a file, together. */

#pragma once

#include "store/gadget-store-changes.h"

G_BEGIN_DECLS

/**
 * GadgetFileSum:
 * @root: the folder that @path is relative to
 * @before: how the file was before the first change
 * @after: how the last one left it
 * @interleaved: between two changes somebody else changed it, or may have
 *
 * One file.
 */
typedef struct
{
  char *root;
  char *path;
  GadgetFileState before;
  GadgetFileState after;
  gboolean interleaved;
} GadgetFileSum;

void       _gadget_file_sum_free (GadgetFileSum *self);

/* The sums of changes (GadgetChange) of one turn, in no order. Those that undoing made are left out. */
GPtrArray *_gadget_sum_up        (GPtrArray     *changes);

G_END_DECLS
