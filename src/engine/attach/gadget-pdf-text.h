/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: extracts the text of a PDF. */

#pragma once

#include "gadget-attachment-error.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

void  _gadget_pdf_text_async  (GBytes               *data,
                               GadgetSandbox        *sandbox,
                               guint                 time_limit_ms,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
char *_gadget_pdf_text_finish (GAsyncResult         *result,
                               GError              **error);

G_END_DECLS
