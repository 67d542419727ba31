/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-remote-picture-labels.h"

#include "gadget-picture-decode.h"
#include "web/gadget-web-picture.h"

#include <glib/gi18n.h>

static char *
dup_too_large (void)
{
  g_autofree char *size =
      g_format_size_full (GADGET_WEB_PICTURE_MAX_BYTES, G_FORMAT_SIZE_IEC_UNITS);

  /* Translators: %s is a size, "10.0 MiB" */
  return g_strdup_printf (_ ("It is larger than %s. The link opens it in the browser."), size);
}

/* Returns the text for a picture that could not be loaded. (transfer full) */
static char *
dup_web_failure (GadgetRemotePicture *picture, GadgetWebPictureError code)
{
  switch (code)
    {
    case GADGET_WEB_PICTURE_ERROR_ADDRESS:
      return g_strdup (_ ("No image can be loaded from this address."));
    case GADGET_WEB_PICTURE_ERROR_LOCAL:
      return g_strdup (_ ("The address is on this computer or in the local network, where no "
                          "images are loaded from."));
    case GADGET_WEB_PICTURE_ERROR_NAME:
      return g_strdup (_ ("There is no server of that name. Look at the network connection, or at "
                          "the address."));
    case GADGET_WEB_PICTURE_ERROR_ELSEWHERE:
      /* Translators: %s is the name of a server */
      return g_strdup_printf (_ ("The server redirects to %s."),
                              gadget_remote_picture_get_elsewhere (picture));
    case GADGET_WEB_PICTURE_ERROR_UNSAFE:
      return g_strdup (_ ("The server sends on to an address without encryption. The link opens it "
                          "in the browser."));
    case GADGET_WEB_PICTURE_ERROR_MISSING:
      return g_strdup (_ ("The server has nothing at this address. Ask for another image."));
    case GADGET_WEB_PICTURE_ERROR_REFUSED:
      return g_strdup (_ ("The server refused. The link opens it in the browser."));
    case GADGET_WEB_PICTURE_ERROR_KIND:
      return g_strdup (
          _ ("This is no image that can be shown here. The link opens it in the browser."));
    case GADGET_WEB_PICTURE_ERROR_TOO_LARGE:
      return dup_too_large ();
    case GADGET_WEB_PICTURE_ERROR_SLOW:
      return g_strdup (_ ("The server did not send it in time. Try again later."));
    case GADGET_WEB_PICTURE_ERROR_PROXY:
      return g_strdup (_ ("The server is reached through a proxy, which is not used for images. "
                          "The link opens it in the browser."));
    case GADGET_WEB_PICTURE_ERROR_BROKEN:
    default:
      return g_strdup (_ ("The connection failed. Look at the network connection and try again."));
    }
}

char *
gadget_remote_picture_labels_dup_failure (GadgetRemotePicture *picture)
{
  const GError *error = gadget_remote_picture_get_failure (picture);

  if (error == NULL)
    return dup_web_failure (picture, GADGET_WEB_PICTURE_ERROR_ADDRESS);
  if (error->domain == GADGET_WEB_PICTURE_ERROR)
    return dup_web_failure (picture, (GadgetWebPictureError) error->code);
  if (g_error_matches (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_KIND))
    return dup_web_failure (picture, GADGET_WEB_PICTURE_ERROR_KIND);
  if (g_error_matches (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_SIZE))
    return g_strdup (_ ("It has too many pixels to be shown. The link opens it in the browser."));
  if (error->domain == GADGET_PICTURE_ERROR)
    return g_strdup (_ ("What the server sent is damaged. Try again."));
  return g_strdup (_ ("It was loaded, but cannot be shown now. Try again in a moment."));
}

char *
gadget_remote_picture_labels_dup_button (GadgetRemotePicture *picture)
{
  const char *elsewhere = gadget_remote_picture_get_elsewhere (picture);

  switch (gadget_remote_picture_get_state (picture))
    {
    case GADGET_REMOTE_PICTURE_LOADING:
      return g_strdup (_ ("Stop"));
    case GADGET_REMOTE_PICTURE_FAILED:
      /* Translators: a button; %s is the name of a server */
      return elsewhere != NULL ? g_strdup_printf (_ ("Load From %s"), elsewhere)
                               : g_strdup (_ ("Retry"));
    case GADGET_REMOTE_PICTURE_OFFERED:
    case GADGET_REMOTE_PICTURE_LOADED:
    default:
      return g_strdup (_ ("Load Image"));
    }
}
