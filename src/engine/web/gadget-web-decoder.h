/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Unpacks a body that a server sends packed though nobody asked for it: what is stored packed, as
 * in many object stores, is sent as it is. */
typedef struct _GadgetWebDecoder GadgetWebDecoder;

/* @coding is a Content-Encoding; NULL for one that is not known. */
GadgetWebDecoder *gadget_web_decoder_new      (const char        *coding);
void              gadget_web_decoder_free     (GadgetWebDecoder  *self);

/* Appends what the bytes hold to @body, which gets no longer than @max: a few bytes may hold a lot.
 * @full tells that there was more. FALSE with an error for what is not packed so. */
gboolean          gadget_web_decoder_take     (GadgetWebDecoder  *self,
                                               const char        *bytes,
                                               gsize              length,
                                               GByteArray        *body,
                                               gsize              max,
                                               gboolean          *full,
                                               GError           **error);

/* Whether all of it came. */
gboolean          gadget_web_decoder_is_done  (GadgetWebDecoder  *self);

G_END_DECLS
