/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-clock.h"

G_BEGIN_DECLS

/* A task that waits for the first of several outcomes. gadget-pending.c explains the rules. */
typedef struct _GadgetPending GadgetPending;

typedef void (*GadgetPendingFunc) (GadgetPending *self,
                                   gpointer       data);

GadgetPending *gadget_pending_new           (GTask             *task,
                                             GCancellable      *cancellable,
                                             GadgetPendingFunc  stopped,
                                             gpointer           data);
void           gadget_pending_set_timeout   (GadgetPending     *self,
                                             GadgetClock       *clock,
                                             guint              milliseconds,
                                             GadgetPendingFunc  timed_out);
gboolean       gadget_pending_is_over       (GadgetPending     *self);
GTask         *gadget_pending_take          (GadgetPending     *self);
GTask         *gadget_pending_free_and_take (GadgetPending     *self);
void           gadget_pending_return_stopped (GadgetPending    *self);
void           gadget_pending_free          (GadgetPending     *self);

G_END_DECLS
