/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what another program gives. */

#pragma once

#include "gadget-attachment-reader.h"

G_BEGIN_DECLS

void    _gadget_attachment_stream_async  (GInputStream         *stream,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
GBytes *_gadget_attachment_stream_finish (GAsyncResult         *result,
                                          GError              **error);

G_END_DECLS
