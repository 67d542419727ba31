/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes attachments of messages out of files, bytes and streams. */

#pragma once

#include "process/gadget-sandbox.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

#define GADGET_ATTACHMENT_ERROR (gadget_attachment_error_quark ())
GQuark gadget_attachment_error_quark (void);

/**
 * GadgetAttachmentError:
 * @GADGET_ATTACHMENT_ERROR_KIND: the file is not a picture, a text or a PDF
 * @GADGET_ATTACHMENT_ERROR_FOLDER: the file is a folder, or not a regular file
 * @GADGET_ATTACHMENT_ERROR_EMPTY: the file is empty
 * @GADGET_ATTACHMENT_ERROR_TOO_LARGE: the file is larger than what is read
 * @GADGET_ATTACHMENT_ERROR_TOO_LONG: its text has more than %GADGET_ATTACHMENT_MAX_TEXT bytes
 * @GADGET_ATTACHMENT_ERROR_NO_PDF: pdftotext is not installed
 * @GADGET_ATTACHMENT_ERROR_SLOW: its text was not extracted in time
 * @GADGET_ATTACHMENT_ERROR_DAMAGED: the contents cannot be decoded
 *
 * Why something cannot be attached.
 */
typedef enum
{
  GADGET_ATTACHMENT_ERROR_KIND,
  GADGET_ATTACHMENT_ERROR_FOLDER,
  GADGET_ATTACHMENT_ERROR_EMPTY,
  GADGET_ATTACHMENT_ERROR_TOO_LARGE,
  GADGET_ATTACHMENT_ERROR_TOO_LONG,
  GADGET_ATTACHMENT_ERROR_NO_PDF,
  GADGET_ATTACHMENT_ERROR_SLOW,
  GADGET_ATTACHMENT_ERROR_DAMAGED,
} GadgetAttachmentError;

/**
 * GadgetShrinkFunc:
 * @data: the file of a picture
 *
 * Called in a thread.
 *
 * Returns: (transfer full) (nullable): the file to use instead, possibly the same one; or %NULL
 *   with @error
 */
typedef GBytes *(*GadgetShrinkFunc) (GBytes *data, GError **error);

/**
 * GadgetAttachmentSource:
 * @file: (nullable): the file to read; if %NULL, @data or @stream is read
 * @data: (nullable): the bytes to read, in preference to @stream and @file
 * @stream: (nullable): the stream to read, in preference to @file
 * @name: (nullable): the name of the attachment; if %NULL, that of @file
 * @sandbox: (nullable): the sandbox for the text extraction of a PDF; %NULL for the user's own
 *   rights
 * @pdf_program: (nullable): a program to use instead of pdftotext
 * @pdf_limit_ms: the time limit of that program; 0 for the usual limit
 * @check: (nullable): checks that a picture is complete; if %NULL, its header is trusted
 * @shrink: (nullable): shrinks a picture that is too large; if %NULL, such a picture is refused
 *
 * What to read and how. The struct and its members are only used during the call.
 */
typedef struct
{
  GFile *file;
  GBytes *data;
  GInputStream *stream;
  const char *name;
  GadgetSandbox *sandbox;
  const char *pdf_program;
  guint pdf_limit_ms;
  GadgetShrinkFunc check;
  GadgetShrinkFunc shrink;
} GadgetAttachmentSource;

void              gadget_attachment_read_async  (const GadgetAttachmentSource  *source,
                                                 GCancellable                  *cancellable,
                                                 GAsyncReadyCallback            callback,
                                                 gpointer                       user_data);
GadgetAttachment *gadget_attachment_read_finish (GAsyncResult                  *result,
                                                 GError                       **error);

G_END_DECLS
