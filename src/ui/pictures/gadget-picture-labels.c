/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-picture-labels.h"

#include "common/gadget-bidi.h"

#include "gadget-picture-decode.h"

#include <glib/gi18n.h>

/**
 * gadget_picture_labels_dup_name:
 *
 * Returns: (transfer full): the name to show, such as "logo.png"
 */
char *
gadget_picture_labels_dup_name (const GadgetPicture *picture)
{
  const char *name = gadget_picture_get_name (picture);

  return name != NULL ? gadget_bidi_escape (name) : g_strdup (_ ("Image"));
}

/**
 * gadget_picture_labels_dup_description:
 *
 * Returns: (transfer full): the name and the size, such as "logo.png · 640 × 480"
 */
char *
gadget_picture_labels_dup_description (const GadgetPicture *picture)
{
  g_autofree char *name = gadget_picture_labels_dup_name (picture);
  g_autofree char *pixels = gadget_picture_dup_pixels (picture);

  return pixels != NULL ? g_strconcat (name, " · ", pixels, NULL) : g_steal_pointer (&name);
}

/**
 * gadget_picture_labels_dup_failure:
 * @error: (nullable): the error of loading it; %NULL when it is too large to be loaded
 *
 * Returns: (transfer full): why the picture cannot be shown
 */
char *
gadget_picture_labels_dup_failure (const GadgetPicture *picture, const GError *error)
{
  g_autofree char *pixels = gadget_picture_dup_pixels (picture);

  if (g_error_matches (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_KIND))
    return g_strdup (_ ("Unsupported image format"));
  if (g_error_matches (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_GONE))
    return g_strdup (_ ("Image no longer available"));
  if (error == NULL && pixels != NULL)
    /* Translators: %s is the size in pixels, "30000 × 30000" */
    return g_strdup_printf (_ ("Image too large to show: %s"), pixels);
  if (g_error_matches (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_SIZE))
    return g_strdup (_ ("Image too large to show"));
  if (error != NULL && error->domain != GADGET_PICTURE_ERROR)
    return g_strdup (_ ("Image that cannot be shown now"));
  return g_strdup (_ ("Damaged image"));
}

/* Returns a name for saving the picture. The name that a tool gave may be a path, and may be
 * missing. */
char *
gadget_picture_labels_dup_file_name (const GadgetPicture *picture)
{
  const char *name = gadget_picture_get_name (picture);
  const char *kind = strchr (gadget_picture_get_mime_type (picture), '/');

  if (name != NULL && *name != '\0')
    return g_path_get_basename (name);
  /* Translators: the name of a file; its suffix is appended */
  return g_strconcat (_ ("Image"), ".", kind != NULL ? kind + 1 : "png", NULL);
}
