/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"

G_BEGIN_DECLS

/**
 * GadgetFileQuestion:
 * @GADGET_FILE_QUESTION_OWNER: whether a file may get another owner by being written anew
 * @GADGET_FILE_QUESTION_PROTECTED: whether a file may be written that version control runs
 */
typedef enum
{
  GADGET_FILE_QUESTION_OWNER,
  GADGET_FILE_QUESTION_PROTECTED,
} GadgetFileQuestion;

/* Asks the user. Fails with %G_IO_ERROR_PERMISSION_DENIED, in words for the model, when it may not
 * be. */
void     _gadget_file_question_async  (const GadgetToolContext *context,
                                       GadgetFileQuestion       question,
                                       const char              *path,
                                       GCancellable            *cancellable,
                                       GAsyncReadyCallback      callback,
                                       gpointer                 user_data);
gboolean _gadget_file_question_finish (GAsyncResult            *result,
                                       GError                 **error);

G_END_DECLS
