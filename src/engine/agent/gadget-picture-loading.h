/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loads a picture from the web, which the user asked for while reading a chat. Loading is a run of
 * its own, so everything that stops the chat or all work stops it. */

#pragma once

#include "gadget-registry.h"
#include "web/gadget-web-picture.h"

G_BEGIN_DECLS

/* Checks, in a thread, whether a picture can be shown. Returns DATA itself (transfer full), or NULL
 * with an error. */
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
