/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Private to this folder: sees that another process wrote. */
typedef struct _GadgetStoreWatch GadgetStoreWatch;

GadgetStoreWatch *_gadget_store_watch_new            (GadgetStore      *store);
void              _gadget_store_watch_free           (GadgetStoreWatch *self);

void              _gadget_store_opened               (GadgetStore      *self);
void              _gadget_store_emit_changed_outside (GadgetStore      *self);
void              _gadget_store_emit_lease_ended     (GadgetStore      *self,
                                                      const char       *session_id);
void              _gadget_store_emit_session_loaded  (GadgetStore      *self,
                                                      GadgetSession    *session);

G_END_DECLS
