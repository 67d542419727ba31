/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/lease/gadget-open-lock.h"
#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetDeleteFlags:
 * @GADGET_DELETE_UNUSED: deletes a session only if no other process shows it and it has no draft or
 *   queued messages
 * @GADGET_DELETE_UNSENT: deletes a draft and queued messages with it
 * @GADGET_DELETE_OPEN: deletes a session that another process shows
 *
 * Which sessions may be deleted.
 */
typedef enum
{
  GADGET_DELETE_UNUSED = 0,
  GADGET_DELETE_UNSENT = 1 << 0,
  GADGET_DELETE_OPEN = 1 << 1,
} GadgetDeleteFlags;

#define GADGET_DELETE_FORCE (GADGET_DELETE_UNSENT | GADGET_DELETE_OPEN)

/* The deletion of a session by the process that holds its lease. As long as the lease is held, no
 * other process can start a turn in the session or delete it. */
typedef struct _GadgetDeletion GadgetDeletion;

GadgetDeletion *gadget_deletion_new                (GadgetStore          *store,
                                                    const char           *session_id,
                                                    GadgetOpenLock       *open_lock,
                                                    GadgetDeleteFlags     flags,
                                                    GError              **error);
void            gadget_deletion_free               (GadgetDeletion       *self);
void            gadget_deletion_set_unused_since   (GadgetDeletion       *self,
                                                    gint64                ms,
                                                    gboolean              also_pinned);

void            gadget_store_delete_session_async  (GadgetStore          *self,
                                                    GadgetDeletion       *deletion,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean        gadget_store_delete_session_finish (GadgetStore          *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

/* Fails with %GADGET_STORE_ERROR_DELETED if the session was deleted; succeeds if it is stored, or
 * was never stored. */
void            gadget_store_check_session_async   (GadgetStore          *self,
                                                    const char           *session_id,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
gboolean        gadget_store_check_session_finish  (GadgetStore          *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetDeletion, gadget_deletion_free)

G_END_DECLS
