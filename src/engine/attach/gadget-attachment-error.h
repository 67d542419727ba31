/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

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

G_END_DECLS
