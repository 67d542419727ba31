/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Reads the bytes of the pictures that the next request of a session contains and that are not in
 * memory. Loading a session does not read the bytes of its pictures. */
void     gadget_store_load_pictures_async  (GadgetStore          *self,
                                            GadgetSession        *session,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean gadget_store_load_pictures_finish (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

/* Reads the bytes of one picture or attachment, whose session need not be loaded. */
void     gadget_store_read_picture_async   (GadgetStore          *self,
                                            const char           *id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GBytes  *gadget_store_read_picture_finish  (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

G_END_DECLS
