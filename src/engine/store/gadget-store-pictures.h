/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Reads the bytes of those pictures of a chat that belong into its next request, and that are not
 * in memory. A chat is loaded without the bytes of its pictures. */
void     gadget_store_load_pictures_async  (GadgetStore          *self,
                                            GadgetSession        *session,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean gadget_store_load_pictures_finish (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

/* The bytes of one picture, whose chat need not be loaded. */
void     gadget_store_read_picture_async   (GadgetStore          *self,
                                            const char           *id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GBytes  *gadget_store_read_picture_finish  (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

G_END_DECLS
