/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Attached files, and the messages for those that cannot be attached. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "attach/gadget-attachment-reader.h"
#include "cli-attach.h"

GPtrArray *
gadget_cli_attach_make_files (char **names)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_path (names[i]));
  return files;
}

/* Returns a whole sentence with "%s" for the name of the file. */
static const char *
get_format (const GError *error)
{
  if (error->domain == GADGET_ATTACHMENT_ERROR)
    switch ((GadgetAttachmentError) error->code)
      {
      case GADGET_ATTACHMENT_ERROR_KIND:
        return _ ("“%s” is not a picture, text or PDF.");
      case GADGET_ATTACHMENT_ERROR_FOLDER:
        return _ ("“%s” is not a file.");
      case GADGET_ATTACHMENT_ERROR_EMPTY:
        return _ ("There is nothing to read in “%s”.");
      case GADGET_ATTACHMENT_ERROR_TOO_LARGE:
      case GADGET_ATTACHMENT_ERROR_TOO_LONG:
        return _ ("“%s” is too large.");
      case GADGET_ATTACHMENT_ERROR_NO_PDF:
        return _ ("“%s” cannot be read: PDFs need “pdftotext” to be installed.");
      case GADGET_ATTACHMENT_ERROR_SLOW:
        return _ ("Reading “%s” takes too long.");
      case GADGET_ATTACHMENT_ERROR_DAMAGED:
        return _ ("“%s” is damaged, or not readable.");
      default:
        break;
      }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return _ ("There is no file “%s”.");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return _ ("You may not read “%s”.");
  return _ ("“%s” could not be read.");
}

char *
gadget_cli_attach_dup_title (GFile *file, const GError *error)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_auto (GStrv) parts = g_strsplit (get_format (error), "%s", 2);

  return g_strjoinv (name, parts);
}

const char *
gadget_cli_attach_get_hint (const GError *error)
{
  if (g_error_matches (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LARGE)
      || g_error_matches (error, GADGET_ATTACHMENT_ERROR, GADGET_ATTACHMENT_ERROR_TOO_LONG))
    return _ ("A text may have 1 MiB, and a picture 3.75 MiB and 8,000 pixels on a side.");
  return NULL;
}
