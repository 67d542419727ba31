/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: reads a stream that another program writes. */

#pragma once

#include "gadget-attachment-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads STREAM to its end. (transfer full): the data, or NULL with
 * %GADGET_ATTACHMENT_ERROR_TOO_LARGE, %G_IO_ERROR_CANCELLED or an error of the stream */
void    _gadget_attachment_stream_async  (GInputStream         *stream,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
GBytes *_gadget_attachment_stream_finish (GAsyncResult         *result,
                                          GError              **error);

G_END_DECLS
