/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: reads the contents of a file. */

#pragma once

#include "gadget-attachment-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* In bytes. A larger file is not read at all; a photograph may be this large. */
#define GADGET_ATTACHMENT_MAX_FILE (64 * 1024 * 1024)

/* Reads the file up to this size. (transfer full): the contents, or NULL with a
 * #GadgetAttachmentError or an error of GIO */
void    _gadget_attachment_file_async  (GFile                *file,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
GBytes *_gadget_attachment_file_finish (GAsyncResult         *result,
                                        char                **name,
                                        GError              **error);

G_END_DECLS
