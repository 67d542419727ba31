/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds out what an error of a server means, in any of the shapes that servers use. */

#pragma once

#include "gadget-provider-error.h"
#include "http/gadget-http-message.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * GadgetImageRefusal:
 * @GADGET_IMAGES_NOT_MEANT: the error is not about images
 * @GADGET_IMAGES_THESE_REFUSED: something is wrong with the images that were sent
 * @GADGET_IMAGES_ALL_REFUSED: the model accepts text only
 *
 * The meaning of an error for the images of a request. Unless it is not about them, the request is
 * worth another attempt without them.
 */
typedef enum
{
  GADGET_IMAGES_NOT_MEANT,
  GADGET_IMAGES_THESE_REFUSED,
  GADGET_IMAGES_ALL_REFUSED,
} GadgetImageRefusal;

/* TRUE if the first character of TEXT, apart from spaces, is a "<". */
gboolean            gadget_error_parser_is_html    (const char         *text,
                                                    gsize               length);
gboolean            gadget_error_parser_mentions   (const char         *text,
                                                    const char  *const *words);
gint64              gadget_error_parser_find_limit (const char         *message,
                                                    const char         *name,
                                                    gint64              asked);
GadgetImageRefusal  gadget_error_parser_of_images  (const char         *message);
GadgetProviderError gadget_error_parser_classify   (guint               status,
                                                    const char         *code,
                                                    const char         *message);
GError             *gadget_error_parser_new        (guint               status,
                                                    const char         *code,
                                                    const char         *message);
GError             *gadget_error_parser_read_error (JsonNode           *node,
                                                    guint               status);
GError             *gadget_error_parser_read       (GadgetHttpResponse *response,
                                                    const char         *body,
                                                    gsize               length);

G_END_DECLS
