/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes attachments of messages out of files, bytes and streams. */

#pragma once

#include "gadget-attachment-error.h"
#include "process/sandbox/gadget-sandbox.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

/**
 * GadgetPictureFileFunc:
 * @data: the file of a picture
 *
 * Called in a thread.
 *
 * Returns: (transfer full) (nullable): the file to use instead, possibly the same one; or %NULL
 *   with @error
 */
typedef GBytes *(*GadgetPictureFileFunc) (GBytes *data, GError **error);

/**
 * GadgetAttachmentSource:
 * @file: (nullable): the file to read; if %NULL, @data or @stream is read
 * @data: (nullable): the bytes to read, in preference to @stream and @file
 * @stream: (nullable): the stream to read, in preference to @file
 * @name: (nullable): the name of the attachment; if %NULL, that of @file
 * @sandbox: (nullable): the sandbox for the text extraction of a PDF; %NULL for the user's own
 *   rights
 * @pdf_limit_ms: the time limit of that extraction; 0 for the usual limit
 * @check: (nullable): checks that a picture is complete; if %NULL, its header is trusted
 * @shrink: (nullable): shrinks a picture that is too large; if %NULL, such a picture is refused
 *
 * The source of an attachment, and how to read it. The struct and its members are only used during
 * the call.
 */
typedef struct
{
  GFile *file;
  GBytes *data;
  GInputStream *stream;
  const char *name;
  GadgetSandbox *sandbox;
  guint pdf_limit_ms;
  GadgetPictureFileFunc check;
  GadgetPictureFileFunc shrink;
} GadgetAttachmentSource;

void              gadget_attachment_read_async  (const GadgetAttachmentSource  *source,
                                                 GCancellable                  *cancellable,
                                                 GAsyncReadyCallback            callback,
                                                 gpointer                       user_data);
GadgetAttachment *gadget_attachment_read_finish (GAsyncResult                  *result,
                                                 GError                       **error);

G_END_DECLS
