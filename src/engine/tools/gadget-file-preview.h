/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a card shows of a change of a file, before it is made. */

#pragma once

#include "gadget-file-tool.h"

G_BEGIN_DECLS

/* Lets PROMPT show the change when it is about to be asked. SPEC is as for
 * _gadget_file_change_async (), its data given away. Where the file lies outside of the folder and
 * cannot be read, BODY of the form KIND, made from the arguments alone, is shown instead, so that a
 * call that was not allowed yet tells the model nothing about that file. */
void     _gadget_file_preview_attach        (GadgetPrompt               *prompt,
                                             const GadgetToolContext    *context,
                                             const GadgetFileChangeSpec *spec,
                                             GadgetPromptBody            kind,
                                             const char                 *body);

/* Asks, in the middle of a call, about a change that was not shown yet, or AGAIN, since it has become
 * another one. The answer is the digest of what was allowed now. (transfer full) (nullable) */
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
