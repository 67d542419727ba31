/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a file, or from bytes, to what can be given with a message. */

#pragma once

#include "process/gadget-sandbox.h"
#include "session/gadget-attachment.h"

G_BEGIN_DECLS

#define GADGET_ATTACHMENT_ERROR (gadget_attachment_error_quark ())
GQuark gadget_attachment_error_quark (void);

/**
 * GadgetAttachmentError:
 * @GADGET_ATTACHMENT_ERROR_KIND: it is no picture, text or PDF
 * @GADGET_ATTACHMENT_ERROR_FOLDER: it is a folder, or no file at all
 * @GADGET_ATTACHMENT_ERROR_EMPTY: there is nothing in it
 * @GADGET_ATTACHMENT_ERROR_TOO_LARGE: it is larger than what is read
 * @GADGET_ATTACHMENT_ERROR_TOO_LONG: its text has more than %GADGET_ATTACHMENT_MAX_TEXT bytes
 * @GADGET_ATTACHMENT_ERROR_NO_PDF: there is no pdftotext here
 * @GADGET_ATTACHMENT_ERROR_SLOW: its text was not there in time
 * @GADGET_ATTACHMENT_ERROR_DAMAGED: it cannot be made sense of
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
 * @data: a picture's file
 *
 * Called in a thread.
 *
 * Returns: (transfer full) (nullable): the file to take instead, perhaps the same one, or %NULL
 *   with @error
 */
typedef GBytes *(*GadgetShrinkFunc) (GBytes *data, GError **error);

/**
 * GadgetAttachmentSource:
 * @file: (nullable): what is read; without it there is
 * @data: (nullable): the bytes, or
 * @stream: (nullable): from where they come; and perhaps
 * @name: (nullable): their name
 * @sandbox: (nullable): in which the text of a PDF is looked for; %NULL for the user's own rights
 * @pdf_program: (nullable): another program than pdftotext
 * @pdf_limit_ms: how long that may take; 0 for the usual time
 * @check: (nullable): looks whether a picture is whole; without it what it says of itself is taken
 * @shrink: (nullable): without it a picture that is too large is refused
 *
 * Lent for the call.
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
