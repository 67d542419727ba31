/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store-runs.h"

G_BEGIN_DECLS

#define GADGET_TYPE_ELSEWHERE (gadget_elsewhere_get_type ())
G_DECLARE_FINAL_TYPE (GadgetElsewhere, gadget_elsewhere, GADGET, ELSEWHERE, GObject)

/* Runs of other processes, and those that ended long ago: what the store knows of them. */
GadgetElsewhere *gadget_elsewhere_new         (GadgetStore          *store);
void             gadget_elsewhere_wait_async  (GadgetElsewhere      *self,
                                               const char           *run_id,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GadgetStoreRun  *gadget_elsewhere_wait_finish (GadgetElsewhere      *self,
                                               GAsyncResult         *result,
                                               GError              **error);

/* Who waits is told that it will not hear of it here. */
void             gadget_elsewhere_close       (GadgetElsewhere      *self);

G_END_DECLS
