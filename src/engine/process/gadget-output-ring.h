/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Holds output of any length in bounded memory: its beginning and its end are kept, the bytes
 * between them are only counted. Input and output are valid UTF-8. */
typedef struct _GadgetOutputRing GadgetOutputRing;

GadgetOutputRing *gadget_output_ring_new       (gsize             head_size,
                                                gsize             tail_size);
void              gadget_output_ring_free      (GadgetOutputRing *self);
gsize             gadget_output_ring_append    (GadgetOutputRing *self,
                                                const char       *text,
                                                gsize             length);
guint64           gadget_output_ring_get_total (GadgetOutputRing *self);
char             *gadget_output_ring_dup_tail  (GadgetOutputRing *self,
                                                guint64          *n_left_out);
char             *gadget_output_ring_dup_text  (GadgetOutputRing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetOutputRing, gadget_output_ring_free)

G_END_DECLS
