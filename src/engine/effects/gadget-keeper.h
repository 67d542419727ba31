/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_KEEPER (gadget_keeper_get_type ())
G_DECLARE_FINAL_TYPE (GadgetKeeper, gadget_keeper, GADGET, KEEPER, GObject)

/* What the effects of all turns of this process share: one for a store. It has the contents of
 * files as they were, and a thread that looks after them. */
GadgetKeeper *gadget_keeper_new         (GadgetStore         *store);
GadgetStore  *gadget_keeper_get_store   (GadgetKeeper        *self);

/* Waits until what turns changed is on record, for so long at most: at the program's end. */
void          gadget_keeper_settle_async  (GadgetKeeper         *self,
                                           guint                 max_wait_ms,
                                           GAsyncReadyCallback   callback,
                                           gpointer              user_data);
void          gadget_keeper_settle_finish (GadgetKeeper         *self,
                                           GAsyncResult         *result);

/* A chat has this folder, or is about to do something in it. */
void          gadget_keeper_prepare     (GadgetKeeper        *self,
                                         const char          *workspace);

/* Looks, in the background, at what commands of processes that were killed have changed; asked for
 * their turn's changes it is done before the answer. */
void          gadget_keeper_recover     (GadgetKeeper        *self);

/* Removes the contents that nothing refers to any more; in the background, and unless it is NEEDED
 * once a day. */
void          gadget_keeper_sweep       (GadgetKeeper        *self,
                                         gboolean             needed);

G_END_DECLS
