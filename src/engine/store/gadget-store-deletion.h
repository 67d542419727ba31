/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-open-lock.h"
#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetDeleteFlags:
 * @GADGET_DELETE_UNUSED: only a session that no other process shows and that has nothing unsent
 * @GADGET_DELETE_UNSENT: also one with a draft or queued messages, which go with it
 * @GADGET_DELETE_OPEN: also one that another process shows
 */
typedef enum
{
  GADGET_DELETE_UNUSED = 0,
  GADGET_DELETE_UNSENT = 1 << 0,
  GADGET_DELETE_OPEN = 1 << 1,
} GadgetDeleteFlags;

#define GADGET_DELETE_FORCE (GADGET_DELETE_UNSENT | GADGET_DELETE_OPEN)

/* A session that is to be deleted, by whoever has its lease: as long as that is held no other process
 * can start a turn in the session or delete it. */
typedef struct _GadgetDeletion GadgetDeletion;

GadgetDeletion *gadget_deletion_new                (GadgetStore          *store,
                                                    const char           *session_id,
                                                    GadgetOpenLock       *open_lock,
                                                    GadgetDeleteFlags     flags,
                                                    GError              **error);
void            gadget_deletion_free               (GadgetDeletion       *self);

void            gadget_store_delete_session_async  (GadgetStore          *self,
                                                    GadgetDeletion       *deletion,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean        gadget_store_delete_session_finish (GadgetStore          *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

/* Fails with GADGET_STORE_ERROR_DELETED for a session that was deleted. */
void            gadget_store_check_session_async   (GadgetStore          *self,
                                                    const char           *session_id,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean        gadget_store_check_session_finish  (GadgetStore          *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetDeletion, gadget_deletion_free)

G_END_DECLS
