/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Decompresses a body that a server sends compressed although that was not asked for: many object
 * stores send what they store compressed as it is. */
typedef struct _GadgetWebDecoder GadgetWebDecoder;

/* CODING is a Content-Encoding. (transfer full) (nullable): NULL for an unknown coding */
GadgetWebDecoder *gadget_web_decoder_new      (const char        *coding);
void              gadget_web_decoder_free     (GadgetWebDecoder  *self);

/* Appends the decompressed bytes to BODY, which grows to at most MAX bytes: a few bytes may
 * decompress to a lot. FULL is set to TRUE when there was more. FALSE with an error (of
 * GZlibDecompressor) when the bytes are not valid. */
gboolean          gadget_web_decoder_feed     (GadgetWebDecoder  *self,
                                               const char        *bytes,
                                               gsize              length,
                                               GByteArray        *body,
                                               gsize              max,
                                               gboolean          *full,
                                               GError           **error);

/* TRUE when the end of the compressed data was reached. */
gboolean          gadget_web_decoder_is_done  (GadgetWebDecoder  *self);

G_END_DECLS
