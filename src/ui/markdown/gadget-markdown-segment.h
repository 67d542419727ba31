/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Markdown is shown in segments, one row each: a paragraph, a list, a quote, a table, a block of
 * code, a heading. Segments tile a text; blank lines belong to the segment before them.
 *
 * Finding them is a matter of looking at lines, not of parsing, and costs about as much as looking
 * for line breaks, so that it can be done for all of a long chat. Only the last segment of a text
 * is open; one that has ended stays as it is, whatever follows.
 *
 * What is long is cut, so that no row is much larger than what is in sight:
 *   code       like any long text (GADGET_CHUNK_GOAL, GADGET_CHUNK_LINES), at line breaks;
 *   tables     above 12 kB, between rows;
 *   lists      above 4 kB, between items of the outermost list;
 *   quotes     above 4 kB, between what they contain;
 *   the rest   above 4 kB at line breaks, and lines that are longer after a space.
 * An item of a list, or a part of a quote, that is longer than 8 kB by itself is cut at line breaks.
 *
 * A segment that goes on with a cut block has a context: the offset where that block begins. It
 * says how to read the segment: that it is code, and in which language; which columns a table has;
 * where a list began to count. A segment that begins its own block is its own context. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_MARKDOWN_SEGMENT_BYTES 4096

/**
 * gadget_markdown_segment_end:
 * @text: the whole text; any bytes
 * @length: of it
 * @start: where the segment begins: 0, or an end that this function returned
 * @context: its context: 0, or what this function gave with that end
 * @next_context: (out): the context of the segment that follows
 *
 * The answer depends on the text from @context on, and stays the same while the text grows.
 *
 * Returns: where the segment ends; @length means that it is open
 */
gsize gadget_markdown_segment_end (const char *text,
                                   gsize       length,
                                   gsize       start,
                                   gsize       context,
                                   gsize      *next_context);

G_END_DECLS
