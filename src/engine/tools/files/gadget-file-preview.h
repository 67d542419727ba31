/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows on a card how a change of a file looks before it is made. */

#pragma once

#include "gadget-file-tool.h"

G_BEGIN_DECLS

/* Lets @prompt show the change when it is about to be asked. @spec is as for
 * _gadget_file_change_async (); its data is (transfer full). When the file lies outside of the
 * workspace and cannot be read, @body, which is made from the arguments alone and has the form
 * @kind, is shown instead, so that a call that is not allowed yet tells the model nothing about
 * that file. */
void     _gadget_file_preview_attach        (GadgetPrompt               *prompt,
                                             const GadgetToolContext    *context,
                                             const GadgetFileChangeSpec *spec,
                                             GadgetPromptBody            kind,
                                             const char                 *body);

/* Asks in the middle of a call about a change that the user has not seen yet, or, with @again, that
 * differs from the one that the user allowed. Returns: (transfer full) (nullable): the digest of
 * the change that is allowed now. Fails with %G_IO_ERROR_PERMISSION_DENIED, its message for the
 * model, or with the error of the dismissed prompt. */
void     _gadget_change_question_async      (const GadgetToolContext    *context,
                                             const char                 *resolved,
                                             const GadgetFileChange     *change,
                                             gboolean                    again,
                                             GCancellable               *cancellable,
                                             GAsyncReadyCallback         callback,
                                             gpointer                    user_data);
char    *_gadget_change_question_finish     (GAsyncResult               *result,
                                             GError                    **error);

G_END_DECLS
