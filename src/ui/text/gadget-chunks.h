/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Long texts are shown in pieces, one row each, so that no layout is much larger than what is in
 * sight: a megabyte in one line costs what is in sight. Pieces end with lines where they can, and
 * then have no more than GADGET_CHUNK_GOAL bytes; a line that is longer is kept whole up to
 * GADGET_CHUNK_BYTES. */
#define GADGET_CHUNK_GOAL 1024
#define GADGET_CHUNK_BYTES 4096
#define GADGET_CHUNK_LINES 64

/* Where the piece that begins at @start ends: after a line's end if there is one within reach,
 * else after a space, else between two characters. The answer depends on no more than the
 * GADGET_CHUNK_BYTES that follow @start, and stays the same while the text grows; @length means
 * that the piece is open. */
gsize gadget_chunk_end     (const char *text,
                            gsize       length,
                            gsize       start);

/* How many bytes of the piece are shown: the end of line that a piece was cut at is not, nor are
 * those at the very end of a text. */
gsize gadget_chunk_visible (const char *text,
                            gsize       length,
                            gsize       start,
                            gsize       end);

G_END_DECLS
