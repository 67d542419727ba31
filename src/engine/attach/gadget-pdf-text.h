/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: extracts the text of a PDF. */

#pragma once

#include "gadget-attachment-error.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

/* The text in UTF-8 (transfer full), or NULL with a #GadgetAttachmentError, %G_IO_ERROR_CANCELLED
 * or an error of the process. */
void  _gadget_pdf_text_async  (GBytes               *data,
                               const char           *program,
                               GadgetSandbox        *sandbox,
                               guint                 limit_ms,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
char *_gadget_pdf_text_finish (GAsyncResult         *result,
                               GError              **error);

G_END_DECLS
