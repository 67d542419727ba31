/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Decodes bytes into valid UTF-8 without NULs. A character that was cut between two reads is held
 * back until its rest arrives, and bytes that cannot be a character become U+FFFD. */
typedef struct _GadgetOutputDecoder GadgetOutputDecoder;

GadgetOutputDecoder *gadget_output_decoder_new  (void);
void                 gadget_output_decoder_free (GadgetOutputDecoder *self);
void                 gadget_output_decoder_push (GadgetOutputDecoder *self,
                                                 const char          *bytes,
                                                 gsize                length,
                                                 gboolean             last,
                                                 GString             *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOutputDecoder, gadget_output_decoder_free)

G_END_DECLS
