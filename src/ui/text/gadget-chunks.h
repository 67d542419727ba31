/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A long text is cut into chunks, one for each row, so that no layout is much larger than the
 * viewport: even of a megabyte in one line only the visible part is laid out. Chunks end at line
 * ends where possible, and then have at most GADGET_CHUNK_GOAL bytes and GADGET_CHUNK_LINES lines;
 * a longer line is kept whole up to GADGET_CHUNK_BYTES. */
#define GADGET_CHUNK_GOAL 1024
#define GADGET_CHUNK_BYTES 4096
#define GADGET_CHUNK_LINES 64

/* Returns where the chunk that begins at @start ends: after a line end if one is near, else after a
 * space, else between two characters. The result depends only on the GADGET_CHUNK_BYTES bytes
 * behind @start and stays the same while the text grows, except that @length means that the chunk
 * is still open. */
gsize gadget_chunk_end     (const char *text,
                            gsize       length,
                            gsize       start);

/* Returns how many bytes of the chunk are shown: without the line end at which it was cut, and
 * without the line ends at the end of the text. */
gsize gadget_chunk_visible (const char *text,
                            gsize       length,
                            gsize       start,
                            gsize       end);

/* Returns the position after the next @n line ends from @at on; NULL if there are fewer before
 * @end. */
const char *gadget_chunk_skip_lines (const char *at,
                                     const char *end,
                                     guint       n);

G_END_DECLS
