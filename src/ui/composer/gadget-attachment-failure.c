/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-attachment-failure"

#include "config.h"

#include "gadget-attachment-failure.h"

#include "attach/gadget-attachment-reader.h"
#include "ui/common/gadget-error-labels.h"

#include <glib/gi18n.h>

char *
gadget_attachment_failure_dup_label (const GError *error)
{
  if (error->domain == GADGET_ATTACHMENT_ERROR)
    switch ((GadgetAttachmentError) error->code)
      {
      case GADGET_ATTACHMENT_ERROR_KIND:
        return g_strdup (_ ("Not an image, text or PDF"));
      case GADGET_ATTACHMENT_ERROR_FOLDER:
        return g_strdup (_ ("Not a file"));
      case GADGET_ATTACHMENT_ERROR_EMPTY:
        return g_strdup (_ ("File is empty"));
      case GADGET_ATTACHMENT_ERROR_TOO_LARGE:
        return g_strdup (_ ("File too large"));
      case GADGET_ATTACHMENT_ERROR_TOO_LONG:
        {
          g_autofree char *size =
              g_format_size_full (GADGET_ATTACHMENT_MAX_TEXT, G_FORMAT_SIZE_IEC_UNITS);

          /* Translators: %s is a size, "1.0 MiB" */
          return g_strdup_printf (_ ("Too long: at most %s of text"), size);
        }
      case GADGET_ATTACHMENT_ERROR_NO_PDF:
        return g_strdup (_ ("PDFs need “pdftotext” to be installed"));
      case GADGET_ATTACHMENT_ERROR_SLOW:
        return g_strdup (_ ("Reading it takes too long"));
      case GADGET_ATTACHMENT_ERROR_DAMAGED:
        return g_strdup (_ ("Damaged, or not readable"));
      default:
        break;
      }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    /* Translators: of a file that was being attached when everything was stopped */
    return g_strdup (_ ("Stopped"));
  g_message ("a file could not be attached: %s", error->message);
  return g_strdup (gadget_error_labels_get_reason (error));
}
