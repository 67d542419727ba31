/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-markdown-scanner.h"
#include "gadget-markdown-segment.h"

G_BEGIN_DECLS

/* How the segment at @start continues the block at @context. */
typedef enum
{
  GADGET_MARKDOWN_RESUME_FRESH,  /* it begins a block of its own, or an item that says by itself
                                  * what it is */
  GADGET_MARKDOWN_RESUME_NESTED, /* inside of a container; what is open is found by scanning from
                                  * @context on */
  GADGET_MARKDOWN_RESUME_TEXT,   /* a paragraph, or the rest of another block that is read as one,
                                  * such as a long heading */
  GADGET_MARKDOWN_RESUME_CODE,
  GADGET_MARKDOWN_RESUME_HTML,
  GADGET_MARKDOWN_RESUME_TABLE,
} GadgetMarkdownResume;

/* Sets @scanner to its state at @start. */
GadgetMarkdownResume _gadget_markdown_resume         (GadgetMarkdownScanner *scanner,
                                                      const char            *text,
                                                      gsize                  start,
                                                      gsize                  context);

/* Returns the offset behind the blank lines at @begin. */
gsize                _gadget_markdown_skip_blank     (const char            *text,
                                                      gsize                  length,
                                                      gsize                  begin);

/* Tells whether @context points to the number of the first item of a list that was cut between its
 * items; if so, sets @number to it. */
gboolean             _gadget_markdown_get_count      (const char            *text,
                                                      gsize                  start,
                                                      gsize                  context,
                                                      guint                 *number);

G_END_DECLS
