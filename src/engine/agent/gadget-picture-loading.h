/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A picture of the web that the user asked for, while a chat is read. Loading it is a run of its
 * own, so that whatever stops everything stops it. */

#pragma once

#include "gadget-registry.h"
#include "web/gadget-web-picture.h"

G_BEGIN_DECLS

/* Whether a picture can be shown: itself again, or NULL with why not. In a thread. */
typedef GBytes *(*GadgetPictureCheck) (GBytes  *data,
                                       GError **error);

GadgetRun *gadget_picture_loading_start  (GadgetRegistry        *registry,
                                          const char            *session_id,
                                          const GadgetWebSetup  *setup,
                                          const char            *address,
                                          GadgetPictureCheck     check,
                                          GAsyncReadyCallback    callback,
                                          gpointer               user_data);
GBytes    *gadget_picture_loading_finish (GAsyncResult          *result,
                                          char                 **elsewhere,
                                          GBytes               **unchecked,
                                          GError               **error);

G_END_DECLS
