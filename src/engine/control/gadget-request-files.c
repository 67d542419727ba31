/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The option "attachments" of Ask. Files are named by absolute paths or file URIs. Anything else is
 * refused, because Gadget would have to download it on behalf of another program. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-request-files.h"

#include "gadget-control-interface.h"
#include "agent/gadget-attachment-loading.h"

static gboolean
is_here (const char *host)
{
  return host == NULL || *host == '\0' || g_ascii_strcasecmp (host, "localhost") == 0;
}

static GFile *
make_file (const char *name)
{
  g_autofree char *host = NULL;
  g_autofree char *path = NULL;

  if (g_path_is_absolute (name))
    return g_file_new_for_path (name);
  if (g_ascii_strncasecmp (name, "file:", 5) == 0)
    path = g_filename_from_uri (name, &host, NULL);
  return path != NULL && is_here (host) ? g_file_new_for_path (path) : NULL;
}

GPtrArray *
_gadget_request_files_read (GVariant *value, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree const char **names = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    {
      g_set_error_literal (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_INVALID,
                           "Option \"attachments\" is not an array of strings (as)");
      return NULL;
    }
  names = g_variant_get_strv (value, NULL);
  for (guint i = 0; names[i] != NULL; i++)
    {
      GFile *file = make_file (names[i]);

      if (file == NULL || files->len == GADGET_ATTACHMENT_LOADING_MAX_FILES)
        {
          if (file == NULL)
            g_set_error (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_INVALID,
                         "Attachment \"%s\" is neither a whole path nor the URI of a local file",
                         names[i]);
          else
            g_set_error (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_INVALID,
                         "More than %d attachments", GADGET_ATTACHMENT_LOADING_MAX_FILES);
          g_clear_object (&file);
          return NULL;
        }
      g_ptr_array_add (files, file);
    }
  return g_steal_pointer (&files);
}

GError *
_gadget_request_files_explain (const GError *error, GFile *file)
{
  g_autofree char *name = g_file_get_parse_name (file);
  GadgetControlError code = GADGET_CONTROL_ERROR_FAILED;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    code = GADGET_CONTROL_ERROR_NOT_FOUND;
  else if (error->domain == GADGET_ATTACHMENT_ERROR && error->code != GADGET_ATTACHMENT_ERROR_NO_PDF
           && error->code != GADGET_ATTACHMENT_ERROR_SLOW)
    code = GADGET_CONTROL_ERROR_INVALID;
  return g_error_new (GADGET_CONTROL_ERROR, (int) code, "Attachment \"%s\": %s", name,
                      error->message);
}
