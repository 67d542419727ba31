/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown is shown in segments, one row each: a paragraph, a list, a quote, a table, a block of
 * code, a heading. The segments cover a text without gaps; blank lines belong to the segment before
 * them.
 *
 * Segments are found by looking at lines, without parsing. That costs about as much as looking for
 * line breaks, so that it can be done for all of a long chat. Only the last segment of a text is
 * open; a segment that has ended stays the same, whatever follows.
 *
 * Long blocks are cut, so that no row is much larger than what is visible:
 *   code       like any long text (GADGET_CHUNK_GOAL, GADGET_CHUNK_LINES), at line breaks;
 *   tables     above 12 kB, between rows;
 *   lists      above 4 kB, between items of the outermost list;
 *   quotes     above 4 kB, between the blocks in them;
 *   others     above 4 kB at line breaks, and longer lines after a space.
 * An item of a list, or a block in a quote, that is longer than 8 kB by itself is cut at line
 * breaks.
 *
 * A segment that continues a cut block has a context: the offset where that block begins. It tells
 * how to read the segment: that it is code, and in which language; which columns a table has; with
 * which number a list began. A segment that begins its own block is its own context. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_SEGMENT_BYTES 4096

/**
 * gadget_markdown_segment_end:
 * @text: the whole text; any bytes
 * @length: the length of @text in bytes
 * @start: the offset where the segment begins: 0, or an end that this function returned
 * @context: the context of the segment: 0, or what this function set with that end
 * @next_context: (out): the context of the following segment
 *
 * The result depends on the text from @context on, and stays the same while the text grows.
 *
 * Returns: the offset where the segment ends; @length means that it is open
 */
gsize gadget_markdown_segment_end (const char *text,
                                   gsize       length,
                                   gsize       start,
                                   gsize       context,
                                   gsize      *next_context);

G_END_DECLS
