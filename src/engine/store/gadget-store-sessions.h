/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Lists, loads and saves sessions; documented in gadget-store-sessions.c, gadget-store-load.c and
 * gadget-session-row.c. */
void       gadget_store_list_sessions_async   (GadgetStore          *self,
                                               guint64               known,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GPtrArray *gadget_store_list_sessions_finish  (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GError              **error);
guint64    gadget_store_get_listed_digest     (GAsyncResult         *result);
void       gadget_store_apply_listed          (GadgetSession        *session,
                                               GadgetSession        *fresh);
void       gadget_store_load_session_async    (GadgetStore          *self,
                                               GadgetSession        *session,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_store_load_session_finish   (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GError              **error);
void       gadget_store_save_session_async    (GadgetStore          *self,
                                               GadgetSession        *session,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
void       gadget_store_update_session_async  (GadgetStore          *self,
                                               GadgetSession        *session,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_store_save_session_finish   (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GError              **error);

G_END_DECLS
