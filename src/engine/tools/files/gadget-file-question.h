/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* Asks the user whether the file @path may get another owner when it is written. Fails with
 * %G_IO_ERROR_PERMISSION_DENIED, its message for the model, when it may not. */
void     _gadget_file_question_async  (const GadgetToolContext *context,
                                       const char              *path,
                                       GCancellable            *cancellable,
                                       GAsyncReadyCallback      callback,
                                       gpointer                 user_data);
gboolean _gadget_file_question_finish (GAsyncResult            *result,
                                       GError                 **error);

G_END_DECLS
