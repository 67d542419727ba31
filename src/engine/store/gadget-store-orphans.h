/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-change.h"

G_BEGIN_DECLS

/**
 * GadgetUnrecorded:
 * @effect: the row of the ledger
 * @kind: a command, or an edit of one file
 * @root: the folder in which its changes are recorded
 * @owner: the lease of its process
 * @before: (element-type GadgetChange): of an edit, how the file and the folders above it were
 *   before it, with the same as what they became; empty for a command
 *
 * An effect whose process died before what it changed was recorded.
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

/* The first first. They stay pending until somebody who holds their owner's lease has looked; see
 * effects/gadget-recover.c. */
void        gadget_store_list_unrecorded_async  (GadgetStore        *self,
                                                 GAsyncReadyCallback callback,
                                                 gpointer            user_data);
GPtrArray  *gadget_store_list_unrecorded_finish (GadgetStore        *self,
                                                 GAsyncResult       *result,
                                                 GError            **error);

G_END_DECLS
