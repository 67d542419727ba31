/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-web-load.h"

G_BEGIN_DECLS

#define GADGET_WEB_PICTURE_MAX_BYTES (10 * 1024 * 1024)
#define GADGET_WEB_PICTURE_TOTAL_MS 20000

#define GADGET_WEB_PICTURE_ERROR (gadget_web_picture_error_quark ())
GQuark gadget_web_picture_error_quark (void);

/**
 * GadgetWebPictureError:
 * @GADGET_WEB_PICTURE_ERROR_ADDRESS: it is not an address that can be loaded
 * @GADGET_WEB_PICTURE_ERROR_LOCAL: it leads to this computer, into the local network, or to no
 *   server that anybody means
 * @GADGET_WEB_PICTURE_ERROR_NAME: there is no such server
 * @GADGET_WEB_PICTURE_ERROR_ELSEWHERE: it leads to another server, which nobody asked for
 * @GADGET_WEB_PICTURE_ERROR_UNSAFE: it leads from https to http
 * @GADGET_WEB_PICTURE_ERROR_MISSING: the server has nothing there
 * @GADGET_WEB_PICTURE_ERROR_REFUSED: the server does not give it
 * @GADGET_WEB_PICTURE_ERROR_KIND: it is no picture, or of no kind that can be shown
 * @GADGET_WEB_PICTURE_ERROR_TOO_LARGE: it is larger than what is loaded
 * @GADGET_WEB_PICTURE_ERROR_SLOW: it did not come in time
 * @GADGET_WEB_PICTURE_ERROR_PROXY: the system wants a proxy to be used
 * @GADGET_WEB_PICTURE_ERROR_BROKEN: there was no connection, or it broke off
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

/* "host" of an address that can be loaded, as it is shown; NULL for any other. */
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
