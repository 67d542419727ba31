/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/* Drafts: messages that were typed and not yet sent. There is one for each stored session, and one
 * for a new chat that is not stored yet, whose session id is NULL. */
void       gadget_store_save_draft_async      (GadgetStore          *self,
                                               const char           *session_id,
                                               const char           *text,
                                               GPtrArray            *attachments,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_store_save_draft_finish     (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GError              **error);
void       gadget_store_load_draft_async      (GadgetStore          *self,
                                               const char           *session_id,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
char      *gadget_store_load_draft_finish     (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GPtrArray           **attachments,
                                               GError              **error);

G_END_DECLS
