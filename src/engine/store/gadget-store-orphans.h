/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change.h"

G_BEGIN_DECLS

/**
 * GadgetUnrecorded:
 * @effect: the number of the effect
 * @kind: a command, or an edit of one file
 * @turn_id: the turn of the effect
 * @root: the folder in which its changes are recorded
 * @owner: the lease of its process
 * @before: (element-type GadgetChange): for an edit, the states of the file and of the folders
 *   above it before the edit, with equal states after it; empty for a command
 *
 * An effect whose process died before the changes were recorded.
 */
typedef struct
{
  gint64 effect;
  GadgetEffectKind kind;
  char *turn_id;
  char *root;
  char *owner;
  GPtrArray *before;
} GadgetUnrecorded;

/* Lists these effects in the order in which they began. They stay pending until a process that
 * holds the lease of their owner has examined the files; see effects/gadget-crash-recovery.c. */
void       gadget_store_list_unrecorded_async  (GadgetStore        *self,
                                                GAsyncReadyCallback callback,
                                                gpointer            user_data);
GPtrArray *gadget_store_list_unrecorded_finish (GadgetStore        *self,
                                                GAsyncResult       *result,
                                                GError            **error);

G_END_DECLS
