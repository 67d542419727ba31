/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what is in a file. */

#pragma once

#include "gadget-attachment-reader.h"

G_BEGIN_DECLS

/* A file that is larger is not looked into: a photograph may have that much. */
#define GADGET_ATTACHMENT_MAX_FILE (64 * 1024 * 1024)

void    _gadget_attachment_file_async  (GFile                *file,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
GBytes *_gadget_attachment_file_finish (GAsyncResult         *result,
                                        char                **name,
                                        GError              **error);

G_END_DECLS
