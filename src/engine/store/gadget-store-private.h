/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: functions that the parts of #GadgetStore call on each other. */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Detects writes of other processes and ends of leases, and emits the store's signals for them.
 * _gadget_store_watch_new () and _gadget_store_watch_free () run on the main context; the store
 * owns the watch. */
typedef struct _GadgetStoreWatch GadgetStoreWatch;

GadgetStoreWatch *_gadget_store_watch_new            (GadgetStore      *store);
void              _gadget_store_watch_free           (GadgetStoreWatch *self);

/* Starts the watch when the database has been opened. */
void              _gadget_store_opened               (GadgetStore      *self);
/* Emit the signals "changed-outside", "lease-ended" and "session-loaded". */
void              _gadget_store_emit_changed_outside (GadgetStore      *self);
void              _gadget_store_emit_lease_ended     (GadgetStore      *self,
                                                      const char       *session_id);
void              _gadget_store_emit_session_loaded  (GadgetStore      *self,
                                                      GadgetSession    *session);

G_END_DECLS
