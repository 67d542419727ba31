/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-web-load.h"

G_BEGIN_DECLS

/* The limits of one download. */
#define GADGET_WEB_PICTURE_MAX_BYTES (10 * 1024 * 1024)
#define GADGET_WEB_PICTURE_TOTAL_MS 20000

#define GADGET_WEB_PICTURE_ERROR (gadget_web_picture_error_quark ())
GQuark gadget_web_picture_error_quark (void);

/**
 * GadgetWebPictureError:
 * @GADGET_WEB_PICTURE_ERROR_ADDRESS: the address cannot be loaded
 * @GADGET_WEB_PICTURE_ERROR_LOCAL: the address leads to this computer, into the local network, or
 *   to an address that is never a server
 * @GADGET_WEB_PICTURE_ERROR_NAME: the server does not exist
 * @GADGET_WEB_PICTURE_ERROR_ELSEWHERE: the address redirects to another server, which nobody asked
 *   for
 * @GADGET_WEB_PICTURE_ERROR_UNSAFE: the address redirects from https to http
 * @GADGET_WEB_PICTURE_ERROR_MISSING: the server has nothing at the address
 * @GADGET_WEB_PICTURE_ERROR_REFUSED: the server refuses to send the picture
 * @GADGET_WEB_PICTURE_ERROR_KIND: the file is not a picture, or not of a kind that can be shown
 * @GADGET_WEB_PICTURE_ERROR_TOO_LARGE: the file is larger than what is loaded
 * @GADGET_WEB_PICTURE_ERROR_SLOW: the file did not arrive in time
 * @GADGET_WEB_PICTURE_ERROR_PROXY: the system wants a proxy to be used
 * @GADGET_WEB_PICTURE_ERROR_BROKEN: there was no connection, or it broke off
 *
 * Why a picture of the web was not loaded.
 */
typedef enum
{
  GADGET_WEB_PICTURE_ERROR_ADDRESS,
  GADGET_WEB_PICTURE_ERROR_LOCAL,
  GADGET_WEB_PICTURE_ERROR_NAME,
  GADGET_WEB_PICTURE_ERROR_ELSEWHERE,
  GADGET_WEB_PICTURE_ERROR_UNSAFE,
  GADGET_WEB_PICTURE_ERROR_MISSING,
  GADGET_WEB_PICTURE_ERROR_REFUSED,
  GADGET_WEB_PICTURE_ERROR_KIND,
  GADGET_WEB_PICTURE_ERROR_TOO_LARGE,
  GADGET_WEB_PICTURE_ERROR_SLOW,
  GADGET_WEB_PICTURE_ERROR_PROXY,
  GADGET_WEB_PICTURE_ERROR_BROKEN,
} GadgetWebPictureError;

/* The server of ADDRESS as it is shown: "host", or "host:port". (transfer full) (nullable): NULL
 * for an address that cannot be loaded */
char   *gadget_web_picture_dup_server  (const char            *address);

void    gadget_web_picture_load_async  (const GadgetWebSetup  *setup,
                                        const char            *address,
                                        GCancellable          *cancellable,
                                        GAsyncReadyCallback    callback,
                                        gpointer               user_data);
GBytes *gadget_web_picture_load_finish (GAsyncResult          *result,
                                        char                 **elsewhere,
                                        GError               **error);

G_END_DECLS
