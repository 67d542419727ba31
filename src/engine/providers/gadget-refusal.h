/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a server means that refuses, in any of the shapes that servers use for it. */

#pragma once

#include "http/gadget-http-stream.h"
#include "gadget-provider.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * GadgetImageRefusal:
 * @GADGET_IMAGES_NOT_MEANT: it is about something else
 * @GADGET_IMAGES_THESE_REFUSED: something is wrong with what was sent
 * @GADGET_IMAGES_ALL_REFUSED: the model takes words alone
 */
typedef enum
{
  GADGET_IMAGES_NOT_MEANT,
  GADGET_IMAGES_THESE_REFUSED,
  GADGET_IMAGES_ALL_REFUSED,
} GadgetImageRefusal;

gboolean            gadget_refusal_is_html    (const char         *text,
                                               gsize               length);
gboolean            gadget_refusal_mentions   (const char         *text,
                                               const char *const  *words);
gint64              gadget_refusal_find_limit (const char         *message,
                                               const char         *name,
                                               gint64              asked);
GadgetImageRefusal  gadget_refusal_of_images  (const char         *message);
GadgetProviderError gadget_refusal_classify   (guint               status,
                                               const char         *code,
                                               const char         *message);
GError             *gadget_refusal_new        (guint               status,
                                               const char         *code,
                                               const char         *message);
GError             *gadget_refusal_read_error (JsonNode           *node,
                                               guint               status);
GError             *gadget_refusal_read       (GadgetHttpResponse *response,
                                               const char         *body,
                                               gsize               length);

G_END_DECLS
